#!/usr/bin/env python3
"""Runs the documentation: every command, every program, every output that follows a command.

In README.md and docs/*.md:
  ```sh    is run by bash in a folder with `build`, `accel`, `docs`, `examples`, `lib` and `python` of the project, where `atlc` is the one in `build`, and
           Python finds its package; it must succeed, or end with the status that a comment `# exit N` in it says. All blocks of one page share the folder.
  ```text  directly after a ```sh block is what that prints (times in ms may differ; a line `...` stands for any lines).
  ```atl   is a program that `atlc check` accepts, unless its first line is `// refused: E1234`: then it is refused with that code.
  <!-- file: NAME -->  before any block: its content is written to that file first.
A third of the pages is run, another each day (scripts/part.py), unless some are named.
The first two commands of the README set up the machine and run these tests; a block that names scripts/ is not run from here.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import part  # noqa: E402

BLOCK = re.compile(r"(?:<!-- file: (?P<file>\S+) -->\s*\n)?^```(?P<kind>\w*)\n(?P<body>.*?)^```$", re.M | re.S)
TIMES = re.compile(r"\d+(\.\d+)? ms")


def matches(expected, actual):
    """Line by line; `...` is any number of lines."""
    if not expected:
        return not actual
    if expected[0].strip() == "...":
        return any(matches(expected[1:], actual[i:]) for i in range(len(actual) + 1))
    return bool(actual) and expected[0] == actual[0] and matches(expected[1:], actual[1:])


def lines_of(text):
    return [TIMES.sub("N ms", line.rstrip()) for line in text.strip().splitlines()]


class Page:
    """A page, run with the program `bin/atlc` and the package in the folder `python`. `links`: what the folder has, by name."""

    def __init__(self, path, root, bin, python, links):
        self.path, self.root, self.links = path, root, links
        self.environment = os.environ | {"PATH": f"{bin}:{os.environ['PATH']}", "PYTHONPATH": str(python)}
        self.failures, self.count = [], 0

    def fail(self, body, why):
        self.failures.append(f"{self.path.relative_to(self.root)}: {why}\n--- block\n{body}---")

    def run(self):
        text = self.path.read_text()
        with tempfile.TemporaryDirectory() as folder:
            scratch = pathlib.Path(folder)
            for name, target in self.links.items():
                (scratch / name).symlink_to(target)
            printed, end = None, 0
            for block in BLOCK.finditer(text):
                follows = text[end:block.start()].strip() == ""
                printed = self.block(block, scratch, printed if follows else None)
                end = block.end()

    def block(self, block, scratch, printed):
        kind, body = block["kind"], block["body"]
        if block["file"]:
            (scratch / block["file"]).write_text(body)
        if kind == "sh" and "scripts/" not in body:
            return self.command(body, scratch)
        if kind == "atl":
            self.program(body, scratch)
        if kind == "text" and printed is not None:
            self.count += 1
            if not matches(lines_of(body), lines_of(printed)):
                self.fail(body, f"the command before prints something else:\n{printed}")
        return None

    def command(self, body, scratch):
        self.count += 1
        expected = re.search(r"# exit (\d+)", body)
        result = subprocess.run(["bash", "-euo", "pipefail", "-c", body], cwd=scratch, env=self.environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=1200)
        if result.returncode != (int(expected[1]) if expected else 0):
            self.fail(body, f"exit status {result.returncode}\n{result.stdout}")
        return result.stdout

    def program(self, body, scratch):
        self.count += 1
        (scratch / "block.atl").write_text(body)
        refused = re.match(r"// refused: (E\d+)", body)
        result = subprocess.run(["atlc", "check", "block.atl"], cwd=scratch, env=self.environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=1200)
        if refused and (result.returncode != 1 or f"error[{refused[1]}]" not in result.stdout):
            self.fail(body, f"should be refused with {refused[1]}\n{result.stdout}")
        if not refused and result.returncode != 0:
            self.fail(body, f"atlc check refuses it\n{result.stdout}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True, help="the folder of atlc")
    parser.add_argument("pages", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    pages = [p.resolve() for p in options.pages] or part.share([ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))])
    build = options.build.resolve()
    links = {"build": build} | {folder: ROOT / folder for folder in ("accel", "docs", "examples", "lib", "python")}
    failures, count = [], 0
    for path in pages:
        page = Page(path, ROOT, build, ROOT / "python", links)
        page.environment["ATLC"] = str(build / "atlc")
        page.run()
        failures += page.failures
        count += page.count
    for failure in failures:
        print(failure)
    print(f"{count - len(failures)} passed, {len(failures)} failed")
    return 1 if failures or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
