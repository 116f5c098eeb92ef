#!/usr/bin/env python3
"""The instructions of each description are those of tests/accel/golden.

    run_golden.py PROGRAM [--write]        PROGRAM: the test of instructions, which prints them

The files in `golden` have a line for each instruction: its meaning, its operands and its C. How a description is written,
one by one or as tables over element types, must not change them.
"""
import argparse
import difflib
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
GOLDEN = Path(__file__).resolve().parent / "golden"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--write", action="store_true", help="write the files instead")
    args = parser.parse_args()
    differing = 0
    descriptions = sorted((ROOT / "accel").glob("*/*.atl"))
    names = {path.stem for path in descriptions}
    for path in descriptions:
        done = subprocess.run([args.program, "--print", str(path)], capture_output=True, text=True, check=True)
        file = GOLDEN / f"{path.stem}.txt"
        if args.write:
            if done.stdout:  # a file of strategies has no instructions
                file.write_text(done.stdout, encoding="utf-8")
            continue
        expected = file.read_text(encoding="utf-8") if file.exists() else ""
        difference = list(difflib.unified_diff(expected.splitlines(), done.stdout.splitlines(), str(file), str(path), lineterm="", n=0))
        differing += bool(difference)
        print("\n".join(difference) or f"{path.stem}: {len(expected.splitlines())} lines")
    for file in GOLDEN.glob("*.txt"):
        if file.stem not in names:
            differing += 1
            print(f"FAILED {file.name}: there is no such description")
    return 1 if differing or not descriptions else 0


if __name__ == "__main__":
    sys.exit(main())
