#!/usr/bin/env python3
"""Layers of ResNet-50 on the model of Gemmini.

    run_resnet.py --atlc PATH [--layers N] [--batch N]

Its convolutions of 3x3 and 1x1 (the latter, of all pixels, as products of matrices) and its last layer, by default all of them, at a batch of 4: results are those of
the reference, to the bit, and the share of the array's peak is printed. Then two layers in one call, and two calls, one on the results of the other.
"""
import argparse
import ctypes
import sys
import tempfile
from pathlib import Path

import numpy as np

from run_kernels import ROOT, Built, Mapped, load_reference

# (image, channels in, channels out), by kernel
DENSE = [(56, 64, 64), (56, 64, 256), (56, 256, 64), (56, 256, 128), (28, 128, 512), (28, 512, 128), (28, 512, 256), (14, 256, 1024), (14, 1024, 256),
         (14, 1024, 512), (7, 512, 2048), (7, 2048, 512), (1, 2048, 1000)]
CONV = {
    "conv3x3": [(56, 64, 64), (28, 128, 128), (14, 256, 256), (7, 512, 512)],
    "conv3x3_by2": [(56, 128, 128), (28, 256, 256), (14, 512, 512)],
    "conv1x1_by2": [(56, 256, 512), (28, 512, 1024), (14, 1024, 2048)],
}
# The last products of a block, to whose results what skipped the block is added.
RESIDUAL = [(56, 64, 256), (28, 128, 512), (14, 256, 1024), (7, 512, 2048)]
# (image, channels in, between, out) of 1x1 and then 3x3
CHAINED = [(7, 2048, 512, 512), (14, 1024, 256, 256), (28, 512, 128, 128), (56, 256, 64, 64)]


def layers(batch):
    for kernel, shapes in (("dense", DENSE), ("residual", RESIDUAL)):
        for image, channels, results in shapes:
            yield "gemmini_matmul", kernel, {"M": batch * image * image, "N": results, "K": channels}
    for kernel, shapes in CONV.items():
        for image, channels, results in shapes:
            yield "gemmini_conv", kernel, {"B": batch, "H": image, "W": image, "C": channels, "F": results}


def chained(conv, dense, references, rng):
    """3x3, then 1x1 to four times as many channels, as in the first block."""
    sizes = {"B": 1, "H": 56, "W": 56, "C": 64, "F": 64}
    first = references["gemmini_conv"].inputs("conv3x3", sizes, rng)
    hidden = np.zeros((1, 56, 56, 64), np.int8)
    conv.model.functions.gemmini_model_reset()
    error = conv.model.call("conv3x3", sizes, first, {"out": hidden})
    expected = references["gemmini_conv"].reference("conv3x3", sizes, first)["out"]
    shape = {"M": 56 * 56, "N": 256, "K": 64}
    second = references["gemmini_matmul"].inputs("dense", shape, rng)
    given = {**second, "A": hidden.reshape(-1, 64)}
    out = np.zeros((56 * 56, 256), np.int8)
    dense.model.functions.gemmini_model_reset()
    error = error or dense.model.call("dense", shape, given, {"out": out})
    expected = references["gemmini_matmul"].reference("dense", shape, {**second, "A": expected.reshape(-1, 64)})["out"]
    if error or not np.array_equal(out, expected):
        sys.exit(f"two layers: results differ, error {error}")
    print("two layers, one on the results of the other: the same")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--atlc", type=Path, required=True)
    parser.add_argument("--layers", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=4)
    options = parser.parse_args()
    references, kernels, rng = {}, {}, np.random.default_rng(1)
    products = cycles = 0.0
    with tempfile.TemporaryDirectory() as scratch:

        def mapped(example, kernel):
            if kernel not in kernels:
                references[example] = load_reference(ROOT / "examples" / example)
                built = Built(options.atlc.resolve(), ROOT / f"examples/{example}/{example}.atl", Path(scratch) / kernel, "-k", kernel, "-s", "fast")
                kernels[kernel] = Mapped(built, kernel, kernel)
            return kernels[kernel]

        wanted = sorted(layers(options.batch), key=lambda layer: np.prod([float(v) for v in layer[2].values()]))[:options.layers]
        for example, kernel, sizes in wanted:
            of = mapped(example, kernel)
            percent = of.check(references[example], sizes, rng)
            count = of.model.functions.gemmini_model_multiplications
            count.restype = ctypes.c_uint64
            products += count()
            cycles += count() / (2.56 * percent)
            print(f"{kernel} {sizes}: {percent:.1f} % of the peak")
        print(f"{len(wanted)} layers: {100 * products / (256 * cycles):.1f} % of the peak")
        chain = mapped("gemmini_conv", "conv1x1_3x3")
        for image, channels, between, results in CHAINED[:options.layers]:
            sizes = {"B": options.batch, "H": image, "W": image, "E": channels, "C": between, "F": results}
            print(f"conv1x1_3x3 {sizes}: {chain.check(references['gemmini_conv'], sizes, rng):.1f} % of the peak")
        chained(mapped("gemmini_conv", "conv3x3"), mapped("gemmini_matmul", "dense"), references, rng)


main()
