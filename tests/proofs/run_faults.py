#!/usr/bin/env python3
"""Breaks the compiler on purpose, one fault of faults/*.txt at a time, and looks which layers of the proof refuse what it makes.

    run_faults.py --build FOLDER [--all | NAME...]
    run_faults.py --places          only looks that every line to change is there, and at the tables of docs/proofs.md
    run_faults.py --table           writes the tables of docs/proofs.md

FOLDER (build) is where the test program proof-layers is built: the compiler, and who asks each layer of a small program alone,
whatever the others say. For each fault a line is changed in a copy of its file, and the program is made with it in
FOLDER/faults. Exactly the layers of `by` must refuse; none may refuse what the compiler makes as it is. As many faults are
tried at a time as there are processors. Without names a third of the faults is taken, another each day (scripts/part.py). 77
where there is no coqc.

In faults/*.txt, `- ` is a line of the file, or a part of one, that is there once; `+ ` is what stands there instead. A fault of several
places names each file. The layers of `by` then refuse the program of tests/proofs/faults, each of them without the others, and the
other layers do not; `schedule` is none if it is missing. `class` is that of all faults up to the next one.

Any text can be a fault, a part of an expression too, so that they cannot be chosen at run time in one program. One costs four
to seven seconds: only its file is compiled, without optimization, and linked with the rest.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import part  # noqa: E402

HERE = Path("tests/proofs/faults")
TABLES = sorted((ROOT / "tests/proofs/faults").glob("*.txt"))
DOCUMENT = ROOT / "docs/proofs.md"
BEGIN, END = "<!-- faults: made by tests/proofs/run_faults.py -->\n", "<!-- end of faults -->\n"
LAYERS = ("Z3", "validator", "C reader", "theorem reader", "coqc", "interpreter")
INTERNAL_ERROR = 70  # an invariant of the compiler does not hold


class Fault:
    def __init__(self, name, kind):
        self.name, self.kind = name, kind
        self.program, self.schedule, self.by = "", "none", ""
        self.files = {}  # file -> texts, and what stands there instead

    def folder(self):
        """The same each time: then a cache of compilers knows the changed file again."""
        return "".join(c if c.isalnum() else "_" for c in self.name)


def table():
    faults, kind = [], ""
    lines = ((path, *line) for path in TABLES for line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1))
    for path, number, line in lines:
        key, _, value = line.partition(" ")
        if not line or line.startswith("#"):
            continue
        if key == "class:":
            kind = value
        elif key == "fault:":
            faults.append(Fault(value, kind))
        elif key == "file:":
            faults[-1].files[value] = ([], [])
        elif key in ("-", "+"):
            list(faults[-1].files.values())[-1]["-+".index(key)].append(value)
        elif key in ("program:", "schedule:", "by:"):
            setattr(faults[-1], key[:-1], value)
        else:
            raise ValueError(f"{path}:{number}: {line}")
    return faults


def broken(file, before, after):
    """The text of a file with a fault. Each place is there once, or the table is out of date."""
    text = (ROOT / file).read_text(encoding="utf-8")
    if len(before) != len(after) or not before:
        raise ValueError("lines with - and + come in pairs")
    for place in before:
        if text.count(place) != 1:
            raise ValueError(f"'{place}' is {text.count(place)} times in {file}")
    for number, place in enumerate(before):
        text = text.replace(place, f"<<{number}>>")
    for number, change in enumerate(after):
        text = text.replace(f"<<{number}>>", change)
    return text


def run(command, folder=ROOT):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


def sources(file):
    """What a command compiles: a source, or those that Meson includes in one file."""
    if not re.fullmatch(r".*-unity\d+", file.stem):
        return [file.resolve()]
    return [Path(name).resolve() for name in re.findall("#include<(.*)>", file.read_text(encoding="utf-8"))]


class Compiler:
    """The program proof-layers of a build folder, where a source file may be changed: it alone is compiled, and linked before the
    archive that has the old one, of which the linker takes what is missing then. Without optimization, which is faster, and without
    warnings, to which faults may lead."""

    def __init__(self, build):
        self.build, self.folder = build, build / "faults"
        self.folder.mkdir(exist_ok=True)
        self.library = build / "coq"
        commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
        self.commands = {source: shlex.split(entry["command"]) for entry in commands
                         for source in sources(build / entry["file"])}
        run(["scripts/coq", self.library])

    def compile(self, fault, folder):
        """The objects of the files of a fault."""
        objects = []
        for file, (before, after) in fault.files.items():
            source, made = ROOT / file, folder / f"{len(objects)}.o"
            changed = folder / source.name
            changed.write_text(broken(file, before, after), encoding="utf-8")
            words = self.commands[source]
            until = words.index("-MD") if "-MD" in words else words.index("-o")
            run(words[:until] + ["-O0", "-g0", "-w", "-o", made, "-c", changed], self.build)
            objects.append(made)
        return objects

    def link(self, program, objects, folder):
        """One of the two programs, with the changed objects."""
        words = shlex.split(run(["ninja", "-C", self.build, "-t", "commands", f"tests/proofs/{program}"]).splitlines()[-1])
        after = words.index("-o") + 1
        run(words[:after] + [folder / program, "-Wl,--allow-multiple-definition"] + objects + words[after + 1:], self.build)
        return folder / program

    def ask(self, program, fault, folder):
        """Layers that refuse, and why; None where an invariant of the compiler is broken."""
        done = subprocess.run([program, ROOT / HERE / f"{fault.program}.atl", fault.program, fault.schedule, self.library, folder],
                              capture_output=True, text=True, check=False)
        if done.returncode == INTERNAL_ERROR:
            return None
        if done.returncode != 0:
            raise RuntimeError(f"exit code {done.returncode}: {done.stderr[-300:]}")
        return {layer: why for layer, why in json.loads(done.stdout).items() if why}

    def refusals(self, fault, folder):
        """The validator of lanes looks at each loop while it is mapped, and ends the compiler; so it is left out to ask the others."""
        objects = self.compile(fault, folder)
        refused = self.ask(self.link("proof-layers", objects, folder), fault, folder)
        if refused is not None:
            return refused
        refused = self.ask(self.link("proof-layers-unvalidated", objects, folder), fault, folder)
        if refused is None:
            raise RuntimeError("an invariant of the compiler is broken")
        return {**refused, "validator": "ends the compiler"}

    def unbroken(self, fault):
        """The layers that refuse the program of a fault without it: none should."""
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            return self.ask(self.build / "tests/proofs/proof-layers", fault, Path(folder))


def in_order(layers):
    return ", ".join(layer for layer in LAYERS if layer in layers)


def check(compiler, fault):
    """What is wrong with the fault, or nothing; and the layers that refuse."""
    folder = compiler.folder / fault.folder()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        by = in_order(compiler.refusals(fault, folder))
    except (ValueError, RuntimeError) as problem:
        return str(problem), ""
    finally:
        shutil.rmtree(folder)
    return (None if by == fault.by else f"expected: {fault.by}; refused by: {by or 'nobody'}"), by


def how_many(number):
    return str(number) if number else ""


def tables(faults):
    """For docs/proofs.md: how many faults of a class each layer stops without the others, and which ones a single layer stops."""
    rows = [["class", "faults", *LAYERS, "one only"], ["---"] + ["--:"] * (len(LAYERS) + 2)]
    kinds = list(dict.fromkeys(fault.kind for fault in faults))
    for name, some in [(kind, [f for f in faults if f.kind == kind]) for kind in kinds] + [("all", faults)]:
        by = [fault.by.split(", ") for fault in some]
        rows.append([name, str(len(some))] + [how_many(sum(layer in layers for layers in by)) for layer in LAYERS] +
                    [how_many(sum(len(layers) == 1 for layers in by))])
    text = "".join(f"| {' | '.join(row)} |\n".replace("|  |", "| |").replace("|  |", "| |") for row in rows)
    for layer in LAYERS:
        alone = [fault.name for fault in faults if fault.by == layer]
        if alone:
            line = f"- **Only {layer}** ({len(alone)}): {'; '.join(alone)}."
            text += "\n" + textwrap.fill(line, 100, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return text + "\n"


def document(faults):
    """docs/proofs.md as it should be."""
    before, rest = DOCUMENT.read_text(encoding="utf-8").split(BEGIN)
    return before + BEGIN + "\n" + tables(faults) + "\n" + END + rest.split(END)[1]


def places(faults):
    failed = 0
    for fault in faults:
        try:
            for file, (before, after) in fault.files.items():
                broken(file, before, after)
            if not (ROOT / HERE / f"{fault.program}.atl").exists() or not fault.kind:
                raise ValueError("no such program, or no class")
            if not fault.by or fault.by != in_order(fault.by.split(", ")):
                raise ValueError(f"'{fault.by}' are not layers in their order")
        except (ValueError, OSError) as problem:
            print(f"FAILED  {fault.name}: {problem}")
            failed += 1
    if DOCUMENT.read_text(encoding="utf-8") != document(faults):
        print("FAILED  docs/proofs.md is out of date: run tests/proofs/run_faults.py --table")
        failed += 1
    print(f"{len(faults)} faults, {failed} failed")
    return 1 if failed or not faults else 0


def chosen(faults, options):
    if options.names:
        return [f for f in faults if f.name in options.names]
    return faults if options.all else part.share(faults)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=ROOT / "build", type=Path)
    parser.add_argument("--places", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if options.places:
        return places(table())
    if options.table:
        DOCUMENT.write_text(document(table()), encoding="utf-8")
        return 0
    if not shutil.which("coqc"):
        print("coqc is not installed")
        return 77
    compiler = Compiler(options.build.resolve())
    faults = chosen(table(), options)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        programs = list({(f.program, f.schedule): f for f in faults}.values())
        for program, caught in zip(programs, pool.map(compiler.unbroken, programs)):
            if caught or caught is None:
                print(f"FAILED  {program.program} is refused without a fault: {caught}", flush=True)
                failed += 1
        for fault, (problem, caught) in zip(faults, pool.map(lambda fault: check(compiler, fault), faults)):
            failed += problem is not None
            print(f"{'FAILED' if problem else 'refused'}  {fault.name}: {problem or caught}", flush=True)
    print(f"{max(len(faults) - failed, 0)} passed, {failed} failed")
    return 1 if failed or not faults else 0


if __name__ == "__main__":
    sys.exit(main())
