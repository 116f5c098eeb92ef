#!/usr/bin/env python3
"""Programs of several files: which file an import means, and which names it makes visible.

    run_modules.py --atlc PATH
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from run_cli import Cli  # noqa: E402

ADDS = """kernel {0}(N: size, A: f32[N]) -> f32[N] {{ gen i < N {{ A[i] + A[i] }} }}
schedule fast for {0} {{ split i by 8; vectorize i.i; map all with avx2; }}
"""
ID = "kernel id(N: size, A: f32[N]) -> f32[N] { gen i < N { A[i] } }\n"


class Modules(Cli):
    environment = {}

    def write(self, name, content):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        return super().write(name, content)

    def run(self, *args, stdout=subprocess.PIPE):
        return subprocess.run([self.atlc, *args], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE,
                              text=True, timeout=240, env={**os.environ, **self.environment})


def identity(c):
    """A file is read once, whatever it is called."""
    c.write("a/one.atl", 'import "avx2.atl";\n' + ADDS.format("one"))
    c.write("b/two.atl", 'import "avx2.atl";\n' + ADDS.format("two"))
    c.write("both.atl", 'import "a/one.atl";\nimport "b/two.atl";\nkernel both(N: size, A: f32[N]) -> f32[N] { two(N, one(N, A)) }\n')
    c.fine("a description, imported from two folders", "check", "both.atl")
    c.write("lib/id.atl", ID)
    os.symlink("lib", c.folder / "link")
    c.write("spellings.atl", 'import "lib/id.atl";\nimport "./lib/../lib/id.atl";\nimport "link/id.atl";\n'
                             f'import "{c.folder}/lib/id.atl";\n' + ID.replace("id", "own", 1))
    c.fine("a file under four names", "check", "spellings.atl")
    c.fine("build", "build", "both.atl", "--emit", "c", "-o", "out")
    inputs = (c.folder / "out/both.d").read_text().split(" \\\n  ")[1:]
    own = [name for name in inputs if pathlib.Path(name).parent.name != "lib" or c.folder in pathlib.Path(name).parents]
    c.check(f"the files that it depends on: {inputs}",
            len(own) == 3 and "avx2.atl" in " ".join(inputs) and all((c.folder / name.strip()).exists() for name in inputs), c.run("--version"))


def search(c):
    """Beside the importing file, in -I, in ATLC_PATH, among the files of atlc."""
    for folder, value in (("beside", 1), ("first", 2), ("second", 3), ("third", 4)):
        c.write(f"{folder}/value.atl", f"const VALUE = {value};\n")
    use = "kernel k(N: size, A: f32[N + VALUE]) -> f32[N] { gen i < N { A[i] } }\n"
    c.write("beside/main.atl", 'import "value.atl";\n' + use)
    c.write("main.atl", 'import "value.atl";\n' + use)
    c.write("dotted.atl", 'import "./value.atl";\n' + use)

    def found(name, value, *args):
        result = c.run("show", *args, "--stage", "typed")
        c.check(name, f"A: f32[N + {value}]" in result.stdout, result)

    c.environment = {"ATLC_PATH": ":third:first"}
    found("beside the file", 1, "beside/main.atl", "-I", "first")
    found("the first folder given", 3, "main.atl", "-I", "second", "-I", "first")
    found("the environment", 4, "main.atl")
    c.fails("a path that begins with a dot", 1, "E1011", "check", "dotted.atl", "-I", "first", says="looked for in .\n")
    c.environment = {}
    c.fails("nowhere", 1, "E1011", "check", "main.atl", "-I", "none", says="looked for in ., none, /")
    for command in (["check"], ["build", "--emit", "c", "-o", "out"], ["prove", "-o", "proofs"], ["show", "--stage", "c"]):
        c.fine(f"-I of {command[0]}", command[0], "main.atl", *command[1:], "-I", "first")
    c.write("two.atl", 'import "value.atl";\n' + use + use.replace("kernel k", "kernel l"))
    c.fine("-I of equiv", "equiv", "two.atl", "k", "l", "-I", "first")


def missing(c):
    def fails(name, path, *says):
        c.write("missing.atl", f'import "{path}";\n' + ID)
        for text in says:
            c.fails(f"{name}: {text}", 1, "E1011", "check", "missing.atl", says=text)

    fails("a folder that does not exist", "no/such/folder/avx2.atl", 'missing.atl:1:8: error[E1011]: cannot find "no/such/folder/avx2.atl"',
          'did you mean "avx2.atl"?')
    fails("a name that is misspelled", "avx22.atl", 'did you mean "avx2.atl"?')
    fails("a file that is misspelled", "lib/idd.atl", 'did you mean "lib/id.atl"?', "it was looked for in .")
    fails("nothing alike", "something_else.atl", "it was looked for in .")
    fails("a folder", "lib", "it is a directory")
    fails("no name", "", 'cannot find ""')
    fails("an absolute path", "/no/such/file.atl", 'cannot find "/no/such/file.atl"')


def cycles(c):
    c.write("c1.atl", 'import "c2.atl";\n' + ID)
    c.write("c2.atl", 'import "c3.atl";\nconst X = 1;\n')
    c.write("c3.atl", 'import "link/../c1.atl";\nconst Y = 1;\n')
    c.fails("a cycle", 1, "E1009", "check", "c1.atl", says="c3.atl:1:8: error[E1009]: 'c1.atl' imports 'c2.atl' imports 'c3.atl' imports 'c1.atl'")
    c.fails("its places", 1, "E1009", "check", "c1.atl", says="c2.atl:1:8: note: 'c2.atl' imports 'c3.atl' here")


def local_names(c):
    """Names of kernels, and of what a description or another file has inside its definitions, do not clash."""
    names = ("v", "x", "a", "d", "i", "n", "lanes")
    c.write("letters.atl", 'import "avx512.atl";\n' + "".join(
        f"kernel {name}(N: size, A: f32[N]) -> f32[N] {{ gen j < N {{ A[j] + 1.0 }} }}\n" for name in names))
    c.fine("kernels that are called like operands of instructions", "check", "letters.atl")
    c.write("i.atl", "kernel i(N: size, A: f32[N]) -> f32[N] { gen j < N { A[j] } }\n")
    c.write("importer.atl", 'import "i.atl";\n' + ID + "schedule s for id { split i by 8 tail cut; }\n")
    c.fine("a loop that is called like an imported kernel", "check", "importer.atl")
    c.write("same.atl", "kernel i(i: size, A: f32[i]) -> (A2: f32[i]) { let out = gen y < i { A[y] + 1.0 }; out }\n"
                        "kernel same(N: size, same: f32[N]) -> f32[N] { gen i < N { same[i] } }\n")
    c.fine("the C of kernels with parameters of their names", "build", "same.atl", "-o", "same")


def libraries(c):
    """Which kernels a library has, and what they are called."""
    c.write("one/filters.atl", "kernel blur(x: f32) -> f32 { x / 2.0 }\nkernel rest(x: f32) -> f32 { x }\n")
    c.write("two/filters.atl", "kernel blur(x: f32) -> f32 { x * 2.0 }\nschedule s for blur { simplify; }\n")
    c.write("all.atl", 'import "one/filters.atl" as one;\nimport "two/filters.atl" as two;\n'
                       "private kernel half(x: f32) -> f32 { one.blur(x) }\n"
                       "kernel k(x: f32) -> f32 { half(two.blur(x)) }\n"
                       "private schedule hidden for k { simplify; }\nschedule shown for k { simplify; }\n")

    def functions(*args):
        result = c.fine(f"build {args}", "build", "all.atl", "--emit", "c", "-o", "all", *args)
        return {k["function"] for k in json.loads((c.folder / "all/all.json").read_text())["kernels"]} if result.returncode == 0 else None

    for args, expected in (((), {"k", "k_shown"}), (("-k", "half"), {"half"}), (("-s", "hidden"), {"k"}),
                           (("-k", "one.blur", "-k", "two.blur"), {"one_blur", "two_blur", "two_blur_s"}), (("-k", "rest"), {"rest"})):
        actual = functions(*args)
        c.check(f"build {args}: {actual}", actual == expected, c.run("--version"))
    result = c.fine("check --json", "check", "--json", "all.atl")
    names = {k["name"] for k in json.loads(result.stdout)["kernels"]}
    c.check(f"all are checked: {names}", names == {"one.blur", "two.blur", "rest", "half", "k"}, result)
    c.fine("equiv", "equiv", "all.atl", "one.blur", "half")
    c.fails("a name of two", 2, "E8005", "run", "all.atl", "-k", "blur", "x=1", says="its kernels are half, k, one.blur, two.blur")
    c.fine("run the only kernel that is not private", "run", "all.atl", "x=1")
    c.write("only_private.atl", "private " + ID)
    c.fails("a library of nothing", 2, "E8005", "build", "only_private.atl", "-o", "never", absent=["never"], says="only private")
    c.fine("prove what is private, too", "prove", "only_private.atl", "-o", "proofs")
    c.write("parsed.atl", c.run("show", "all.atl", "--stage", "parsed").stdout)
    c.fine("what is printed is one file", "check", "parsed.atl")
    c.write("clash.atl", 'import "one/filters.atl" as one;\nimport "two/filters.atl";\nkernel k(x: f32) -> f32 { rest(x) }\n')
    c.fails("with `as` without the qualifier", 1, "E1005", "check", "clash.atl", says="it is defined here; write 'one.rest'")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--atlc", type=pathlib.Path, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        c = Modules(options.atlc.resolve(), pathlib.Path(folder))
        for group in (identity, search, missing, cycles, local_names, libraries):
            group(c)
    for failure in c.failures:
        print(failure)
    print(f"{c.passed} passed, {len(c.failures)} failed")
    return 1 if c.failures else 0


if __name__ == "__main__":
    sys.exit(main())
