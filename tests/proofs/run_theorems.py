#!/usr/bin/env python3
"""Has coqc check the theorems of the examples that theorems.txt lists.

    run_theorems.py --atlc PATH [--all]

Builds the Coq library first. A third of the theorems is checked, another each day (scripts/part.py); --all checks all of
them. Each must be closed under the global context. The last line says how many passed and failed; 77 where there is no coqc.
"""
import argparse
import concurrent.futures
import json
import os
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


def listed():
    lines = (Path(__file__).parent / "theorems.txt").read_text(encoding="utf-8").splitlines()
    return [line.split() for line in lines if line and not line.startswith("#")]


def check(atlc, library, folder, theorem):
    """What is wrong with a theorem, or nothing. A schedule auto_HARDWARE is one that atlc makes."""
    program, kernel, schedule = theorem
    name = f"{program} {kernel} {schedule}"
    output = folder / name.replace(" ", "_").replace("/", "_")
    made = ["--for", schedule.removeprefix("auto_")] if schedule.startswith("auto_") else []
    run = subprocess.run([atlc, "prove", program, "-k", kernel, "-s", schedule, *made, "--coq", "--json", "--coq-library", library,
                          "--coq-timeout", str(LIMIT), "--cache", "", "-o", output], cwd=ROOT, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1) or not run.stdout:
        return f"{name}: exit code {run.returncode}\n{run.stderr}"
    coq = json.loads(run.stdout)["kernels"][0]["coq"]
    if not coq["ok"] or coq["axioms"]:
        return f"{name}: {coq['result']} {coq['axioms']}\n{run.stderr}"
    print(f"ok  {name}: {coq['seconds']:.1f} s", flush=True)
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--atlc", required=True)
    parser.add_argument("--library", help="the folder of the Coq library; default: coq next to atlc")
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    if not shutil.which("coqc"):
        print("coqc is not installed")
        return 77
    atlc = Path(options.atlc).resolve()
    library = Path(options.library or atlc.parent / "coq").resolve()
    if subprocess.run(["scripts/coq", library], cwd=ROOT, check=False).returncode != 0:
        print("0 passed, 1 failed")
        return 1
    theorems = listed() if options.all else part.share(listed())
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        problems = list(filter(None, pool.map(lambda t: check(atlc, library, Path(folder), t), theorems)))
    for problem in problems:
        print(f"FAILED  {problem}")
    print(f"{len(theorems) - len(problems)} passed, {len(problems)} failed")
    return 1 if problems or not theorems else 0


if __name__ == "__main__":
    sys.exit(main())
