#!/usr/bin/env python3
"""Runs native-sizes on what has its turn.

    run_turn.py TURN [--threads N,N,N] NATIVE_SIZES ARGUMENT...

The programs are divided in three. A C compiler has one of the parts, another each day (scripts/part.py). Compilers with
different turns have different parts, so that with three compilers every program is compiled each day. Of numbers of OpenMP
threads it is one: in three days a program has met all compilers and all numbers.
"""
import os
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "scripts"))

import part  # noqa: E402


def runs(turn, words):
    """The commands, each with what it has in its environment."""
    threads = [None]
    if words[0] == "--threads":
        threads = part.share(words[1].split(","), 2 * turn)  # another than that of the next compiler on the same programs
        words = words[2:]
    return [(words + ["--parts", str(part.PARTS), "--part", str(number)], {"OMP_NUM_THREADS": count} if count else {})
            for number in part.share(range(part.PARTS), turn) for count in threads]


def main():
    failed = False
    for command, settings in runs(int(sys.argv[1]), sys.argv[2:]):
        print(*(f"{name}={value}" for name, value in settings.items()), *command, flush=True)
        failed |= subprocess.run(command, env={**os.environ, **settings}, check=False).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
