#!/usr/bin/env python3
"""Breaks the compiler on purpose, one fault of faults.txt at a time, and looks that its proofs refuse what the broken compiler makes.

    run_faults.py --build FOLDER [--all | NAME...]
    run_faults.py --places          only looks that every line to change is there

FOLDER (build) is where atlc is built. For each fault a line is changed in a copy of its file, and an atlc made in FOLDER/faults,
which proves a small program: coqc, the reader of the C or Z3 must refuse. Before that, the compiler as it is has to prove the
program. As many faults are tried at a time as there are processors. Without names a third of the faults is taken, another each
day (scripts/part.py). A table says who caught which; the last line how many were caught. 77 where there is no coqc.

Any text can be a fault, a part of an expression too, so that they cannot be chosen at run time in one atlc. One costs four to
seven seconds: only its file is compiled, without optimization, and linked with the rest.
"""
import argparse
import concurrent.futures
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import part  # noqa: E402

HERE = Path("tests/proofs/faults")
CATCHERS = ("coqc", "reader", "Z3")
NOT_ABOUT = "the file is not about the loop nest"  # the reader says so of a theorem


class Fault:
    def __init__(self, name):
        self.name, self.file, self.program, self.schedule, self.by = name, "", "", "none", ""
        self.before, self.after = [], []


def table(path):
    faults = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        key, _, value = line.partition(" ")
        if not line or line.startswith("#"):
            continue
        if key == "fault:":
            faults.append(Fault(value))
        elif key in ("-", "+"):
            (faults[-1].before if key == "-" else faults[-1].after).append(value)
        elif key in ("file:", "program:", "schedule:", "by:"):
            setattr(faults[-1], key[:-1], value)
        else:
            raise ValueError(f"{path}:{number}: {line}")
    return faults


def broken(text, fault):
    """The file with its fault. Each place is there once, or the table is out of date."""
    if len(fault.before) != len(fault.after) or not fault.before:
        raise ValueError("lines with - and + come in pairs")
    for place in fault.before:
        if text.count(place) != 1:
            raise ValueError(f"'{place}' is {text.count(place)} times in {fault.file}")
    for number, place in enumerate(fault.before):
        text = text.replace(place, f"<<{number}>>")
    for number, change in enumerate(fault.after):
        text = text.replace(f"<<{number}>>", change)
    return text


def run(command, folder=ROOT):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


def without_header(words):
    """The words of a command, without the precompiled header of the target: it was made with optimization."""
    at = words.index("-include") if "-include" in words else len(words)
    return words[:at] + words[at + 2:]


class Compiler:
    """The atlc of a build folder, where a source file may be changed: it alone is compiled, and linked before the archive that
    has the old one. Without optimization, which is faster, and without warnings, to which faults may lead."""

    def __init__(self, build):
        self.build, self.folder = build, build / "faults"
        self.folder.mkdir(exist_ok=True)
        self.library = build / "coq"
        self.link = shlex.split(run(["ninja", "-C", build, "-t", "commands", "atlc"]).splitlines()[-1])
        commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
        self.commands = {(build / entry["file"]).resolve(): shlex.split(entry["command"]) for entry in commands}
        run(["scripts/coq", self.library])

    def flags(self, source):
        words = self.commands[source]
        until = words.index("-MD") if "-MD" in words else words.index("-o")
        return without_header(words[:until]) + ["-O0", "-g0", "-w"]

    def make(self, source, text, folder):
        """An atlc in the folder with `text` in the place of the source file."""
        changed, made = folder / source.name, folder / "changed.o"
        changed.write_text(text, encoding="utf-8")
        run(self.flags(source) + ["-o", made, "-c", changed], self.build)
        after = self.link.index("-o") + 2
        run(self.link[:after - 1] + [folder / "atlc", made] + self.link[after:], self.build)
        return folder / "atlc"

    def catcher(self, fault, atlc, folder):
        """Who refuses the program; nothing if all is proved."""
        program = ROOT / HERE / f"{fault.program}.atl"
        done = subprocess.run([atlc, "prove", program, "-k", fault.program, "-s", fault.schedule, "--coq", "--json", "--cache", "",
                               "--coq-library", self.library, "-o", folder / "theorems"], capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1) or not done.stdout:
            return f"exit code {done.returncode}: {done.stderr[-300:]}"
        proved = json.loads(done.stdout)
        kernel = proved["kernels"][0]
        caught = [name for name, refuses in zip(CATCHERS, (
            kernel["coq"]["result"] == "not proved", not proved["c"]["ok"] or kernel["coq"]["result"] == NOT_ABOUT,
            any(o["result"] != "proved" for o in kernel["obligations"]))) if refuses]
        if not caught and not kernel["coq"]["ok"]:
            return f"no theorem: {kernel['coq']['result']}"
        return " and ".join(caught)

    def unbroken(self, fault):
        """Who refuses the program of a fault without it: nobody should."""
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            return self.catcher(fault, self.build / "atlc", Path(folder))


def check(compiler, fault):
    """What is wrong with the fault, or nothing, and who caught it."""
    source = ROOT / fault.file
    with tempfile.TemporaryDirectory(dir=compiler.folder) as name:
        folder = Path(name)
        try:
            atlc = compiler.make(source, broken(source.read_text(encoding="utf-8"), fault), folder)
            caught = compiler.catcher(fault, atlc, folder)
        except (ValueError, RuntimeError) as problem:
            return str(problem), ""
    if caught != fault.by:
        return f"expected: {fault.by}, caught by: {caught or 'nobody'}", caught
    return None, caught


def places(faults):
    failed = 0
    for fault in faults:
        try:
            broken((ROOT / fault.file).read_text(encoding="utf-8"), fault)
            if not (ROOT / HERE / f"{fault.program}.atl").exists() or fault.by not in CATCHERS:
                raise ValueError("no such program, or nobody to catch it")
        except (ValueError, OSError) as problem:
            print(f"FAILED  {fault.name}: {problem}")
            failed += 1
    print(f"{len(faults) - failed} passed, {failed} failed")
    return 1 if failed or not faults else 0


def chosen(faults, options):
    if options.names:
        return [f for f in faults if f.name in options.names]
    return faults if options.all else part.share(faults)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=ROOT / "build", type=Path)
    parser.add_argument("--places", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if options.places:
        return places(table(ROOT / "tests/proofs/faults.txt"))
    if not shutil.which("coqc"):
        print("coqc is not installed")
        return 77
    compiler = Compiler(options.build.resolve())
    faults = chosen(table(ROOT / "tests/proofs/faults.txt"), options)
    failed, counts = 0, {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        programs = list({(f.program, f.schedule): f for f in faults}.values())
        for program, caught in zip(programs, pool.map(compiler.unbroken, programs)):
            if caught:
                print(f"FAILED  {program.program} is not proved without a fault: {caught}", flush=True)
                failed += 1
        for fault, (problem, caught) in zip(faults, pool.map(lambda fault: check(compiler, fault), faults)):
            counts[caught] = counts.get(caught, 0) + 1
            failed += problem is not None
            print(f"{'FAILED' if problem else 'caught'}  {fault.name}: {problem or caught}", flush=True)
    print(", ".join(f"{count} by {name or 'nobody'}" for name, count in sorted(counts.items())))
    print(f"{max(len(faults) - failed, 0)} passed, {failed} failed")
    return 1 if failed or not faults else 0


if __name__ == "__main__":
    sys.exit(main())
