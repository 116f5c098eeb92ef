#!/usr/bin/env python3
"""Random kernels about indices: of those whose obligations Z3 proves, coqc proves the theorems.

    run_theorems_fuzz.py --fuzz PATH --build FOLDER [--kernels N]

Builds the Coq library first, in the folder coq of the build folder. Others every day; fuzz_theorems says how to repeat
them. 77 where there is no coqc.
"""
import argparse
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fuzz", required=True)
    parser.add_argument("--build", required=True, type=Path)
    parser.add_argument("--kernels", default="30")
    options = parser.parse_args()
    if not shutil.which("coqc"):
        print("coqc is not installed")
        return 77
    library = (options.build / "coq").resolve()
    if subprocess.run(["scripts/coq", library], cwd=ROOT, check=False).returncode != 0:
        return 1
    return subprocess.run([options.fuzz, "--coq-library", library, "--seed", "date", "--kernels", options.kernels],
                          check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
