#!/usr/bin/env python3
"""One function for several CPUs: each runs the version that is made for it.

    run_dispatch.py --atlc PATH

A CPU that lacks instructions is one whose answers the macro ATL_CPU_HAS replaces. The versions add up in different orders,
so the bits of a sum say which of them ran. Exit code 77: this CPU lacks AVX-512, which the test must have to pretend.
"""
import argparse
import array
import concurrent.futures
import ctypes
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = ROOT / "examples" / "blas" / "blas.atl"
WITHOUT_AVX512 = '-DATL_CPU_HAS(feature)=((feature)[3] != \'5\' && __builtin_cpu_supports("avx2"))'
WITHOUT_ANY = "-DATL_CPU_HAS(feature)=0"
VALUES = array.array("f", (1 / (1 + 7 * i % 1013) for i in range(3001)))


def build(atlc, folder, schedules):
    subprocess.run([atlc, "build", PROGRAM, "-k", "sdot", "-s", schedules, "-o", folder], check=True, stdout=subprocess.DEVNULL)
    return folder / "blas.c"


def dot_of(source, *options):
    library = source.with_name(f"{abs(hash(options))}.so")
    compiler = os.environ.get("CC", "cc").split()
    subprocess.run([*compiler, "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", *options, source, "-o", library, "-lm"], check=True)
    function = ctypes.CDLL(str(library)).sdot
    numbers = (ctypes.c_float * len(VALUES)).from_buffer(VALUES)

    def dot():
        out = ctypes.c_float()
        assert function(ctypes.c_int64(len(VALUES)), numbers, numbers, ctypes.byref(out)) == 0
        return out.value
    return dot


def has_avx512():
    probe = 'int main(void) { return !(__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")); }'
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["cc", "-x", "c", "-", "-o", f"{folder}/probe"], input=probe, text=True, check=True)
        return subprocess.run([f"{folder}/probe"], check=False).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--atlc", required=True)
    atlc = parser.parse_args().atlc
    if not has_avx512():
        print("SKIPPED: this CPU does not have AVX-512")
        return 77
    problems = []

    def same(what, actual, expected):
        if actual != expected:
            problems.append(f"{what}: {actual!r}, expected {expected!r}")

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        avx512, avx2, plain = (dot_of(build(atlc, folder / s, s))() for s in ("fast", "avx2", "none"))
        same("different bits", len({avx512, avx2, plain}), 3)
        all_three = build(atlc, folder / "all", "fast,avx2,none")
        same("with AVX-512", dot_of(all_three)(), avx512)
        same("without AVX-512", dot_of(all_three, WITHOUT_AVX512)(), avx2)
        same("without vectors", dot_of(all_three, WITHOUT_ANY)(), plain)
        two = build(atlc, folder / "two", "fast,avx2")
        loops_of_avx2 = dot_of(build(atlc, folder / "loops", "avx2"), WITHOUT_ANY)()
        same("the loops of the last schedule", dot_of(two, WITHOUT_ANY)(), loops_of_avx2)
        same("not those of the first", loops_of_avx2 == dot_of(build(atlc, folder / "first", "fast"), WITHOUT_ANY)(), False)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            dot = dot_of(all_three, "-O1")
            same("by eight threads", set(pool.map(lambda _: dot(), range(400))), {avx512})
        manifest = json.loads((folder / "all" / "blas.json").read_text())
        same("one function", [k["function"] for k in manifest["kernels"]], ["sdot"])
    for problem in problems:
        print(f"FAILED {problem}")
    print(f"{9 - len(problems)} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
