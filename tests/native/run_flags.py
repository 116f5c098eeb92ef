#!/usr/bin/env python3
"""Flags of C compilers that change floats: the C of kernels refuses them, or computes the same bits in spite of them.

    run_flags.py --atlc PATH

A third of the flags is tried, another each day (scripts/part.py). For each compiler that there is and each flag, the table
says how: `same` bits; `refused` by an #error; `ended` with a message before a kernel runs. The source without its first lines, which do this, must give other bits for one of them at least,
or this test would show nothing. The last line says how many flags did what the table says.
"""
import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "scripts"))

import part  # noqa: E402

FMA = "-mavx2 -mfma"  # what contraction needs
FLAGS = {
    "gcc": [
        ("-O0", "same"), ("-O1", "same"), ("-O3", "same"), (f"-O3 {FMA}", "same"), (f"-O3 {FMA} -ffp-contract=fast", "same"),
        (f"-O3 {FMA} -std=gnu11", "same"), ("-O3 -mrecip", "same"), ("-O3 -fno-math-errno", "same"), ("-O3 -fno-trapping-math", "same"),
        ("-O3 -fno-rounding-math", "same"), ("-O3 -fcx-limited-range", "same"), ("-O3 -flto -fno-fat-lto-objects", "same"),
        ("-O3 -ffloat-store", "same"), ("-O3 -fexcess-precision=fast", "same"), ("-O3 -fno-strict-aliasing -fwrapv", "same"),
        ("-Ofast", "refused"), ("-O2 -ffast-math", "refused"), ("-O3 -funsafe-math-optimizations", "refused"),
        ("-O3 -fassociative-math -fno-signed-zeros -fno-trapping-math", "refused"), ("-O3 -freciprocal-math", "refused"),
        ("-O3 -fno-signed-zeros", "refused"), ("-O3 -ffinite-math-only", "refused"), ("-O3 -fsingle-precision-constant", "refused"),
        ("-O3 -ffast-math -fno-finite-math-only -fno-associative-math", "refused"), ("-O2 -mfpmath=387", "refused"),
        ("-O2 -mfpmath=sse+387", "refused")],
    "clang": [
        ("-O0", "same"), ("-O1", "same"), ("-O3", "same"), (f"-O3 {FMA}", "same"), (f"-O3 {FMA} -ffp-contract=on", "same"),
        (f"-O3 {FMA} -ffp-contract=off", "same"), (f"-O3 {FMA} -ffp-model=precise", "same"),
        ("-O1 -fno-honor-infinities", "ended"), ("-O3 -fno-honor-infinities", "ended"),
        ("-O3 -fapprox-func -fno-honor-infinities", "ended"), ("-O1 -fno-honor-nans", "ended"), ("-O3 -fno-honor-nans", "ended"),
        ("-O1 -fno-signed-zeros", "ended"), ("-O3 -fno-signed-zeros", "ended"),
        (f"-O3 {FMA} -fno-signed-zeros", "ended"), ("-O3 -funsafe-math-optimizations", "ended"),
        (f"-O3 {FMA} -funsafe-math-optimizations", "ended"), ("-O3 -fassociative-math -fno-signed-zeros -fno-trapping-math", "ended"),
        ("-O3 -fno-trapping-math -fassociative-math -fno-signed-zeros -freciprocal-math", "ended"),
        ("-O3 -Xclang -mreassociate -Xclang -fno-signed-zeros", "ended"), ("-O3 -Xclang -menable-unsafe-fp-math", "ended"),
        ("-O3 -Xclang -mreassociate", "same"),
        ("-O3 -freciprocal-math", "same"), ("-O3 -fapprox-func", "same"),
        ("-O3 -fno-honor-nans -fno-honor-infinities", "refused"), ("-O3 -mrecip", "same"), ("-O3 -mrecip -freciprocal-math", "same"),
        ("-O3 -fdenormal-fp-math=positive-zero", "same"), ("-O3 -fno-math-errno", "same"), (f"-O3 {FMA} -cl-mad-enable", "same"),
        ("-Ofast", "refused"), ("-O2 -ffast-math", "refused"), ("-O3 -ffp-model=fast", "refused"), ("-O3 -ffinite-math-only", "refused"),
        (f"-O3 {FMA} -ffp-contract=fast", "ended"), ("-O3 -ffp-contract=fast", "ended"),
        (f"-O3 {FMA} -ffast-math -fno-finite-math-only", "ended")],
}


def run(command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)


def has_fma():
    try:
        return " fma " in Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return False


def outcome(compiler, flags, source, folder):
    """What becomes of the source under the flags: bits, or `refused` or `ended`; anything else is a failure."""
    main, program = folder / "main.o", folder / "program"
    object_file = folder / "kernels.o"
    done = run([compiler, "-std=c11", *flags.split(), "-c", source, "-I", folder, "-o", object_file])
    if done.returncode != 0:
        return "refused" if re.search(r'error: .*change.* what these kernels compute', done.stderr) else done.stderr[:300]
    linked = run([compiler, "-flto", main, object_file, "-o", program, "-lm"] if "-flto" in flags
                 else [compiler, main, object_file, "-o", program, "-lm"])
    if linked.returncode != 0:
        return linked.stderr[:300]
    ran = run([program])
    if ran.returncode != 0:
        return "ended" if "changes what kernels compute" in ran.stderr and not ran.stdout else f"exit code {ran.returncode}"
    return ran.stdout.strip()


def without_guards(text):
    """The kernels alone: what follows the pragmas, the #errors and the check of the floats."""
    begin = text.index("#if defined(__clang__)")
    end = text.index("_Static_assert", begin)
    check = text.index("#if defined(__clang__)", end)
    return text[:begin] + text[end:check] + text[text.index("\n#endif\n", text.index("__builtin_abort", check)) + 8:]


def check(compiler, folder):
    made = run([compiler, "-O1", "-c", HERE / "flags/main.c", "-I", folder, "-o", folder / "main.o"])
    assert made.returncode == 0, made.stderr
    right = outcome(compiler, "-O0", folder / "floats.c", folder)
    failed, changed = 0, 0
    bare = folder / "bare.c"
    bare.write_text(without_guards((folder / "floats.c").read_text(encoding="utf-8")), encoding="utf-8")
    tried = part.share(FLAGS[compiler])
    for flags, expected in tried:
        if expected == "ended" and "-ffp-contract=fast" in flags and not has_fma():
            expected = "same"  # no instruction can fuse
        found = outcome(compiler, flags, folder / "floats.c", folder)
        found = "same" if found == right else found
        changed += outcome(compiler, flags, bare, folder) != right
        print(f"{'ok' if found == expected else 'FAILED'}  {compiler} {flags}: {found}"
              f"{'' if found == expected else ', expected: ' + expected}", flush=True)
        failed += found != expected
    if changed == 0:
        print(f"FAILED  {compiler}: without the guards none of these flags changes bits")
        failed += 1
    print(f"{compiler}: without the guards {changed} of these flags change bits", flush=True)
    return len(tried), failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--atlc", required=True, type=Path)
    options = parser.parse_args()
    options.atlc = options.atlc.resolve()
    total = failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        built = run([options.atlc, "build", HERE / "flags/floats.atl", "-s", "fast,none", "-o", folder])
        assert built.returncode == 0, built.stderr
        for compiler in FLAGS:
            if shutil.which(compiler):
                counted, wrong = check(compiler, folder)
                total, failed = total + counted, failed + wrong
            else:
                print(f"{compiler} is not installed")
    print(f"{total - failed} passed, {failed} failed")
    return 77 if total == 0 else 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
