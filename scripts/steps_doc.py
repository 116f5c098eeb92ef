"""Writes section 11 of docs/schedules.md from the table of steps and the programs in docs/steps.

    steps_doc.py --atlc PATH [--check]      --check: changes nothing; exit code 1 if the section is out of date

docs/steps/NAME.atl begins with a comment, which is the text about the step, and has one kernel with one schedule. The step shown is the last one
of the schedule.
"""
import argparse
import json
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs/schedules.md"
PROGRAMS = ROOT / "docs/steps"
WIDTH = 100
BEGIN, END = "<!-- steps: made by scripts/steps_doc.py -->\n", "<!-- end of steps -->\n"


def run(atlc, *words):
    done = subprocess.run([atlc, *map(str, words)], capture_output=True, text=True, cwd=ROOT)
    if done.returncode != 0:
        sys.exit(f"atlc {' '.join(map(str, words))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def parts(text):
    """The comment at the top, and the program."""
    lines = text.splitlines()
    end = next(i for i, line in enumerate(lines) if not line.startswith("//"))
    return "\n".join(line[2:].removeprefix(" ") for line in lines[:end]), "\n".join(lines[end:]).strip()


def change(atlc, path):
    """What the last step does, without the line that names it."""
    shown = run(atlc, "show", path, "--stage", "scheduled", "--diff")
    return "\n".join(line for line in shown.rstrip().splitlines() if not line.startswith("// "))


def sentence(summary):
    return textwrap.fill(summary[0].upper() + summary[1:] + ".", WIDTH)


def section(atlc, name, ways):
    """A step, and the ways in which it is written."""
    path = PROGRAMS / f"{name}.atl"
    if not path.is_file():
        sys.exit(f"docs/steps/{path.name} is missing: there is a step {name}")
    run(atlc, "check", path)
    text, program = parts(path.read_text(encoding="utf-8"))
    usage = "\n\n".join(f"```\n{way['usage']}\n```\n\n{sentence(way['summary'])}" for way in ways)
    return (f"### {name}\n\n{usage}\n\n"
            f"{text}\n\n```atl\n{program}\n```\n\n```diff\n{change(atlc, path)}\n```\n")


def document(atlc):
    steps = {}
    for row in json.loads(run(atlc, "steps", "--json")):
        steps.setdefault(row["name"], []).append(row)
    if strange := sorted(path.name for path in PROGRAMS.iterdir() if path.stem not in steps):
        sys.exit(f"docs/steps: there is no step for {', '.join(strange)}")
    text = DOCUMENT.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    return before + BEGIN + "\n" + "\n".join(section(atlc, name, ways) for name, ways in steps.items()) + "\n" + END + after


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--atlc", required=True, help="the compiler")
    parser.add_argument("--check", action="store_true", help="only say whether the section is up to date")
    options = parser.parse_args()
    text = document(Path(options.atlc).resolve())
    if not options.check:
        DOCUMENT.write_text(text, encoding="utf-8")
        return 0
    if DOCUMENT.read_text(encoding="utf-8") == text:
        return 0
    print("docs/schedules.md is out of date: run scripts/steps_doc.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
