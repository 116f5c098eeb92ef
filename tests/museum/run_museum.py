#!/usr/bin/env python3
"""Real mistakes of other systems: each is refused with a counterexample, or proved and run right.

    run_museum.py --atlc PATH [ROW...]

Without rows a third of them is shown, another each day (scripts/part.py).
One function per exhibit; its text says what went wrong elsewhere. Programs stand beside this file; refused ones carry
their diagnostics as comments, as in tests/errors. Results of accepted ones are compared with plain Python, on the
interpreter and on native code whose memory is filled with garbage first.
"""
import argparse
import ast
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "errors"), str(HERE.parents[1] / "scripts")]

import part  # noqa: E402
import run_errors  # noqa: E402

TIME_LIMIT = 240  # seconds
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

    def differ(self, name, first, second):
        """The two kernels are not equal, and an example says why."""
        done = subprocess.run([self.atlc, "equiv", str(HERE / name), first, second], capture_output=True, text=True, timeout=TIME_LIMIT,
                              stdin=subprocess.DEVNULL)
        if done.returncode != 1 or "error[E5105]" not in done.stderr:
            raise Failure(f"{first} and {second}: exit code {done.returncode}\n{done.stdout}{done.stderr}")

    def laws(self, name):
        """For each schedule, the laws of arithmetic that its results are equal up to: {"kernel schedule": [...]}"""
        done = subprocess.run([self.atlc, "check", "--json", str(HERE / name)], capture_output=True, text=True, timeout=TIME_LIMIT,
                              stdin=subprocess.DEVNULL)
        return {f"{k['name']} {k['schedule']}": k["laws"] for k in json.loads(done.stdout)["kernels"] if k["schedule"]}

    def schedules_compute(self, name, kernel, cases, sizes=()):
        """Under each of its schedules in the file, of which there are some, the kernel gives what is expected of it."""
        schedules = re.findall(rf"^schedule (\w+) for {kernel}\b", (HERE / name).read_text(), re.MULTILINE)
        if not schedules:
            raise Failure(f"{name}: no schedule for {kernel}")
        for schedule in schedules:
            for inputs, expected in cases:
                self.computes(name, kernel, inputs, expected, sizes, schedule)

    def computes(self, name, kernel, inputs, expected, sizes=(), schedule=None):
        """Both engines give the expected outputs. Tensors are lists (of lists), of int or of float."""
        chosen = ["-s", schedule] if schedule else []
        for engine in ("interp", "native"):
            with tempfile.TemporaryDirectory() as folder:
                files = []
                for tensor, content in inputs.items():
                    write_npy(Path(folder, f"{tensor}.npy"), content)
                    files.append(f"{tensor}={tensor}.npy")
                outputs = [part for output in expected for part in ("-o", f"{output}=out_{output}.npy")]
                done = self.atlc_run(str(HERE / name), "-k", kernel, *chosen, "--engine", engine, *sizes, *files, *outputs, cwd=folder)
                if done.returncode != 0:
                    raise Failure(f"{kernel} {schedule or ''}, {engine}: exit code {done.returncode}\n{done.stderr}")
                for output, wanted in expected.items():
                    actual = read_npy(Path(folder, f"out_{output}.npy"))
                    if actual != wanted:
                        raise Failure(f"{kernel} {schedule or ''}, {engine}, {output}: {actual}, expected {wanted}")


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
FEW = [0, 1, 8, 11]  # for schedules, of which there are many


def numbers(lengths):
    return [[(7 * i * i + 3 * i) % 23 - 9 for i in range(n)] for n in lengths]


def grid(rows, columns):
    return [[(5 * i * i + 3 * i * j + 11 * j) % 19 - 8 for j in range(columns)] for i in range(rows)]


def row_01(m):
    """Truncating something that was computed: out-of-bounds stores (ATL 2022)."""
    m.refused("01_truncation.atl")
    for n in SIZES:
        a = [3 * i - 7 for i in range(n)]
        prefix = [sum(a[:i]) for i in range(n)]
        for kernel in ("cuts_padding", "tiled"):
            m.computes("01_truncation_of_padding.atl", kernel, {"A": a}, {"out": prefix})
    m.refused("01_truncation_schedules_refused.atl")
    m.schedules_compute("01_truncation_schedules.atl", "prefix", [
        ({"A": a}, {"out": [sum(a[:i]) for i in range(len(a))]}) for a in numbers(FEW)])


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


def row_04(m):
    """A vector load mapped onto the column of a matrix; conditions of instructions ignored (Exo)."""
    m.refused("04_column.atl")
    m.refused("04_condition.atl")
    m.schedules_compute("04_column_copied.atl", "column", [
        ({"A": grid(n, 5)}, {"out": [3 * row[0] for row in grid(n, 5)]}) for n in (1, 16, 35)])


def row_05(m):
    """Fusing loops 0..8 and 4..8: lower bounds were never compared (Exo)."""
    m.refused("05_fused_neighbours.atl")
    table, a = grid(8, 8), numbers([8])[0]
    m.schedules_compute("05_fused_ranges.atl", "table", [({"A": table}, {"out": flat(table[4:])})])
    m.schedules_compute("05_fused_ranges.atl", "part", [({"A": table}, {"out": flat([row[4:] for row in table])})])
    m.schedules_compute("05_fused_ranges.atl", "staged", [({"A": a}, {"out": [3 * (a[j] + a[j - 4]) for j in range(4, 8)]})])


def row_06(m):
    """Removing a loop n..n that never runs (Exo)."""
    m.refused("06_never_run.atl")
    m.schedules_compute("06_empty_ranges.atl", "nothing", [({"A": a}, {"out": [0]}) for a in numbers(FEW)])
    m.schedules_compute("06_empty_ranges.atl", "inner", [
        ({"A": a}, {"out": [5 + sum(4 * x * x for x in row) for row in a]}) for a in (grid(3, 1), grid(2, 5))])


def row_07(m):
    """Inlining an assignment whose source is overwritten in between; inlining away an output (Exo)."""
    m.refused("07_inlined_output.atl")
    cases = []
    for a in numbers(FEW):
        double = [2 * x for x in a]
        both = [x + y for x, y in zip(double, double[::-1])]
        products = [x * y for x, y in zip(double[::-1], both)]
        cases.append(({"A": a}, {"first": [x + y for x, y in zip(products, both)], "last": products[::-1]}))
    m.schedules_compute("07_inlined.atl", "chain", cases)


def row_08(m):
    """Staging a window wider than what is written, so that garbage is stored back; staging beside another view (Exo)."""
    m.schedules_compute("08_staged_windows.atl", "smooth", [
        ({"A": a}, {"out": [sum(a[i:i + 3]) for i in range(len(a) - 2)]}) for a in numbers([2, 3, 10, 11])])
    m.schedules_compute("08_staged_windows.atl", "banded", [
        ({"A": a}, {"out": [sum(a[max(i - 2, 0):i + 1]) if i < 5 else 0 for i in range(len(a))]}) for a in numbers(FEW)])


def row_09(m):
    """Binding an expression across a call that changes its inputs (Exo)."""
    m.refused("09_bound_too_far.atl")
    m.schedules_compute("09_bound.atl", "use", [
        ({"A": a}, {"out": [x * x + 2 * x * 4 * x + x for x in a]}) for a in numbers(FEW)])


def row_10(m):
    """Sinking an allocation that carries a value between iterations (Exo)."""
    m.refused("10_sunk_into_its_loop.atl")
    m.schedules_compute("10_sunk.atl", "running", [
        ({"A": a}, {"out": [sum(a[1:i + 1]) for i in range(len(a))]}) for a in numbers(FEW)])
    m.schedules_compute("10_sunk.atl", "sums", [
        ({"A": a}, {"out": [sum(column) for column in zip(*a)]}) for a in (grid(3, 5), grid(1, 4))])


def row_11(m):
    """A parallel loop over one shared scratch buffer (Exo)."""
    m.refused("11_shared_lanes.atl")
    m.schedules_compute("11_shared_scratch.atl", "weights", [
        ({"x": a}, {"out": [3 * (x - sum(row)) for row in a for x in row]}) for a in (grid(9, 4), grid(1, 1))])
    m.schedules_compute("11_shared_scratch.atl", "blur", [
        ({"img": a}, {"out": [2 * sum(a[i:i + 3]) for i in range(len(a) - 2)]}) for a in numbers([2, 3, 11])])


def row_12(m):
    """Lanes behind a mask that get a wrong operand, or are written (Exo's instructions; those are in tests/accel/wrong.atl)."""
    m.refused("12_lanes_behind_the_end.atl")
    below_zero = [[[x - 100 for x in row] for row in grid(4, n)] for n in (1, 15, 16, 17, 40)]
    m.schedules_compute("12_masks.atl", "highest", [({"A": a}, {"out": [max(column) for column in zip(*a)]}) for a in below_zero])
    a, b = numbers([37, 37])
    for k in (0, 5, 16, 20, 37):
        m.schedules_compute("12_masks.atl", "rest", [
            ({"A": a, "B": b}, {"out": [y - x if i < k else y for i, (x, y) in enumerate(zip(a, b))]})], [f"K={k}"])


def row_13(m):
    """An addition that saturates taken for one that wraps (Exo's blur)."""
    m.refused("13_saturating.atl")
    values = [-32768, -30000, -1, 0, 7, 20000, 32767]
    a, b = [x for x in values for _ in values], values * len(values)
    sums = [x + y for x, y in zip(a, b)]
    m.schedules_compute("13_wrapping.atl", "wrapped", [({"A": a, "B": b}, {"out": [(x + 32768) % 65536 - 32768 for x in sums]})])
    m.schedules_compute("13_wrapping.atl", "clipped", [({"A": a, "B": b}, {"out": [min(max(x, -32768), 32767) for x in sums]})])


def row_14(m):
    """Changing a type from f32 to i8 without a word (Exo)."""
    m.refused("14_types.atl")
    m.refused("14_instruction_types.atl")
    a = [1.5, -3.25, 1000.0, 0.1, 7.0]
    half = [as_float(x / 2) for x in map(as_float, a)]
    m.schedules_compute("14_precision.atl", "scale", [({"A": a}, {"out": [as_float(x + y) for x, y in zip(half, half[::-1])]})])
    m.differ("14_precision.atl", "scale", "rounded")


def row_15(m):
    """A vectorised loop writes past the iteration space when the width does not divide the trip count (MLIR)."""
    m.refused("15_vector_tail.atl")
    for n in SIZES:
        a = [i - 4 for i in range(n)]
        m.computes("15_vector_tail_guarded.atl", "guarded", {"A": a}, {"out": [2 * x for x in a]})
    m.refused("15_vector_schedule_exact.atl")
    m.schedules_compute("15_vector_schedules.atl", "scale", [
        ({"A": a}, {"out": [3 * x for x in a]}) for a in numbers(FEW)])


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


def row_17(m):
    """Negative extents of reductions; division by zero outside what is computed; initial values after updates (Halide)."""
    m.refused("17_negative_extents.atl")
    name = "17_reductions.atl"
    m.schedules_compute(name, "rectangle", [
        ({"A": a}, {"out": [sum(flat([row[3:] for row in a[3:]]))]}) for a in (grid(1, 1), grid(2, 7), grid(7, 8))])
    m.schedules_compute(name, "highest", [({"A": a}, {"out": [max(a[5:], default=-2 ** 31)]}) for a in numbers([1, 5, 6, 13])])
    for k in (1, 3, 20):
        m.schedules_compute(name, "groups", [({"A": a}, {"out": [a[y // k * k] ** 2 for y in range(len(a))]}) for a in numbers([7])], [f"K={k}"])
    m.schedules_compute(name, "groups", [({"A": [1, 2, 3]}, {"out": [0, 0, 0]})], ["K=0"])
    a, b = grid(3, 5), grid(5, 2)
    m.schedules_compute(name, "masked", [
        ({"A": a, "B": b}, {"out": [sum(a[i][k] * b[k][j] for k in range(i, 5)) for i in range(3) for j in range(2)]})])


def row_18(m):
    """A race in a reduction's condition: the parallel loop's predicate reads what the loop writes (Halide)."""
    m.refused("18_condition_races.atl")
    m.refused("18_condition_of_data.atl")
    m.schedules_compute("18_condition_reads.atl", "highest", [
        ({"A": a}, {"out": [column.count(max(column)) for column in zip(*a)]}) for a in (grid(6, 5), grid(1, 1))])


def row_19(m):
    """A product with a transposed matrix whose specification assumes that the matrix is square (Halide)."""
    m.refused("19_transposed.atl")
    a, b = [[1, 2], [3, 4], [5, 6]], [[1, 0, 2, -1], [0, 1, 1, 1], [2, 2, 0, 3]]  # K = 3, M = 2, N = 4
    expected = [sum(a[k][i] * b[k][j] for k in range(3)) for i in range(2) for j in range(4)]
    m.computes("19_transposed_right.atl", "product", {"A": a, "B": b}, {"out": expected})
    m.refused("19_transposed_layout.atl")
    m.schedules_compute("19_transposed_schedules.atl", "product", [({"A": a, "B": b}, {"out": expected})])


def row_20(m):
    """(x + 1) * n turned into x * n + n on floats; results that change with the schedule without a word (Halide)."""
    name = "20_rounding.atl"
    m.differ(name, "shifted", "expanded")
    expected = {"expanded two_roundings": [], "expanded one_rounding": ["a * b + c rounded once"],
                "scaled factored": ["products of sums are sums of products"], "scaled halves": ["reductions in another order"],
                "scaled parts": [], "scaled columns": [], "greatest lanes": [],
                "added lanes": ["reductions in another order", "partial results of reductions combined"]}
    if m.laws(name) != expected:
        raise Failure(f"{name}: {m.laws(name)}")
    x, f = [as_float(1 + i / 7) for i in range(37)], as_float
    n = f(0.1)
    m.computes(name, "expanded", {"x": x}, {"out": [f(f(y * n) + n) for y in x]}, [f"n={n!r}"], "two_roundings")
    rows = [[as_float(1 / (3 + i + 5 * j)) for j in range(11)] for i in range(9)]
    in_order = []
    for row in rows:
        total = 0.0
        for y in row:
            total = f(total + f(n * y))
        in_order.append(total)
    for schedule in ("parts", "columns"):
        m.computes(name, "scaled", {"A": rows}, {"out": in_order}, [f"a={n!r}"], schedule)


def row_21(m):
    """Wrong results after moving a producer under a consumer (TVM)."""
    m.refused("21_moved_from_a_reader.atl")
    m.schedules_compute("21_moved_producer.atl", "pool", [
        ({"A": a}, {"out": [max(x * x for x in a[2 * y:2 * y + 4]) for y in range((len(a) - 2) // 2)]}) for a in numbers([2, 4, 12, 20])])
    m.schedules_compute("21_moved_producer.atl", "centred", [
        ({"A": a}, {"out": [x * x - sum(y * y for y in a) for x in a]}) for a in numbers(FEW)])


def row_22(m):
    """Filling only a part of a buffer and copying all of it out (MLIR)."""
    for n in SIZES:
        a = [i + 1 for i in range(n)]
        m.computes("22_partly_filled.atl", "half", {"A": a}, {"out": [x if 2 * i < n else 0 for i, x in enumerate(a)]})
        m.computes("22_partly_filled.atl", "products", {"A": a}, {"out": [x * x if 2 * i < n else 1 for i, x in enumerate(a)]})
        m.computes("22_partly_filled.atl", "padded", {"A": a}, {"out": [0, 0, *a, 0, 0]})
    cases = [(a, [x if 2 * i < len(a) else 0 for i, x in enumerate(a)]) for a in numbers(FEW)]
    name = "22_partly_filled_schedules.atl"
    m.schedules_compute(name, "half", [
        ({"A": a}, {"out": [x + y for x, y in zip(part, part[::-1])]}) for a, part in cases])
    m.schedules_compute(name, "padded", [({"A": a}, {"out": [0, 0, *a, 0, 0]}) for a in numbers(FEW)])
    m.schedules_compute(name, "products", [
        ({"A": a}, {"out": [(x if i == 0 else x * x) if 2 * i < len(a) else 1 for i, x in enumerate(a)]}) for a in numbers(FEW)])


def row_23(m):
    """Nobody checks that tiles fit the scratchpad (a library for Gemmini). That blocks of a load lie as a product reads them is proved for each call."""
    m.refused("23_scratchpad.atl")


def row_24(m):
    """ReLU behind a scale that may be negative, on hardware that has it before (Gemmini's simulators). A missing fence: tests/gemmini/run_wrong.py."""
    m.refused("24_relu_behind_scale.atl")


ROWS = {name[4:].lstrip("0"): row for name, row in list(globals().items()) if name.startswith("row_")}


def main():
    parser = argparse.ArgumentParser(description="Mistakes of other systems, refused here or proved and run right.")
    parser.add_argument("--atlc", type=Path, required=True)
    parser.add_argument("rows", nargs="*", help="only these rows")
    options = parser.parse_args()
    museum = Museum(str(options.atlc.resolve()))
    passed = failed = 0
    for row, test in ROWS.items() if options.rows else part.share(ROWS.items()):
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
