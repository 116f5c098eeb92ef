#!/usr/bin/env python3
"""Cycles that the model of Gemmini estimates, against those of the hardware.

    run_estimates.py --atlc PATH [--write]

accel/gemmini/measured.json has the cycles of calls on the RTL. The C that was measured is made again, from tests/gemmini/measured*.atl and the examples, for a
description with banks or without, and runs twice on the model. An estimate is within 5 % of what was measured, below a size of 128 within 10 %, or within
what the row says where that is not reached. The tables of docs/gemmini.md are those that --write makes, to the cycle. A third of the lines is tried, those
of other C each day (scripts/part.py); --write makes all of them.
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

import part

MEASURED = ROOT / "accel/gemmini/measured.json"
DOCUMENT = ROOT / "docs/gemmini.md"
BEGIN, END = "<!-- estimates: made by tests/gemmini/run_estimates.py -->\n", "<!-- end of estimates -->\n"
SIZES_NOW = (64, 100, 128, 250, 256, 512)
IMAGES = ((56, 64), (28, 128), (14, 256))  # pixels of a side, channels


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
    """Lines, each with the C that it is about, and how it is made."""
    yield None, lambda: "| C | kernel, schedule | size | first call | estimate | % off | second call | estimate | % off |"
    yield None, lambda: "|---|---|---|---|---|---|---|---|---|"
    for row in json.loads(MEASURED.read_text())["rows"]:
        schedule = row.get("source", "measured")
        program = "measured_conv" if schedule == "rows" else "measured" if schedule in ("measured", "later", "library") else example_of(row["kernel"])
        code = row["code"] != "one bank", program, row["kernel"], schedule

        def line(row=row, code=code):
            estimates = programs.cycles(*code, row["sizes"], row.get("instructions"))
            cells = [cell(row.get(when), estimate, row, problems) for when, estimate in zip(("cold", "warm"), estimates)]
            return f"| {row['code']} | {row['kernel']}, {row['schedule']} | {size_of(row['sizes'])} | {' | '.join(cells)} |"

        yield code, line


def present(programs):
    yield None, lambda: ""
    yield None, lambda: "Per cent of the peak, first call (second call), as estimated:"
    yield None, lambda: ""
    yield None, lambda: "| kernel under `fast` | " + " | ".join(map(str, SIZES_NOW)) + " |"
    yield None, lambda: "|---" * (len(SIZES_NOW) + 1) + "|"

    def peak(code, sizes, products):
        return " (".join(f"{100 * products / 256 / each:.1f}" for each in programs.cycles(*code, sizes)) + ")"

    for kernel in ("matmul", "padded", "dense"):
        code = True, "gemmini_matmul", kernel, "fast"
        yield code, lambda code=code: f"| {code[2]} | {' | '.join(peak(code, dict.fromkeys('MNK', n), n**3) for n in SIZES_NOW)} |"
    yield None, lambda: ""
    yield None, lambda: f"| conv3x3 | {' | '.join(f'{side}x{side}x{channels}' for side, channels in IMAGES)} |"
    yield None, lambda: "|---" * (len(IMAGES) + 1) + "|"
    for schedule in ("fast", "loop"):
        code = True, "gemmini_conv", "conv3x3", schedule
        images = [{"B": 1, "H": side, "W": side, "C": channels, "F": channels} for side, channels in IMAGES]
        yield code, lambda code=code: f"| {code[3]} | {' | '.join(peak(code, sizes, 9 * sizes['H']**2 * sizes['C']**2) for sizes in images)} |"


def made(lines, old=None):
    """The lines; where there are old ones, new ones only for the C of this run."""
    codes = sorted({code for code, _ in lines if code})
    ours = {None, *(codes if old is None else part.share(codes))}
    return [line() if code in ours else old[number] for number, (code, line) in enumerate(lines)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--atlc", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    text = DOCUMENT.read_text()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    problems, old = [], text[begin:end].splitlines()
    with tempfile.TemporaryDirectory() as scratch:
        programs = Programs(options.atlc.resolve(), scratch)
        lines = [*compared(programs, problems), *present(programs)]
        if options.write:
            DOCUMENT.write_text(text[:begin] + "\n".join(made(lines)) + "\n" + text[end:])
        elif len(lines) != len(old):
            problems.append(f"docs/gemmini.md has {len(old)} lines of estimates, not {len(lines)}")
        else:
            problems += difflib.unified_diff(old, made(lines, old), "docs/gemmini.md", "estimates", lineterm="")
        built = len(programs.built)
    print("\n".join(problems) or f"{built} libraries, {len(lines)} lines")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
