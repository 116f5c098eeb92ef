#!/usr/bin/env python3
"""Plain kernels with `--for gemmini`: the schedules that `auto` finds compute the same, and are as fast as those of the examples.

    run_automatic.py --atlc PATH

The kernels of automatic.atl and automatic_convolutions.atl run on the model and as loops: their results are those of NumPy, to the bit, for sizes
0, 1 and around the edges of tiles. Those of the examples are estimated under `fast` and under the schedule that is found: that one takes at most
5 % more cycles. Of both, a third has its turn, another each day (scripts/part.py). Kernels of other structures are refused, in one place.
"""
import argparse
import itertools
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "examples"), str(ROOT / "scripts"), str(HERE)]

import part  # noqa: E402
from cycles import Arena  # noqa: E402
from run_examples import load_reference  # noqa: E402
from run_kernels import Built, Mapped  # noqa: E402

EDGES = [*itertools.product((0, 1, 17), repeat=3), (16, 64, 64), (35, 128, 192), (33, 100, 70), (2, 70, 1030), (70, 64, 1088), (129, 66, 1025)]
IMAGES = [  # images, height, width, channels of the image, channels of the result
    *([0 if d == empty else n for d, n in enumerate((2, 3, 5, 17, 18))] for empty in range(5)),
    (1, 1, 1, 1, 1), (1, 3, 17, 64, 64), (2, 5, 16, 128, 64), (1, 4, 33, 100, 20), (1, 2, 5, 600, 18), (1, 3, 20, 640, 64), (1, 2, 90, 64, 64),
    (1, 2, 15, 448, 64), (1, 1, 20, 1100, 70)]
AS_FAST = {"gemmini_matmul": ["matmul", "residual"], "gemmini_conv": ["conv3x3", "conv3x3_by2", "conv1x1"]}
SQUARES = [1, 64, 100, 128]
LAYERS = [(1, 1, 1, 1, 1), (1, 14, 14, 128, 64), (1, 9, 30, 64, 64), (1, 7, 7, 256, 64), (1, 7, 20, 50, 40)]
SLOWER = 1.05  # at most
REFUSED = {
    "the right operand is read across": "gen i < M, j < N { sat_i8(sum k < K { i32(x[i, k]) * i32(y[j, k]) }) }",
    "the left operand is read across": "gen i < M, j < N { sat_i8(sum k < K { i32(x[k, i]) * i32(y[k, j]) }) }",
    "no instruction divides": "gen i < M, j < N { i8(sum k < K { i32(x[i, k]) * i32(y[k, j]) } / 3) }",
}


class Matrices:
    """NumPy's results for automatic.atl."""

    @staticmethod
    def inputs(kernel, sizes, rng):
        m, n, k = sizes.values() if sizes else (50, 64, 128)
        given = {"x": rng.integers(-128, 128, (m, k), dtype=np.int8), "y": rng.integers(-128, 128, (k, n), dtype=np.int8)}
        if kernel in ("biased", "in_steps", "skipping", "of_one_size"):
            given["bias"] = rng.integers(-5000, 5000, n, dtype=np.int32)
        if kernel == "skipping":
            given |= {"skip": rng.integers(-128, 128, (m, n), dtype=np.int8), "by": np.float32(rng.choice([0.5, 3.0, -0.75]))}
        return given if kernel in ("wide", "saturated") else given | {"scale": np.float32(rng.choice([0.5, 0.01, 1.0, -0.25]))}

    @staticmethod
    def reference(kernel, sizes, inputs):
        sums = inputs["x"].astype(np.int32) @ inputs["y"].astype(np.int32)
        if kernel == "wide":
            return {"out": sums}
        if "bias" in inputs:
            sums = sums + inputs["bias"]
        if "skip" in inputs:
            sums = sums + narrow(inputs["skip"], inputs["by"]).astype(np.int32)
        if "bias" in inputs:
            sums = np.maximum(sums, 0)
        return {"out": narrow(sums, inputs.get("scale", 1))}


class Images:
    """NumPy's results for automatic_convolutions.atl."""

    @staticmethod
    def inputs(kernel, sizes, rng):
        b, h, w, c, f = sizes.values() if sizes else (1, 7, 7, 64, 32)
        window = {"inside": 5, "at_points": 1}.get(kernel, 3)
        image = (b, h + 4, w + 4, c) if kernel == "inside" else (b, h, w, c)
        given = {"x": rng.integers(-128, 128, image, dtype=np.int8), "w": rng.integers(-128, 128, (window, window, c, f), dtype=np.int8)}
        if kernel == "pointwise":
            given["w"] = rng.integers(-128, 128, (c, f), dtype=np.int8)
        if kernel in ("padded", "by_two", "pointwise", "of_one_size"):
            given["bias"] = rng.integers(-5000, 5000, f, dtype=np.int32)
        return given if kernel == "at_points" else given | {"scale": np.float32(rng.choice([0.5, 0.001, 1.0, -0.25]))}

    @staticmethod
    def reference(kernel, sizes, inputs):
        x, w = inputs["x"].astype(np.int32), inputs["w"].astype(np.int32)
        w = w.reshape((1, 1, *w.shape)) if kernel == "pointwise" else w
        window, step = len(w), 2 if kernel == "by_two" else 1
        if kernel in ("padded", "by_two"):
            x = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
        rows, columns = ((extent - window) // step + 1 for extent in x.shape[1:3])
        sums = np.zeros((len(x), rows, columns, w.shape[3]), np.int32)
        for r, t in itertools.product(range(window), repeat=2):
            sums += x[:, r:r + step * (rows - 1) + 1:step, t:t + step * (columns - 1) + 1:step] @ w[r, t]
        if kernel == "at_points":
            return {"out": sums}
        sums += inputs.get("bias", np.int32(0))
        return {"out": narrow(np.maximum(sums, 0) if kernel in ("padded", "of_one_size") else sums, inputs["scale"])}


def narrow(values, scale):
    return np.clip(np.rint(values.astype(np.float32) * np.float32(scale)), -128, 127).astype(np.int8)


def words_for(kernels):
    return [word for kernel in kernels for word in ("-k", kernel)]


def check_results(atlc, scratch, program, reference, names, edges):
    kernels = part.share(re.findall(r"^kernel (\w+)", (HERE / program).read_text(), re.M))
    built = Built(atlc, HERE / program, scratch / program, *words_for(kernels), hardware="gemmini")
    for kernel in kernels:
        least = 1 if kernel == "in_steps" else 0
        cases = [dict(zip(names, edge)) for edge in edges if min(edge) >= least] if kernel != "of_one_size" else [{}]
        for number, sizes in enumerate(cases):
            Mapped(built, kernel, kernel).check(reference, sizes, np.random.default_rng(number), orders=2)
        print(f"{kernel}: {len(cases)} sizes", flush=True)


def check_matrices(atlc, scratch):
    check_results(atlc, scratch, "automatic.atl", Matrices, "MNK", EDGES)


def check_convolutions(atlc, scratch):
    check_results(atlc, scratch, "automatic_convolutions.atl", Images, "BHWCF", IMAGES)


def check_speed(atlc, scratch):
    arena = Arena()
    turns = part.share([(example, kernel) for example, kernels in AS_FAST.items() for kernel in kernels])
    for example in AS_FAST:
        kernels = [kernel for owner, kernel in turns if owner == example]
        if not kernels:
            continue
        program = ROOT / "examples" / example / f"{example}.atl"
        reference = load_reference(program.parent)
        by_hand = Built(atlc, program, scratch / f"{example}_fast", *words_for(kernels), "-s", "fast")
        found = Built(atlc, program, scratch / f"{example}_auto", *words_for(kernels), "-s", "auto_gemmini", hardware="gemmini")
        for kernel in kernels:
            for sizes in sizes_of(reference, kernel):
                by_hand_takes, takes = (arena.cycles_of_two_calls(built, reference, kernel, sizes)[0] for built in (by_hand, found))
                slower = takes / by_hand_takes
                print(f"{kernel} {sizes}: {100 * slower:.1f} % of the cycles of `fast`")
                if slower > SLOWER:
                    sys.exit("  that is too slow")


def sizes_of(reference, kernel):
    names = list(next(iter(reference.schedule_cases(kernel)))[0])
    return [dict.fromkeys(names, size) for size in SQUARES] if "M" in names else [dict(zip("BHWCF", layer)) for layer in LAYERS]


def check_refusals(atlc, scratch):
    for why, body in REFUSED.items():
        sizes = {"y[j, k]": ("M, K", "N, K"), "x[k, i]": ("K, M", "K, N")}
        x, y = next((shapes for read, shapes in sizes.items() if read in body), ("M, K", "K, N"))
        program = scratch / "refused.atl"
        program.write_text(f"kernel f(M: size, N: size, K: size, x: i8[{x}], y: i8[{y}]) -> i8[M, N] {{\n  {body}\n}}\n")
        done = subprocess.run([atlc, "build", program, "--for", "gemmini", "-o", scratch / "refused"], capture_output=True, text=True, check=False)
        if done.returncode != 1 or done.stderr.count("error[") != 1 or "error[E6003]: no instruction of gemmini does" not in done.stderr:
            sys.exit(f"{why}: {done.stdout}{done.stderr}")
        print(f"refused: {why}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--atlc", type=Path, required=True)
    atlc = parser.parse_args().atlc.resolve()
    with tempfile.TemporaryDirectory() as scratch:
        for check in (check_matrices, check_convolutions, check_speed, check_refusals):
            check(atlc, Path(scratch))


if __name__ == "__main__":
    main()
