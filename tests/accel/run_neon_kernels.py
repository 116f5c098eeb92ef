#!/usr/bin/env python3
"""Kernels with NEON on an emulated Arm CPU give what the interpreter gives, bit by bit.

    run_neon_kernels.py --atlc PATH

The kernels of neon_kernels.atl are compiled for aarch64 and run by qemu-aarch64. Exit code 77: the compiler or the emulator
is not there.
"""
import argparse
import ast
import random
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAM = HERE / "neon_kernels.atl"
COMPILER, EMULATOR = "aarch64-linux-gnu-gcc", ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]
C_TYPES = {"f": "float", "B": "uint8_t", "i": "int32_t"}
NPY_TYPES = {"f": "<f4", "B": "|u1", "i": "<i4"}
LENGTHS = (4, 5, 8, 19, 32, 103)


def any_float(count, numbers):
    edges = (float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 1e-40, 3e38, 2147483648.0, -7.5)
    return [numbers.choice(edges) if numbers.random() < 0.2 else numbers.uniform(-300, 300) for _ in range(count)]


def small(count, numbers):
    """Small integers, whose sums are exact in any order."""
    return [float(numbers.randint(-9, 9)) for _ in range(count)]


def byte(count, numbers):
    return [numbers.randint(0, 255) for _ in range(count)]


def vectors(length):
    return {"N": length}, {"x": (length,), "y": (length,)}, (length,)


def product(rows, second, shape):
    """A has `rows` rows; B as many rows and columns as `second` says, in the order of `shape`."""
    terms, columns = second
    return {"M": rows, "K": terms, "N": columns}, {"A": (rows, terms), "B": shape(terms, columns)}, (rows, columns)


# kernel, schedule, the NEON that its C must have, type and values of tensors, scalars, type of the result, shapes for a length
CASES = [
    ("axpy", "cut", "vmulq_f32", "f", any_float, {"a": 1.5}, "f", vectors),
    ("axpy", "shift", "vmulq_f32", "f", any_float, {"a": -0.25}, "f", vectors),
    ("dot", "neon", "vpaddq_f32", "f", small, {}, "f", lambda n: ({"N": n // 4 * 4}, {"x": (n // 4 * 4,), "y": (n // 4 * 4,)}, ())),
    ("blur", "neon", "vmovn_u16", "B", byte, {}, "B", lambda n: ({"H": 3, "W": n}, {"img": (5, n + 2)}, (3, n))),
    ("clipped", "neon", "vcvtq_s32_f32", "f", any_float, {"low": -100.0, "high": 1e10}, "i", lambda n: ({"N": n}, {"x": (n,)}, (n,))),
    ("product", "plain", "vfmaq_f32", "f", small, {}, "f", lambda n: product(n, (9, n), lambda k, m: (k, m))),
    ("turned", "plain", "vmulq_f32", "f", small, {}, "f", lambda n: product(n, (9, n), lambda k, m: (m, k))),
    ("column_sums", "plain", "vaddq_f32", "f", small, {}, "f", lambda n: ({"M": 7, "N": n}, {"A": (7, n)}, (n,))),
    ("layer", "plain", "vmulq_f32", "f", small, {}, "f",
     lambda n: ({"H": 2, "W": n, "C": 3, "F": 37}, {"x": (4, n + 2, 3), "w": (3, 3, 3, 37)}, (2, n, 37))),
    ("powers", "plain", "vshlq_n_s64", "f", any_float, {}, "f", lambda n: ({"N": n}, {"x": (n,)}, (n,))),
    ("smooth", "plain", "vaddq_f32", "f", small, {}, "f", lambda n: ({"H": 33, "W": n}, {"img": (35, n + 2)}, (33, n))),
]


def size_of(shape):
    count = 1
    for extent in shape:
        count *= extent
    return count


def write_npy(path, kind, shape, values):
    header = f"{{'descr': '{NPY_TYPES[kind]}', 'fortran_order': False, 'shape': {shape!r}, }}".ljust(117) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + struct.pack(f"<{len(values)}{kind}", *values))


def read_npy(path):
    data = path.read_bytes()
    length, = struct.unpack("<H", data[8:10])
    ast.literal_eval(data[10:10 + length].decode().strip())
    return data[10 + length:]


def main_program(case, name):
    """C that reads sizes from its arguments and tensors from its input."""
    kernel, _, _, kind, _, scalars, result, shapes = case
    sizes, tensors, _ = shapes(4)
    types = C_TYPES[kind], C_TYPES[result]
    arguments = [f"strtoll(argv[{i}], NULL, 10)" for i in range(1, len(sizes) + 1)]
    scalar_values = [repr(value) for value in scalars.values()]
    names = list(tensors)
    # the order of the parameters in neon_kernels.atl
    order = {"axpy": arguments + scalar_values + names, "clipped": arguments + names + scalar_values}.get(kernel, arguments + names)
    return f"""#include "{name}.h"
#include <stdio.h>
#include <stdlib.h>
static {types[0]} {", ".join(f"{n}[100000]" for n in names)};
static {types[1]} result[100000];
int main(int argc, char **argv) {{
  int next = {len(sizes) + 1};
  if (argc < next + {len(names) + 1})
    return 2;
  {"".join(f'''if (fread({n}, sizeof {n}[0], (size_t)atoi(argv[next]), stdin) != (size_t)atoi(argv[next])) return 3;
  ++next;
  ''' for n in names)}if ({kernel}({", ".join(order)}, result) != 0)
    return 4;
  const size_t count = (size_t)atoi(argv[next]);
  return fwrite(result, sizeof result[0], count, stdout) == count ? 0 : 5;
}}
"""


def own_text(source):
    """What the compiler for aarch64 reads of a file, without the headers that it includes."""
    own, text = True, ""
    for line in subprocess.run([COMPILER, "-E", source], check=True, capture_output=True, text=True).stdout.splitlines(keepends=True):
        if line.startswith("# "):
            own = f'"{source}"' in line
        elif own:
            text += line
    return text


def build(atlc, case, folder):
    kernel, schedule, instruction = case[:3]
    subprocess.run([atlc, "build", PROGRAM, "-k", kernel, "-s", schedule, "-o", folder], check=True, stdout=subprocess.DEVNULL)
    source = folder / f"{PROGRAM.stem}.c"
    (folder / "main.c").write_text(main_program(case, PROGRAM.stem), encoding="utf-8")
    if f"{instruction}(" not in own_text(source):
        raise ValueError(f"{kernel} under {schedule} does not use {instruction} on aarch64")
    program = folder / "program"
    subprocess.run([COMPILER, "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-I", folder, folder / "main.c", source, "-o", program, "-lm"], check=True)
    return program


def check(atlc, case, program, folder, length, numbers):
    kernel, schedule, _, kind, values_of, scalars, result, shapes = case
    sizes, tensors, out = shapes(length)
    arguments, data = [f"{name}={value!r}" for name, value in scalars.items()], b""
    for name, shape in tensors.items():
        values = values_of(size_of(shape), numbers)
        write_npy(folder / f"{name}.npy", kind, shape, values)
        arguments.append(f"{name}={folder / name}.npy")
        data += struct.pack(f"<{len(values)}{kind}", *values)
    subprocess.run([atlc, "run", PROGRAM, "-k", kernel, "--engine", "interp", *arguments, "-o", folder / "out.npy"], check=True, stdout=subprocess.DEVNULL)
    counts = [str(size_of(shape)) for shape in tensors.values()] + [str(size_of(out))]
    done = subprocess.run([*EMULATOR, program, *map(str, sizes.values()), *counts], input=data, capture_output=True, check=False)
    expected = read_npy(folder / "out.npy")
    if done.returncode == 0 and same(done.stdout, expected, result):
        return True
    print(f"FAILED {kernel} under {schedule}, length {length}: exit code {done.returncode}, {done.stdout[:64].hex()} for {expected[:64].hex()}")
    return False


def same(actual, expected, kind):
    """The same bits; of NaN, any."""
    if len(actual) != len(expected):
        return False
    if kind != "f":
        return actual == expected
    is_nan = lambda word: word & 0x7FFFFFFF > 0x7F800000
    words = [struct.unpack(f"<{len(data) // 4}I", data) for data in (actual, expected)]
    return all(a == b or (is_nan(a) and is_nan(b)) for a, b in zip(*words))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--atlc", required=True)
    atlc = parser.parse_args().atlc
    for program in (COMPILER, EMULATOR[0]):
        if not shutil.which(program):
            print(f"SKIPPED: there is no {program}")
            return 77
    numbers = random.Random(1)
    results = []
    with tempfile.TemporaryDirectory() as name:
        for number, case in enumerate(CASES):
            folder = Path(name) / str(number)
            folder.mkdir()
            program = build(atlc, case, folder)
            results += [check(atlc, case, program, folder, length, numbers) for length in LENGTHS]
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
