#!/usr/bin/env python3
"""Real mistakes of other systems: each is refused with a counterexample, or proved and run right.

    run_museum.py --atlc PATH [ROW...]

One function per exhibit; its text says what went wrong elsewhere. Programs stand beside this file; refused ones carry
their diagnostics as comments, as in tests/errors. Results of accepted ones are compared with plain Python, on the
interpreter and on native code whose memory is filled with garbage first.
"""
import argparse
import ast
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "errors"))

import run_errors  # noqa: E402

TIME_LIMIT = 60  # seconds
FORMATS = {"<i4": "i", "<f4": "f"}


class Failure(Exception):
    pass


class Museum:
    def __init__(self, atlc):
        self.atlc = atlc

    def atlc_run(self, *arguments, cwd):
        environment = dict(os.environ, MALLOC_PERTURB_="165")
        return subprocess.run([self.atlc, "run", *arguments], cwd=cwd, env=environment, capture_output=True, text=True,
                              timeout=TIME_LIMIT, stdin=subprocess.DEVNULL)

    def refused(self, name):
        """The program is refused, exactly as its comments say."""
        problems = run_errors.problems(self.atlc, HERE / name)
        if problems:
            raise Failure("\n".join(problems))

    def computes(self, name, kernel, inputs, expected, sizes=()):
        """Both engines give the expected outputs. Tensors are lists (of lists), of int or of float."""
        for engine in ("interp", "native"):
            with tempfile.TemporaryDirectory() as folder:
                files = []
                for tensor, content in inputs.items():
                    write_npy(Path(folder, f"{tensor}.npy"), content)
                    files.append(f"{tensor}={tensor}.npy")
                outputs = [part for output in expected for part in ("-o", f"{output}=out_{output}.npy")]
                done = self.atlc_run(str(HERE / name), "-k", kernel, "--engine", engine, *sizes, *files, *outputs, cwd=folder)
                if done.returncode != 0:
                    raise Failure(f"{kernel}, {engine}: exit code {done.returncode}\n{done.stderr}")
                for output, wanted in expected.items():
                    actual = read_npy(Path(folder, f"out_{output}.npy"))
                    if actual != wanted:
                        raise Failure(f"{kernel}, {engine}, {output}: {actual}, expected {wanted}")


def shape_of(content):
    return (len(content), *shape_of(content[0])) if isinstance(content, list) and content else \
        ((0,) if isinstance(content, list) else ())


def flat(content):
    return [x for part in content for x in flat(part)] if isinstance(content, list) else [content]


def write_npy(path, content):
    values = flat(content)
    descr = "<f4" if any(isinstance(v, float) for v in values) else "<i4"
    header = repr({"descr": descr, "fortran_order": False, "shape": shape_of(content)}).encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    body = struct.pack(f"<{len(values)}{FORMATS[descr]}", *values)
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + body)


def read_npy(path):
    """A flat list, whatever the shape."""
    data = path.read_bytes()
    length = struct.unpack("<H", data[8:10])[0]
    descr = ast.literal_eval(data[10:10 + length].decode())["descr"]
    form = {**FORMATS, "<i8": "q"}[descr]
    return [x[0] for x in struct.iter_unpack(f"<{form}", data[10 + length:])]


def as_float(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


SIZES = [0, 1, 3, 4, 5, 7, 8, 9, 16, 17]


def row_01(m):
    """Truncating something that was computed: out-of-bounds stores (ATL 2022)."""
    m.refused("01_truncation.atl")
    for n in SIZES:
        a = [3 * i - 7 for i in range(n)]
        prefix = [sum(a[:i]) for i in range(n)]
        for kernel in ("cuts_padding", "tiled"):
            m.computes("01_truncation_of_padding.atl", kernel, {"A": a}, {"out": prefix})


def row_02(m):
    """(a + b) * c printed as a + b * c, 5 * (i % 2) as 5 * i % 2 (ATL, Exo)."""
    a, b, c = [7, -8, 9, 100], [2, 3, -40, 7], [5, -2, 3, 2]
    rows = list(zip(a, b, c))
    m.computes("02_parentheses.atl", "data", {"a": a, "b": b, "c": c}, {
        "p": [(x + y) * z for x, y, z in rows], "q": [x - (y - z) for x, y, z in rows],
        "r": [x // (y // z) if y // z else 0 for x, y, z in rows], "s": [-(x - y) % z for x, y, z in rows]})
    a, b, c = [1.5, -2.25, 0.1], [0.5, 3.0, 0.7], [4.0, -0.3, 1e-3]
    f = as_float
    rows = [(f(x), f(y), f(z)) for x, y, z in zip(a, b, c)]
    m.computes("02_parentheses.atl", "floats", {"a": a, "b": b, "c": c}, {
        "p": [f(f(x + y) * z) for x, y, z in rows], "q": [f(x - f(y - z)) for x, y, z in rows],
        "r": [f(x / f(y * z)) for x, y, z in rows]})
    tensor = [10 * i for i in range(16)]
    m.computes("02_parentheses.atl", "indices", {"A": tensor}, {
        "p": [tensor[5 * (i % 2)] for i in range(6)], "q": [tensor[3 * (i // 2)] for i in range(6)],
        "r": [tensor[8 - (i - 2)] for i in range(6)], "s": [tensor[2 * ((i + 1) % 3) + 1] for i in range(6)]})


def row_03(m):
    """Floor division proved, C's printed: (i - 3) % 4 read x[-3] (Exo, ATL)."""
    x = [10, 11, 12, 13]
    m.computes("03_floor.atl", "remainder", {"x": x}, {"out": [x[(i - 3) % 4] for i in range(9)]}, ["N=9"])
    x = list(range(100, 110))
    m.computes("03_floor.atl", "quotient", {"x": x}, {"out": [x[(i - 3) // 4 + 1] for i in range(9)]})
    a, b = [7, -7, 7, -7, 5, 0, -2147483648], [2, 2, -2, -2, 0, 3, 3]
    m.computes("03_floor.atl", "of_data", {"a": a, "b": b}, {
        "quotients": [p // q if q else 0 for p, q in zip(a, b)], "remainders": [p % q if q else 0 for p, q in zip(a, b)]})


def row_15(m):
    """A vectorised loop writes past the iteration space when the width does not divide the trip count (MLIR)."""
    m.refused("15_vector_tail.atl")
    for n in SIZES:
        a = [i - 4 for i in range(n)]
        m.computes("15_vector_tail_guarded.atl", "guarded", {"A": a}, {"out": [2 * x for x in a]})


def row_16(m):
    """Overflow in bounds makes a comparison true; products of extents wrap; extents over 32 bits (TVM, Halide, taichi)."""
    m.refused("16_overflow.atl")
    m.computes("16_large_extents.atl", "beyond_32_bits", {}, {"out": [3 * 2147483647 - 1]}, ["N=2147483647"])
    for engine in ("interp", "native"):
        with tempfile.TemporaryDirectory() as folder:
            done = m.atlc_run(str(HERE / "16_large_extents.atl"), "-k", "cube", "--engine", engine, "N=2000000000", "-o", "out.npy",
                              cwd=folder)
            if done.returncode != 1 or "error[E8009]" not in done.stderr or list(Path(folder).iterdir()):
                raise Failure(f"cube, {engine}: exit code {done.returncode}\n{done.stderr}")


def row_19(m):
    """A product with a transposed matrix whose specification assumes that the matrix is square (Halide)."""
    m.refused("19_transposed.atl")
    a, b = [[1, 2], [3, 4], [5, 6]], [[1, 0, 2, -1], [0, 1, 1, 1], [2, 2, 0, 3]]  # K = 3, M = 2, N = 4
    expected = [sum(a[k][i] * b[k][j] for k in range(3)) for i in range(2) for j in range(4)]
    m.computes("19_transposed_right.atl", "product", {"A": a, "B": b}, {"out": expected})


def row_22(m):
    """Filling only a part of a buffer and copying all of it out (MLIR)."""
    for n in SIZES:
        a = [i + 1 for i in range(n)]
        m.computes("22_partly_filled.atl", "half", {"A": a}, {"out": [x if 2 * i < n else 0 for i, x in enumerate(a)]})
        m.computes("22_partly_filled.atl", "products", {"A": a}, {"out": [x * x if 2 * i < n else 1 for i, x in enumerate(a)]})
        m.computes("22_partly_filled.atl", "padded", {"A": a}, {"out": [0, 0, *a, 0, 0]})


ROWS = {"1": row_01, "2": row_02, "3": row_03, "15": row_15, "16": row_16, "19": row_19, "22": row_22}


def main():
    parser = argparse.ArgumentParser(description="Mistakes of other systems, refused here or proved and run right.")
    parser.add_argument("--atlc", type=Path, required=True)
    parser.add_argument("rows", nargs="*", help="only these rows")
    options = parser.parse_args()
    museum = Museum(str(options.atlc.resolve()))
    passed = failed = 0
    for row, test in ROWS.items():
        if options.rows and row not in options.rows:
            continue
        try:
            test(museum)
            passed += 1
            print(f"ok  row {row}: {test.__doc__}")
        except (Failure, subprocess.TimeoutExpired) as failure:
            failed += 1
            print(f"FAILED  row {row}: {test.__doc__}\n{failure}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
