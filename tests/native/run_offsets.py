#!/usr/bin/env python3
"""Offsets with partial sums that would overflow: the C of offsets/ with extreme sizes, under the sanitizer of signed overflow.

    run_offsets.py --atlc PATH

Each C compiler that there is and has the sanitizer must build programs that end without a message. The same C with the offset of a
kernel added from left to right must end with one, or this test would show nothing.
"""
import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent / "offsets"
GROUPED = re.compile(r"x\[i\*\(M \+ 10\) \+ \((.*?)\)\];")


def run(command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)


def ends(compiler, folder, source):
    """Whether the program ends as it should; what it printed."""
    program = folder / "program"
    built = run([compiler, "-std=c11", "-O0", "-fsanitize=undefined", "-fno-sanitize-recover=all", "-I", folder, source,
                 HERE / "main.c", "-o", program])
    if built.returncode != 0:
        return False, built.stderr
    done = run([program])
    return done.returncode == 0 and not done.stderr, done.stdout + done.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--atlc", required=True, type=Path)
    atlc = parser.parse_args().atlc.resolve()
    compilers = [name for name in ("gcc", "clang") if shutil.which(name)]
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        built = run([atlc, "build", HERE / "offsets.atl", "-s", "none", "-o", folder])
        if built.returncode != 0:
            sys.exit(built.stdout + built.stderr)
        right = folder / "offsets.c"
        text = right.read_text(encoding="utf-8")
        wrong = folder / "wrong.c"
        ungrouped, count = GROUPED.subn(r"x[i*(M + 10) + \1];", text)
        wrong.write_text(ungrouped, encoding="utf-8")
        if count != 2:
            print(f"FAILED: {count} offsets are in parentheses")
            failed += 1
        for compiler in compilers:
            fine, output = ends(compiler, folder, right)
            if not fine:
                print(f"FAILED: {compiler}: {output}")
                failed += 1
            fine, output = ends(compiler, folder, wrong)
            if fine or "overflow" not in output:
                print(f"FAILED: {compiler}: what is added from left to right goes unnoticed: {output}")
                failed += 1
    print(f"{2 * len(compilers)} programs, {failed} failed")
    sys.exit(1 if failed else 0 if compilers else 77)


if __name__ == "__main__":
    main()
