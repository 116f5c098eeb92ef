"""Sums up a test run of Meson.

    count_tests.py testlog.json [NAME=passed|failed|none...]

A test that reports parts of its own (doctest, or a last line `N passed, N failed`) counts with them, any other as one; a
NAME counts as one more. Tests that took long are listed with their seconds. The last line printed is
`N passed, N failed`; the exit code is 1 if anything failed or nothing ran.
"""
import json
import re
import sys

PARTS = [re.compile(r"test cases:\s*\d+ \|\s*(\d+) passed \|\s*(\d+) failed"), re.compile(r"^(\d+) passed, (\d+) failed$", re.MULTILINE)]

LONG = 20  # seconds


def parts(test):
    """(passed, failed) of one test; (0, 0) if it was skipped."""
    if test["result"] == "SKIP":
        return 0, 0
    good = test["result"] in ("OK", "EXPECTEDFAIL")
    for pattern in PARTS:
        if found := pattern.findall(test.get("stdout", "")):
            passed, failed = map(int, found[-1])
            return passed, failed if good == (failed == 0) else max(failed, 1)
    return (1, 0) if good else (0, 1)


def main():
    try:
        with open(sys.argv[1], encoding="utf-8") as log:
            tests = [json.loads(line) for line in log]
    except OSError as error:
        print(error)
        tests = []
    counts = [parts(test) for test in tests]
    for word in sys.argv[2:]:
        name, _, result = word.partition("=")
        if result != "none":
            counts.append((1, 0) if result == "passed" else (0, 1))
            print(f"{name}: {result}")
    for test in sorted(tests, key=lambda test: -test["duration"]):
        if test["duration"] >= LONG:
            print(f"{test['duration']:6.0f} s  {test['name']}")
    passed, failed = sum(p for p, _ in counts), sum(f for _, f in counts)
    for test in tests:
        if test["result"] == "SKIP":
            print(f"skipped: {test['name']}")
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
