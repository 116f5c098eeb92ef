#!/usr/bin/env python3
"""The C of kernels gives no warning with -Wall -Wextra, by gcc and clang: of every program in the folders, and of random ones.

    run_warnings.py --atlc PATH --fuzz PATH [--programs N] [--seed N] [--all] FOLDER...

The programs of the folders are divided in three, one part each day (scripts/part.py); random kernels have a new seed each day, which is
printed. Each program is optimized by one of two compilers; with --all, or where all parts run, all of them by both. A program that atlc
refuses is counted and left out; there must be fewer of those than others. The last line says how many files of C were compiled without
a warning, and how many were not.
"""
import argparse
import concurrent.futures
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

import no_compiler  # noqa: E402
import part  # noqa: E402

# gcc finds more the more it optimizes; clang warns of the text, and of loops that are to be vectorized and are not.
READER = ["clang", "-fsyntax-only"]
OPTIMIZERS = [["gcc", "-O3", "-fopenmp", "-march=x86-64-v3"], ["clang", "-O1", "-fopenmp", "-march=x86-64-v4"]]
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-c", "-o", os.devnull]


def random_programs(fuzz, count, seed, folder):
    printed = subprocess.run([fuzz, "--print", "--programs", str(count), "--seed", seed, "--native-batch", "0", "--prove-every", "0",
                              "--runs", "1"], capture_output=True, text=True, check=True).stdout
    print(printed.splitlines()[-1])
    files = []
    for number, text in re.findall(r"^// program (\d+)\n(.*?)(?=^// program |^fuzz: |\Z)", printed, re.MULTILINE | re.DOTALL):
        files.append(folder / f"random{number}.atl")
        files[-1].write_text(text, encoding="utf-8")
    return files


def complaints(atlc, file, folder, compilers):
    """What compilers say of the C of a program; None if atlc refuses the program."""
    out = folder / f"{file.stem}{abs(hash(file))}"
    built = subprocess.run([atlc, "build", file, "-o", out], capture_output=True, text=True, check=False,
                           env={**os.environ, "CC": str(folder / "cc")})
    if built.returncode == 70 or built.returncode < 0:
        return [f"atlc build: exit code {built.returncode}: {built.stderr[-300:]}"]
    if built.returncode != 0:
        return None
    found = []
    for compiler in compilers:
        if shutil.which(compiler[0]):
            source = next(out.glob("*.c"))
            done = subprocess.run([*compiler, *WARNINGS, "-I", out, "-I", ROOT / "tests/gemmini/declarations", source],
                                  capture_output=True, text=True, check=False)
            if done.returncode != 0 or done.stderr:
                found.append(f"{' '.join(compiler)}: {done.stderr[:1500]}")
    shutil.rmtree(out)
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--atlc", required=True, type=Path)
    parser.add_argument("--fuzz", required=True, type=Path)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", default="date")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("folders", nargs="*", type=Path)
    options = parser.parse_args()
    options.atlc = options.atlc.resolve()
    options.fuzz = options.fuzz.resolve()
    programs = sorted(file for folder in options.folders for file in folder.rglob("*.atl"))
    programs = programs if options.all else part.share(programs)
    by_both = options.all or part.chosen() is None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        no_compiler.write_compiler(folder)
        files = [*programs, *random_programs(options.fuzz, options.programs, options.seed, folder)]
        jobs = [(file, [READER, *(OPTIMIZERS if by_both else [OPTIMIZERS[number % 2]])]) for number, file in enumerate(files)]
        clean = failed = refused = 0
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for (file, _), found in zip(jobs, pool.map(lambda job: complaints(options.atlc, job[0], folder, job[1]), jobs)):
                refused += found is None
                clean += found == []
                failed += bool(found)
                if found:
                    shown = file.read_text(encoding="utf-8") if file.name.startswith("random") else file
                    print(f"FAILED  {shown}\n" + "\n".join(found), flush=True)
    print(f"{refused} programs are refused")
    print(f"{clean} passed, {failed} failed")
    return 1 if failed or clean <= refused else 0


if __name__ == "__main__":
    sys.exit(main())
