#!/usr/bin/env python3
"""The words about a theorem: what it assumes of floats, and of which loops it is; in the table, in JSON, in the header.

    run_scopes.py --atlc PATH [--library FOLDER]

The last line says how many checks passed and failed; 77 where there is no coqc.
"""
import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = Path(__file__).resolve().parent / "scopes.atl"
SUMS = ['commutes "+.{}"', 'associates "+.{}"', 'has_unit "+.{}" "{}:0{}"']
LAWS = "up to laws that floats do not obey: "
ALL, PORTABLE = "all loops", "the portable loops, not the instructions of avx2"


def laws(elem, digits):
    return [text.format(elem, elem, digits) for text in SUMS]


# The theorem: its hypotheses, how equal the results are, and what it is about.
WANTED = {
    "dot": ([], "bit by bit", ALL), "ints": ([], "bit by bit", ALL), "twice": ([], "bit by bit", ALL),
    "dot_parts": (laws("f32", ".0"), LAWS + ", ".join(laws("f32", ".0")), ALL),
    "ints_parts": (laws("i32", ""), "bit by bit", ALL),  # integers that wrap obey them
    "twice_fast": ([], "bit by bit", PORTABLE),
}
HEADERS = {
    "parts": ["results as the program says, up to: reductions in another order; partial results of reductions combined; theorem: all loops",
              "results as the program says, bit by bit; theorem: all loops"],
    "fast,none": ["with avx2: results as the program says, bit by bit; theorem: the portable loops, not the instructions",
                  "results as the program says, bit by bit; theorem: all loops"],
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--atlc", required=True, type=Path)
    parser.add_argument("--library", type=Path, help="the folder of the Coq library; default: coq next to atlc")
    options = parser.parse_args()
    if not shutil.which("coqc"):
        print("coqc is not installed")
        return 77
    atlc = options.atlc.resolve()
    library = (options.library or atlc.parent / "coq").resolve()
    subprocess.run(["scripts/coq", library], cwd=ROOT, check=True)
    results = []
    with tempfile.TemporaryDirectory() as folder:
        prove = [atlc, "prove", PROGRAM, "--coq", "--coq-library", library, "--coq-timeout", "400", "--cache", f"{folder}/cache", "-o", folder]
        table = subprocess.run(prove, capture_output=True, text=True, check=False).stdout
        proved = json.loads(subprocess.run([*prove, "--json"], capture_output=True, text=True, check=False).stdout)
        found = {"_".join(filter(None, (k["name"], k["schedule"]))): k["coq"] for k in proved["kernels"]}
        for name, (assumed, agreement, covers) in WANTED.items():
            coq = found[name]
            says = f"proved, no axioms; {agreement}; {covers}"
            results.append((f"{name} in JSON", (coq.get("laws"), coq.get("agreement"), coq.get("covers")) == (assumed, agreement, covers), coq))
            results.append((f"{name} in the table", any(line.startswith(name + " ") and line.endswith(says) for line in table.splitlines()), table))
        for schedules, lines in HEADERS.items():
            kernels = ["-k", "dot", "-k", "ints"] if schedules == "parts" else ["-k", "twice"]
            subprocess.run([atlc, "build", PROGRAM, "-s", schedules, *kernels, "-o", folder, "--name", "scopes"], check=True, capture_output=True)
            header = (Path(folder) / "scopes.h").read_text(encoding="utf-8").splitlines()
            results.append((f"the header under {schedules}", [line[5:] for line in header if "theorem:" in line] == lines, header))
    failed = [(name, shown) for name, right, shown in results if not right]
    for name, shown in failed:
        print(f"FAILED  {name}: {shown}")
    print(f"{len(results) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
