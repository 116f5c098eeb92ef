#!/usr/bin/env python3
"""Every diagnostic stands in the program that provokes it.

    run_errors.py --atlc PATH --codes atl/base/codes.def [NAME...]

In tests/errors/E####_*.atl a comment directly below a line says what `atlc check` reports there,

    let B = gen i < N { A[j] };
    //                    ^ error[E1005]: 'j' is not defined
    // note: the whole text of one of its notes, if it matters

with the caret in the column of the diagnostic. Without a caret it is about a place elsewhere, or about none. Any other
diagnostic is a failure, and so is a code from 1000 to 7999 without a file.
"""
import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TIME_LIMIT = 240  # seconds, for one file
WITHOUT_PROGRAM = {"6901": "only a wrong compiler does it; tests/unit/reader_test.cpp gives wrong C",
                   "6902": "only a wrong compiler does it; tests/unit/proofs/coq_file_test.cpp gives wrong theorems",
                   "1014": "it takes 20001 definitions; tests/e2e/run_hostile.py writes them",
                   "7005": "the language cannot say it; tests/unit/verify_test.cpp gives a loop nest that does"}
EXPECTATION = re.compile(r"^\s*//\s*(\^~*)? ?error\[(E\d{4})\]: (.*)$")
NOTE = re.compile(r"^\s*// note: (.*)$")


def read_lines(path):
    return path.read_bytes().decode("utf-8", errors="surrogateescape").split("\n")


def expectations(path):
    """[code, place or None, message, notes] in the order of the file; a place is "line:column"."""
    found = []
    subject = 0  # the last line that is no expectation
    for number, line in enumerate(read_lines(path), start=1):
        if match := EXPECTATION.match(line.rstrip()):
            caret, code, message = match.groups()
            place = f"{subject}:{line.index('^') + 1}" if caret else None
            found.append([code, place, message, []])
        elif found and (note := NOTE.match(line.rstrip())):
            found[-1][3].append(note.group(1))
        else:
            subject = number
    return found


def diagnostics(atlc, path):
    done = subprocess.run([atlc, "check", "--json", str(path)], capture_output=True, text=True, timeout=TIME_LIMIT,
                          stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 1):
        raise ValueError(f"exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads(done.stdout)["diagnostics"]


def matches(expected, actual, path):
    code, place, message, notes = expected
    here = actual["where"].startswith(f"{path}:")
    actual_place = actual["where"][len(f"{path}:"):] if here else None
    return (code, place, message) == (actual["code"], actual_place, actual["message"]) and \
        set(notes) <= {note["text"] for note in actual["notes"]}


def problems(atlc, path):
    try:
        reported = diagnostics(atlc, path)
    except (ValueError, subprocess.TimeoutExpired) as error:
        return [str(error)]
    found = []
    if not expectations(path):
        found.append("nothing is expected")
    for expected in expectations(path):
        actual = next((d for d in reported if matches(expected, d, path)), None)
        if actual:
            reported.remove(actual)
        else:
            found.append(f"missing: {expected[1] or 'elsewhere'}: {expected[0]}: {expected[2]}" +
                         "".join(f"\n    note: {note}" for note in expected[3]))
    for d in reported:
        found.append(f"not expected: {d['where']}: {d['code']}: {d['message']}" +
                     "".join(f"\n    note: {n['text']}" for n in d["notes"]))
    return found


def missing_codes(codes_def, files):
    codes = re.findall(r"^ATL_CODE\(([1-7]\d{3}),", codes_def.read_text(), re.MULTILINE)
    covered = {path.name[1:5] for path in files}
    return [code for code in codes if code not in covered and code not in WITHOUT_PROGRAM]


def main():
    parser = argparse.ArgumentParser(description="Compares diagnostics with the comments in tests/errors/*.atl.")
    parser.add_argument("--atlc", required=True)
    parser.add_argument("--codes", type=Path, required=True)
    parser.add_argument("names", nargs="*", help="only files whose names begin so")
    options = parser.parse_args()
    files = sorted(HERE.glob("E*_*.atl"))
    passed = failed = 0
    for path in files:
        if options.names and not path.name.startswith(tuple(options.names)):
            continue
        found = problems(options.atlc, path)
        print(f"{'FAILED' if found else 'ok'}  {path.name}")
        for problem in found:
            print(f"  {problem}")
        failed += bool(found)
        passed += not found
    if not options.names:
        for code in missing_codes(options.codes, files):
            print(f"FAILED  no file for E{code}")
            failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
