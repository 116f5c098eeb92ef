#!/usr/bin/env python3
"""Every mistake of a kernel is a mistake in a function.

    run_in_functions.py --atlc PATH [NAME...]

Takes the programs of tests/errors that expect a diagnostic in the body of a kernel, and puts the body into a function:
sizes become the numbers of the counterexample, tensors become tensors of the function's argument, results become
lets. `atlc check` must give the same code at the same line, for the function alone.
"""
import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from run_errors import HERE, TIME_LIMIT, expectations

USUAL_SIZE = 4  # where the counterexample says nothing
KERNEL = re.compile(r"^kernel (\w+)\((.*?)\)\s*->\s*(.*?)\{", re.MULTILINE | re.DOTALL)
OTHER = re.compile(r"^(?:schedule|step)\b.*?\}\s*$|^(?:schedule|step)\b[^{\n]*;\s*$", re.MULTILINE | re.DOTALL)
TYPE = re.compile(r"(\w+)\s*:\s*(\w+)(?:\[(.*)\])?$", re.DOTALL)
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)

# Mistakes that have no meaning in a function, which declares one scalar, and where sizes are numbers.
NOT_IN_A_FUNCTION = {
    "E2001_type_mismatch result E2001": "is about the element type of a tensor that is the result",
    "E2003_rank_mismatch result E2003": "is about the rank of the result",
    "E2004_wrong_output_count missing E2004": "is about the number of results",
    "E2004_wrong_output_count too_many E2004": "is about the number of results",
    "E4001_unbounded_temporary products E4001": "is about a temporary without a bound; each number is one",
    "E7002_shape_mismatch result E7002": "is about the shape of the result",
    "E7002_shape_mismatch callee E7002": "is about the shape of the result",
    "E7002_shape_mismatch halves E7002": "is about the shape of the result",
    "E7002_shape_mismatch row E7002": "is about a size that a call gives",
    "E7003_negative_extent of_truncation E7002": "is about the shape of the result",
    "E7008_obligation_unknown cubes E7008": "is about all sizes; for numbers it is decided",
}


def blank(text):
    return re.sub(r"[^\n]", " ", text)


def closing(text, start):
    """The place of the bracket that closes the one at `start`."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0:
            return i
    return len(text)


def commas(text):
    """Those between the items of a list."""
    depth, found = 0, []
    for i, c in enumerate(text):
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            found.append(i)
    return found


def split_list(text):
    ends = commas(text) + [len(text)]
    return [text[begin:end].strip() for begin, end in zip([0] + [e + 1 for e in ends], ends) if text[begin:end].strip()]


class Kernel:
    def __init__(self, text, match):
        self.name, self.begin = match.group(1), match.start()
        self.params = [TYPE.match(p) for p in split_list(match.group(2))]
        self.outputs = re.split(r"\bwhere\b", match.group(3))[0].strip()
        self.body_begin = match.end()
        self.end = closing(text, match.end() - 1)
        self.body = text[self.body_begin:self.end]

    def is_scalar(self):
        return re.fullmatch(r"\w+", self.outputs) is not None


def kernels_of(text):
    found = [Kernel(text, match) for match in KERNEL.finditer(text)]
    return [kernel for kernel in found if None not in kernel.params]


def with_sizes(text, sizes):
    for name in sizes:
        text = re.sub(rf"(?<![\w.]){name}(?![\w.])", f"{name}_here", text)
    return text


def cells(elem):
    return "p > 0.0" if elem == "bool" else f"{elem}(p)"


def tensor(number, param, sizes):
    name, elem, extents = param.groups()
    if extents is None:
        return f"let {name} = {cells(elem)};"
    return f"let {name} = gen {ranges(f'cell_{number}', with_sizes(extents, sizes))} {{ {cells(elem)} }};"


def several_results(body):
    """Where the list of results begins and ends, if there are several."""
    end = len(body.rstrip()) - 1
    for begin in range(end):
        is_list = body[begin] == "(" and closing(body, begin) == end and commas(body[begin + 1:end])
        if is_list and body[:begin].rstrip()[-1:] in ("", ";"):
            return begin, end
    return None


def ranges(name, extents):
    return ", ".join(f"{name}_{d} < {extent}" for d, extent in enumerate(split_list(extents)))


def total(name, output, sizes):
    """Uses all cells of a result, so that none is left out."""
    elem, extents = re.match(r"(?:\w+\s*:\s*)?(\w+)(?:\[(.*)\])?$", output, re.DOTALL).groups()
    if extents is None:
        return f"f32({name})"
    indices = ", ".join(f"{name}_{d}" for d in range(len(split_list(extents))))
    return f"(sum {ranges(name, with_sizes(extents, sizes))} {{ f32({name}[{indices}]) }})"


def results_as_lets(body):
    """Each result is bound."""
    place = several_results(body)
    if not place:
        return f" let result_0 = {{{body}}}; "
    results = body[place[0] + 1:place[1]]
    text, at = body[:place[0]] + "let result_0 = ", 0
    for number, comma in enumerate(commas(results), start=1):
        text += f"{results[at:comma]}; let result_{number} = "
        at = comma + 1
    return text + results[at:] + "; "


def as_function(kernel, sizes):
    params = [p for p in kernel.params if p.group(2) != "size"]
    lets = " ".join(tensor(n, p, sizes) for n, p in enumerate(params))
    body = with_sizes(kernel.body, sizes)
    if kernel.is_scalar():
        return f"fn {kernel.name}(p: f32) -> {kernel.outputs} = {{ {lets} {body} }};"
    outputs = split_list(kernel.outputs[1:-1]) if kernel.outputs.startswith("(") else [kernel.outputs]
    result = " + ".join(["p"] + [total(f"result_{n}", output, sizes) for n, output in enumerate(outputs)])
    return f"fn {kernel.name}(p: f32) -> f32 = {{ {lets} {results_as_lets(body)} {result} }};"


def sizes_of(kernel, message):
    said = dict(re.findall(r"(\w+) = (-?\d+)", message.split(": ")[0]))
    return {p.group(1): said.get(p.group(1), USUAL_SIZE) for p in kernel.params if p.group(2) == "size"}


def called(kernel, kernels):
    """The kernels that it calls, directly or through others."""
    found, open_ = set(), [kernel]
    while open_:
        body = open_.pop().body
        for other in kernels:
            if other.name not in found and re.search(rf"\b{other.name}\(", body):
                found.add(other.name)
                open_.append(other)
    return found


def program_of(text, kernel, kernels, sizes):
    """The function in the place of its kernel; of the others, those that it calls."""
    needed = called(kernel, kernels)
    pieces, at = [], 0
    for other in kernels:
        pieces.append(text[at:other.begin])
        at = other.end + 1
        original = text[other.begin:at]
        if other is kernel:
            lines = text[other.begin:other.body_begin].count("\n")
            constants = "".join(f"const {name}_here = {value}; " for name, value in sizes.items())
            pieces.append("\n" * lines + constants + as_function(kernel, sizes))
        else:
            pieces.append(original if other.name in needed else blank(original))
    return OTHER.sub(lambda m: blank(m.group(0)), "".join(pieces) + text[at:])


def diagnostics(atlc, program, folder, name):
    path = Path(folder) / name
    path.write_text(program.replace('import "../..', f'import "{HERE.parents[1]}'))
    done = subprocess.run([atlc, "check", "--json", str(path)], capture_output=True, text=True, timeout=TIME_LIMIT,
                          stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 1):
        return [f"exit code {done.returncode}: {done.stdout}{done.stderr}"]
    found = json.loads(done.stdout)["diagnostics"]
    return [f"{d['code']} in line {d['where'][len(str(path)) + 1:].split(':')[0]}: {d['message']}" for d in found]


def problems(atlc, path, folder):
    """[mistake, what is wrong, or nothing]"""
    text = path.read_bytes().decode("utf-8", errors="replace")
    text = COMMENT.sub(lambda m: blank(m.group(0)), text)
    kernels = kernels_of(text)
    found = []
    for code, place, message, _ in expectations(path):
        line, column = map(int, (place or "0:0").split(":"))
        offset = sum(map(len, text.splitlines(keepends=True)[:line - 1])) + column - 1 if place else -1
        for kernel in kernels:
            mistake = f"{path.stem} {kernel.name} {code}"
            if not kernel.body_begin <= offset <= kernel.end:
                continue
            reported = diagnostics(atlc, program_of(text, kernel, kernels, sizes_of(kernel, message)), folder, path.name)
            is_there = any(d.startswith(f"{code} in line {line}: ") for d in reported)
            problem = None if is_there else f"{code} in line {line}, not " + "; ".join(reported or ["ok"])
            if mistake in NOT_IN_A_FUNCTION:
                problem = "can stand in a function, and is listed as one that cannot" if is_there else None
            found.append((mistake, problem))
    return found


def main():
    parser = argparse.ArgumentParser(description="Puts each mistake of tests/errors/*.atl into a function.")
    parser.add_argument("--atlc", required=True)
    parser.add_argument("names", nargs="*", help="only files whose names begin so")
    options = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(HERE.glob("E[12347]*.atl")):
            if options.names and not path.name.startswith(tuple(options.names)):
                continue
            for mistake, problem in problems(options.atlc, path, folder):
                if problem:
                    print(f"FAILED  {mistake}: {problem}")
                failed += bool(problem)
                passed += not problem
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
