#!/usr/bin/env python3
"""Runs native-sizes on what has its turn.

    run_turn.py TURN [--threads N,N,N] NATIVE_SIZES ARGUMENT...

The programs are divided in three. A C compiler has one of the parts, another each day (scripts/part.py). Compilers with
different turns have different parts, so that with three compilers every program is compiled each day. With numbers of OpenMP
threads it is one of them, on all programs.
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
    if words[0] == "--threads":
        return [(words[2:], {"OMP_NUM_THREADS": count}) for count in part.share(words[1].split(","), turn)]
    return [(words + ["--parts", str(part.PARTS), "--part", str(number)], {}) for number in part.share(range(part.PARTS), turn)]


def main():
    failed = False
    for command, settings in runs(int(sys.argv[1]), sys.argv[2:]):
        print(*(f"{name}={value}" for name, value in settings.items()), *command, flush=True)
        failed |= subprocess.run(command, env={**os.environ, **settings}, check=False).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
