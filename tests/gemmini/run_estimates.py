#!/usr/bin/env python3
"""Cycles that the model of Gemmini estimates, against those of the hardware.

    run_estimates.py --atlc PATH [--write]

accel/gemmini/measured.json has the cycles of calls on the RTL. The C that was measured is made again, from tests/gemmini/measured*.atl and the examples, for a
description with banks or without, and runs twice on the model. An estimate is within 5 % of what was measured, below a size of 128 within 10 %, or within
what the row says where that is not reached. The tables of docs/gemmini.md are those that --write makes, to the cycle.
"""
import argparse
import difflib
import json
import re
import shutil
import sys
import tempfile
from pathlib import Path

from cycles import Arena
from run_kernels import ROOT, Built, load_reference

MEASURED = ROOT / "accel/gemmini/measured.json"
DOCUMENT = ROOT / "docs/gemmini.md"
BEGIN, END = "<!-- estimates: made by tests/gemmini/run_estimates.py -->\n", "<!-- end of estimates -->\n"
SIZES_NOW = (64, 100, 128, 250, 256, 512)
IMAGES = ((28, 128), (14, 256))  # pixels of a side, channels


class Programs:
    """Kernels under a schedule, built when they are first asked for."""

    def __init__(self, atlc, scratch):
        self.atlc, self.scratch, self.built, self.references = atlc, Path(scratch), {}, {}
        self.arena = Arena()

    def folder(self, banks):
        folder = self.scratch / ("banks" if banks else "one")
        if not folder.exists():
            folder.mkdir()
            for file in (*ROOT.glob("examples/gemmini_*/*.atl"), *ROOT.glob("tests/gemmini/measured*.atl")):
                shutil.copy(file, folder)
            description = (ROOT / "accel/gemmini/gemmini.atl").read_text()
            (folder / "gemmini.atl").write_text(description if banks else re.sub(r" in banks of \d+", "", description))
        return folder

    def library(self, banks, program, kernel, schedule):
        key = banks, program, kernel, schedule
        if key not in self.built:
            out = self.scratch / "-".join(map(str, key))
            self.built[key] = Built(self.atlc, self.folder(banks) / f"{program}.atl", out, "-k", kernel, "-s", schedule)
        return self.built[key]

    def cycles(self, banks, program, kernel, schedule, sizes, instructions=None):
        """Of the first call and of the second."""
        reference = self.references.setdefault(example_of(kernel), load_reference(ROOT / "examples" / example_of(kernel)))
        return self.arena.cycles_of_two_calls(self.library(banks, program, kernel, schedule), reference, kernel, sizes, instructions)


def example_of(kernel):
    return "gemmini_conv" if kernel.startswith("conv") else "gemmini_matmul"


def size_of(sizes):
    return f"{sizes['M']}" if "M" in sizes else f"{sizes['H']}x{sizes['W']}x{sizes['C']}"


def cell(measured, estimate, row, problems):
    if not measured:
        return f"| {estimate:.0f} | "
    off = 100 * (estimate / measured - 1)
    bound = row.get("within", 10 if row["sizes"].get("M", 128) < 128 else 5)
    if abs(off) > bound:
        problems.append(f"{row}: {estimate:.0f} is off by {off:.1f} %, more than {bound}")
    return f"{measured} | {estimate:.0f} | {off:+.1f}"


def compared(programs, problems):
    lines = ["| C | kernel, schedule | size | first call | estimate | % off | second call | estimate | % off |",
             "|---|---|---|---|---|---|---|---|---|"]
    for row in json.loads(MEASURED.read_text())["rows"]:
        schedule = row.get("source", "measured")
        program = "measured_conv" if schedule == "rows" else "measured" if schedule in ("measured", "later", "library") else example_of(row["kernel"])
        estimates = programs.cycles(row["code"] != "one bank", program, row["kernel"], schedule, row["sizes"], row.get("instructions"))
        cells = [cell(row.get(when), estimate, row, problems) for when, estimate in zip(("cold", "warm"), estimates)]
        lines.append(f"| {row['code']} | {row['kernel']}, {row['schedule']} | {size_of(row['sizes'])} | {' | '.join(cells)} |")
    return lines


def present(programs):
    lines = ["| kernel under `fast` | " + " | ".join(map(str, SIZES_NOW)) + " |", "|---" * (len(SIZES_NOW) + 1) + "|"]

    def share(kernel, sizes, products):
        cycles = programs.cycles(True, example_of(kernel), kernel, "fast", sizes)
        return " (".join(f"{100 * products / 256 / each:.1f}" for each in cycles) + ")"

    for kernel in ("matmul", "padded", "dense"):
        shares = [share(kernel, dict.fromkeys("MNK", n), n**3) for n in SIZES_NOW]
        lines.append(f"| {kernel} | {' | '.join(shares)} |")
    for side, channels in IMAGES:
        sizes = {"B": 1, "H": side, "W": side, "C": channels, "F": channels}
        lines.append(f"\nconv3x3, {size_of(sizes)}: {share('conv3x3', sizes, 9 * side**2 * channels**2)}.")
    return lines


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--atlc", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    problems = []
    with tempfile.TemporaryDirectory() as scratch:
        programs = Programs(options.atlc.resolve(), scratch)
        tables = "\n".join([*compared(programs, problems), "", "Per cent of the peak, first call (second call), as estimated:", "", *present(programs)]) + "\n"
    text = DOCUMENT.read_text()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    if options.write:
        DOCUMENT.write_text(text[:begin] + tables + text[end:])
    elif text[begin:end] != tables:
        problems += difflib.unified_diff(text[begin:end].splitlines(), tables.splitlines(), "docs/gemmini.md", "estimates", lineterm="")
    print("\n".join(problems) or tables)
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
