#!/usr/bin/env python3
"""`import atlc`: programs as texts and files, what is refused, schedules, what is shown, and the cache.

    run_atlc.py --atlc PATH

The last line says how many cases passed and failed.
"""
import argparse
import inspect
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from cases import Cases

try:
    import numpy as np
except ImportError:
    print("skipped: NumPy is not installed")
    sys.exit(77)

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
import atlc  # noqa: E402
import atlc._tool  # noqa: E402

TWICE = "kernel twice(N: size, x: f32[N]) -> f32[N] { gen i < N { x[i] + x[i] } }"
SPLIT = TWICE + "\nschedule halves for twice { split i by 2 tail cut; }\nschedule quarters for twice { split i by 4 tail cut; }\n"
WRONG = "kernel f(N: size, x: f32[N]) -> f32[N] {\n  gen i < N { x[i + 1] }\n}\n"


def builds_of(function):
    """What it returns, and how often atlc built something for it."""
    real, builds = atlc._tool.run, []

    def run(*arguments, **named):
        if arguments[0] == "build":
            builds.append(arguments)
        return real(*arguments, **named)

    atlc._tool.run = run
    try:
        return function(), len(builds)
    finally:
        atlc._tool.run = real


def programs(c, folder):
    x = np.arange(5, dtype=np.float32)
    k = atlc.compile(TWICE)
    c.check("a text", k(x).tolist() == (2 * x).tolist())
    c.check("by name", k(x=x, N=5).tolist() == (2 * x).tolist())
    c.check("the signature", str(inspect.signature(k)) == "(x, *, N=None, out=None, copy=False)", inspect.signature(k))
    c.check("the docstring", "kernel twice(N: size, x: f32[N]) -> (out: f32[N])" in k.__doc__, k.__doc__)
    c.refused("an argument", ValueError, "twice: x has 5 elements, so N = 5, but N = 3 was given", k, x, N=3)
    (folder / "lib").mkdir()
    (folder / "lib" / "twice.atl").write_text(TWICE, encoding="utf-8")
    importing = "import \"twice.atl\";\nkernel four(N: size, x: f32[N]) -> f32[N] { twice(N, twice(N, x)) }"
    c.check("imports from a folder", atlc.compile(importing, imports=[folder / "lib"])(x).tolist() == (4 * x).tolist())
    _, builds = builds_of(lambda: atlc.compile(importing, imports=[folder / "lib"]))
    c.check("what imports is kept, too", builds == 0, builds)
    c.refused("imports without the folder", atlc.CompileError, "error[E1011]", atlc.compile, importing)
    (folder / "p.atl").write_text(TWICE + "\n" + TWICE.replace("twice", "lambda").replace("x[i] + x[i]", "x[i]"), encoding="utf-8")
    c.refused("several kernels", ValueError, 'p.atl has the kernels twice, lambda: choose one, kernel="twice"', atlc.compile, folder / "p.atl")
    for name, factor in (("twice", 2), ("lambda", 1)):
        for file in (folder / "p.atl", str(folder / "p.atl"), "p.atl"):
            c.check(f"{name} of {file!r}", atlc.compile(file, kernel=name)(x).tolist() == (factor * x).tolist())
    again = SPLIT.replace("x[i] + x[i]", "x[i] + x[i] + x[i]")
    results = []
    workers = [threading.Thread(target=lambda: results.append(atlc.compile(again)(x).tolist())) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    c.check("threads that compile one text", results == [(3 * x).tolist()] * 4, results)


def mistakes(c, atlc_path, folder):
    (folder / "wrong.atl").write_text(WRONG, encoding="utf-8")
    printed = subprocess.run([atlc_path, "check", "wrong.atl"], capture_output=True, text=True, check=False).stderr
    error = c.refused("a wrong file", atlc.CompileError, "error[E7001]", atlc.compile, "wrong.atl")
    c.check("prints what the command line does", str(error) == printed.rstrip("\n") and "^" in printed, f"{error}\n{printed}")
    c.check("has its codes", error.codes == ["E7001"] and error.status == 1, error.codes)
    error = c.refused("a wrong text", atlc.CompileError, "error[E7001]", atlc.compile, WRONG)
    c.check("prints the same", str(error) == printed.replace("wrong.atl", "<stdin>").rstrip("\n"), error)
    c.refused("no file", atlc.CompileError, "nothing.atl", atlc.compile, "nothing.atl")
    c.refused("no such kernel", atlc.CompileError, "error[E8005]", atlc.compile, TWICE, kernel="thrice")
    c.refused("no such schedule", atlc.CompileError, "thirds", atlc.compile(SPLIT).schedule, "thirds")
    os.environ["ATLC"] = str(folder / "nowhere")
    c.refused("no program", FileNotFoundError, "nowhere is no program", atlc.compile, TWICE)
    os.environ["ATLC"] = str(atlc_path)


def shown(c):
    k = atlc.compile(SPLIT)
    halves = k.schedule("halves")
    x = np.arange(5, dtype=np.float32)
    c.check("a schedule", halves(x).tolist() == k(x).tolist() == (2 * x).tolist())
    c.check("its schedules", k.schedules == ["halves", "quarters"], k.schedules)
    c.check("loops", "for (i = 0; i < N; i++)" in k.loops and "i.o" in halves.loops and "i.o" not in k.loops, halves.loops)
    c.check("c", "int twice(int64_t N, const float *restrict x, float *restrict out)" in k.c and k.c != halves.c, k.c)
    c.check("texts are shown as they are", repr(k.loops) == k.loops and k.loops._repr_html_().startswith("<pre>"))
    c.check("obligations", {o.result for o in k.obligations} == {"proved"} and any(o.kind == "bounds" for o in k.obligations), k.obligations)
    c.check("those of a schedule", any(o.kind == "equal" for o in halves.obligations), halves.obligations)
    c.check("as a table", k.obligations._repr_html_().count("<tr>") == 1 + len(k.obligations))
    page = halves._repr_html_()
    c.check("in notebooks", all(part in page for part in ("<b>twice</b> under halves", "i_o &lt; N/2", "<details>")) and "int64_t N" in page, page)
    c.check("as a text", repr(halves) == "<atlc.Kernel twice(x, *, N=None, out=None, copy=False) under halves>", repr(halves))


def cache(c, folder):
    text = SPLIT.replace("N", "K")
    _, first = builds_of(lambda: atlc.compile(text))
    _, second = builds_of(lambda: atlc.compile(text))
    _, other = builds_of(lambda: atlc.compile(text).schedule("halves"))
    c.check("a text is built once, and each schedule", (first, second, other) == (1, 0, 1), (first, second, other))
    (folder / "imported with # and blank.atl").write_text("fn factor(x: f32) -> f32 = x * 2.0;", encoding="utf-8")
    (folder / "importer.atl").write_text('import "imported with # and blank.atl";\nkernel g(x: f32) -> f32 { factor(x) }', encoding="utf-8")
    k, first = builds_of(lambda: atlc.compile(folder / "importer.atl", kernel="g"))
    _, second = builds_of(lambda: atlc.compile(folder / "importer.atl", kernel="g"))
    described = 'import "avx2.atl";\n' + text
    _, first = builds_of(lambda: atlc.compile(described))
    _, second = builds_of(lambda: atlc.compile(described))
    c.check("what imports a description of atlc is built once", (first, second) == (1, 0), (first, second))
    importing = 'import "imported with # and blank.atl";\nkernel h(x: f32) -> f32 { factor(x) }'
    text_imports, fourth = builds_of(lambda: atlc.compile(importing, kernel="h"))
    c.check("a text imports from the working directory", (text_imports(1), fourth) == (2, 1), text_imports(1))
    (folder / "imported with # and blank.atl").write_text("fn factor(x: f32) -> f32 = x * 3.0;", encoding="utf-8")
    c.check("what a text imports has changed", atlc.compile(importing, kernel="h")(1) == 3)
    (folder / "elsewhere").mkdir()
    os.chdir(folder / "elsewhere")
    c.refused("another working directory", atlc.CompileError, "E1011", atlc.compile, importing, kernel="h")
    c.check("shown from where it was compiled", "kernel h" in text_imports.loops, text_imports.loops)
    os.chdir(folder)
    changed, third = builds_of(lambda: atlc.compile(folder / "importer.atl", kernel="g"))
    c.check("built again if an imported file has changed", (first, second, third) == (1, 0, 1), (first, second, third))
    c.check("and both kernels are there", (k(1), changed(1)) == (2, 3), (k(1), changed(1)))
    where = Path(os.environ["XDG_CACHE_HOME"]) / "atlc/python"
    c.check("nothing half-made stays", all((e / "inputs.json").exists() for d in where.iterdir() for e in d.iterdir()), sorted(map(str, where.rglob("*"))))
    os.environ["CFLAGS"] = "-O1"
    _, flags = builds_of(lambda: atlc.compile(text))
    del os.environ["CFLAGS"]
    c.check("other flags", flags == 1)
    os.environ["XDG_CACHE_HOME"] = "/proc/nothing"
    c.check("without a cache folder", atlc.compile(text)(np.ones(1, np.float32)).tolist() == [2])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--atlc", required=True, type=Path)
    path = parser.parse_args().atlc.resolve()
    c = Cases()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.chdir(folder)
        os.environ.update(ATLC=str(path), XDG_CACHE_HOME=str(folder / "cache"))
        programs(c, folder)
        mistakes(c, path, folder)
        shown(c)
        cache(c, folder)
        os.chdir("/")
    return c.report()


if __name__ == "__main__":
    sys.exit(main())
