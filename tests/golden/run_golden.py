#!/usr/bin/env python3
"""What the stages print for small programs is what it was.

    run_golden.py --atlc PATH [NAME...]

For every tests/golden/**/NAME.atl, each NAME.STAGE.exp beside it is compared with `atlc show NAME.atl --stage STAGE`.
ATLC_UPDATE_GOLDEN=1 rewrites the .exp files that exist; a new one is made by `touch`ing it first. Review the difference.
"""
import argparse
import difflib
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
STAGES = ["parsed", "typed", "pads", "loops", "c", "obligations"]
TIME_LIMIT = 240  # seconds


def show(atlc, program, stage):
    done = subprocess.run([atlc, "show", program.name, "--stage", stage], cwd=program.parent, capture_output=True,
                          text=True, timeout=TIME_LIMIT, stdin=subprocess.DEVNULL)
    if done.returncode != 0 or done.stderr:
        return f"exit code {done.returncode}\n{done.stderr}"
    return done.stdout


def round_trip(atlc, program, text):
    """A source stage, printed, is a program that prints the same again."""
    again = subprocess.run([atlc, "show", "/dev/stdin", "--stage", "parsed"], input=text, capture_output=True, text=True,
                           timeout=TIME_LIMIT)
    return again.stdout + again.stderr


def differences(expected, actual, name):
    lines = difflib.unified_diff(expected.splitlines(), actual.splitlines(), name, "now", lineterm="", n=2)
    return list(lines)[:60]


def problems(atlc, program, stage, expected_file, update):
    actual = show(atlc, program, stage)
    if update:
        expected_file.write_text(actual)
    found = differences(expected_file.read_text(), actual, expected_file.name)
    if not found and stage == "parsed":
        found = differences(actual, round_trip(atlc, program, actual), "printed, parsed and printed again")
    return found


def main():
    parser = argparse.ArgumentParser(description="Compares printed stages with tests/golden/**/*.exp.")
    parser.add_argument("--atlc", required=True)
    parser.add_argument("names", nargs="*", help="only programs with one of these in their path")
    options = parser.parse_args()
    update = os.environ.get("ATLC_UPDATE_GOLDEN") == "1"
    compared = failed = 0
    for expected_file in sorted(HERE.rglob("*.exp")):
        name, stage = expected_file.name.split(".")[:2]
        program = expected_file.with_name(f"{name}.atl")
        if options.names and not any(part in str(program) for part in options.names):
            continue
        compared += 1
        found = [f"unknown stage {stage}"] if stage not in STAGES else \
            problems(str(Path(options.atlc).resolve()), program, stage, expected_file, update)
        if found:
            failed += 1
            print(f"FAILED  {expected_file.relative_to(HERE)}")
            print("\n".join(f"  {line}" for line in found))
    unused = [p for p in HERE.rglob("*.atl") if not list(p.parent.glob(f"{p.stem}.*.exp"))]
    for program in unused:
        print(f"FAILED  {program.relative_to(HERE)} has no .exp file")
    print(f"{compared - failed} passed, {failed + len(unused)} failed")
    return 1 if failed or unused else 0


if __name__ == "__main__":
    sys.exit(main())
