#!/usr/bin/env python3
"""Input that is huge, endless or meant to do harm: one clear message with the file's name and a code, and little memory.

    run_hostile.py --atlc PATH

Each atlc may have 4 GB of addresses and write no more than 1 GB to a file.
"""
import argparse
import json
import os
import pathlib
import resource
import struct
import subprocess
import sys
import tempfile
import zlib

sys.dont_write_bytecode = True
from run_cli import SCALE, Cli, npy  # noqa: E402

GIGABYTE = 1 << 30


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (4 * GIGABYTE, 4 * GIGABYTE))
    resource.setrlimit(resource.RLIMIT_FSIZE, (GIGABYTE, GIGABYTE))


class Limited(Cli):
    def run(self, *args, stdout=subprocess.PIPE, environment=None):
        return subprocess.run([self.atlc, *args], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE,
                              text=True, errors="replace", timeout=240, preexec_fn=limit, env={**os.environ, **(environment or {})})

    def short(self, name, result):
        """What atlc says has an end, and no command for a terminal."""
        said = (result.stdout or "") + result.stderr
        self.check(f"{name}: {len(said)} characters", len(said) < 5000 and all(ch.isprintable() or ch in "\n" for ch in said), result)


def png(width, height, depth, colour, data):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)) + chunk(b"IDAT", data)
            + chunk(b"IEND", b""))


def endless_files(c):
    os.mkfifo(c.folder / "fifo.atl")
    os.mkfifo(c.folder / "fifo.npy")
    os.mkfifo(c.folder / "fifo.png")
    os.symlink("/dev/zero", c.folder / "zero.npy")
    for name in ("/dev/zero", "/dev/tty", "fifo.atl"):
        c.fails(f"check {name}", 1, "E8001", "check", name, says=name)
    for name in ("fifo.npy", "zero.npy"):
        c.fails(f"run on {name}", 1, "E8001", "run", "p.atl", "-k", "scale", f"A={name}", "s=1", says=name)
    c.fails("run on fifo.png", 1, "E8001", "run", "p.atl", "-k", "gray", "img=fifo.png", says="fifo.png")
    for text, status, says in ((SCALE.encode(), 0, "ok"), (b"// endless\n" * (6 << 20), 1, "/dev/stdin")):
        piped = subprocess.run([c.atlc, "check", "/dev/stdin"], input=text, capture_output=True, check=False, preexec_fn=limit)
        piped = subprocess.CompletedProcess(piped.args, piped.returncode, piped.stdout.decode(), piped.stderr.decode())
        c.check(f"a pipe with {len(text)} bytes", piped.returncode == status and says in piped.stdout + piped.stderr, piped)
    c.write("imports.atl", 'import "fifo.atl";\n' + SCALE)
    c.fails("import of a fifo", 1, "E1011", "check", "imports.atl", says="fifo.atl")
    with open(c.folder / "long.atl", "wb") as file:
        file.truncate(1 << 40)
    c.fails("a program of a terabyte", 1, "E8001", "check", "long.atl", says="long.atl")
    with open(c.folder / "long.npy", "wb") as file:
        file.write(npy((2, 3)))
        file.truncate(1 << 40)
    c.fails("a tensor of a terabyte", 1, None, "run", "p.atl", "-k", "scale", "A=long.npy", "s=1", says="long.npy")


def pictures(c):
    c.write("claims.png", png(60000, 60000, 1, 0, zlib.compress(bytes(100), 9) + os.urandom(110000)))
    c.fails("a picture that claims 60000 x 60000", 1, "E8004", "run", "p.atl", "-k", "gray", "img=claims.png", says="claims.png")
    c.write("equal.png", png(40000, 40000, 1, 0, zlib.compress(bytes(5001 * 40000), 1)))
    result = c.fails("a small picture of very many pixels", 1, "E8004", "run", "p.atl", "-k", "gray", "img=equal.png", says="equal.png")
    c.check("its size is named", "40000 x 40000" in result.stderr, result)


def many_definitions(c):
    for kernels, code in ((100000, "E1014"), (20001, "E1014")):
        c.write("many.atl", "".join(f"kernel k{i}(N: size, x: f32[N]) -> f32[N] {{ gen i < N {{ x[i] }} }}\n" for i in range(kernels)))
        c.fails(f"{kernels} kernels", 1, code, "check", "many.atl", says="many.atl:20001:")


def talkative_tools(c):
    script = c.folder / "talks"
    script.write_text("#!/bin/sh\nwhile :; do echo 'warning: \033[31mred'; done\n", encoding="utf-8")
    script.chmod(0o755)
    result = c.run("build", "p.atl", "-o", "never", environment={"CC": str(script)})
    c.check("a C compiler that prints without end", result.returncode == 1 and "error[E8008]" in result.stderr and "talks" in result.stderr
            and not any((c.folder / "never").glob("*")), result)
    c.short("what it said", result)


def names(c):
    raw = os.fsdecode(b"not\xffutf8\x1b[31m.atl")
    c.write(raw, SCALE)
    result = c.run("check", "--json", raw)
    c.check("--json with a file name that is no UTF-8", result.returncode == 0 and json.loads(result.stdout)["file"] == r"not\xffutf8\x1b[31m.atl",
            result)
    for command in (("check", raw), ("prove", raw, "-o", "obligations"), ("build", raw, "-o", "built"), ("prove", "--json", raw, "-o", "obligations")):
        result = c.run(*command)
        c.check(f"{command[0]} with a file name that is no UTF-8", result.returncode == 0 and "\x1b" not in result.stdout + result.stderr, result)
    lines = "two\nlines.atl"
    c.write(lines, SCALE)
    for command in (("check", lines), ("build", "--for", "none", "--emit", "c", "-o", "built", lines)):
        result = c.run(*command)
        said = result.stdout + result.stderr
        c.check(f"{command[0]} with a line end in a file name", result.returncode == 0 and r"two\x0alines.atl: " in said
                and "two\n" not in said, result)
    c.write("marks.atl", "kernel f(N: size) -> f32 { \x1b + y }")
    said = c.run("check", "marks.atl").stderr.splitlines()
    c.check("marks below a line with a control character", said[1:3] == ["  kernel f(N: size) -> f32 { ? + y }", " " * 29 + "^"], said)
    c.write(raw, "kernel f(N: size) -> f32 { y }")
    for options in ((), ("--json",)):
        c.short(f"an error in it {options}", c.run("check", *options, raw))
    megabyte = "x" * 1000000
    programs = {
        "an unknown name": f"kernel f(N: size) -> f32[N] {{ gen i < N {{ {megabyte} }} }}",
        "a name that is defined twice": f"kernel f({megabyte}: size, {megabyte}: size) -> f32 {{ 1.0 }}",
        "an unknown step": f"kernel f(N: size) -> f32[N] {{ gen i < N {{ 1.0 }} }} schedule s for f {{ {megabyte} i; }}",
        "a kernel": f"kernel {megabyte}(N: size, x: f32[N]) -> f32[N] {{ gen i < N {{ x[i + 1] }} }}",
        "a string": f'import "{megabyte}";',
        "a number": "const K = " + "9" * 1000000 + ";",
        "escape characters": "kernel f(N: size) -> f32 { \x1b[31m 1.0 }",
        "escape characters in a string": 'import "\x1b]0;title\x07.atl";',
    }
    for name, text in programs.items():
        c.write("names.atl", text)
        for options in ((), ("--json",)):
            result = c.run("check", *options, "names.atl")
            c.check(f"{name} {options}: refused", result.returncode == 1, result)
            if not options or name != "a kernel":  # --json lists the names of kernels as they are
                c.short(f"{name} of a megabyte {options}", result)
    c.short("an argument with escape characters", c.run("\x1b[31m"))
    c.short("an argument of 100 kB", c.run("run", "p.atl", "-k", "x" * 100000))


def other(c):
    c.write("memory.atl", "hardware t { memory v 8 { } }")
    c.fails("a memory without types", 1, "E1001", "check", "memory.atl", says="expected a name, found '}'")
    c.write("temps.atl", "kernel temps(N: size, M: size, x: f32[M]) -> f32[N] where M >= 1 {\n"
            "  let t = gen i < M, j < M { x[i] * x[j] };\n  gen i < N { t[i % M, i / 2 % M] } }\n")
    c.write("x.npy", npy((92000,)))
    c.fine("no temporaries for an empty result", "run", "temps.atl", "N=0", "x=x.npy", "-o", "empty.npy")
    c.fails("temporaries of 34 GB", 1, "E8009", "run", "temps.atl", "-s", "none", "N=1", "x=x.npy", "-o", "never.npy", absent=("never",))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--atlc", type=pathlib.Path, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        c = Limited(options.atlc.resolve(), pathlib.Path(folder))
        c.write("p.atl", SCALE)
        for group in (endless_files, pictures, many_definitions, talkative_tools, names, other):
            group(c)
    for failure in c.failures:
        print(failure)
    print(f"{c.passed} passed, {len(c.failures)} failed")
    return 1 if c.failures else 0


if __name__ == "__main__":
    sys.exit(main())
