#!/usr/bin/env python3
"""The command line from outside: exit codes, one message with a code, nothing half-written, no crash, no hang.

Each case runs atlc in a scratch folder and says the exit status and the diagnostic code it must end with. After a case that
fails, the files it was to write must not exist.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))

import part  # noqa: E402
from by_default import by_default
from command_lines import usage
from equal import equal
from terminal import terminal
from tuning import tuning

SCALE = """kernel scale(N: size, M: size, s: f32, A: f32[N, M]) -> f32[N, M] where N >= 1 { gen i < N, j < M { s * A[i, j] } }
kernel both(N: size, x: i32[N]) -> (twice: i32[N], total: i32) { (gen i < N { x[i] + x[i] }, sum i < N { x[i] }) }
kernel gray(H: size, W: size, img: u8[H, W]) -> u8[H, W] { gen y < H, x < W { 255 - img[y, x] } }
kernel windows(N: size, x: f32[N + 2]) -> f32[N] { gen i < N { x[i] + x[i + 1] + x[i + 2] } }
"""
HARD = """kernel hard(X: size, Y: size, Z: size, x: f32[1]) -> f32
  where X >= 1, Y >= 1, Z >= 1, X <= 100000, Y <= 100000, Z <= 100000
{ [X * X * X + Y * Y * Y == Z * Z * Z] x[1] }
"""


def npy(shape, descr="<f4", fortran=False, body=None, version=1, header=None):
    count = 1
    for extent in shape:
        count *= extent
    if body is None:
        body = bytes(count * int(descr[2:]))
    text = header or repr({"descr": descr, "fortran_order": fortran, "shape": tuple(shape)})
    text = text.encode("latin1")
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H", len(text)) + text + body


class Cli:
    def __init__(self, atlc, folder):
        self.atlc, self.folder = atlc, folder
        self.passed, self.failures = 0, []

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return name

    def run(self, *args, stdout=subprocess.PIPE):
        return subprocess.run([self.atlc, *args], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=stdout,
                              stderr=subprocess.PIPE, text=True, errors="replace", timeout=240)

    def check(self, name, condition, result):
        if condition:
            self.passed += 1
        else:
            printed = (result.stdout or "")[-800:] + result.stderr[-800:]
            self.failures.append(f"{name}: exit {result.returncode}\n{printed}")

    def fine(self, name, *args):
        result = self.run(*args)
        self.check(name, result.returncode == 0 and "error" not in result.stderr, result)
        return result

    def fails(self, name, status, code, *args, absent=(), says="", stdout=subprocess.PIPE):
        """Exit `status` with a diagnostic `code`; the files in `absent` are not written, not even under temporary names."""
        before = {p.name for p in self.folder.iterdir()}
        result = self.run(*args, stdout=stdout)
        codes = re.findall(r"error\[(E\d+)\]", result.stderr)
        created = {p.name for p in self.folder.iterdir()} - before
        left = [n for n in created if any(n.startswith(a) for a in absent)]
        ok = (result.returncode == status and (code is None or code in codes) and says in result.stderr and not left
              and "internal error" not in result.stderr and "Traceback" not in result.stderr)
        self.check(f"{name} (expects exit {status}, {code}; left {left})", ok, result)
        return result


def good(c):
    c.fine("check", "check", "p.atl")
    for stage in ("parsed", "typed", "pads", "loops", "c", "obligations", "theorem"):
        c.fine(f"show {stage}", "show", "p.atl", "--stage", stage)
    for stage in ("parsed", "typed"):  # what a source stage prints is a program again
        c.write("again.atl", c.run("show", "p.atl", "--stage", stage).stdout)
        c.fine(f"{stage} parses back", "check", "again.atl")
        result = c.run("show", "again.atl", "--stage", stage)
        c.check(f"{stage} prints the same again", result.stdout == (c.folder / "again.atl").read_text(), result)
    result = c.fine("check --json", "check", "--json", "p.atl", "p.atl")
    objects = [json.loads(line) for line in result.stdout.splitlines()]
    c.check("json", len(objects) == 2 and objects[0]["ok"] and objects[0]["file"] == "p.atl" and
            {k["name"] for k in objects[0]["kernels"]} == {"scale", "both", "gray", "windows"} and
            all(o["result"] == "proved" for k in objects[0]["kernels"] for o in k["obligations"]), result)
    c.write("such_as.atl", "kernel f(N: size, M: size) -> f32 where N > M such as M = 3, N = 5 { 1.0 }\nkernel g(N: size) -> f32 where N > 1 { 1.0 }")
    result = c.fine("check --json of where clauses", "check", "--json", "such_as.atl")
    examples = [k["example"] for k in json.loads(result.stdout)["kernels"] if not k["schedule"]]
    c.check("sizes that satisfy them", examples == [{"N": 5, "M": 3}, {"N": 2}], result)
    c.fine("prove", "prove", "p.atl", "-o", "proofs")
    c.check("prove writes SMT-LIB", len(list((c.folder / "proofs").glob("*.smt2"))) > 10, result)
    result = c.fine("prove --json", "prove", "--json", "p.atl", "-k", "scale", "-o", "proofs")
    proved = json.loads(result.stdout)
    c.check("prove json", proved["kernels"][0]["name"] == "scale", result)
    c.check("prove reads the C back", proved["c"]["ok"] and proved["c"]["functions"] == 1, result)
    c.fine("build", "build", "p.atl", "-o", "out")
    names = {p.name for p in (c.folder / "out").iterdir()}
    wanted = {"p.c", "p.h", "libp.a", "libp.so", "p.pc", "pConfig.cmake", "meson.build", "p.json", "p.d"}
    c.check(f"build writes {wanted - names}", wanted <= names and len(names) == len(wanted), result)
    c.write("with_avx2.atl", 'import "avx2.atl";\n' + SCALE)
    c.fine("build with a description of atlc", "build", "with_avx2.atl", "-s", "none", "-o", "described", "--emit", "c")
    needed = (c.folder / "described/with_avx2.d").read_text(encoding="utf-8").partition(":")[2].replace("\\\n", " ").split()
    c.check(f"the dependency file names files that exist: {needed}", len(needed) == 2 and all((c.folder / file).is_file() for file in needed), result)
    c.write("imports.atl", 'import "p.atl";\nschedule halves for windows { split i by 2 tail cut; }\n')
    c.fine("build an imported kernel under a schedule", "build", "imports.atl", "-k", "windows", "-s", "halves", "-o", "imported")
    c.fails("build no kernel", 2, "E8005", "build", "imports.atl", "-o", "never", says="it imports scale, both, gray, windows; -k chooses one")
    c.fine("build --python", "build", "p.atl", "--python", "-o", "with_python")
    made = {str(p.relative_to(c.folder)) for p in (c.folder / "with_python").rglob("*") if p.is_file() and p.suffix != ".d"}
    rule = (c.folder / "with_python/p.d").read_text(encoding="utf-8").partition(":")
    c.check(f"the dependency file names all files, and the program: {made ^ set(rule[0].split())}", made == set(rule[0].split()) and "p.atl" in rule[2], result)
    before = (c.folder / "out/p.c").read_bytes()
    c.fine("build again", "build", "p.atl", "-o", "out")
    result = c.fine("build a library named like one of the system", "build", "p.atl", "--name", "m", "-o", "system")
    archives = [p.name for p in (c.folder / "system").glob("*.a")]
    c.check("it gets another name", archives == ["libm_kernels.a"], result)
    c.check("same input, same bytes", before == (c.folder / "out/p.c").read_bytes(), result)


def schedules_not_chosen(c):
    """A schedule that is wrong is found by check, and by who asks for it, or for all."""
    c.write("wrong.atl", "kernel id(N: size, A: f32[N]) -> f32[N] { gen i < N { A[i] } }\n"
                         "schedule fine for id { sequential i; }\nschedule wrong for id { unroll i; }\n")
    for command in (["build", "-o", "chosen"], ["show", "--stage", "c"], ["prove", "-o", "chosen"]):
        words = [command[0], "wrong.atl", *command[1:], "-s"]
        c.fine(f"{command[0]} without the wrong schedule", *words, "fine")
        c.fails(f"{command[0]} with it", 1, "E5103", *words, "wrong")
    c.fails("check", 1, "E5103", "check", "wrong.atl")
    c.fails("build with all", 1, "E5103", "build", "wrong.atl", "-o", "never", absent=["never"])
    c.fails("no such schedule", 2, None, "build", "wrong.atl", "-o", "never", "-s", "none_such", absent=["never"], says="fine for id, wrong for id")


TOY = """hardware {0} {{
  header "stddef.h"; available "defined(__x86_64__) && defined(__GNUC__)"; features {1};
  memory v 4 {{ f32 "float"; }}
  instr load(x: f32[1]) -> f32[1] @ v c "*({{x}})" {{ gen i < 1 {{ x[i] }} }}
  instr store(x: f32[1] @ v) -> f32[1] c "*({{out}}) = {{x}}" {{ gen i < 1 {{ x[i] }} }}
}}
schedule with_{0} for copy {{ split i by 1 tail exact; vectorize i.i; map all with {0}; }}
"""


def versions(c):
    """Schedules for several CPUs in one function."""
    c.write("v.atl", "kernel copy(N: size, A: f32[N]) -> f32[N] { gen i < N { A[i] } }\n"
                     "kernel plain(N: size, A: f32[N]) -> f32[N] { gen i < N { A[i] } }\n"
                     "schedule lanes for copy { split i by 8; vectorize i.i; }\n"
            + TOY.format("few", '"sse2"') + TOY.format("many", '"sse2", "avx2"'))

    def function(order):
        c.fine(f"build -s {order}", "build", "v.atl", "-s", order, "-o", "v")
        text = (c.folder / "v/v.c").read_text()
        return re.findall(r"return (copy_\w+)\(", text[text.index("\nint copy("):])

    for order, expected in (("with_many,with_few,lanes", ["copy_many", "copy_few", "copy_portable"]),
                            ("with_many,none", ["copy_many", "copy_portable"]), ("with_few", ["copy_few", "copy_portable"])):
        actual = function(order)
        c.check(f"-s {order}: {actual}", actual == expected, c.run("--version"))
    functions = [k["function"] for k in json.loads((c.folder / "v/v.json").read_text())["kernels"]]
    c.check(f"kernels without the schedule {functions}", functions == ["copy"], c.run("--version"))
    c.fine("none for all kernels", "build", "v.atl", "-s", "with_many,none", "-o", "v")
    functions = [k["function"] for k in json.loads((c.folder / "v/v.json").read_text())["kernels"]]
    c.check(f"kernels as they are {functions}", sorted(functions) == ["copy", "plain"], c.run("--version"))
    for order in ("with_few,with_many", "none,with_many", "lanes,none", "with_few,with_few"):
        c.fails(f"-s {order}", 2, "E8005", "build", "v.atl", "-k", "copy", "-s", order, "-o", "w", absent=["w"], says="would never run")
    c.fails("an unknown schedule", 2, "E8005", "build", "v.atl", "-s", "with_few,nothing", "-o", "w", absent=["w"], says="no schedule nothing")
    c.fine("prove several schedules", "prove", "v.atl", "-k", "copy", "-s", "with_many,lanes", "-o", "proofs")


def run(c):
    c.write("a.npy", npy((2, 3), body=struct.pack("<6f", *range(6))))
    c.write("x.npy", npy((3,), "<i4", body=struct.pack("<3i", 1, 2, 2147483647)))
    for engine in ("native", "interp"):
        c.fine(f"run {engine}", "run", "p.atl", "-k", "scale", "--engine", engine, "A=a.npy", "s=2", "-o", f"{engine}.npy")
        c.fine(f"several outputs {engine}", "run", "p.atl", "-k", "both", "--engine", engine, "x=x.npy", "-o", "twice=t.npy",
               "-o", "total=s.npy")
        result = c.fine(f"printed {engine}", "run", "p.atl", "-k", "both", "--engine", engine, "x=x.npy")
        c.check("wrapping sum", "total: i32 = -2147483646" in result.stdout, result)
    c.check("engines agree", (c.folder / "native.npy").read_bytes() == (c.folder / "interp.npy").read_bytes(), c.run("--help"))
    c.write("empty.npy", npy((0,), "<i4"))
    c.fine("size 0", "run", "p.atl", "-k", "both", "x=empty.npy", "-o", "twice=e.npy")
    c.fine("inferred through N + 2", "run", "p.atl", "-k", "windows", "x=" + c.write("w.npy", npy((7,))), "-o", "w_out.npy")

    def refused(name, status, code, *args, says=""):
        c.fails(name, status, code, "run", "p.atl", "-k", "scale", "-o", "never.npy", *args, absent=("never",), says=says)

    refused("where violated", 1, "E8006", "A=" + c.write("zero.npy", npy((0, 3))), "s=1")
    refused("missing input", 2, "E8005", "s=1", says="A")
    refused("unknown name", 2, "E8005", "A=a.npy", "s=1", "B=a.npy", says="B")
    refused("twice", 2, "E8005", "A=a.npy", "A=a.npy", "s=1")
    refused("no equals sign", 2, "E8005", "a.npy")
    refused("not a number", 2, "E8005", "A=a.npy", "s=two")
    refused("sizes disagree", 1, "E8006", "A=a.npy", "s=1", "N=5", says="5")
    refused("huge size", 2, "E8005", "A=a.npy", "s=1", "N=99999999999999999999999")
    refused("negative size", 2, "E8005", "A=a.npy", "s=1", "N=-1")
    refused("missing file", 1, "E8001", "A=nothing.npy", "s=1")
    refused("a folder", 1, "E8001", "A=folder.npy", "s=1")
    bad = {
        "wrong type": npy((2, 3), "<f8"), "integer type": npy((2, 3), "<i4"), "wrong rank": npy((6,)),
        "Fortran order": npy((2, 3), fortran=True), "big endian": npy((2, 3), ">f4"),
        "truncated": npy((2, 3))[:-1], "header only": npy((2, 3), body=b""), "trailing bytes": npy((2, 3)) + b"x",
        "not npy": b"hello", "empty": b"", "magic only": b"\x93NUMPY", "future version": npy((2, 3), version=9),
        "garbage header": npy((2, 3), header="{'descr': [1, 2"), "negative extent": npy((2, 3), header="{'descr': '<f4', 'fortran_order': False, 'shape': (-2, 3)}"),
        "object array": npy((2, 3), header="{'descr': '|O', 'fortran_order': False, 'shape': (2, 3)}", body=b""),
        "product overflows": npy((2, 3), header="{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", body=b""),
    }
    for name, content in bad.items():
        refused(f".npy: {name}", 1, "E8003", "A=" + c.write("bad.npy", content), "s=1")
    for name, content in {"not a PNG": b"hello", "empty": b"", "magic only": b"\x89PNG\r\n\x1a\n"}.items():
        c.fails(f".png: {name}", 1, "E8004", "run", "p.atl", "-k", "gray", "img=" + c.write("bad.png", content), "-o", "never.png",
                absent=("never",))
    for name, target in {"no such folder": "nowhere/out.npy", "a folder": "folder.npy", "full device": "/dev/full"}.items():
        c.fails(f"output: {name}", 1, "E8002", "run", "p.atl", "-k", "scale", "A=a.npy", "s=1", "-o", target)
    c.fails("unknown ending", 2, None, "run", "p.atl", "-k", "scale", "A=a.npy", "s=1", "-o", "out.jpg", absent=("out.jpg",))
    c.write("large.atl", "kernel large(N: size, M: size) -> f32[N, M] { gen i < N, j < M { 1.0 } }")
    c.fails("too large for the memory", 1, "E8009", "run", "large.atl", "N=2147483647", "M=1048576", "-o", "large.npy", absent=("large.npy",))
    c.write("larger.atl", "kernel larger(N: size) -> f32[0] { let a = gen i < N, j < N, k < 8 { f32(i) }; gen i < 0 { a[i, 0, 0] } }")
    for name, size in {"more bytes than can be counted": 2147483647, "32 TB": 1000000}.items():
        c.fails(f"a temporary of the interpreter: {name}", 1, "E8009", "run", "larger.atl", "--engine", "interp", f"N={size}",
                says="not enough memory")
    c.fails("no kernel chosen", 2, "E8005", "run", "p.atl", "A=a.npy", "s=1", says="-k")
    c.fails("outputs need names", 2, "E8005", "run", "p.atl", "-k", "both", "x=x.npy", "-o", "y.npy", absent=("y.npy",))
    c.fails("too large to compute", 1, None, "run", "p.atl", "-k", "windows", "N=2147483647", "x=w.npy", "-o", "never.npy", absent=("never",))


def bad_programs(c):
    deep = "kernel f(N: size, x: f32[N]) -> f32[N] { gen i < N { " + "(" * 100000 + "x[i]" + ")" * 100000 + " } }"
    long_sum = "kernel f(N: size, x: f32[N]) -> f32[N] { gen i < N { " + "+".join(["x[i]"] * 100000) + " } }"
    programs = {
        "empty file": ("", "E1001"), "only a comment": ("// nothing\n", "E1001"),
        "invalid UTF-8": (b"kernel f(N: size) -> f32 { \xff\xfe }", "E1002"), "NUL bytes": (b"\0" * 1000, None),
        "deep nesting": (deep, "E1003"), "a very long sum": (long_sum, "E1003"),
        "10 MB of text": ("kernel " * 1500000, "E1001"), "10 MB comment": ("/*" + "x" * 10000000, "E1001"),
        "10 MB number": ("const K = " + "9" * 10000000 + ";", "E1004"),
        "out of bounds": ("kernel f(N: size, x: f32[N]) -> f32[N] { gen i < N { x[i + 1] } }", "E7001"),
        "a where clause that nothing is known to satisfy": (
            "kernel f(A: size, B: size, C: size) -> f32 where A > 0, B > 0, C > 0, A <= 9999, B <= 9999, C <= 9999, "
            "A * A * A + B * B * B == C * C * C { 1.0 }", "E7009"),
        "contradictory where": ("kernel f(N: size, x: f32[N]) -> f32[N] where N < 3, N > 5 { x }", "E7009"),
    }
    programs.update(bad_schedules())
    for name, (text, code) in part.share(programs.items()):
        c.write("bad.atl", text)
        for command in (("check", "bad.atl"), ("build", "bad.atl", "-o", "never"), ("run", "bad.atl", "-o", "never.npy"),
                        ("show", "bad.atl", "--stage", "loops")):
            c.fails(f"{command[0]}: {name}", 1, code, *command, absent=("never",))
        result = c.run("check", "--json", "bad.atl")
        c.check(f"json: {name}", result.returncode == 1 and json.loads(result.stdout)["diagnostics"], result)
    c.write("steps.atl", "step rows(y, h) { split y by h; unroll y.i; }\n")
    c.fine("a file of steps", "check", "steps.atl")
    ten_megabytes = "\n".join(f"kernel f{i}(N: size, x: f32[N]) -> f32[N] {{ x }}" for i in range(20))
    c.write("large.atl", ten_megabytes + "\n" + "// " + "padding " * 1250000 + "\n")
    c.fine("10 MB program", "check", "large.atl")
    c.fails("missing file", 1, "E8001", "check", "nothing.atl")
    c.fails("a folder", 1, "E8001", "check", "folder.npy")
    c.fails("one of two is wrong", 1, "E8001", "check", "p.atl", "nothing.atl")
    c.write("calls.atl", "fn wrong(p: f32) -> f32 = { let t = gen i < 1 { p }; let unused = gen i < 1 { t[i + 1] }; p };\n"
            "kernel through(x: f32) -> f32 { wrong(x) }\nkernel caller(x: f32) -> f32 { through(x) }\n"
            "kernel other(x: f32) -> f32 { x }\n")
    result = c.run("show", "calls.atl", "--stage", "c")
    c.check("no C of what calls a wrong function", "other(" in result.stdout and "caller(" not in result.stdout and
            "through(" not in result.stdout, result)
    c.fails("a wrong function that is called", 1, "E7001", "build", "calls.atl", "-o", "never", absent=("never",))
    result = c.run("check", "--json", "calls.atl")
    functions = json.loads(result.stdout)["functions"]
    c.check("json: functions", [f["name"] for f in functions] == ["wrong"] and
            any(o["result"] == "refuted" for o in functions[0]["obligations"]), result)
    c.write("hard.atl", HARD)
    # On a machine that is busy, a stage may need more than that as well.
    c.fails("a solver time limit is unknown", 1, None, "check", "--timeout", "1", "hard.atl", says="the 1 ms of --timeout")
    c.write("many.atl", "".join(f"kernel k{n}(N: size, x: f32[N]) -> f32[N] {{ gen i < N {{ x[i] * 2.0 + x[i] }} }}\n" for n in range(3000)))
    c.fails("a time limit ends a stage", 1, "E8010", "check", "--timeout", "1", "many.atl",
            says="parsing many.atl did not end within the 1 ms of --timeout")
    result = c.run("check", "--json", "--timeout", "1", "many.atl")
    c.check("json: a time limit ends a stage", [d["code"] for d in json.loads(result.stdout)["diagnostics"]] == ["E8010"], result)
    c.fails("a count of steps is the limit otherwise", 1, "E7008", "check", "hard.atl", says="in the steps it may take")


def bad_schedules():
    copy = "kernel copy(N: size, x: f32[N]) -> f32[N] { gen i < N { x[i] } }\n"
    chain = "".join(f"step s{i}(y) {{ s{i + 1}(y); }}\n" for i in range(10000))
    steps = {
        "a step too many": ("split i by 32;\n" * 10001, "E5005"), "no ';'": ("unroll i", "E1001"),
        "deep blocks": ("specialize when N > 1 { " * 100000 + "}" * 100000, "E1003"),
        "deep choices": ("if 1 > 2 { } else " * 100000 + "{ }", "E1003"),
        "deep parentheses in a step": ("split i by " + "(" * 100000 + "2" + ")" * 100000 + ";", "E1003"),
        "a very long sum in a step": ("split i by " + "1 + " * 100000 + "1;", "E1003"),
        "20,000 arguments": ("t(" + "i, " * 19999 + "i);", "E5001"),
    }
    texts = {name: (f"{copy}schedule s for copy {{ {text} }}", code) for name, (text, code) in steps.items()}
    return texts | {
        "a schedule without a kernel": (copy + "schedule s { unroll i; }", "E1001"),
        "a schedule for another kernel": (copy + "schedule s for other { unroll i; }", "E1005"),
        "a schedule of another kernel": (copy + copy.replace("copy", "other") + "schedule t for copy { }\n"
                                         "schedule s for other = t;", "E5004"),
        "recursive steps": (copy + chain + "step s10000(y) { s0(y); }", "E1009"),
        "a long chain of steps": (copy + chain + "step s10000(y) { unroll y; }\nschedule s for copy { s0(i); }", "E1003"),
        "10 MB of schedules": (copy + "schedule " * 1200000, "E1001"), "10 MB of steps": (copy + "step " * 2000000, "E1001"),
    }


def outputs(c):
    c.write("file", "a file where a folder is wanted")
    for command in ("build", "prove"):
        c.fails(f"{command} into a file", 1, "E8002", command, "p.atl", "-o", "file")
        c.fails(f"{command} under a file", 1, "E8002", command, "p.atl", "-o", "file/below")
    with open("/dev/full", "w") as full:
        for command in (("check", "p.atl"), ("show", "p.atl", "--stage", "c"), ("check", "--json", "p.atl"),
                        ("prove", "p.atl", "-o", "proofs")):
            c.fails(f"{command[0]} to a full device", 1, "E8002", *command, stdout=full)


def fake_coqc(c, name, script):
    """A folder for PATH in which coqc is this script."""
    folder = c.folder / name
    folder.mkdir()
    program = folder / "coqc"
    program.write_text("#!/bin/sh\n" + script, encoding="utf-8")
    program.chmod(0o755)
    return str(folder)


def cache(c, prove, coqc):
    """The second time coqc is not run; nor is what it refused kept."""
    folder = c.folder / "cache/theorems"
    os.environ["PATH"] = coqc
    prove = (*prove, "--coq-library", "library", "--cache", "cache")
    first = c.fine("a theorem is proved", *prove)
    again = c.fine("a theorem is proved once", *prove)
    entries = list(folder.iterdir())
    c.check("the cache is used", "cached" not in first.stdout and ", cached" in again.stdout and len(entries) == 1, again)

    def entry():  # without its fourth line, the seconds that coqc took
        lines = entries[0].read_bytes().split(b"\n")
        return lines[:3] + lines[4:]

    whole = entry()
    entries[0].write_bytes(entries[0].read_bytes()[:-1])
    result = c.fine("half an entry", *prove)
    c.check("half an entry is none", "cached" not in result.stdout and entry() == whole, result)
    (c.folder / "library" / "Exported.vo").write_bytes(b"another")
    result = c.fine("another library", *prove)
    c.check("another library has theorems of its own", "cached" not in result.stdout and len(list(folder.iterdir())) == 2, result)
    result = c.fine("no cache", *prove[:-1], "")
    c.check("no cache is used", "cached" not in result.stdout, result)
    c.fine("a cache that cannot be written", *prove[:-1], "file/below")


def coq(c):
    saved = os.environ["PATH"]
    os.environ["XDG_CACHE_HOME"] = str(c.folder / "caches")
    library = c.folder / "library"
    library.mkdir()
    (library / "Exported.vo").write_bytes(b"")
    prove = ("prove", "p.atl", "-k", "scale", "--coq", "-o", "proofs")
    versions = 'if [ "$1" = --print-version ]; then echo 8.16.1 4.13.1; exit 0; fi\n'
    try:
        os.environ["PATH"] = fake_coqc(c, "old", "echo 8.4.6 4.02") + ":" + saved
        c.fails("prove with an old coqc", 1, "E8007", *prove, "--coq-library", "library", says="8.4.6")
        os.environ["PATH"] = fake_coqc(c, "refuses", versions + "echo Error: no; exit 1") + ":" + saved
        c.fails("prove without the Coq library", 1, "E8007", *prove, "--coq-library", "nowhere", says="the compiled Coq library is not in nowhere")
        c.fails("a theorem that coqc refuses", 1, None, *prove, "--coq-library", "library", says="Error: no")
        where = 'for file; do :; done; line=$(grep -n "Lemma in_bounds" "$file" | cut -d: -f1)\n'
        says = 'echo "not found in in_bounds:"; echo " (0 <= z)"; echo "File \\"$file\\", line $line, characters 2-6:"; echo "Error: No."; exit 1'
        os.environ["PATH"] = fake_coqc(c, "stops", versions + where + says) + ":" + saved
        for part in ("the lemma in_bounds (p.atl:", "no proof of: (0 <= z)", "stand: only the theorem is missing"):
            c.fails("a lemma that coqc does not prove", 1, None, *prove, "--coq-library", "library", says=part)
        c.write("names.atl", "kernel a(N: size, A: f32[N]) -> f32[N] { gen i < N { A[i] } }\n"
                             "kernel a_b(N: size, A: f32[N]) -> f32[N] { gen i < N { A[i] + 1.0 } }\nschedule b for a { sequential i; }\n")
        c.run("prove", "names.atl", "--coq", "-o", "names", "--coq-library", "library")
        files = sorted(p.name for p in (c.folder / "names").glob("*.v"))
        c.check(f"theorems have names of their own: {files}", files == ["a.v", "a_b.v", "a_b_2.v"], c.run("steps"))
        cache(c, prove, fake_coqc(c, "accepts", versions + "echo Closed under the global context") + ":" + saved)
        os.environ["PATH"] = fake_coqc(c, "slow", versions + "sleep 30") + ":" + saved
        c.fails("a coqc that takes too long", 1, None, *prove, "--coq-library", "library", "--coq-timeout", "1",
                says="did not end within the 1 s of --coq-timeout")
        os.environ["PATH"] = fake_coqc(c, "killed", versions + "kill -9 $$") + ":" + saved
        c.fails("a coqc that is killed", 1, None, *prove, "--coq-library", "library", says="status 137")
        left = [p.name for p in (c.folder / "proofs").iterdir() if p.suffix in (".vo", ".vok", ".vos", ".glob", ".aux")]
        c.check(f"coqc leaves nothing behind: {left}", not left, c.run("steps"))
    finally:
        os.environ["PATH"] = saved
    only = c.folder / "only"
    only.mkdir()
    try:
        os.environ["PATH"] = str(only)
        c.fails("prove without coqc", 1, "E8007", *prove, "--coq-library", "library", says="install Coq")
    finally:
        os.environ["PATH"] = saved


def tools(c):
    saved = os.environ.get("CC")
    try:
        os.environ["CC"] = "no-such-compiler"
        c.fails("build without a compiler", 1, "E8007", "build", "p.atl", "-o", "never", absent=("never/",))
        c.fails("run without a compiler", 1, "E8007", "run", "p.atl", "-k", "both", "x=x.npy", "-o", "twice=never.npy", absent=("never",))
        os.environ["CC"] = "false"
        c.fails("build with a failing compiler", 1, "E8008", "build", "p.atl", "-o", "never2")
        c.check("nothing is left of a failed build", not list((c.folder / "never2").glob("*")), c.run("--help"))
    finally:
        os.environ.pop("CC", None)
        if saved is not None:
            os.environ["CC"] = saved


def signals(c):
    """What is interrupted while another program works for it leaves nothing behind, and a crash says that it is one."""
    (c.folder / "temporary").mkdir()
    (c.folder / "library").mkdir(exist_ok=True)
    (c.folder / "library" / "Exported.vo").write_bytes(b"")
    started = c.folder / "started"
    waits = f"echo > '{started}'/$$\nexec sleep 600\n"
    coqc = fake_coqc(c, "waits", 'if [ "$1" = --print-version ]; then echo 8.16.1 4.13.1; exit 0; fi\n' + waits)
    compiler = c.folder / "waiting"
    compiler.write_text("#!/bin/sh\n" + waits, encoding="utf-8")
    compiler.chmod(0o755)
    environment = dict(os.environ, CC=str(compiler), PATH=coqc + ":" + os.environ["PATH"], TMPDIR=str(c.folder / "temporary"))
    prove = ("prove", "p.atl", "--coq", "--coq-library", "library", "--cache", "", "-o", "interrupted")

    def send(signal_number, *command):
        shutil.rmtree(started, ignore_errors=True)
        started.mkdir()
        process = subprocess.Popen([c.atlc, *command], cwd=c.folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        while not any(started.iterdir()) and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal_number)
        out, err = process.communicate(timeout=240)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def children():
        return [int(p.name) for p in started.iterdir() if pathlib.Path(f"/proc/{p.name}").exists()]

    for command in (("build", "p.atl", "-o", "interrupted"), prove):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            result = send(number, *command)
            left = [p.name for folder in ("temporary", "interrupted") for p in (c.folder / folder).glob("*") if p.suffix not in (".smt2", ".v")]
            c.check(f"{command[0]}, {number.name}: exit {128 + number}, nothing left: {left}, {children()}",
                    result.returncode == 128 + number and any(started.iterdir()) and not left and not children(), result)
    compiler.write_text(f'#!/bin/sh\ncase "$*" in *whole-archive*) {waits};; esac\nexec cc "$@"\n', encoding="utf-8")
    result = send(signal.SIGTERM, "build", "p.atl", "-o", "new/package", "--python")
    c.check("the C library is not there without its package for Python, nor a folder for both",
            result.returncode == 128 + signal.SIGTERM and any(started.iterdir()) and not (c.folder / "new").exists(), result)
    compiler.write_text("#!/bin/sh\n" + waits, encoding="utf-8")
    theorem = (c.folder / "interrupted" / "scale.v").read_text(encoding="utf-8")
    c.check("a theorem that was interrupted is written whole", theorem.endswith("Print Assumptions correct.\n"), c.run("steps"))
    for command in (("build", "p.atl", "-o", "interrupted"), (*prove, "-k", "scale")):
        for number in (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT):
            result = send(number, *command)
            for child in children():
                os.kill(child, signal.SIGKILL)
            line = f"atlc: internal error: {number.name}; please report it, with the files and the command line that led to it\n"
            c.check(f"{command[0]}, {number.name}: a crash is reported", result.returncode == 70 and result.stderr == line, result)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--atlc", type=pathlib.Path, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        c = Cli(options.atlc.resolve(), pathlib.Path(folder))
        c.write("p.atl", SCALE)
        (c.folder / "folder.npy").mkdir()
        for group in (usage, good, equal, schedules_not_chosen, versions, run, bad_programs, outputs, tools, coq, signals):
            group(c)
        for group in part.share((terminal, lambda c: by_default(c, npy), tuning)):
            group(c)
    for failure in c.failures:
        print(failure)
    print(f"{c.passed} passed, {len(c.failures)} failed")
    return 1 if c.failures else 0


if __name__ == "__main__":
    sys.exit(main())
