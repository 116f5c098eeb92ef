#!/usr/bin/env python3
"""What is said about mistakes that people make, and whether following it mends them.

    run_messages.py --atlc PATH [NAME...]

tests/messages/KIND.txt has programs with one mistake each, under lines `== NAME`. For each, `atlc check` must report
one error, and the fix that it offers must make the program right. What is said stands in tests/messages/KIND.out, and
is compared; ATLC_UPDATE_GOLDEN=1 writes it anew. A program under `== NAME (no fix)` has no fix that is right in general.
The fixes that are offered for the programs of tests/errors are tried as well. A third of the programs of each kind is
examined, another each day (scripts/part.py); all are when files are named or written.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "scripts"))

import part  # noqa: E402

ERRORS = HERE.parent / "errors"
TIME_LIMIT = 240  # seconds, for one program


def run(atlc, folder, text, json_too=True):
    """The report as JSON, and as text."""
    (Path(folder) / "program.atl").write_text(text)
    command = [atlc, "check", "program.atl"]
    options = {"capture_output": True, "text": True, "cwd": folder, "timeout": TIME_LIMIT, "stdin": subprocess.DEVNULL}
    shown = subprocess.run(command, **options).stderr if json_too else ""
    done = subprocess.run(command + ["--json"], **options)
    if done.returncode not in (0, 1):
        raise ValueError(f"exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads(done.stdout)["diagnostics"], shown.replace(str(Path(atlc).parent / "lib"), "FILES OF ATLC")


def offset(text, line, column):
    return sum(len(other) + 1 for other in text.split("\n")[:line - 1]) + column - 1


def applied(text, fix):
    for edit in sorted(fix["edits"], key=lambda e: (e["line"], e["column"]), reverse=True):
        begin = offset(text, edit["line"], edit["column"])
        end = offset(text, edit["end_line"], edit["end_column"])
        text = text[:begin] + edit["text"] + text[end:]
    return text


def mistakes(path):
    """[name, program]"""
    found = []
    for part in re.split(r"^== ", path.read_text(), flags=re.MULTILINE)[1:]:
        name, program = part.split("\n", 1)
        found.append((name, program))
    return found


def examine(atlc, mistake):
    """What is said, and what is wrong with it."""
    name, program = mistake
    with tempfile.TemporaryDirectory() as folder:
        found, shown = run(atlc, folder, program)
        problems = []
        if len(found) != 1:
            problems.append(f"{len(found)} errors for one mistake")
        fixes = [fix for d in found for fix in d["fixes"]]
        if name.endswith("(no fix)") == bool(fixes):
            problems.append("a fix is offered" if fixes else "no fix is offered")
        for fix in fixes:
            mended = applied(program, fix)
            if rest := run(atlc, folder, mended, False)[0]:
                problems.append(f"{rest[0]['code']} {rest[0]['message']} after the fix\n{mended}")
        return shown, problems


def examine_all(atlc, names):
    update = os.environ.get("ATLC_UPDATE_GOLDEN") == "1"
    results = []
    for path in sorted(HERE.glob("*.txt")):
        if names and path.stem not in names:
            continue
        all_mistakes = list(enumerate(mistakes(path)))
        if not names and not update:
            all_mistakes = part.share(all_mistakes)
        with ThreadPoolExecutor(max_workers=2) as pool:
            reports = list(pool.map(lambda m: examine(atlc, m[1]), all_mistakes))
        golden = path.with_suffix(".out")
        if update:
            golden.write_text("".join(f"== {name}\n{shown}" for (_, (name, _)), (shown, _) in zip(all_mistakes, reports)))
        expected = re.split(r"^== ", golden.read_text(), flags=re.MULTILINE)[1:] if golden.exists() else []
        for (number, (name, _)), (shown, problems) in zip(all_mistakes, reports):
            if number >= len(expected) or expected[number] != f"{name}\n{shown}":
                problems.append(f"other words than in {golden.name}:\n{shown}")
            results.append((f"{path.stem}: {name}", problems))
    return results


def examine_errors(atlc, path):
    """Each fix for a program of tests/errors leaves one diagnostic less."""
    text = path.read_bytes().decode("utf-8", errors="surrogateescape")
    done = subprocess.run([atlc, "check", "--json", str(path)], capture_output=True, text=True, timeout=TIME_LIMIT,
                          stdin=subprocess.DEVNULL)
    before = json.loads(done.stdout)["diagnostics"]
    problems = []
    for d in before:
        for fix in d["fixes"]:
            lines = {e["line"] for e in fix["edits"]}

            def alike(found):  # on the lines that change
                return sum(r["code"] == d["code"] and r["message"] == d["message"] and bool(r["span"]) and
                           r["span"]["line"] in lines for r in found)
            after = path.parent / f".{path.stem}_fixed.atl"
            after.write_bytes(applied(text, fix).encode("utf-8", errors="surrogateescape"))
            try:
                rest = subprocess.run([atlc, "check", "--json", str(after)], capture_output=True, text=True,
                                      timeout=TIME_LIMIT, stdin=subprocess.DEVNULL)
                if 0 < alike(before) <= alike(json.loads(rest.stdout)["diagnostics"]):
                    problems.append(f"still there after the fix: {d['where']}: {d['message']}")
            finally:
                after.unlink()
    return problems


def main():
    parser = argparse.ArgumentParser(description="Compares what is said about mistakes, and tries each fix.")
    parser.add_argument("--atlc", required=True)
    parser.add_argument("names", nargs="*", help="only these files")
    options = parser.parse_args()
    atlc = str(Path(options.atlc).resolve())
    results = examine_all(atlc, options.names)
    if not options.names:
        results += [(path.name, examine_errors(atlc, path)) for path in part.share(sorted(ERRORS.glob("E*_*.atl")))
                    if not path.name.startswith("E1002")]
    failed = [(name, problems) for name, problems in results if problems]
    for name, problems in failed:
        print(f"FAILED  {name}: " + "; ".join(problems))
    print(f"{len(results) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
