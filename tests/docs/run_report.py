#!/usr/bin/env python3
"""The tables and plots in the documents are those that `atlc-bench --report` makes from bench/results.

    run_report.py --bench PATH

Byte by byte, and no plot is left over. A changed time must change a page, and a file that is no result must be
refused: else this test would not see anything.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "bench/results"
WIDEST = 100


class Report:
    def __init__(self, bench, folder, results):
        self.folder = folder
        done = subprocess.run([bench, "--report", "--results", results, "--output", folder], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
        self.status, self.printed = done.returncode, done.stdout

    def files(self):
        return {path.relative_to(self.folder): path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}


def stale(files):
    """What differs from the documents as they are."""
    for path, made in files.items():
        kept = ROOT / path
        if not kept.is_file() or kept.read_bytes() != made:
            yield f"{path} is not what the results give: run `build/atlc-bench --report`"
    for path in (ROOT / "docs/plots").glob("*"):
        if path.relative_to(ROOT) not in files:
            yield f"{path.relative_to(ROOT)} is made from no result"


def too_wide(files):
    for path, made in files.items():
        if path.suffix == ".md":
            for number, line in enumerate(made.decode().splitlines(), 1):
                if len(line) > WIDEST:
                    yield f"{path}:{number}: {len(line)} columns, at most {WIDEST}"


def copy_with(folder, change):
    """The results, one of them changed."""
    shutil.copytree(RESULTS, folder)
    path = sorted(folder.glob("*.json"))[0]
    path.write_text(change(path.read_text()))
    return folder


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bench", type=pathlib.Path, required=True, help="atlc-bench")
    bench = parser.parse_args().bench.resolve()
    problems = []
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        report = Report(bench, scratch / "kept", RESULTS)
        if report.status != 0:
            sys.exit(f"atlc-bench --report: exit {report.status}\n{report.printed}")
        files = report.files()
        problems += [*stale(files), *too_wide(files)]
        slower = copy_with(scratch / "slower", lambda text: re.sub(r'"ours": ', '"ours": 7', text))
        if not list(stale(Report(bench, scratch / "changed", slower).files())):
            problems.append("other times in bench/results change no page")
        broken = copy_with(scratch / "broken", lambda text: text.replace('"rows"', '"lines"'))
        refused = Report(bench, scratch / "refused", broken)
        if refused.status != 1 or "rows" not in refused.printed or refused.files():
            problems.append(f"results without rows: exit {refused.status}, {refused.printed}")
    for problem in problems:
        print(problem)
    print(f"{3 - min(3, len(problems))} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
