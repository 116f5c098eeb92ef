#!/usr/bin/env python3
"""atlc as it is installed: moved to a folder with a blank in its name, and used from another folder.

    run_install.py --build FOLDER

The libraries that it builds are found by CMake, pkg-config and Meson, also several versions of one, live together in one
program of C or C++, and serve another machine. What needs a tool that is not installed is said, and not counted.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/docs"))
from run_docs import Page  # noqa: E402
PROGRAM = """import "avx2.atl";
import "schedules.atl";
kernel axpy(N: size, a: f32, x: f32[N], y: f32[N]) -> f32[N] { gen i < N { a * x[i] + y[i] } }
schedule fast for axpy { split i by 8; vectorize i.i; map all with avx2; }
"""
SMALL = "kernel scale(N: size, x: f32[N]) -> f32[N] {{ gen i < N {{ {factor} * x[i] }} }}\n"
MAIN = """#include <stdio.h>
#include "{header}"
int main(void) {{
  float x[3] = {{1, 2, 3}}, y[3];
  int wrong = {function}(3, x, y);
  printf("%d %g %g %g\\n", wrong, y[0], y[1], y[2]);
  return wrong;
}}
"""
BOTH = """#include <stdio.h>
#include "twice.h"
#include "thrice.h"
int main(void) {
  float x[1] = {1}, y[1], z[1];
  int wrong = twice_scale(1, x, y) + thrice_scale(1, x, z);
  printf("%d %g %g\\n", wrong, y[0], z[0]);
  return wrong;
}
"""
CMAKE = """cmake_minimum_required(VERSION 3.16)
project(user C)
find_package(scale {version} CONFIG REQUIRED)
add_executable(user main.c)
target_link_libraries(user PRIVATE scale::scale_shared)
"""
MESON = """project('user', 'c')
executable('user', 'main.c', dependencies: dependency('scale', version: '>={version}'), build_rpath: '{rpath}')
"""


MODULES = {
    "scale_by.atl": "fn scaled(x: f32, by: f32) -> f32 = x * by;\n",
    "clamp.atl": "fn positive(x: f32) -> f32 = max(x, 0.0);\n",
    "mine.atl": """import "scale_by.atl";
import "clamp.atl";
import "avx2.atl";
import "neon.atl";
kernel apply(N: size, by: f32, x: f32[N]) -> f32[N] { gen i < N { positive(scaled(x[i], by)) } }
schedule x86 for apply { split i by 8 tail cut; vectorize i.i; map all with avx2; }
schedule arm for apply { split i by 4 tail cut; vectorize i.i; map all with neon; }
""",
    "session.py": """import atlc, numpy
k = atlc.compile("mine.atl").schedule("x86,none")
print(k(2.0, numpy.arange(-2, 9, dtype="float32")).tolist())
""",
}


class Install:
    def __init__(self, folder, build):
        self.folder, self.passed, self.failures = folder, 0, []
        staged = folder / "staged"
        subprocess.run(["meson", "install", "-C", build, "--no-rebuild", "--destdir", staged], check=True, stdout=subprocess.DEVNULL)
        self.prefix = folder / "a prefix"
        (staged / "usr/local").rename(self.prefix)
        self.work = folder / "work"
        self.work.mkdir()
        self.atlc = self.prefix / "bin/atlc"
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(folder / "home"), "LC_ALL": "C.UTF-8"}

    def run(self, *command, cwd=None, **environment):
        return subprocess.run([str(word) for word in command], cwd=cwd or self.work, env=self.environment | environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=900, check=False)

    def check(self, name, condition, result):
        if condition:
            self.passed += 1
        else:
            self.failures.append(f"{name}: exit {result.returncode}\n{result.stdout[-1500:]}{result.stderr[-1500:]}")

    def fine(self, name, *command, says="", **more):
        result = self.run(*command, **more)
        self.check(name, result.returncode == 0 and says in result.stdout, result)
        return result

    def has(self, *tools):
        missing = [tool for tool in tools if not shutil.which(tool)]
        if missing:
            print(f"not installed: {', '.join(missing)}")
        return not missing

    def write(self, name, text):
        (self.work / name).parent.mkdir(parents=True, exist_ok=True)
        (self.work / name).write_text(text, encoding="utf-8")
        return name


def tool(i):
    i.fine("the version", i.atlc, "--version", says="atlc ")
    i.write("axpy.atl", PROGRAM)
    i.fine("imports by name", i.atlc, "check", "axpy.atl", says="axpy.atl: ok, 1 kernel")
    i.fine("explain", i.atlc, "explain", "E7001", says="out of bounds")
    link = i.work / "link"
    link.symlink_to(i.atlc)
    i.fine("through a symbolic link", link, "check", "axpy.atl", says="ok")
    share = i.prefix / "share"
    for file in ("man/man1/atlc.1", "bash-completion/completions/atlc", "zsh/site-functions/_atlc", "fish/vendor_completions.d/atlc.fish"):
        i.check(f"{file} is installed", (share / file).is_file() and (share / file).stat().st_size > 1000, i.run("ls", "-R", share))
    if i.has("man"):
        result = i.run("man", "--warnings", "-l", share / "man/man1/atlc.1")
        i.check("the manual page is one", result.returncode == 0 and "ENVIRONMENT" in result.stdout and not result.stderr, result)
    if i.has("zsh"):
        i.fine("zsh reads its completion", "zsh", "-n", share / "zsh/site-functions/_atlc")
    if i.has("fish"):
        i.fine("fish reads its completion", "fish", "--no-execute", share / "fish/vendor_completions.d/atlc.fish")


def theorems(i):
    if not i.has("coqc"):
        return
    prove = (i.atlc, "prove", "axpy.atl", "-s", "none", "--coq", "-o", "proofs")
    result = i.fine("the first theorem compiles the library", *prove, says="1 proved by coqc")
    i.check("that is said", "the library is compiled, for the first time only" in result.stderr, result)
    result = i.fine("the second time it is there", *prove, says="proved, cached")
    i.check("nothing is compiled", "compiled" not in result.stderr, result)
    kept = sorted(path.name[:8] for path in (i.folder / "home/.cache/atlc").iterdir())
    i.check(f"the cache has the library and the theorems: {kept}", kept == ["library-", "theorems"], result)


def start(i):
    """Every command of "Start here", in an empty folder."""
    if not i.has("coqc"):
        return
    page = Page(ROOT / "docs/start.md", ROOT, i.prefix / "bin", i.prefix / "lib/python3/dist-packages", {})
    page.environment |= {"HOME": i.environment["HOME"]}
    page.run()
    i.passed += page.count - len(page.failures)
    i.failures += page.failures


def modules(i):
    """Two modules and two descriptions of CPUs, in a library for both, and in Python: a first session, and one that finds what that has compiled."""
    for name, text in MODULES.items():
        i.write(name, text)
    i.fine("two modules and two CPUs", i.atlc, "check", "mine.atl", says="mine.atl: ok, 1 kernel")
    i.fine("a library for both", i.atlc, "build", "mine.atl", "-s", "x86,arm,none", "-o", "mine")
    if i.run("/usr/bin/python3", "-c", "import numpy").returncode != 0:
        print("not installed: NumPy")
        return
    for session in ("first", "second"):
        i.fine(f"the {session} session", "/usr/bin/python3", "session.py", says="[0.0, 0.0, 0.0, 2.0, 4.0, ",
               PYTHONPATH=str(i.prefix / "lib/python3/dist-packages"))


def build(i, factor, folder, *options, **environment):
    i.write("scale.atl", SMALL.format(factor=factor))
    i.fine(f"build {folder}", i.atlc, "build", "scale.atl", "-o", folder, *options, **environment)


def packages(i):
    """Two versions of one library, each found by who asks for it."""
    for version, factor in (("1.4.0", "2.0"), ("2.0.1", "3.0")):
        build(i, factor, f"scale-{version}", "--library-version", version)
    i.write("main.c", MAIN.format(header="scale.h", function="scale"))
    both = f"{i.work}/scale-1.4.0;{i.work}/scale-2.0.1"
    for version, says in (("1.2", "0 2 4 6"), ("2.0.1", "0 3 6 9")):
        if i.has("cmake"):
            i.write("CMakeLists.txt", CMAKE.format(version=version))
            folder = f"cmake-{version}"
            i.fine(f"cmake finds {version}", "cmake", "-S", ".", "-B", folder, f"-DCMAKE_PREFIX_PATH={both}")
            i.fine("cmake builds", "cmake", "--build", folder)
            i.fine(f"the program has {version}", f"{folder}/user", says=says)
    if i.has("cmake"):
        i.write("CMakeLists.txt", CMAKE.format(version="3"))
        result = i.run("cmake", "-S", ".", "-B", "cmake-3", f"-DCMAKE_PREFIX_PATH={both}")
        i.check("cmake finds no version 3", result.returncode != 0 and "version: 2.0.1" in result.stderr, result)
    path = {"PKG_CONFIG_PATH": str(i.work / "scale-2.0.1")}
    if i.has("pkg-config"):
        flags = i.fine("pkg-config", "pkg-config", "--cflags", "--libs", "scale >= 2", **path).stdout.split()
        i.fine("cc links", "cc", "main.c", *flags, "-o", "linked")
        i.fine("the linked program runs", "./linked", says="0 3 6 9", LD_LIBRARY_PATH=str(i.work / "scale-2.0.1"))
        soname = i.fine("the soname", "readelf", "-d", "linked").stdout
        i.check("programs ask for version 2", "[libscale.so.2]" in soname, i.run("readelf", "-d", "linked"))
    i.write("meson.build", MESON.format(version="2", rpath=i.work / "scale-2.0.1"))
    i.fine("meson finds it", "meson", "setup", "meson", **path)
    i.fine("meson compiles", "meson", "compile", "-C", "meson")
    i.fine("the program of meson runs", "meson/user", says="0 3 6 9")


def together(i):
    """Kernels of one name, in one program."""
    for name, factor in (("twice", "2.0"), ("thrice", "3.0")):
        build(i, factor, name, "--name", name, "--prefix", f"{name}_")
    for compiler, file in (("cc", "both.c"), ("c++", "both.cpp")):
        i.write(file, BOTH)
        libraries = [f"{name}/lib{name}.a" for name in ("twice", "thrice")]
        i.fine(f"{compiler} links both", compiler, file, "-Itwice", "-Ithrice", *libraries, "-o", "both")
        i.fine(f"{compiler}: each is called", "./both", says="0 2 3")


def compilers(i):
    i.write("scale.atl", SMALL.format(factor="2.0"))
    only = i.folder / "no compiler"
    only.mkdir()
    i.fine("C without a compiler", i.atlc, "build", "scale.atl", "-o", "sources", "--emit", "c", says="1 kernel in sources/scale.c", PATH=str(only))
    written = sorted(path.name for path in (i.work / "sources").iterdir())
    i.check(f"the sources are there: {written}", written == ["meson.build", "scale.c", "scale.d", "scale.h", "scale.json"], i.run("ls", "sources"))
    recorder = i.work / "recorder"
    i.write("recorder", f'#!/bin/sh\necho "$@" >>"{i.work}/calls"\nexec cc "$@"\n')
    recorder.chmod(0o755)
    build(i, "2.0", "flags", CC=f"{recorder.name} -DONE".replace("recorder", "./recorder"), CFLAGS="-march=native -g", LDFLAGS="-Wl,-z,now")
    calls = (i.work / "calls").read_text(encoding="utf-8").splitlines()
    i.check("CC and CFLAGS are used", "-DONE" in calls[0] and "-march=native -g" in calls[0] and "-Wl,-z,now" in calls[1], i.run("cat", "calls"))
    result = i.run(i.atlc, "build", "scale.atl", "-o", "fast", CFLAGS="-ffast-math")
    i.check("flags that change results are refused", result.returncode == 1 and "E8008" in result.stderr and not (i.work / "fast").exists(), result)


def other_machines(i):
    """A library with versions for CPUs of both kinds, compiled for ARM."""
    if not i.has("aarch64-linux-gnu-gcc", "qemu-aarch64"):
        return
    i.write("both.atl", 'import "avx2.atl";\nimport "neon.atl";\n' + SMALL.format(factor="2.0") +
            "schedule x86 for scale { split i by 8; vectorize i.i; map all with avx2; }\n"
            "schedule arm for scale { split i by 4 tail cut; vectorize i.i; map all with neon; }\n")
    cross = {"CC": "aarch64-linux-gnu-gcc", "AR": "aarch64-linux-gnu-ar"}
    i.fine("build for ARM", i.atlc, "build", "both.atl", "-s", "x86,arm,none", "-o", "arm", **cross)
    i.write("arm.c", MAIN.format(header="arm/both.h", function="scale"))
    i.fine("link for ARM", "aarch64-linux-gnu-gcc", "-static", "arm.c", "arm/libboth.a", "-o", "on_arm")
    i.fine("run on ARM", "qemu-aarch64", "on_arm", says="0 2 4 6")
    code = i.run("aarch64-linux-gnu-objdump", "-d", "arm/libboth.a")
    i.check("with the instructions of NEON", ".4s, v" in code.stdout, code)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        install = Install(pathlib.Path(folder), options.build.resolve())
        for group in (tool, theorems, start, modules, packages, together, compilers, other_machines):
            group(install)
    for failure in install.failures:
        print(failure)
    print(f"{install.passed} passed, {len(install.failures)} failed")
    return 1 if install.failures else 0


if __name__ == "__main__":
    sys.exit(main())
