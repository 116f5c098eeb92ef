#!/usr/bin/env python3
"""Runs kernels that are mapped to Gemmini on its model.

    run_kernels.py --atlc PATH [--sizes N] [--orders N] [--seed N] [KERNEL...]

Each schedule of each example `gemmini_*` becomes a function of a C library, compiled with the model, and runs on a third of
N sizes (200), edges of tiles and random ones, another third each day (scripts/part.py), each in N orders of what the hardware may do in any order (20 of
edges of tiles, 2 of others): its results are those of the
reference, to the bit; nothing that was not written is read; the model refuses no command. The same C, without the model, runs its loops:
with the same results. The C compiles for the target, too, against declarations of the public macros.
Then the share of the array's peak is compared with what was seen before.
"""
import argparse
import ctypes
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "examples"), str(ROOT / "scripts")]

import part  # noqa: E402
from library import Library  # noqa: E402
from run_examples import load_reference  # noqa: E402

MODEL = ROOT / "accel/gemmini/model"
CROSS = "riscv64-linux-gnu-gcc"
EDGES = [1, 15, 16, 17, 33, 64, 100]
# It depends by a few on how the matrices lie in the lines of the cache. Per cent of the peak for square products, the first time:
# (kernel, schedule, size): at least.
UTILISATION = {("matmul", "fast", 64): 30, ("matmul", "fast", 128): 60, ("matmul", "fast", 250): 75, ("matmul", "fast", 256): 85}


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=600, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def schedules(program):
    """(kernel, schedule)"""
    found = re.findall(r"^schedule (\w+) for ([\w, ]+)", program.read_text(), re.M)
    return [(kernel, schedule) for schedule, kernels in found for kernel in kernels.strip().split(", ")]


class Built:
    """The C library of a program: with the model, and as plain loops."""

    def __init__(self, atlc, program, folder, *options, hardware="none"):
        run(atlc, "build", program, "--for", hardware, *options, "-o", folder)
        self.source = source = folder / f"{program.stem}.c"
        self.text = source.read_text()
        flags = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared"]
        run("cc", *flags, f"-I{MODEL}", source, *MODEL.glob("*.c"), "-lm", "-o", folder / "model.so")
        run("cc", *flags, source, "-lm", "-o", folder / "loops.so")
        run(CROSS, "-std=c11", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Werror", f"-I{HERE / 'declarations'}", "-c", source, "-o", folder / "target.o")
        self.model, self.loops = Library(folder / "model.so"), Library(folder / "loops.so")
        self.model.functions.gemmini_model_utilisation.restype = ctypes.c_double

    def has_instructions(self, function):
        # Of a kernel in several versions, in each.
        parts = re.findall(rf"^static (?:atl_apart )?int {function}_gemmini(?:_v\d+)?\((?:.|\n)*?^}}", self.text, re.M)
        return parts and all(re.search(r"gemmini_(extended_mvin|loop_ws|loop_conv_ws)", part) or "_gemmini_v1(" in part for part in parts)


class Mapped:
    """A kernel, and the function of a library that is that kernel under a schedule."""

    def __init__(self, built, kernel, function):
        self.kernel, self.function, self.model, self.loops = kernel, function, built.model, built.loops
        if not built.has_instructions(function):
            sys.exit(f"{function} has no instructions")

    def check(self, reference, sizes, rng, orders=1):
        inputs = reference.inputs(self.kernel, sizes, rng)
        expected = reference.reference(self.kernel, sizes, inputs)
        self.check_results(self.loops, "loops", sizes, inputs, expected)
        for order in range(orders):
            self.model.functions.gemmini_model_seed(ctypes.c_uint64(order + 1))
            self.check_results(self.model, f"order {order + 1}", sizes, inputs, expected)
            if self.unwritten_reads():
                sys.exit(f"{self.kernel} {sizes}, order {order + 1}: reads what nothing wrote")
        return 100 * self.model.functions.gemmini_model_utilisation()

    def check_results(self, library, how, sizes, inputs, expected):
        outputs = {name: np.full(value.shape, 55, value.dtype) for name, value in expected.items()}
        error = library.call(self.function, sizes, inputs, outputs)
        for name, value in expected.items():
            if error or not np.array_equal(outputs[name], value):
                sys.exit(f"{self.kernel} {sizes}, {how}: {name} differs, error {error}")

    def unwritten_reads(self):
        counted = self.model.functions.gemmini_model_unwritten_reads
        counted.restype = ctypes.c_uint64
        return counted()


def random_sizes(reference, kernel, names):
    if hasattr(reference, "random_sizes"):
        return reference.random_sizes(kernel, random)
    return {name: random.choice([random.choice(EDGES), random.randint(1, 130)]) for name in names}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--atlc", type=Path, required=True)
    parser.add_argument("--sizes", type=int, default=200)
    parser.add_argument("--orders", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("kernels", nargs="*", help="only these")
    options = parser.parse_args()
    random.seed(options.seed)
    with tempfile.TemporaryDirectory() as scratch:
        for program in sorted(ROOT.glob("examples/gemmini_*/*.atl")):
            reference = load_reference(program.parent)
            built = Built(options.atlc.resolve(), program, Path(scratch) / program.stem)
            for kernel, schedule in schedules(program):
                if options.kernels and kernel not in options.kernels:
                    continue
                mapped = Mapped(built, kernel, f"{kernel}_{schedule}")
                cases = [sizes for sizes, _ in reference.schedule_cases(kernel)]
                cases += [dict.fromkeys(cases[0], edge) for edge in EDGES if not hasattr(reference, "random_sizes")]
                edges = len(cases)
                cases += [random_sizes(reference, kernel, cases[0]) for _ in range(options.sizes - len(cases))]
                ours = part.share(enumerate(cases))
                for number, sizes in ours:
                    mapped.check(reference, sizes, np.random.default_rng([options.seed, number]), options.orders if number < edges else 2)
                for (of, by, size), least in UTILISATION.items():
                    if (of, by) == (kernel, schedule):
                        percent = mapped.check(reference, dict.fromkeys(cases[0], size), np.random.default_rng(0))
                        print(f"{kernel} under {schedule}, {size}: {percent:.1f} % of the peak")
                        if percent < least:
                            sys.exit(f"  there were {least} %")
                print(f"{kernel} under {schedule}: {len(ours)} of {len(cases)} sizes")


if __name__ == "__main__":
    main()
