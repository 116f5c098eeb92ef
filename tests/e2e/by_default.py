"""Kernels without a schedule get those that atlc makes, for all CPUs, and a program that is right stays right."""
import array
import json
import subprocess

PRODUCT = "kernel product(M: size, N: size, K: size, A: f32[M, K], B: f32[K, N]) -> f32[M, N] {\n" \
          "  gen i < M, j < N { sum k < K { A[i, k] * B[k, j] } }\n}\n"
HAND = "kernel hand(N: size, x: f32[N]) -> f32[N] { gen i < N { x[i] + 1.0 } }\nschedule eight for hand { split i by 8 tail cut; }\n"
PRIVATE = "private kernel hidden(N: size, x: f32[N]) -> f32[N] { gen i < N { x[i] + 1.0 } }\n"
BYTES = "kernel bytes(N: size, a: u8[N], b: i8[N]) -> i32 { sum i < N { i32(a[i]) * i32(b[i]) } }\n"
VERSIONS = ("auto_avx512", "auto_avx2", "auto_neon", "auto")


def schedules(c, *args):
    """kernel -> the schedules that it is checked under."""
    found = {}
    for kernel in json.loads(c.fine(" ".join(args), "check", "--json", *args).stdout)["kernels"]:
        found.setdefault(kernel["name"], []).append(kernel["schedule"])
    return found


def checked(c):
    found = schedules(c, "default.atl")
    c.check("only kernels without a schedule get some", found == {
        "product": [None, *VERSIONS], "hand": [None, "eight"], "hidden": [None]}, c.run("check", "default.atl"))
    c.check("--for none adds none", schedules(c, "default.atl", "--for", "none") == {
        "product": [None], "hand": [None, "eight"], "hidden": [None]}, c.run("check", "default.atl", "--for", "none"))
    c.write("bytes.atl", BYTES)
    c.check("VNNI is for products of bytes", schedules(c, "bytes.atl") == {"bytes": [None, "auto_avx512_vnni", *VERSIONS]}, c.run("check", "bytes.atl"))
    result = c.fine("check", "check", "default.atl")
    c.check("one line for all of them", f"product under {', '.join(VERSIONS)}: equal to its algorithm, bit by bit" in result.stdout, result)


def built(c):
    for name, options in (("default", ()), ("written", ("-s", "none"))):
        c.fine(f"build {name}", "build", "default.atl", "-o", name, "--emit", "c", *options)
    texts = {name: (c.folder / name / "default.c").read_text() for name in ("default", "written")}
    headers = {name: (c.folder / name / "default.h").read_text() for name in ("default", "written")}
    result = c.fine("build", "build", "default.atl", "-o", "default")
    c.check("the functions", [f" {name}(" in headers["default"] for name in ("product", "hand", "hand_eight", "hidden", "product_auto")] ==
            [True, True, True, False, False], result)
    c.check("a product has versions for CPUs", all(f"product_{cpu}(" in texts["default"] for cpu in ("avx512", "avx2", "portable")), result)
    c.check("none as it is written", "product_" not in texts["written"] and "__m512" not in texts["written"], result)


def run(c, npy):
    for name, shape in (("a.npy", (2, 3)), ("b.npy", (3, 4))):
        c.write(name, npy(shape, body=array.array("f", range(shape[0] * shape[1])).tobytes()))
    outputs = {c.fine(f"run {options}", "run", "default.atl", "-k", "product", "A=a.npy", "B=b.npy", *options).stdout
               for options in ((), ("-s", "none"), ("--engine", "interp"), ("--for", "avx2"))}
    c.check("all ways to run it agree", outputs == {"out: f32[2, 4] = 20.0 23.0 26.0 29.0 56.0 68.0 80.0 92.0\n"},
            c.run("run", "default.atl", "-k", "product", "A=a.npy", "B=b.npy"))
    result = c.run("run", "default.atl", "N=3")
    c.check("versions are no kernels", "defines 2 kernels" in result.stderr, result)


def stays_right(c):
    """Names that are those of atlc's descriptions, other text under these names, a program on standard input."""
    (c.folder / "own").mkdir()
    c.write("own/avx512.atl", "kernel other(N: size, x: f32[N]) -> f32[N] { gen i < N { x[i] } }\n")
    c.write("own/p.atl", PRODUCT)
    result = c.fine("a file avx512.atl that describes no hardware", "check", "own/p.atl")
    c.check("it is not meant", "auto_avx512" in result.stdout, result)
    c.write("own/imports.atl", 'import "avx512.atl";\n' + PRODUCT)
    result = c.fine("the same, imported", "check", "-v", "own/imports.atl")
    c.check("it says why there are no schedules", "without automatic schedules" in result.stderr and "auto_avx512" not in result.stdout, result)
    c.fails("but not if they are asked for", 1, "E6001", "check", "own/imports.atl", "--for", "avx512")
    result = c.fine("no strategy suits it", "build", "names.atl", "-k", "copy", "--for", "all", "-o", "idle", "--emit", "c")
    text = (c.folder / "idle/names.c").read_text()
    c.check("C compilers do more for AVX2, and for NEON what they do for all CPUs",
            [f"copy_{cpu}(" in text for cpu in ("avx512", "avx2", "neon", "portable")] == [True, True, False, True], result)
    c.write("avx2.atl", "")
    c.fine("names of strategies and hardware", "check", "names.atl")
    (c.folder / "avx2.atl").unlink()
    result = subprocess.run([c.atlc, "check", "-"], cwd=c.folder, input=PRODUCT, capture_output=True, text=True, check=False)
    c.check("standard input is read once", result.returncode == 0 and "auto_avx2" in result.stdout, result)


def wrong_strategies(c):
    """A mistake in the text of a strategy is told where it stands, and no other is taken instead."""
    shipped = (c.atlc.parent / "lib/contraction_strategies.atl").read_text()
    (c.folder / "mine").mkdir()
    c.write("mine/strategies.atl", (c.atlc.parent / "lib/strategies.atl").read_text())
    c.write("mine/p.atl", 'import "avx2.atl";\nimport "strategies.atl";\n' + PRODUCT + "schedule fast for product { map all with avx2; auto; }\n")
    for name, wrong, code, says in (("another step", "vectorise vec;", "E5001", "vectorise"), ("another form", "unroll;", "E5101", "unroll"),
                                    ("another number of arguments", "register_sum(row);", "E1010", "register_sum")):
        c.write("mine/contraction_strategies.atl", shipped.replace("step run_tiles(row, vec, lane) {", f"step run_tiles(row, vec, lane) {{\n  {wrong}", 1))
        c.fails(f"a strategy with {name}", 1, code, "check", "mine/p.atl", says=says)
        c.fails(f"{name}, in schedules by default", 1, code, "check", "mine/p.atl", "--for", "avx2", says=says)


# Loops that `auto` leaves to C compilers, which make more of them: (kernel, hardware, step that is not taken)
LEFT_ALONE = {
    "few cells in a row": ("x: f32[N, 3]) -> f32[N, 3] { gen i < N, j < 3 { abs(x[i, j]) } }", "avx512", "cells_in_vectors"),
    "few lines": ("x: f32[6, N]) -> f32[4, N] { let t = gen i < 5, j < N { x[i, j] / x[i + 1, j] }; gen i < 4, j < N { t[i, j] / t[i + 1, j] + t[i, j] } }",
                  "avx512", "strips"),
    "rows of integers": ("x: u16[N, N]) -> u16[N] { gen i < N { sum k < N { x[i, k] } } }", "avx512", "rows_side_by_side"),
    "a guard that skips the sum": ("x: f32[N, N]) -> f32[N] { gen i < N { sum k < N { [i % 2 == 0] x[i, k] } } }", "avx512", "rows_side_by_side"),
    "calls": ("x: f32[N, N]) -> f32[N] { gen i < N { sum k < N { exp(x[i, k]) } } }", "avx512", "rows_side_by_side"),
    "few rows of what is in a cache": ("A: f32[4, 99], B: f32[99, 99]) -> f32[4, 99] { gen i < 4, j < 99 { sum k < 99 { A[i, k] * B[k, j] } } }", "avx512", "streamed"),
    "products of long integers": ("x: i32[N + 2]) -> i32[N] { let t = gen i < N + 2 { x[i] * x[i] }; gen i < N { t[i] + t[i + 1] + t[i + 2] } }",
                                  "portable", "inline"),
    "a loop that would not be vectorized": ("x: u8[N]) -> u8[N] { let t = gen i < N { x[i] + x[i] }; gen i < N { t[i] * x[i / 2] } }", "portable", "inline"),
}
TAKEN = {
    "few rows": ("A: f32[4, N], B: f32[N, N]) -> f32[4, N] { gen i < 4, j < N { sum k < N { A[i, k] * B[k, j] } } }", "avx512", "specialize when N * N > 524288 {"),
    "some rows of bytes": ("K: size, A: u8[40, K], B: i8[K, N]) -> i32[40, N] { gen i < 40, j < N { sum k < K { i32(A[i, k]) * i32(B[k, j]) } } }",
                           "avx512_vnni", "contraction_streamed_in_groups(i, j, k, K, 4, 8, 4, 16, zmm);"),
    "sums of bytes as parts of cells": ("K: size, A: u8[N, K], B: i8[K, 99]) -> f32[N, 99] { gen i < N, j < 99 { 0.5 * f32(sum k < K { i32(A[i, k]) * i32(B[k, j]) }) } }",
                                        "avx512_vnni", "sums_streamed_in_groups"),
    "some rows": ("K: size, A: f32[32, K], B: f32[K, N]) -> f32[32, N] { gen i < 32, j < N { sum k < K { A[i, k] * B[k, j] } } }",
                  "avx512", "specialize when N * K > 524288"),
    "what is close to the core": ("A: f32[N, 64], B: f32[64, 99]) -> f32[N, 99] { gen i < N, j < 99 { sum k < 64 { A[i, k] * B[k, j] } } }",
                                  "avx512", "read in place"),
    "what may be close to the core": ("A: f32[N, 64], B: f32[64, N]) -> f32[N, N] { gen i < N, j < N { sum k < 64 { A[i, k] * B[k, j] } } }",
                                      "avx512", "specialize when N < 24 or N * 64 <= 12288"),
    "few rows of what is in no cache": ("A: f32[4, 999], B: f32[999, 999]) -> f32[4, 999] { gen i < 4, j < 999 { sum k < 999 { A[i, k] * B[k, j] } } }",
                                        "avx512", "contraction_streamed"),
    "few rows of sums that are parts of cells": ("A: f32[4, N], B: f32[N, N]) -> f32[4, N] { gen i < 4, j < N { 2.0 * sum k < N { A[i, k] * B[k, j] } } }",
                                                 "avx2", "sums_streamed"),
    "many cells in a row": ("x: f32[N, 30]) -> f32[N, 30] { gen i < N, j < 30 { abs(x[i, j]) } }", "avx512", "cells_in_vectors"),
    "lines": ("x: f32[N, N]) -> f32[N - 2, N] where N >= 2 { let t = gen i < N - 1, j < N { x[i, j] / x[i + 1, j] }; "
              "gen i < N - 2, j < N { t[i, j] / t[i + 1, j] + t[i, j] } }", "avx512", "strips"),
    "rows of floats": ("x: f32[N, N]) -> f32[N] { gen i < N { sum k < N { x[i, k] } } }", "avx512", "rows_side_by_side"),
    "a guard between sums": ("x: f32[N, N], w: f32[3, N, N]) -> f32[N, N] { gen i < N, f < N { sum r < 3 { [i + r >= 1 and i + r - 1 < N] "
                             "sum c < N { x[i + r - 1, c] * w[r, c, f] } } } }", "avx512", "contraction"),
    "a triangle": ("K: size, A: f32[N, N], B: f32[N, K]) -> f32[N, K] { gen i < N, k < K { sum j < i + 1 { A[i, j] * B[j, k] } } }", "avx512", "sums_in_vectors"),
    "few columns": ("K: size, A: f32[N, N], B: f32[N, K]) -> f32[N, K] { gen i < N, k < K { sum j < N { A[i, j] * B[j, k] } } }", "portable",
                    "specialize when K < 8;"),
    "products of long integers in vectors": LEFT_ALONE["products of long integers"][:1] + ("avx512", "inline"),
}


def choices(c):
    """Strategies that are taken, and those that would be slower than the loops as they are written."""
    for kernels, is_taken in ((LEFT_ALONE, False), (TAKEN, True)):
        for name, (kernel, hardware, step) in kernels.items():
            c.write("choice.atl", "kernel f(N: size, " + kernel)
            result = c.fine(name, "schedule", "choice.atl", "--for", hardware)
            c.check(f"{name}: {'' if is_taken else 'no '}{step}", (step in result.stdout) == is_taken, result)


def columns_of_tiles(c):
    """Columns that fill tiles are in tiles, also where a tile has an odd number of vectors."""
    c.write("columns.atl", 'import "avx2.atl";\nimport "strategies.atl";\n'
            "kernel f(M: size, K: size, A: f32[M, K], B: f32[K, 24]) -> f32[M, 24] rounding contract { gen i < M, j < 24 { sum k < K { A[i, k] * B[k, j] } } }\n"
            "schedule fast for f { contraction(i, j, k, [], 4, 3, 8, ymm); map all with avx2; contract; }\n")
    result = c.fine("columns", "show", "columns.atl", "-s", "fast", "--stage", "mapped")
    c.check("one tile of three vectors, and nothing else", [loop in result.stdout for loop in ("j.o < 1", "j.p.o < 1", "j.n.o < 1")] ==
            [True, False, False], result)
    c.write("shared.atl", 'import "avx2.atl";\nimport "strategies.atl";\n'
            "kernel f(N: size, M: size, K: size, A: f32[N, M, K], B: f32[K, 40]) -> f32[N, M, 40] rounding contract "
            "{ gen n < N, i < M, j < 40 { sum k < K { A[n, i, k] * B[k, j] } } }\n"
            "schedule fast for f { contraction_shared(i, j, k, [], B, c1, 4, 3, 8, ymm); map all with avx2; contract; }\n")
    result = c.fine("shared", "show", "shared.atl", "-s", "fast", "--stage", "mapped")
    c.check("a copy of three vectors and one of two, and nothing else", [word in result.stdout for word in ("panel", "strip", "j.n.o < 1")] ==
            [True, True, False], result)


def by_costs(c):
    """What steps `auto` choose by, and what they choose, can be looked at and changed."""
    schedule = ("schedule", "default.atl", "-k", "product", "--for", "avx512")
    plain, explained = c.fine("schedule", *schedule), c.fine("--explain", *schedule, "--explain")
    c.check("--explain adds comments", [line for line in explained.stdout.splitlines() if "hundredths" not in line and "estimated" not in line] ==
            plain.stdout.splitlines(), explained)
    c.check("costs of the description, and by default", "load 50 by default, broadcast 25, latency" in explained.stdout, explained)
    c.check("the next best", "tiles of 8 x 1: 1 cycles for a term of a vector; the next best, " in explained.stdout, explained)
    other = c.fine("--cost", *schedule, "--explain", "--cost", "broadcast=0", "--cost", "load=100")
    c.check("other costs, other tiles", "load 100, broadcast 0, latency" in other.stdout and "tiles of 4 x 4 vectors" in other.stdout, other)
    for words in ("load", "load=", "load=x", "lod=3", "load=-3"):
        c.fails(f"--cost {words}", 2, "E8005", *schedule, "--cost", words, says=f"{words} is not NAME=N, with NAME one of operation, load")


def by_default(c, npy):
    c.write("default.atl", PRODUCT + HAND + PRIVATE)
    c.write("names.atl", PRODUCT.replace("product", "contraction") + PRODUCT.replace("product", "auto_avx2") + PRODUCT.replace("product", "avx512") +
            "kernel copy(N: size, x: i64[N]) -> i64[N] { gen i < N { x[i] * x[i] * x[i] } }\n")
    checked(c)
    built(c)
    run(c, npy)
    choices(c)
    columns_of_tiles(c)
    by_costs(c)
    wrong_strategies(c)
    stays_right(c)
