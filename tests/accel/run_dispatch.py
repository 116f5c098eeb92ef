#!/usr/bin/env python3
"""One function for several CPUs: each runs the version that is made for it.

    run_dispatch.py --atlc PATH [--portable]

A CPU that lacks instructions is one whose answers the macro ATL_CPU_HAS replaces. The versions add up in different orders,
so the bits of a sum say which of them ran. A version that stores past the caches runs if the result begins where it has to.
On a CPU without AVX-512, and with --portable, the instructions are those of SIMDe in portable C. Exit code 77: nor is it there.
"""
import argparse
import array
import concurrent.futures
import ctypes
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = ROOT / "examples" / "blas" / "blas.atl"
WITHOUT_AVX512 = '-DATL_CPU_HAS(feature)=((feature)[3] != \'5\' && __builtin_cpu_supports("avx2"))'
WITHOUT_ANY = "-DATL_CPU_HAS(feature)=0"
WITH_ALL = "-DATL_CPU_HAS(feature)=1"
PORTABLE = []  # options of the C compiler, where instructions are in portable C
VALUES = array.array("f", (1 / (1 + 7 * i % 1013) for i in range(3001)))


def build(atlc, folder, schedules, program=PROGRAM, kernel="sdot"):
    subprocess.run([atlc, "build", program, "-k", kernel, "-s", schedules, "-o", folder], check=True, stdout=subprocess.DEVNULL)
    source = folder / f"{program.stem}.c"
    if PORTABLE:
        text = re.sub(r'__attribute__\(\(target\("[^"]*"\)\)\)', "", source.read_text(encoding="utf-8"))
        source.write_text(text.replace("#include <immintrin.h>", "#include <simde_x86.h>").replace("defined(__x86_64__)", "1"), encoding="utf-8")
    return source


def compile_shared(source, library, *options):
    if PORTABLE and not any("ATL_CPU_HAS" in option for option in options):
        options += (WITH_ALL,)
    compiler = os.environ.get("CC", "cc").split()
    subprocess.run([*compiler, "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", *PORTABLE, *options, source, "-o", library, "-lm"], check=True)


def dot_of(source, *options):
    library = source.with_name(f"{abs(hash(options))}.so")
    compile_shared(source, library, *options)
    function = ctypes.CDLL(str(library)).sdot
    numbers = (ctypes.c_float * len(VALUES)).from_buffer(VALUES)

    def dot():
        out = ctypes.c_float()
        assert function(ctypes.c_int64(len(VALUES)), numbers, numbers, ctypes.byref(out)) == 0
        return out.value
    return dot


STREAM = """
import "avx512.atl";
import "avx512_stream.atl";
kernel axpy(N: size, a: f32, x: f32[N]) -> f32[N] where N % 16 == 0 rounding contract { gen i < N { a * x[i] + x[i] } }
schedule stream for axpy { split i by 16 tail exact; vectorize i.i; map all with avx512_stream; map i.i to stream_f32; contract; }
schedule fast for axpy { split i by 16 tail exact; vectorize i.i; map all with avx512; contract; }
"""

NEON = """
import "neon.atl";
import "avx2.atl";
kernel axpy(N: size, a: f32, x: f32[N]) -> f32[N] where N >= 8 rounding contract { gen i < N { a * x[i] + x[i] } }
schedule vectors(cpu, lanes) for axpy { split i by lanes tail shift; vectorize i.i; map all with cpu; contract; }
schedule avx2 for axpy = vectors(avx2, 8);
schedule neon for axpy = vectors(neon, 4);
"""


def axpy_at(source):
    """The first results as bits, if they are stored so many bytes behind a cache line."""
    library = source.with_suffix(".so")
    compile_shared(source, library)
    function = ctypes.CDLL(str(library)).axpy
    numbers = (ctypes.c_float * 2992).from_buffer(VALUES)

    def axpy(behind):
        memory = ctypes.create_string_buffer(4 * len(numbers) + 128)
        out = (ctypes.addressof(memory) + 63) // 64 * 64 + behind
        assert function(ctypes.c_int64(len(numbers)), ctypes.c_float(1 / 3), numbers, ctypes.c_void_p(out)) == 0
        return ctypes.string_at(out, 4 * len(numbers))
    return axpy


def has_avx512():
    probe = 'int main(void) { return !(__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")); }'
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["cc", "-x", "c", "-", "-o", f"{folder}/probe"], input=probe, text=True, capture_output=True, check=False)
        return Path(f"{folder}/probe").exists() and subprocess.run([f"{folder}/probe"], check=False).returncode == 0


def has_simde():
    return subprocess.run(["cc", "-x", "c", "-fsyntax-only", "-"], input="#include <simde/x86/avx512.h>", text=True, capture_output=True, check=False).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--atlc", required=True)
    parser.add_argument("--portable", action="store_true", help="run instructions in portable C")
    args = parser.parse_args()
    atlc = args.atlc
    if args.portable or not has_avx512():
        if not has_simde():
            print("SKIPPED: this CPU does not have AVX-512, and there is no SIMDe")
            return 77
        PORTABLE.extend(["-Wno-psabi", "-DSIMDE_ENABLE_NATIVE_ALIASES", "-isystem", str(ROOT / "tests" / "accel")])
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
        program = folder / "stream.atl"
        program.write_text(STREAM)
        axpy = axpy_at(build(atlc, folder / "stream", "stream", program, "axpy"))
        plain = axpy_at(build(atlc, folder / "loops_only", "none", program, "axpy"))
        same("fused where it is aligned", axpy(0) == plain(0), False)
        same("another cache line", axpy(64), axpy(0))
        same("half a cache line", axpy(32), plain(0))
        same("one element", axpy(4), plain(0))
        both = axpy_at(build(atlc, folder / "both", "stream,fast,none", program, "axpy"))
        same("the next version with these instructions", both(4), axpy(0))
        program = folder / "two.atl"
        program.write_text(NEON)
        fused = axpy_at(build(atlc, folder / "avx2_only", "avx2", program, "axpy"))(0)
        for order in ("avx2,neon,none", "neon,avx2,none"):  # a version that the C compiler chooses, and one that asks the CPU
            same(order, axpy_at(build(atlc, folder / order, order, program, "axpy"))(0), fused)
        manifest = json.loads((folder / "all" / "blas.json").read_text())
        same("one function", [k["function"] for k in manifest["kernels"]], ["sdot"])
    for problem in problems:
        print(f"FAILED {problem}")
    print(f"{16 - len(problems)} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
