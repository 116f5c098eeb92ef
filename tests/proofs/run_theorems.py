#!/usr/bin/env python3
"""Has coqc check the theorems that theorems.txt lists.

    run_theorems.py --atlc PATH [--all] [--record]

A third of them is looked at, another each day (scripts/part.py). accepted.json has what coqc accepted: a digest of each file,
and one of the Coq library. Files that changed since are checked, and of those that are the same one of AGAIN, others each time.
--all checks all theorems. Each must be closed under the global context. --record looks at all of them, checks those that
changed, and writes accepted.json. The last line says how many passed and failed; 77 where there is no coqc.
"""
import argparse
import concurrent.futures
import datetime
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import part  # noqa: E402

LIMIT = 1200  # seconds for a theorem, on a machine that has other things to do
AGAIN = 4
ACCEPTED = Path(__file__).parent / "accepted.json"


def listed():
    lines = (Path(__file__).parent / "theorems.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def digest(*parts):
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


COMMENT = re.compile(r'^ *\(\*((?!\*\)|\(\*|").)*\*\)\n', re.MULTILINE)


def digest_of_file(text, atlc):
    """Without the lines that are comments, which name places in files that may move; those beside atlc are the same wherever it is built."""
    return digest(COMMENT.sub("", text).replace(str(atlc.parent), ""))


def prover():
    """What a theorem is checked by: coqc and the library."""
    version = subprocess.run(["coqc", "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    folder = ROOT / "proofs" / "coq"
    files = sorted(file for file in folder.rglob("*") if file.name.endswith((".v", ".v.in")))
    return {"coqc": version, "library": digest(*(f"{file.relative_to(folder)}\0{file.read_text(encoding='utf-8')}" for file in files))}


def accepted(checked_by):
    """Digests by theorem; none if another coqc or library accepted them."""
    if not ACCEPTED.exists():
        return {}
    record = json.loads(ACCEPTED.read_text(encoding="utf-8"))
    return record["theorems"] if record["checked_by"] == checked_by else {}


def chosen(theorem):
    """The arguments that choose it. A schedule auto_HARDWARE is one that atlc makes."""
    program, kernel, schedule = theorem.split()
    made = ["--for", schedule.removeprefix("auto_")] if schedule.startswith("auto_") else []
    return [program, "-k", kernel, "-s", schedule, *made]


def is_as_accepted(atlc, theorem, known):
    if theorem not in known:
        return False
    run = subprocess.run([atlc, "show", *chosen(theorem), "--stage", "theorem"], cwd=ROOT, capture_output=True, text=True, check=False)
    return run.returncode == 0 and digest_of_file(run.stdout, atlc) == known[theorem]


def check(atlc, library, folder, theorem):
    """The digest of the file, or None, and what is wrong."""
    output = folder / theorem.replace(" ", "_").replace("/", "_")
    run = subprocess.run([atlc, "prove", *chosen(theorem), "--coq", "--json", "--coq-library", library,
                          "--coq-timeout", str(LIMIT), "--cache", "", "-o", output], cwd=ROOT, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1) or not run.stdout:
        return None, f"{theorem}: exit code {run.returncode}\n{run.stderr}"
    coq = json.loads(run.stdout)["kernels"][0]["coq"]
    if not coq["ok"] or coq["axioms"]:
        return None, f"{theorem}: {coq['result']} {coq['axioms']}\n{run.stderr}"
    print(f"ok  {theorem}: {coq['seconds']:.1f} s", flush=True)
    return digest_of_file("".join(file.read_text(encoding="utf-8") for file in output.glob("*.v")), atlc), ""


def changed_or_due(theorems, unchanged):
    """What changed, and of what did not those whose turn it is."""
    turn = datetime.date.today().toordinal() // part.PARTS % AGAIN
    return [theorem for number, theorem in enumerate(theorems) if theorem not in unchanged or number % AGAIN == turn]


def write_record(checked_by, theorems, digests):
    text = json.dumps({"checked_by": checked_by, "theorems": {theorem: digests[theorem] for theorem in theorems if theorem in digests}}, indent=1)
    unfinished = ACCEPTED.with_suffix(".new")
    unfinished.write_text(text + "\n", encoding="utf-8")
    unfinished.rename(ACCEPTED)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--atlc", required=True)
    parser.add_argument("--library", help="the folder of the Coq library; default: coq next to atlc")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    if not shutil.which("coqc"):
        print("coqc is not installed")
        return 77
    atlc = Path(options.atlc).resolve()
    library = Path(options.library or atlc.parent / "coq").resolve()
    if subprocess.run(["scripts/coq", library], cwd=ROOT, check=False).returncode != 0:
        print("0 passed, 1 failed")
        return 1
    checked_by = prover()
    theorems = listed() if options.all or options.record else part.share(listed())
    known = {} if options.all or part.chosen() is None else accepted(checked_by)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        same = pool.map(lambda theorem: is_as_accepted(atlc, theorem, known), theorems)
        unchanged = {theorem for theorem, is_same in zip(theorems, same) if is_same}
        print(f"{len(unchanged)} of {len(theorems)} theorems are as coqc accepted them before", flush=True)
        changed = [theorem for theorem in theorems if theorem not in unchanged]
        checked = theorems if options.all else changed if options.record else changed_or_due(theorems, unchanged)
        results = dict(zip(checked, pool.map(lambda theorem: check(atlc, library, Path(folder), theorem), checked)))
    problems = [problem for _, problem in results.values() if problem]
    for problem in problems:
        print(f"FAILED  {problem}")
    if options.record:
        before = {theorem: known[theorem] for theorem in unchanged}
        write_record(checked_by, theorems, before | {theorem: made for theorem, (made, _) in results.items() if made})
    print(f"{len(checked) - len(problems)} passed, {len(problems)} failed")
    return 1 if problems or not unchanged | set(results) else 0


if __name__ == "__main__":
    sys.exit(main())
