#!/usr/bin/env python3
"""Every instruction of wrong.atl is found to be wrong.

    run_wrong.py PROGRAM [MACHINE]      the test of instructions, and where they run; exit code 77 if they cannot
"""
import re
import subprocess
import sys
from pathlib import Path

WRONG = Path(__file__).resolve().parent / "wrong.atl"


def main():
    done = subprocess.run([sys.argv[1], str(WRONG), "--count", "10000", *(["--on", sys.argv[2]] if sys.argv[2:] else [])], capture_output=True, text=True)
    print(done.stdout, done.stderr)
    if done.returncode == 77:
        return 77
    expected = set(re.findall(r"instr (\w+)", WRONG.read_text(encoding="utf-8")))
    found = set(re.findall(r"^FAILED (\w+)", done.stdout, re.MULTILINE))
    for name in sorted(expected - found):
        print(f"NOT FOUND {name}")
    return 0 if found == expected and done.returncode == 1 else 1


if __name__ == "__main__":
    sys.exit(main())
