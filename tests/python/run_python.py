#!/usr/bin/env python3
"""The Python packages that `atlc build --python` writes, against NumPy: arguments, results, sentences, wheels.

    run_python.py --atlc PATH

Prints how long a call takes beside one by ctypes; nothing depends on that. The last line says how many cases passed and failed.
"""
import argparse
import array
import ast
import ctypes
import importlib
import inspect
import os
import subprocess
import sys
import tempfile
import threading
import timeit
from pathlib import Path

from cases import Cases

try:
    import numpy as np
except ImportError:
    print("skipped: NumPy is not installed")
    sys.exit(77)

HERE = Path(__file__).resolve().parent
TYPES = {"f32": np.float32, "f64": np.float64, "i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16, "i32": np.int32,
         "u32": np.uint32, "i64": np.int64, "bool": np.bool_}


class OnlyDLPack:
    """An array without the buffer protocol."""

    def __init__(self, of):
        self.of = of

    def __dlpack__(self):
        return self.of.__dlpack__()


class OnADevice:
    """A tensor of DLPack that says it is there."""

    def __init__(self, device):
        self.array = np.array([1, 2], np.float32)
        self.capsule = self.array.__dlpack__()
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        ctypes.c_int32.from_address(pointer(self.capsule, b"dltensor") + ctypes.sizeof(ctypes.c_void_p)).value = device

    def __dlpack__(self):
        return self.capsule


class Kernels(Cases):
    def equal(self, what, found, expected):
        same = np.asarray(found).dtype == np.asarray(expected).dtype and np.array_equal(found, expected)
        self.check(what, same, f"{found!r}, expected {expected!r}")

    def refused(self, what, error, says, function, *args, **named):
        super().refused(what, error, says, function, *args, begins=f"{function.__name__}: ", **named)


def run(*command, **named):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, timeout=600, **named)


def element_types(c, k):
    for name, dtype in TYPES.items():
        function = getattr(k, f"id_{name}")
        extremes = [0, 1] if name == "bool" else [0, 1.5, -np.inf, np.nan] if name[0] == "f" else [np.iinfo(dtype).min, 0, np.iinfo(dtype).max]
        x = np.array(extremes, dtype)
        result = function(x)
        c.check(f"{name}: same bytes", result.dtype == dtype and result.tobytes() == x.tobytes(), repr(result))
        c.check(f"{name}: a new array", not np.shares_memory(result, x))
        c.check(f"{name}: nothing", function(x[:0]).shape == (0,))
        for other, other_dtype in TYPES.items():
            if other != name:
                c.refused(f"{other} for {name}", TypeError, f"which is {np.dtype(dtype).name} in NumPy, but the elements of x are "
                          f"{np.dtype(other_dtype).name}", function, np.zeros(3, other_dtype))
        c.refused(f"{name}: other bytes", TypeError, "the elements of x are", function, np.zeros(3, "complex64"))
    for dtype in ("uint64", "float16", "complex128"):
        c.refused(dtype, TypeError, "the elements of x are", k.id_f32, np.zeros(3, dtype))
    c.refused("big endian", TypeError, "the elements of x are >f", k.id_f32, np.zeros(3, ">f4"))
    c.refused("records", TypeError, "the elements of x are T{", k.id_f32, np.zeros(3, "f4,f4"))
    c.refused("a byte that is no bool", ValueError, "neither 0 nor 1", k.id_bool, np.frombuffer(b"\1\2", np.bool_))


def scalars(c, k):
    for name, dtype in TYPES.items():
        function = getattr(k, f"one_{name}")
        values = [False, True] if name == "bool" else [0.0, -1.5] if name[0] == "f" else [int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)]
        for value in values:
            c.check(f"{name} {value}", function(value) == value and type(function(value)) is type(value), repr(function(value)))
            c.check(f"{name} {value} of NumPy", function(dtype(value)) == value, repr(function(dtype(value))))
        if name[0] in "iu":
            for value in (int(np.iinfo(dtype).min) - 1, int(np.iinfo(dtype).max) + 1, 10**30):
                c.refused(f"{value} as {name}", OverflowError, f"x: {name}: the number does not fit", function, value)
            c.refused(f"1.5 as {name}", TypeError, f"x: {name} is needed, an integer", function, 1.5)
        c.refused(f"a text as {name}", TypeError, f"x: {name} is needed", function, "1")
    c.refused("2 as bool", OverflowError, "x: bool: the number does not fit", k.one_bool, 2)
    c.refused("1e300 as f32", OverflowError, "the number does not fit", k.one_f32, 1e300)
    c.check("infinity as f32", k.one_f32(float("inf")) == float("inf"))
    c.check("rounding", k.one_f32(0.1) == float(np.float32(0.1)))


def sizes(c, k):
    x = np.arange(6, dtype=np.float32)
    c.equal("inferred", k.windows(x), x[:-2] + x[1:-1] + x[2:])
    c.equal("given, too", k.windows(x, N=4), x[:-2] + x[1:-1] + x[2:])
    c.equal("from another tensor first", k.halves(x, np.zeros(2, np.float32)), x[:4:2])
    c.equal("given alone", k.counted(N=3), np.ones(3, np.float32))
    c.equal("an integer of NumPy", k.counted(N=np.int8(2)), np.ones(2, np.float32))
    c.refused("not given", TypeError, "the size N is not given and does not follow from the inputs: add N=NUMBER", k.counted)
    c.refused("given and different", ValueError, "x has 6 elements, so N = 4, but N = 2 was given", k.windows, x, N=2)
    c.refused("no solution", ValueError, "x has 1 element, but N + 2 is that for no N", k.windows, x[:1])
    c.refused("half a solution", ValueError, "x has 6 elements, but 2 * N + M is that for no N (y has 1 element, so M = 1)", k.halves, x, x[:1])
    c.refused("a constant extent", ValueError, "x has 6 elements, but 3 are declared", k.fixed, x)
    c.refused("two extents", ValueError, "x has extent 3 in dimension 3 of 3, so N = 3, but x has extent 2 in dimension 1 of 3, so N = 2",
              k.cube, np.zeros((2, 2, 3), np.float32))
    c.refused("rows", ValueError, "x: f32[N + 2] is needed, with 1 dimension, but x has 2", k.windows, x.reshape(2, 3))
    c.refused("where", ValueError, "the sizes do not satisfy a where clause of the kernel: N % 2 == 0 is needed, but x has 5 elements, so N = 3",
              k.windows, x[:5])
    c.refused("where, the first", ValueError, "N >= 1 is needed, but x has 2 elements, so N = 0", k.windows, x[:2])
    c.refused("the limit", ValueError, "a size is negative or above its limit: N = 2147483648 was given, and the limit is 2147483647", k.counted, N=2**31)
    c.refused("a negative size", ValueError, "a size is negative or above its limit: N = -1 was given", k.counted, N=-1)
    c.refused("a size that is none", TypeError, "N: size is needed, an integer", k.counted, N=1.5)
    c.refused("a size of many digits", OverflowError, "N: size: the number does not fit", k.counted, N=2**64)
    c.refused("the limit of a where clause", ValueError, "a size is negative or above its limit: ", k.halves, np.zeros(201, np.float32), np.zeros(101, np.float32))


def memory(c, k):
    whole = np.arange(24, dtype=np.float32).reshape(4, 6)
    for name, strided in {"transposed": whole.T, "every second": whole[:, ::2], "backwards": whole[::-1],
                          "Fortran": np.asfortranarray(whole), "repeated": np.broadcast_to(whole[0], (3, 6)),
                          "not aligned": np.frombuffer(b"\0" + whole.tobytes(), np.uint8)[1:].view(np.float32).reshape(4, 6)}.items():
        c.refused(name, ValueError, "A is not contiguous, row by row: add copy=True, or pass numpy.ascontiguousarray(...)", k.scale, 2, strided)
        c.equal(f"{name}, copied", k.scale(2, strided, copy=True), 2 * strided)
    for name, strided in {"transposed": whole.T, "every second": whole[:, ::2], "backwards": whole[::-1]}.items():
        c.refused(f"{name}, of DLPack", ValueError, "A is not contiguous", k.scale, 2, OnlyDLPack(strided))
    c.equal("of DLPack, copied", k.scale(2, OnlyDLPack(whole.T), copy=True), 2 * whole.T)
    c.equal("rows of one", k.scale(1, whole[:1]), whole[:1])
    c.equal("a column of one", k.scale(1, whole[:, :1][:1]), whole[:1, :1])
    c.equal("nothing, strided", k.scale(1, whole[:0, ::2]), whole[:0, ::2])
    read_only = whole.copy()
    read_only.flags.writeable = False
    c.equal("read-only", k.scale(1, read_only), whole)
    c.equal("memoryview", k.scale(1, memoryview(whole)), whole)
    c.equal("array.array", k.id_f32(array.array("f", [1, 2])), np.array([1, 2], np.float32))
    c.equal("array.array of long", k.id_i64(array.array("l", [1, -2])), np.array([1, -2]))
    c.equal("bytes", k.id_u8(b"\1\2"), np.array([1, 2], np.uint8))
    c.equal("bytearray", k.id_u8(bytearray(b"\1\2")), np.array([1, 2], np.uint8))
    c.equal("ctypes", k.id_f32((ctypes.c_float * 2)(1, 2)), np.array([1, 2], np.float32))
    for name, dtype in TYPES.items():
        if name != "bool":  # of which NumPy exports none
            c.equal(f"{name} of DLPack", getattr(k, f"id_{name}")(OnlyDLPack(np.ones(3, dtype))), np.ones(3, dtype))
    c.refused("another type of DLPack", TypeError, "the elements of x are float64", k.id_f32, OnlyDLPack(np.ones(3)))
    c.refused("the memory of a device", BufferError, "x is in the memory of a device (2 in DLPack)", k.id_f32, OnADevice(2))
    c.equal("memory of the host that a device sees", k.id_f32(OnADevice(3)), np.array([1, 2], np.float32))
    c.refused("a list", TypeError, 'x is of type list: numpy.asarray(..., dtype="float32")', k.id_f32, [1.0])
    c.refused("a number", TypeError, "x is of type float", k.id_f32, 1.0)
    held = array.array("f", [1, 2])
    k.id_f32(held)
    held.append(3)  # not while somebody holds it
    before = sys.getrefcount(whole)
    for _ in range(10):
        k.scale(1, whole)
        k.scale(1, whole.T, copy=True)
        k.scale(1, OnlyDLPack(whole))
    c.check("references are given back", sys.getrefcount(whole) == before)


def outputs(c, k):
    x = np.arange(6, dtype=np.float32)
    out = np.zeros(6, np.float32)
    c.check("out is returned", k.id_f32(x, out=out) is out)
    c.equal("and filled", out, x)
    result = k.both(np.array([1, 2, 3], np.int32))
    c.check("several results", isinstance(result, tuple) and len(result) == 2 and result.total == 6 and type(result.total) is int, repr(result))
    c.equal("the first", result.twice, np.array([2, 4, 6], np.int32))
    twice, total = np.zeros(3, np.int32), np.zeros((), np.int32)
    both = k.both(np.array([1, 2, 3], np.int32), out=(twice, total))
    c.check("several given", both.twice is twice and both.total is total and total == 6 and list(twice) == [2, 4, 6], repr(both))
    both = k.both(np.array([1, 2, 3], np.int32), out=(None, total))
    c.check("one of several", both.total is total and list(both.twice) == [2, 4, 6], repr(both))
    c.refused("too few", TypeError, "out is a tuple of the 2 results", k.both, np.zeros(3, np.int32), out=(twice,))
    c.refused("too short", ValueError, "out has 3 elements, so N = 3, but x has 6 elements, so N = 6", k.id_f32, x, out=out[:3])
    c.refused("of another type", TypeError, "the elements of out are float64", k.id_f32, x, out=np.zeros(6))
    c.refused("strided", ValueError, "out is not contiguous", k.id_f32, x[:3], out=out[::2])
    c.refused("strided with copy", ValueError, "out is not contiguous", k.id_f32, x[:3], out=out[::2], copy=True)
    c.refused("read-only", ValueError, "out is read-only", k.id_u8, b"12", out=b"12")
    c.refused("overlap", ValueError, "an output overlaps another tensor", k.id_f32, x[:4], out=x[2:])
    c.equal("and it is untouched", x, np.arange(6, dtype=np.float32))
    c.equal("names that Python uses", k.lambda_(x, copy=x), 2 * x)
    c.equal("its option", k.lambda_(x[::2], x[::2], copy_=True, out_=np.empty(3, np.float32)), 2 * x[::2])
    for says, args, named in (("the parameter A is not given", (1,), {}), ("there is no parameter 'B'", (1,), {"B": x}),
                              ("s is given twice", (1, x), {"s": 1}), ("there are too many arguments", (1, x, x), {})):
        c.refused(says, TypeError, f"{says}", k.scale, *args, **named)
    c.refused("None is no array", TypeError, "A is of type NoneType", k.scale, 1, None)


def is_free_meanwhile(k, x):
    """Whether this thread runs while another one is in a kernel."""
    running = threading.Event()

    def call():
        running.set()
        k.slow(x)
        running.clear()

    thread = threading.Thread(target=call)
    thread.start()
    running.wait()
    free = running.is_set()
    thread.join()
    return free


def threads(c, k):
    old = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # nobody is made to give way: who holds the interpreter keeps it until it lets go
    try:
        c.check("the interpreter is free meanwhile", any(is_free_meanwhile(k, np.ones(n, np.float32)) for n in (5000, 20000, 40000, 80000)))
    finally:
        sys.setswitchinterval(old)
    results = [None] * 4

    def many(i):
        results[i] = all(np.array_equal(k.id_i32(np.full(50, i, np.int32)), np.full(50, i, np.int32)) for _ in range(500))

    workers = [threading.Thread(target=many, args=(i,)) for i in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    c.check("threads that call", results == [True] * 4)


def descriptions(c, k, folder):
    c.check("the signature", str(inspect.signature(k.scale)) == "(s, A, *, N=None, M=None, out=None, copy=False)", inspect.signature(k.scale))
    for says in ("kernel windows(N: size, x: f32[N + 2]) -> (out: f32[N])", "where N >= 1, N % 2 == 0", "bit by bit"):
        c.check(f"docstring: {says}", says in k.windows.__doc__, k.windows.__doc__)
    stubs = {node.name: node for node in ast.parse((folder / "kernels/__init__.pyi").read_text(encoding="utf-8")).body
             if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    for name in k.__all__:
        kinds = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
        parameters = inspect.signature(getattr(k, name)).parameters.values()
        real = [[p.name for p in parameters if p.kind == kind] for kind in kinds]
        stated = [[a.arg for a in group] for group in (stubs[name].args.args, stubs[name].args.kwonlyargs)]
        c.check(f"stub of {name}", stated == real, stated)
    c.check("fields of several results", [n.target.id for n in stubs["both_results"].body] == ["twice", "total"])
    c.check("marked as typed", (folder / "kernels/py.typed").exists())


def warnings(c, folder):
    for compiler in ("gcc", "clang"):
        if run(compiler, "--version").returncode == 0:
            done = run(compiler, "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-fsyntax-only", folder / "kernels/_kernels.c")
            c.check(f"warnings of {compiler}", done.returncode == 0, done.stderr[:2000])


def without_numpy(c, folder):
    script = (f"import sys; sys.path.insert(0, {str(folder)!r}); sys.modules['numpy'] = None; import kernels, array\n"
              "x = array.array('f', [1, 2]); y = array.array('f', [0, 0])\nassert kernels.id_f32(x, out=y) is y and y == x\n"
              "try: kernels.id_f32(x)\nexcept ImportError as e: print(e)")
    done = run(sys.executable, "-c", script)
    c.check("without NumPy", "results are arrays of NumPy, which cannot be imported: pass memory for them, out=..." in done.stdout, done)


def wheels(c, folder, scratch):
    if run(sys.executable, "-m", "pip", "--version").returncode != 0:
        print("pip is not installed: no wheel is made")
        return
    environment = {**os.environ, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_ROOT_USER_ACTION": "ignore"}
    test = "import kernels, numpy; assert kernels.id_u8(b'12').tolist() == [49, 50]; print(kernels.__file__)"
    for name, options in {"pip install": [], "without isolation": ["--no-build-isolation", "--no-index"]}.items():
        target = scratch / name.replace(" ", "_")
        done = run(sys.executable, "-m", "pip", "install", *options, "--target", target, folder, env=environment, cwd=scratch)
        used = run(sys.executable, "-c", test, env={**os.environ, "PYTHONPATH": str(target)}, cwd=scratch)
        c.check(name, done.returncode == 0 and used.stdout.startswith(str(target)), done.stdout + done.stderr + used.stderr)
    make = f"import sys; sys.path.insert(0, {str(folder)!r}); import atlc_backend as b; print(b.build_sdist({str(scratch)!r}))"
    sdist = scratch / run(sys.executable, "-c", make).stdout.strip()
    done = run(sys.executable, "-m", "pip", "install", "--target", scratch / "from_sdist", sdist, env=environment, cwd=scratch)
    used = run(sys.executable, "-c", test, env={**os.environ, "PYTHONPATH": str(scratch / "from_sdist")}, cwd=scratch)
    c.check("from its source distribution", done.returncode == 0 and used.returncode == 0, done.stdout + done.stderr + used.stderr)
    (folder / "kernels/_kernels.abi3.so").unlink()  # as on a machine of another kind
    done = run(sys.executable, "-m", "pip", "install", "--target", scratch / "compiled", folder, env=environment, cwd=scratch)
    used = run(sys.executable, "-c", test, env={**os.environ, "PYTHONPATH": str(scratch / "compiled")}, cwd=scratch)
    c.check("compiled by pip", done.returncode == 0 and used.returncode == 0, done.stdout + done.stderr + used.stderr)


def names(c, atlc, scratch):
    """Libraries that are called like modules of Python, and two in one folder with kernels of one name."""
    (scratch / "random.atl").write_text("kernel f(N: size, x: f32[N]) -> f32[N] { gen i < N { x[i] + 1.0 } }", encoding="utf-8")
    (scratch / "other.atl").write_text("kernel f(N: size, x: f32[N]) -> f32[N] { gen i < N { x[i] + 2.0 } }", encoding="utf-8")
    for name in ("random", "other"):
        done = run(atlc, "build", scratch / f"{name}.atl", "-o", scratch / "two", "--python")
        c.check(f"build {name}", done.returncode == 0, done.stderr)
    sys.path.insert(0, str(scratch / "two"))
    x = np.zeros(1, np.float32)
    first, second = importlib.import_module("random_kernels"), importlib.import_module("other")
    c.check("two libraries", (first.f(x)[0], second.f(x)[0]) == (1, 2))


def overhead(k, folder):
    x, out = np.arange(4, dtype=np.float32), np.empty(2, np.float32)
    function = ctypes.CDLL(str(folder / "libkernels.so")).windows
    function.argtypes = [ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p]
    pointers = x.ctypes.data, out.ctypes.data

    def nanoseconds(call):
        return min(timeit.repeat(call, number=5000, repeat=10)) / 5000 * 1e9

    print(f"one call: {nanoseconds(lambda: function(2, *pointers)):.0f} ns by ctypes with pointers at hand, "
          f"{nanoseconds(lambda: k.windows(x, out=out)):.0f} ns with out, {nanoseconds(lambda: k.windows(x)):.0f} ns with a new array")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--atlc", required=True, type=Path)
    atlc = parser.parse_args().atlc.resolve()
    c = Kernels()
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        folder = scratch / "a folder"
        done = run(atlc, "build", HERE / "kernels.atl", "-o", folder, "--python")
        assert done.returncode == 0, done.stderr
        sys.path.insert(0, str(folder))
        k = importlib.import_module("kernels")
        for cases in (element_types, scalars, sizes, memory, outputs, threads):
            cases(c, k)
        descriptions(c, k, folder)
        warnings(c, folder)
        without_numpy(c, folder)
        names(c, atlc, scratch)
        overhead(k, folder)
        wheels(c, folder, scratch)
    return c.report()


if __name__ == "__main__":
    sys.exit(main())
