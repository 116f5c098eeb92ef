#!/usr/bin/env python3
"""Every instruction of accel/gemmini/gemmini.atl against its meaning, on the model.

    run_instructions.py --atlc PATH [--count N] [--seed N]

The C of the instruction runs on random blocks, with operands put into the memories by plain loads and results fetched by plain stores; its meaning
runs in the interpreter, as a kernel of its own. One that adds does so to random numbers, and with {adds} 0 it replaces them. Then descriptions with a mistake
each: it is found.
"""
import argparse
import ctypes
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent.parent
MODEL = ROOT / "accel/gemmini/model"
DESCRIPTION = ROOT / "accel/gemmini/gemmini.atl"
FIRST_ROW = {"spad": 0, "weights": 8192, "acc": 0x80000000}
BLOCK = 20  # rows between the blocks of a result
NUMPY = {"i8": np.int8, "i32": np.int32}
INSTR = re.compile(r'^  instr (\w+)\((.*?)\)\s*-> (\w+)\[(.*?)\](?: @ (\w+))?( adds)?(?: unordered)?(?:\s+where (.*?))?\s+needs (.*?)\s+c "(.*?)"\s*\n  \{(.*?)\}\n', re.M | re.S)
CONFIG = re.compile(r'config (\w+)\((.*?)\)\s+c "(.*?)";', re.S)
PARAM = re.compile(r"(\w+): (\w+)(?:\[(.*?)\])?(?: @ (\w+))?(?:, |$)")


# (what the description has, a mistake in its place)
WRONG = [
    ("needs store(out.stride, 1, scale)", "needs store(out.stride, 0, scale)"),
    (" | (uint64_t)({adds}) << 30", ""),
    ("((uint64_t)({x}) | 0x20000000u)", "((uint64_t)({x}))"),
    ("(uint64_t)({adds}) << 30", "(uint64_t)({adds} | 1) << 30"),
    ("needs load3(x.stride, out.block, 1, 1)", "needs load3(x.stride, out.block, 0, 1)"),
    ("needs load3(x.stride, out.block, 1, scale)", "needs load3(x.stride, out.block, 1, 1)"),
    ("needs load2(x.stride, out.block, 0, scale)", "needs load2(x.stride, out.block, scale, 1)"),
    ("gemmini_extended_compute_preloaded((uint64_t)({a}), GARBAGE_ADDR, {depth}, {rows}", "gemmini_extended_compute_preloaded((uint64_t)({a}), GARBAGE_ADDR, {rows}, {depth}"),
    ("needs load1(x.stride, out.block, 1) c", "needs load1(x.stride, 16, 1) c"),
    ("max(x[i, j], 0)", "max(x[i, j], 1)"),
    ("gemmini_extended_compute_accumulated((uint64_t)({a}) + DIM", "gemmini_extended_compute_accumulated((uint64_t)({a})"),
    ("gemmini_extended_compute_accumulated((uint64_t)({a}) + DIM", "gemmini_extended_compute_preloaded((uint64_t)({a}) + DIM"),
]


def fill(template, values):
    return re.sub(r"\{(\w+)\}", lambda hole: str(values[hole[1]]), template)


def rows_to_memory(memory, name, rows, cols):
    """C that puts a plain block of at most 16 columns into a memory."""
    size = 4 if memory == "acc" else 1
    return (f"gemmini_extended4_config_ld({cols} * {size}, 1.0f, false, 16, 0);"
            + by_16_rows(rows, f"gemmini_extended_mvin((const int8_t *){name} + r * {cols} * {size}, {FIRST_ROW[memory]}u + r, {cols}, {{rows}});"))


def by_16_rows(rows, command):
    """C that issues a command for 16 rows at a time: r is the first one, {rows} how many."""
    return f"for (int64_t r = 0; r < {rows}; r += 16) {command.replace('{rows}', f'({rows} - r < 16 ? {rows} - r : 16)')}"


class Instruction:
    def __init__(self, match, configurations, begin):
        self.text, self.begin = match[0], begin
        self.name, params, self.elem, extents, self.memory, adds, where, self.needs, c, self.meaning = match.groups()
        self.c = re.sub(r'"\s*"', "", c)  # given in parts
        self.params = [PARAM.match(text).groups() for text in re.split(r", (?=\w+:)", params)]
        self.extents, self.adds = extents.split(", "), bool(adds)
        self.most = {name: int(most) for name, most in re.findall(r"(\w+) <= (\d+)", where or "")}
        self.configurations = configurations

    def kernel(self):
        params = ", ".join(f"{name}: {elem}" + (f"[{extents}]" if extents else "") for name, elem, extents, _ in self.params)
        return f"kernel {self.name}({params}) -> {self.elem}[{', '.join(self.extents)}] {{{self.meaning}}}\n"

    def function(self):
        """void NAME(sizes, scalars, operands, before, out, replaces)"""
        types = {"size": "int64_t ", "f32": "float "}
        params = [types.get(elem, "const void *") + name for name, elem, _, _ in self.params]
        lines = [self.begin]
        for name, _, extents, memory in self.params:
            if memory:
                lines.append(rows_to_memory(memory, name, *extents.split(", ")))
        rows, cols = self.extents
        if self.adds:
            lines += [f"for (int64_t b = 0; b * 16 < {cols}; ++b) {{",
                      f"  gemmini_extended4_config_ld({cols} * 4, 1.0f, false, 16, 0);",
                      by_16_rows(rows, f"gemmini_extended_mvin((const int32_t *)before + r * {cols} + b * 16, {FIRST_ROW['acc']}u + b * {BLOCK} + r, {cols} - b * 16 < 16 ? {cols} - b * 16 : 16, {{rows}});"), "}",
                      "gemmini_fence();"]
        values = {name: name for name, _, _, _ in self.params}
        for name, _, _, memory in self.params:
            if memory:
                values[name] = f"{FIRST_ROW[memory]}u"
        values["out"] = f"{FIRST_ROW[self.memory]}u" if self.memory else "out"
        values["adds"] = "!replaces"
        for need in re.findall(r"(\w+)\((.*?)\)", self.needs):
            names, c = self.configurations[need[0]]
            lines.append(fill(c, dict(zip(names, (self.value(v) for v in need[1].split(", "))))))
        lines.append(fill(self.c, values))
        if self.memory:
            raw = " | 0x20000000u" if self.memory == "acc" else ""
            size = 4 if self.memory == "acc" else 1
            lines += [f"gemmini_extended_config_st({cols} * {size}, 0, 1.0f);", f"for (int64_t b = 0; b * 16 < {cols}; ++b)",
                      by_16_rows(rows, f"gemmini_extended_mvout((int8_t *)out + (r * {cols} + b * 16) * {size}, ({FIRST_ROW[self.memory]}u + b * {BLOCK} + r){raw}, {cols} - b * 16 < 16 ? {cols} - b * 16 : 16, {{rows}});")]
        lines.append("gemmini_fence(); (void)before; (void)replaces;")
        body = "\n  ".join(lines)
        return f"void run_{self.name}({', '.join(params)}, const void *before, void *out, int replaces) {{\n  gemmini_fence();\n  gemmini_config_ex(WEIGHT_STATIONARY, 0, 0);\n  {body}\n}}\n"

    def value(self, word):
        operand, _, what = word.partition(".")
        if what == "block":
            return BLOCK
        if what == "stride":
            elem, extents = (self.elem, self.extents) if operand == "out" else next((p[1], p[2].split(", ")) for p in self.params if p[0] == operand)
            return f"{extents[-1]} * {4 if elem == 'i32' else 1}"
        return word

    def sizes(self):
        edge = lambda most: random.choice([1, 15, 16, most, random.randint(1, most)])  # noqa: E731
        return {name: edge(self.most[name]) for name, elem, _, _ in self.params if elem == "size"}


def check(atlc, instruction, library, folder, rng):
    sizes, args, words = instruction.sizes(), [], []
    for name, elem, extents, _ in instruction.params:
        if elem == "size":
            args.append(ctypes.c_int64(sizes[name]))
            words.append(f"{name}={sizes[name]}")
        elif elem == "f32":
            scale = float(rng.choice([0.5, 0.25, 0.01, 1.0, 3.0, -0.5]))
            args.append(ctypes.c_float(scale))
            words.append(f"{name}={np.float32(scale)}")
        else:
            most = np.iinfo(NUMPY[elem])
            array = rng.integers(most.min, most.max + 1, [sizes[e] for e in extents.split(", ")], dtype=NUMPY[elem])
            if elem == "i32" and rng.random() < 0.7:
                array %= 1000
                array -= 500
            np.save(folder / f"{name}.npy", array)
            args.append(array)
            words.append(f"{name}={folder / name}.npy")
    done = subprocess.run([atlc, "run", folder / "meanings.atl", "-k", instruction.name, "--engine", "interp", *words, "-o", folder / "out.npy"],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return f"{instruction.name}: {done.stdout}{done.stderr}"
    meaning = np.load(folder / "out.npy")
    before = rng.integers(-2**31, 2**31, meaning.shape, dtype=np.int32)
    for replaces in [0, 1] if "{adds}" in instruction.c else [0]:
        expected = (meaning + before).astype(np.int32) if instruction.adds and not replaces else meaning
        out = np.full(meaning.shape, 55, meaning.dtype)
        library.gemmini_model_seed(ctypes.c_uint64(int(rng.integers(1, 1000))))
        pointer = lambda a: a.ctypes.data_as(ctypes.c_void_p) if isinstance(a, np.ndarray) else a  # noqa: E731
        getattr(library, f"run_{instruction.name}")(*map(pointer, args), pointer(before), pointer(out), ctypes.c_int(replaces))
        library.gemmini_model_unwritten_reads.restype = ctypes.c_uint64
        if not np.array_equal(out, expected) or library.gemmini_model_unwritten_reads():
            return f"{instruction.name} {sizes}: the model gives\n{out}\nthe meaning is\n{expected}"
    return None


def problem_with(text, atlc, options, right=""):
    """Of the instructions that are not written as in `right`."""
    random.seed(options.seed)
    rng = np.random.default_rng(options.seed)
    configurations = {name: (re.findall(r"(\w+):", params), c) for name, params, c in CONFIG.findall(text)}
    begin = re.search(r'begin "(.*?)";', text)[1]
    instructions = [Instruction(match, configurations, begin) for match in INSTR.finditer(text)]
    if len(instructions) != len(re.findall(r"^  instr ", text, re.M)):
        sys.exit("an instruction is written in a way that this test does not read")
    instructions = [i for i in instructions if i.text not in right]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "meanings.atl").write_text("".join(i.kernel() for i in instructions))
        (folder / "run.c").write_text('#include "gemmini.h"\n' + "".join(i.function() for i in instructions))
        built = subprocess.run(["cc", "-std=c11", "-O1", "-fPIC", "-shared", f"-I{MODEL}", folder / "run.c", *MODEL.glob("*.c"), "-lm", "-o", folder / "run.so"],
                               capture_output=True, text=True, check=False)
        if built.returncode != 0:
            return built.stderr
        library = ctypes.CDLL(str(folder / "run.so"))
        refusals = []
        handler = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(refusals.append)
        library.gemmini_model_on_error(handler)
        for instruction in instructions:
            for _ in range(options.count):
                problem = check(atlc, instruction, library, folder, rng)
                if problem or refusals:
                    return problem or f"{instruction.name}: {refusals[0].decode()}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--atlc", type=Path, required=True)
    parser.add_argument("--count", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    atlc = options.atlc.resolve()
    text = re.sub(r"//.*", "", DESCRIPTION.read_text())
    if problem := problem_with(text, atlc, options):
        sys.exit(problem)
    for right, wrong in WRONG:
        if right not in text:
            sys.exit(f"the description has no {right}")
        if not problem_with(text.replace(right, wrong), atlc, options, text):
            sys.exit(f"not found: {wrong}")
    print(f"{len(INSTR.findall(text))} instructions, {options.count} blocks each; {len(WRONG)} mistakes found")


main()
