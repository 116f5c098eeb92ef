#!/usr/bin/env python3
"""Sizes, tensors and kernels that are called like the macros of C's headers: the C compiles, after all these headers.

    run_names.py --atlc PATH

The names are those that gcc itself lists. The last line says how many names passed and failed.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
import no_compiler  # noqa: E402

HEADERS = "assert complex float fenv inttypes limits math setjmp stdarg stdbool stddef stdint stdio stdlib string time wchar".split()
INCLUDES = "".join(f"#include <{header}.h>\n" for header in HEADERS)
# Words that programs cannot have as names.
KEYWORDS = set("""and bool concat const fn for gen hardware if import instr kernel let max min not or prod schedule select size step sum
  true false where f32 f64 i8 u8 i16 u16 i32 u32 i64""".split())


def macros():
    """Names of macros without parameters, and with them."""
    listed = subprocess.run(["gcc", "-std=gnu17", "-fopenmp", "-dM", "-E", "-"], input=INCLUDES, capture_output=True, text=True,
                            check=True).stdout
    found = re.findall(r"^#define ([A-Za-z]\w*)(\(?)", listed, re.MULTILINE)
    plain = sorted({name for name, parameters in found if not parameters} - KEYWORDS)
    return plain, sorted({name for name, parameters in found if parameters} - KEYWORDS)


def programs(plain, called):
    """A program that has the names inside kernels, and one that has kernels of these names."""
    inside = "".join(f"kernel k{number}({name}: size, x: f32[{name}]) -> f32[{name}] {{ gen i < {name} {{ x[i] }} }}\n"
                     f"kernel l{number}(N: size, x: f32[N]) -> f32[N] {{ gen {name} < N {{ x[{name}] }} }}\n"
                     for number, name in enumerate(plain + called))
    return {"inside": inside, "kernels": "".join(f"kernel {name}(N: size) -> f32[N] {{ gen i < N {{ 1.0 }} }}\n" for name in plain + called)}


# Kernels whose functions would have one name in C, under schedules and in versions, too.
ALIKE = """kernel a.b(x: f32) -> f32 { x }
kernel a_b(x: f32) -> f32 { x }
kernel int(N: size, x: f32[N]) -> f32[N] { gen i < N { x[i] } }
kernel int_(N: size, x: f32[N]) -> f32[N] { gen i < N { x[i] } }
kernel k(N: size, x: f32[N]) -> f32[N] { gen i < N { x[i] } }
schedule s for k { split i by 4; }
kernel k.s(N: size, x: f32[N]) -> f32[N] { gen i < N { x[i] } }
kernel l_avx2(N: size, x: f32[N]) -> f32[N] { gen i < N { x[i] } }
kernel l(N: size, x: f32[N]) -> f32[N] { gen i < N { x[i] } }
kernel l_2(N: size, x: f32[N]) -> f32[N] { gen i < N { x[i] } }
"""


def check(atlc, folder, program, text, hardware="none"):
    """How many compilers refuse the C of the program after all headers. By default, only kernels as they are written: there are
    thousands."""
    file, out = folder / f"{program}.atl", folder / program
    file.write_text(text, encoding="utf-8")
    built = subprocess.run([atlc, "build", file, "--for", hardware, "-o", out], capture_output=True, text=True, check=False,
                           env={**os.environ, "CC": str(folder / "cc")})
    if built.returncode != 0:
        print(f"FAILED  atlc build: {built.stderr[:1000]}")
        return 1
    main_c = folder / "main.c"
    main_c.write_text(INCLUDES + f'#include "{out}/{program}.c"\n', encoding="utf-8")
    failed = 0
    for compiler in (["gcc", "-std=gnu17"], ["gcc", "-std=c11"], ["clang", "-std=gnu17"]):
        if shutil.which(compiler[0]):
            done = subprocess.run([*compiler, "-fopenmp", "-w", "-fsyntax-only", "-I", out, main_c], capture_output=True, text=True,
                                  check=False)
            if done.returncode != 0:
                failed += 1
                print(f"FAILED  {' '.join(compiler)}\n{done.stderr[:30000]}")
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--atlc", required=True, type=Path)
    options = parser.parse_args()
    options.atlc = options.atlc.resolve()
    if not shutil.which("gcc"):
        print("gcc is not installed")
        return 77
    plain, called = macros()
    assert "M_PI" in plain and "INT_MAX" in plain and "isgreater" in called
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        no_compiler.write_compiler(folder)
        for program, text in programs(plain, called).items():
            failed += check(options.atlc, folder, program, text)
        failed += check(options.atlc, folder, "alike", ALIKE, "all")
    names = len(plain) + len(called)
    print(f"{names - failed if failed < names else 0} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
