#!/usr/bin/env python3
"""All examples in one program: it has every kernel and every schedule that they have alone, and one day in three it is checked.

    run_all_examples.py --atlc PATH
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
sys.path.insert(0, str(ROOT / "scripts"))

import part  # noqa: E402

# Several examples have a function relu.
MAIN = "kernel rectified(N: size, A: f32[N]) -> f32[N] { gen i < N { conv2d.relu(layers.relu(A[i])) } }\n"


def run(atlc, *args):
    return subprocess.run([atlc, *args], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def schedules_of(atlc, file):
    """(kernel, schedule) of all that the file itself and what it imports define."""
    printed = run(atlc, "show", file, "--stage", "parsed").stdout
    found = {(name, None) for name in re.findall(r"^kernel ([\w.]+)\(", printed, re.M)}
    for name, kernels in re.findall(r"^schedule ([\w.]+) for ([\w., ]+?)(?: \{| =)", printed, re.M):
        found |= {(kernel, name) for kernel in kernels.split(", ")}
    return found


def plain(kernel, schedule):
    """Without the names of files."""
    return kernel.split(".")[-1], schedule and schedule.split(".")[-1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--atlc", type=pathlib.Path, required=True)
    options = parser.parse_args()
    atlc = options.atlc.resolve()
    files = [f for f in sorted(EXAMPLES.glob("*/*.atl")) if not f.stem.endswith("_refused")]
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "all.atl"
        program.write_text("".join(f'import "{file}";\n' for file in files) + MAIN)
        together = {plain(*one) for one in schedules_of(atlc, program)}
        for command in (["show", "--stage", "typed"], *part.share([["check"]])):
            result = run(atlc, *command, program)
            if result.returncode != 0:
                problems.append(f"{command[0]}: exit code {result.returncode}\n{result.stderr}")
    for file in files:
        alone = {plain(*one) for one in schedules_of(atlc, file)}
        missing = alone - together
        if missing or not alone:
            problems.append(f"{file.name}: missing {sorted(map(str, missing))}")
    print("\n".join(problems))
    print(f"{len(files)} files, {len(together)} kernels under their schedules, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
