#!/usr/bin/env python3
"""Wrong programs for Gemmini: the model catches each.

    run_wrong.py --atlc PATH

The C of two layers of examples/gemmini_matmul is changed in one place: a fence or a configuration is left out, a block has too many rows, ... The model
refuses a command then, or the results are not those of the right C. So is the C of a product whose loads and stores run beside the products of other tiles,
and of convolutions: one that the CPU pools, and one by the hardware's loop.
"""
import argparse
import ctypes
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "examples"))

from library import Library  # noqa: E402
from run_examples import load_reference  # noqa: E402

MODEL = ROOT / "accel/gemmini/model"
MATMUL = ROOT / "examples/gemmini_matmul/gemmini_matmul.atl"
CONV = ROOT / "examples/gemmini_conv/gemmini_conv.atl"
FENCE = r"\n +gemmini_fence\(\);"
DIFFERENT = "other results"
SCALES = {"scale": 0.01, "x_scale": 0.75, "skip_scale": 0.3}
CC = ["cc", "-std=c11", "-O1", "-fPIC", f"-I{MODEL}"]

# mistake, what the C has there (the first time), what stands there instead, and what the model says
LAYERS = [
    ("no fence between what one layer stores and the next loads", FENCE, "", "mvin reads what an mvout"),
    ("no fence before the CPU reads the results", rf"{FENCE}(?!(.|\n)*gemmini_fence)", "", DIFFERENT),
    ("no configuration of products", r"gemmini_config_ex\(.*?;", "", "preload before config_ex"),
    ("no configuration of loads", r"gemmini_extended4_config_ld\(K, .*?, 0\);", "", "mvin 1 before its config_ld"),
    ("no configuration of stores", r"gemmini_extended_config_st\(.*?;", "", "mvout before config_st"),
    ("a configuration changed inside a loop", r"(gemmini_extended_mvin2\((.|\n)*?;)", r"\1 gemmini_extended4_config_ld(8, 1.0f, false, 16, 1);", DIFFERENT),
    ("a configuration of another tensor", r"(gemmini_extended4_config_ld\()K,", r"\1K + 1,", DIFFERENT),
    ("a tile of 17 rows", r"(gemmini_extended_mvin\(&A(.|\n)*?)atl_min\(16, M - i_o\*16\)\);", r"\g<1>17);", "mvin: 17 rows"),
    ("a row behind the scratchpad", r"(gemmini_extended_mvin2\((.|\n)*?)8192", r"\g<1>16376", "of 16384"),
    ("a row behind the accumulator", r"(gemmini_extended_mvin3\((.|\n)*?)2147483648", r"\g<1>2147484664", "of 1024"),
    ("a store before the data is computed", r"(for \(int64_t k_o(?:.|\n)*?\n      \}\n)( *gemmini_extended_mvout(?:.|\n)*?;\n)", r"\2\1", DIFFERENT),
    ("blocks of a load closer than their rows", r"(gemmini_extended4_config_ld\(K, 1, false, )16,", r"\g<1>8,", "blocks 8 rows apart"),
    ("ReLU left out", r"(gemmini_extended_config_st\(64,) 1,", r"\1 0,", DIFFERENT),
    ("a sum that starts with what is there", r"\(uint64_t\)\(atl_min\(1, l_o\)\) << 30", "(uint64_t)1 << 30", DIFFERENT),
]
AHEAD = [
    ("the next rows of B where these are", r"k_o \+ 1\)%2", "k_o)%2", "in any order"),
    ("sums stored from the rows of the next ones", r"(\(i_o\*\(N/64\) \+ j_o) - 1\)%2", r"\1)%2", DIFFERENT),
    ("the sums of the iteration before not stored", r"if \(0 <= j_o - 1 && k_o <= 0\)", "if (0)", DIFFERENT),
    ("the first rows of B of the next columns not loaded", r"K/64 <= k_o \+ 1 && j_o \+ 1 < N/64", "0", DIFFERENT),
    ("the first rows of B of the next rows of A not loaded", r"K/64 <= k_o \+ 1 && N/64 <= j_o \+ 1 &&", "0 &&", DIFFERENT),
    ("sums stored before they are complete", r"if \(K/64 <= k_o \+ 1( && .*)\) \{(\s+for \(int64_t v)", r"if (k_o == 0\1) {\2", DIFFERENT),
]
SCALED = [
    ("a load that replaces, and one that adds", r"\(uint64_t\)\(1\) << 30", "(uint64_t)(0) << 30", "in any order"),
    ("sums that do not start from zeros", r"gemmini_extended_preload\((?:.|\n)*?;\s*gemmini_extended_compute_preloaded\((?:.|\n)*?;", "", DIFFERENT),
    ("no configuration of a scaled load", r"\n *gemmini_extended4_config_ld\(N, x_scale,.*?;", "", "before its config_ld"),
    ("a scale that is not set", r"(gemmini_extended4_config_ld\(N, )skip_scale,", r"\g<1>1,", DIFFERENT),
    ("the scales of two loads exchanged", r"(gemmini_extended_mvin)2(\(&x)", r"\g<1>3\2", DIFFERENT),
    ("loaded as if it were wide", r"(gemmini_extended4_config_ld\(N, x_scale, )1,", r"\g<1>0,", DIFFERENT),
]
LEFT_OVER = [
    ("a bias loaded as what skips is", r"(skip_scale(.|\n)*?)\n *gemmini_extended4_config_ld\(0, .*?;", r"\1", DIFFERENT),
    ("what skips loaded as a bias is", r"(skip_scale(.|\n)*?)\n *gemmini_extended4_config_ld\(N, skip_scale,.*?;", r"\1", DIFFERENT),
    ("the scale of the load before left over", r"(skip_scale(.|\n)*?gemmini_extended4_config_ld\(N, )skip_scale,", r"\g<1>1,", DIFFERENT),
]
POOLED = [("no fence before the CPU reads what is stored", rf"{FENCE}(?=\n *for \(int64_t i = 0)", "", DIFFERENT)]
LOOP = [
    ("no configuration of products", r"gemmini_config_ex\(.*?;", "", "preload before config_ex"),
    ("no configuration of stores", r"gemmini_extended_config_st\(.*?;", "", "mvout before config_st"),
    ("a row above the image taken for one of it", r"(, 3, 3, C, 1,(?:.|\n)*?)atl_max\(0, 1 - y_o\*4\)", r"\g<1>0", DIFFERENT),
    ("sums that start from zeros instead of a bias", r"false, true, false,\s+false", "true, true, false, false", DIFFERENT),
    ("weights nearer to each other", r"1, C, F, F,", "1, C, F - 1, F,", DIFFERENT),
    ("more results than fit", r"atl_min\(32, F - f_o\*32\), 3, 3,", "512, 3, 3,", "do not fit"),
]
# program, kernel, schedule, sizes
RUNS = [
    (MATMUL, "two_layers", "plain", {"M": 40, "N": 33, "K": 50}, LAYERS),
    (MATMUL, "matmul", "fast", {"M": 100, "N": 192, "K": 1088}, AHEAD),
    (MATMUL, "residual_add", "fast", {"M": 40, "N": 70}, SCALED),
    (MATMUL, "residual", "fast", {"M": 40, "N": 64, "K": 64}, LEFT_OVER),
    (CONV, "conv3x3_pooled", "fast", {"B": 2, "H": 6, "W": 20, "C": 17, "F": 18}, POOLED),
    (CONV, "conv3x3", "loop", {"B": 1, "H": 9, "W": 20, "C": 17, "F": 70}, LOOP),
]


def outcome(text, folder, reference, kernel, sizes):
    """What the model says to this C; nothing if the results are right."""
    (folder / "wrong.c").write_text(text)
    library = folder / f"wrong{len(list(folder.iterdir()))}.so"
    subprocess.run([*CC, "-shared", f"-I{folder}", folder / "wrong.c", folder / "model.o", "-lm", "-o", library], check=True)
    model = Library(library)
    refusals = []
    handler = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(refusals.append)
    model.functions.gemmini_model_reset()
    model.functions.gemmini_model_on_error(handler)
    inputs = reference.inputs(kernel, sizes, np.random.default_rng(1))
    inputs |= {name: np.float32(value) for name, value in SCALES.items() if name in inputs}
    expected = reference.reference(kernel, sizes, inputs)["out"]
    out = {"out": np.full(expected.shape, 55, expected.dtype)}
    error = model.call(kernel, sizes, inputs, out)
    if refusals:
        return refusals[0].decode()
    return "" if not error and np.array_equal(out["out"], expected) else DIFFERENT


def check(atlc, folder, program, kernel, schedule, sizes, wrong):
    reference = load_reference(program.parent)
    subprocess.run([atlc, "build", program, "-k", kernel, "-s", schedule, "-o", folder], check=True, stdout=subprocess.DEVNULL)
    right = (folder / f"{program.stem}.c").read_text()
    if found := outcome(right, folder, reference, kernel, sizes):
        sys.exit(f"the right C: {found}")
    start = right.index("gemmini_flush")
    for mistake, pattern, instead, says in wrong:
        changed, count = re.subn(pattern, instead, right[start:], count=1)
        found = outcome(right[:start] + changed, folder, reference, kernel, sizes)
        if count != 1 or says not in found or (says == DIFFERENT) != (found == DIFFERENT):
            sys.exit(f"{mistake}: {'not there' if count != 1 else repr(found)}, expected {says!r}")
        print(f"{mistake}: {found}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--atlc", type=Path, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for source in MODEL.glob("*.c"):
            subprocess.run([*CC, "-c", source, "-o", folder / f"{source.stem}.part.o"], check=True)
        subprocess.run(["ld", "-r", *folder.glob("*.part.o"), "-o", folder / "model.o"], check=True)
        for program, kernel, schedule, sizes, wrong in RUNS:
            check(options.atlc.resolve(), folder, program, kernel, schedule, sizes, wrong)


main()
