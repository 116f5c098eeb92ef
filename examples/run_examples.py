#!/usr/bin/env python3
"""Runs the examples and compares every result with NumPy.

    run_examples.py --atlc PATH [NAME...]

Without names a third of the folders is run, another each day (scripts/part.py).

For every folder with a reference.py: `atlc check` accepts the program (and refuses what reference.REFUSED lists), the compiled library
agrees with the reference on all cases, `atlc run` agrees with both engines on a small case and on the pictures, and the commands of
README.md do what they say. A kernel under a schedule is compared with the reference on the same cases and on those around the edges of its
tiles, and with the kernel as it is written: to the bit, where the header of the library says so. So is, on the same cases, what atlc makes of
that kernel by itself, for other hardware each day. From the command line, other schedules run each day. reference.py defines

    cases()                            yields (kernel, sizes, tolerance); tolerance is relative, "refused" expects an error code
    inputs(kernel, sizes, rng)         the scalars and tensors, in the order of the kernel's parameters after its sizes
    reference(kernel, sizes, inputs)   a dictionary of outputs, in order
    schedule_cases(kernel)             optional: yields (sizes, tolerance), more cases for a kernel under its schedules
    PICTURES                           optional: (kernel, {input: file}, {name: value}, tolerance)
    REFUSED                            optional: {file: [error code, ...]}
"""
import argparse
import concurrent.futures
import functools
import importlib.util
import itertools
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "scripts")]

import part  # noqa: E402
from library import Library  # noqa: E402
from png import read_png  # noqa: E402

TIME_LIMIT = 1200  # seconds, for one command
SEED = 20240611
HARDWARE = ["avx512", "avx2", "portable"]  # of the last there is always something to run


def load_reference(folder):
    spec = importlib.util.spec_from_file_location(f"{folder.name}_reference", folder / "reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def random_inputs(reference, kernel, sizes):
    seed = zlib.crc32(f"{SEED} {kernel} {sizes}".encode())
    return reference.inputs(kernel, sizes, np.random.default_rng(seed))


def difference(actual, expected, tolerance):
    """What is wrong with `actual`, or nothing. Within `tolerance` is relative to the larger of 1 and the expected value."""
    actual, expected = np.asarray(actual), np.asarray(expected)
    if actual.dtype != expected.dtype or actual.shape != expected.shape:
        return f"is {actual.dtype}{list(actual.shape)}, expected {expected.dtype}{list(expected.shape)}"
    same = (actual == expected) | ((actual != actual) & (expected != expected))
    if tolerance > 0:
        with np.errstate(invalid="ignore"):  # infinity minus infinity
            distance = np.abs(actual.astype(np.float64) - expected.astype(np.float64))
        same |= distance <= tolerance * np.maximum(1, np.abs(expected))
    wrong = ~same
    if not wrong.any():
        return None
    at = tuple(int(i) for i in np.argwhere(wrong)[0])
    return f"{np.count_nonzero(wrong)} of {actual.size} differ, first at {list(at)}: {actual[at]}, expected {expected[at]}"


class Example:
    """One folder: yields (name of the check, message if it failed)."""

    def __init__(self, folder, atlc, scratch):
        self.folder, self.atlc, self.scratch = folder, atlc, scratch / folder.name
        self.scratch.mkdir()
        self.reference = load_reference(folder)
        self.program = folder / f"{folder.name}.atl"

    def checks(self):
        yield from self.check_files()
        yield from self.run_library()
        yield from self.run_schedules()
        yield from self.run_automatic()
        yield from self.run_command_line()
        yield from self.run_pictures()
        yield from self.run_readme()

    def call(self, *words):
        return subprocess.run([self.atlc, *map(str, words)], capture_output=True, text=True, timeout=TIME_LIMIT)

    def check_files(self):
        refused = getattr(self.reference, "REFUSED", {})
        for path in sorted(self.folder.glob("*.atl")):
            done = self.check(path)
            report = json.loads(done.stdout)
            codes = [diagnostic["code"] for diagnostic in report["diagnostics"]]
            expected = refused.get(path.name, [])
            ok = codes == expected and done.returncode == (1 if expected else 0)
            yield f"check {path.name}", None if ok else f"exit {done.returncode}, {codes}\n{done.stdout}{done.stderr}"

    @functools.cache
    def check(self, path):
        return self.call("check", "--json", path)

    def run_library(self):
        done = self.call("build", self.program, "-o", self.scratch / "lib")
        yield "build", None if done.returncode == 0 else done.stdout + done.stderr
        if done.returncode != 0:
            return
        library = self.library()
        for kernel, cases in itertools.groupby(self.reference.cases(), lambda case: case[0]):
            failures = [text for _, sizes, tolerance in cases if (text := self.run_case(library, kernel, sizes, tolerance))]
            yield f"library {kernel}", "\n".join(failures[:5]) or None

    def library(self):
        return Library(self.scratch / "lib" / f"lib{self.folder.name}.so")

    def exact(self, library):
        """The functions of a library that compute, as its header says, what the program says bit by bit, in all their versions."""
        folder = self.scratch / library
        description = json.loads((folder / f"{self.folder.name}.json").read_text())
        header = (folder / description["header"]).read_text()
        functions = re.findall(r"^// kernel (\w+)\((.*?)^//$", header, re.DOTALL | re.MULTILINE)
        said = {name: re.findall(r"results .*", text) for name, text in functions}
        return {name for name, lines in said.items() if lines and all("bit by bit" in line for line in lines)}

    def schedules(self):
        """(kernel, schedule) of the file."""
        checked = json.loads(self.check(self.program).stdout)["kernels"]
        made = re.compile("auto(_.*)?|None")
        return [(kernel["name"], kernel["schedule"]) for kernel in checked if not made.fullmatch(str(kernel["schedule"]))]

    def run_schedules(self):
        """Every schedule of every kernel, called from the library, and some on a small case from the command line."""
        library, exact = self.library(), self.exact("lib")
        for name, schedule in self.schedules():
            function = f"{name}_{schedule}"
            yield f"library {name} under {schedule}", self.compare(library, name, functools.partial(library.call, function), function in exact)
        for name, schedule in part.share(self.schedules()):
            _, sizes, tolerance = self.small_case(name)
            inputs = random_inputs(self.reference, name, sizes)
            yield f"run {name} -s {schedule}", self.run_files(name, sizes, inputs, tolerance, "native", schedule)

    def run_automatic(self):
        """Kernels with schedules in the file, under those that are made for hardware. (Others have them in the library already.)"""
        scheduled = {name for name, _ in self.schedules()}
        if not scheduled:
            return
        library = self.library()
        for hardware in part.share(HARDWARE):
            chosen = f"{hardware},portable" if hardware != "portable" else hardware
            done = self.call("build", self.program, "--for", chosen, "-o", self.scratch / hardware)
            yield f"build --for {chosen}", None if done.returncode == 0 else done.stdout + done.stderr
            if done.returncode != 0:
                continue
            automatic = Library(self.scratch / hardware / f"lib{self.folder.name}.so")
            exact = self.exact(hardware)
            for name in sorted(scheduled):
                yield f"library {name} for {chosen}", self.compare(library, name, functools.partial(automatic.call, name), name in exact)

    def compare(self, library, kernel, scheduled, exact):
        """The first differences of a call of the kernel under a schedule, on all its cases."""
        texts = (self.run_scheduled(library, kernel, scheduled, exact, sizes, tolerance) for sizes, tolerance in self.schedule_cases(kernel))
        return "\n".join([text for text in texts if text][:5]) or None

    def schedule_cases(self, kernel):
        for name, sizes, tolerance in self.reference.cases():
            if name == kernel:
                yield sizes, tolerance
        yield from getattr(self.reference, "schedule_cases", lambda _: [])(kernel)

    def run_scheduled(self, library, kernel, call, exact, sizes, tolerance):
        inputs = random_inputs(self.reference, kernel, sizes)
        if tolerance == "refused":
            code = call(sizes, inputs, {"out": np.zeros(64)})
            return None if code != 0 else f"{sizes}: accepted, expected an error code"
        expected = self.reference.reference(kernel, sizes, inputs)
        written, scheduled = ({name: np.full_like(value, start) for name, value in expected.items()} for start in (77, 78))
        codes = library.call(kernel, sizes, inputs, written), call(sizes, inputs, scheduled)
        if codes != (0, 0):
            return f"{sizes}: error codes {codes}"
        wrong = {name: difference(scheduled[name], expected[name], tolerance) for name in expected}
        for name in expected:
            if exact and scheduled[name].tobytes() != written[name].tobytes():
                wrong[name] = "is not the algorithm's, bit by bit"
        return "\n".join(f"{sizes}: {name} {text}" for name, text in wrong.items() if text)

    def run_case(self, library, kernel, sizes, tolerance):
        inputs = random_inputs(self.reference, kernel, sizes)
        if tolerance == "refused":
            code = library.call(kernel, sizes, inputs, {"out": np.zeros(64)})
            return None if code != 0 else f"{sizes}: accepted, expected an error code"
        expected = self.reference.reference(kernel, sizes, inputs)
        actual = {name: np.full_like(value, 77) for name, value in expected.items()}
        code = library.call(kernel, sizes, inputs, actual)
        if code != 0:
            return f"{sizes}: error code {code}"
        return "\n".join(f"{sizes}: {name} {text}" for name in expected if (text := difference(actual[name], expected[name], tolerance)))

    def small_case(self, kernel):
        """The smallest case whose sizes are all at least 2, or the largest there is."""
        cases = [case for case in self.reference.cases() if case[0] == kernel and case[2] != "refused"]
        volume = lambda case: np.prod(list(case[1].values()))  # noqa: E731
        fair = [case for case in cases if min(case[1].values()) >= 2]
        return min(fair, key=volume) if fair else max(cases, key=volume)

    def run_command_line(self):
        for kernel in dict.fromkeys(case[0] for case in self.reference.cases()):
            _, sizes, tolerance = self.small_case(kernel)
            inputs = random_inputs(self.reference, kernel, sizes)
            for engine in ("native", "interp"):
                yield f"run {kernel} --engine {engine}", self.run_files(kernel, sizes, inputs, tolerance, engine)

    def run_files(self, kernel, sizes, inputs, tolerance, engine, schedule=None):
        words = ["run", self.program, "-k", kernel, "--engine", engine, *(f"{name}={value}" for name, value in sizes.items())]
        words += ["-s", schedule] if schedule else []
        for name, value in inputs.items():
            if np.ndim(value) == 0:
                words.append(f"{name}={value}")
            else:
                path = self.scratch / f"{kernel}_{name}.npy"
                np.save(path, value)
                words.append(f"{name}={path}")
        expected = self.reference.reference(kernel, sizes, inputs)
        results = {name: self.scratch / f"{kernel}_{engine}_{name}.npy" for name in expected}
        for name, path in results.items():
            words += ["-o", path if len(results) == 1 else f"{name}={path}"]
        done = self.call(*words)
        if done.returncode != 0:
            return f"exit {done.returncode}\n{done.stdout}{done.stderr}"
        wrong = {name: difference(np.load(path), expected[name], tolerance) for name, path in results.items()}
        return "\n".join(f"{name} {text}" for name, text in wrong.items() if text) or None

    def run_pictures(self):
        for kernel, pictures, values, tolerance in getattr(self.reference, "PICTURES", []):
            yield f"picture {kernel}", self.run_picture(kernel, pictures, values, tolerance)

    def run_picture(self, kernel, pictures, values, tolerance):
        files = {name: HERE / "data" / picture for name, picture in pictures.items()}
        inputs = {**values, **{name: read_png(path) for name, path in files.items()}}
        sizes = {name: value for name, value in values.items() if name.isupper()}
        expected = self.reference.reference(kernel, sizes, inputs)["out"]
        result = self.scratch / f"{kernel}.{'png' if expected.dtype == np.uint8 else 'npy'}"
        words = [f"{name}={value}" for name, value in {**values, **files}.items()]
        done = self.call("run", self.program, "-k", kernel, *words, "-o", result)
        if done.returncode != 0:
            return f"exit {done.returncode}\n{done.stdout}{done.stderr}"
        return difference(read_png(result) if result.suffix == ".png" else np.load(result), expected, tolerance)

    def run_readme(self):
        """Every line of the ```sh blocks, as if typed in the project's folder. A line with `# exit 1` is expected to fail."""
        text = (self.folder / "README.md").read_text()
        places = {"build/atlc": shlex.quote(str(self.atlc)), "python3": shlex.quote(sys.executable), "/tmp/": f"{self.scratch}/"}
        for line in "".join(re.findall(r"```sh\n(.*?)```", text, re.DOTALL)).replace("\\\n", " ").splitlines():
            command = re.sub("|".join(places), lambda found: places[found[0]], line)
            done = subprocess.run(["bash", "-c", command], cwd=HERE.parent, capture_output=True, text=True, timeout=TIME_LIMIT)
            expected = 1 if "# exit 1" in line else 0
            ok = done.returncode == expected
            yield f"readme: {line}", None if ok else f"exit {done.returncode}\n{done.stdout}{done.stderr}"


def program_size(folder):
    return sum(path.stat().st_size for path in folder.glob("*.atl"))


def run_example(folder, atlc, scratch):
    """All checks of one folder as a list of (name, failure or nothing)."""
    results = []
    try:
        results.extend(Example(folder, atlc, scratch).checks())
    except (OSError, subprocess.TimeoutExpired, AttributeError, ValueError, KeyError) as error:
        results.append(("run", f"{type(error).__name__}: {error}"))
    return results


def main():
    parser = argparse.ArgumentParser(description="Run the examples and compare them with NumPy.")
    parser.add_argument("--atlc", required=True, help="the compiler")
    parser.add_argument("names", nargs="*", help="folders to run")
    options = parser.parse_args()
    atlc = Path(options.atlc).resolve()
    # The largest first: they take longest, and none should be left to the end.
    known = sorted((path.parent for path in HERE.glob("*/reference.py")), key=lambda folder: -program_size(folder))
    folders = [folder for folder in known if folder.name in options.names] if options.names else part.share(known)
    if unknown := set(options.names) - {folder.name for folder in known}:
        parser.error(f"no such example: {', '.join(sorted(unknown))}")

    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="atlc-examples-") as scratch, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for folder, results in zip(folders, pool.map(lambda each: run_example(each, atlc, Path(scratch)), folders)):
            failures = [(name, text) for name, text in results if text]
            print(f"{folder.name}: {len(results) - len(failures)} of {len(results)}", flush=True)
            for name, text in failures:
                print(f"  FAILED {name}\n    " + text.strip().replace("\n", "\n    "), flush=True)
            passed, failed = passed + len(results) - len(failures), failed + len(failures)
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
