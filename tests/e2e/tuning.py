"""atlc tune: what it prints is a schedule of the program, a search goes on where it ended, and bad input is told."""
import json
import os
import re
import signal
import subprocess
import time

PROGRAM = """kernel product(M: size, N: size, K: size, A: i32[M, K], B: i32[K, N]) -> i32[M, N] {
  gen i < M, j < N { sum k < K { A[i, k] * B[k, j] } }
}
kernel twice(x: f32[100]) -> f32[100] { gen i < 100 { x[i] + x[i] } }
schedule fours for twice { split i by 4; }
"""
SMALL, LARGE = "M=5,N=6,K=7", "M=40,N=30,K=50"


def tune(c, *args, file="tune.atl", kernel="product"):
    return c.fine(f"tune {args}", "tune", file, "-k", kernel, *args)


def found(c):
    """The text goes behind the program, for one call and for two."""
    for name, sizes in (("one", (LARGE,)), ("two", (LARGE, SMALL))):
        options = [word for one in sizes for word in ("--sizes", one)]
        result = tune(c, "--for", "portable", "--candidates", "3", "--svg", f"{name}.svg", *options)
        c.write(f"{name}.atl", PROGRAM + result.stdout)
        checked = c.fine("what was found", "check", f"{name}.atl")
        c.check("it is a schedule", "product under tuned: equal to its algorithm, bit by bit" in checked.stdout, checked)
        c.check("what was measured is told", all(f"{size} = " in result.stdout for size in "MNK") and tried(result) in (2, 3), result)
        picture = (c.folder / f"{name}.svg").read_text()
        c.check("a panel for each of the sizes", picture.count("<polyline") == len(sizes) and picture.endswith("</svg>\n"), result)
        again = tune(c, "--for", "portable", "--candidates", "1", *options, file=f"{name}.atl")
        c.check("a name of its own", "schedule tuned2 for product {" in again.stdout, again)
    result = tune(c, "--json", "--for", "avx2,portable", "--candidates", "2", "--sizes", SMALL)
    told = json.loads(result.stdout)
    c.check("json", told["ok"] and told["kernel"] == "product" and told["schedule"] == "tuned" and "schedule tuned for product" in told["text"] and
            [(one["sizes"], one["candidates"]) for one in told["tuned"]] == [({"M": 5, "N": 6, "K": 7}, 2)], result)
    result = tune(c, "--candidates", "4", "-s", "fours", kernel="twice")
    c.check("a schedule of the user, a kernel without sizes", "schedule tuned for twice {\n  split i by " in result.stdout, result)
    result = subprocess.run([c.atlc, "tune", "-", "-k", "twice", "-s", "fours", "--candidates", "2"], cwd=c.folder, input=PROGRAM, text=True,
                            capture_output=True, check=False)
    c.check("a program on standard input", result.returncode == 0 and "schedule tuned for twice" in result.stdout, result)


def tried(result):
    """Where the loops as they are written are fastest, they have no numbers to change, and the search ends early."""
    return int(re.search(r"(\d+) schedules tried", result.stderr)[1])


def logged(c):
    options = ("--for", "portable", "--sizes", LARGE, "--log", "log.jsonl")
    tune(c, "--candidates", "2", *options)
    short = (c.folder / "log.jsonl").read_text()
    result = tune(c, "--candidates", "4", *options)
    lines = (c.folder / "log.jsonl").read_text().splitlines(keepends=True)
    c.check("a search goes on where it ended", len(lines) == 1 + tried(result) and "".join(lines).startswith(short), result)
    c.check("every schedule once", len({json.loads(line)["steps"] for line in lines[1:]}) == tried(result), result)
    c.write("log.jsonl", "".join(lines)[:-20])
    result = tune(c, "--candidates", "4", *options)
    again = (c.folder / "log.jsonl").read_text().splitlines(keepends=True)
    c.check("a line that was cut off is measured again", len(again) == 1 + tried(result) and again[:-1] == lines[:len(again) - 1] and
            again[-1].endswith("}\n"), result)
    other = PROGRAM.replace("A[i, k] *", "A[i, k] +")
    c.write("other.atl", other)
    for name, log, says in (("another kernel", "".join(lines), "its algorithm is another one"), ("no log", "yes\n", "its first line is no JSON object"),
                            ("a line in the middle", lines[0] + "{}\n" + lines[1], "line 2 is no result"), ("an empty file", "", "no JSON object")):
        c.write("log.jsonl", log)
        c.fails(f"a log of {name}", 1, "E8011", "tune", "other.atl" if name == "another kernel" else "tune.atl", "-k", "product", "--candidates", "4",
                *options, says=says)
        c.check(f"a log of {name} stays", (c.folder / "log.jsonl").read_text() == log, result)


def interrupted(c):
    """SIGINT keeps the best; SIGTERM ends it, and the log is whole."""
    for number in (signal.SIGINT, signal.SIGTERM):
        log = c.folder / f"{number.name}.jsonl"
        process = subprocess.Popen([c.atlc, "tune", "tune.atl", "-k", "product", "--for", "portable", "--sizes", LARGE, "--budget", "1000",
                                    "--log", log], cwd=c.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and (not log.exists() or log.read_text().count("\n") < 3):
            time.sleep(0.01)
        process.send_signal(number)
        out, err = process.communicate(timeout=240)
        result = subprocess.CompletedProcess(process.args, process.returncode, out, err)
        lines = log.read_text().splitlines()
        c.check(f"{number.name}: the log is whole", len(lines) >= 3 and all(json.loads(line) for line in lines), result)
        c.check(f"{number.name}: what is left", (result.returncode, "schedule tuned for product" in out) ==
                ((0, True) if number == signal.SIGINT else (128 + number, False)), result)


def refused(c):
    plain = ("--for", "portable")
    sized = ("--sizes", SMALL, *plain)
    for name, status, code, says, *options in (
            ("no budget", 2, "E8005", "budget of 0 seconds", *sized, "--budget", "0"), ("a budget that is no number", 2, "E8005", "soon", *sized, "--budget", "soon"),
            ("no sizes", 2, "E8005", "the size M is not given", *plain), ("a size too few", 2, "E8005", "the size K", "--sizes", "M=1,N=2", *plain),
            ("no such size", 2, "E8005", "product has no size 'Q'", "--sizes", "Q=1", *plain), ("no number", 2, "E8005", "'many' is no number", "--sizes", "M=many", *plain),
            ("a size twice", 2, "E8005", "M is given twice", "--sizes", "M=1,M=2", *plain), ("sizes twice", 2, "E8005", "are given twice", *sized, "--sizes", SMALL),
            ("a size that is negative", 1, "E8006", "M = -1", "--sizes", "M=-1,N=1,K=1", *plain), ("too large", 1, "E8009", "does not fit", "--sizes", "M=2147483647,N=2147483647,K=1", *plain),
            ("as it is written", 2, "E8005", "nothing to tune", *sized[:2], "-s", "none"), ("no folder", 1, "E8002", "no folder", *sized, "--log", "nowhere/log"),
            ("a device", 1, "E8001", "no regular file", *sized, "--log", "/dev/full"), ("a folder as a picture", 1, "E8002", "directory", *sized, "--candidates", "1", "--svg", ".")):
        c.fails(f"tune: {name}", status, code, "tune", "tune.atl", "-k", "product", *options, says=says)
    c.fails("tune: which kernel", 2, "E8005", "tune", "tune.atl", *sized, says="choose one with -k")
    environment = dict(os.environ, CC="no-such-compiler")
    result = subprocess.run([c.atlc, "tune", "tune.atl", "-k", "product", *sized], cwd=c.folder, env=environment, text=True, capture_output=True, check=False)
    c.check("tune: no C compiler", result.returncode == 1 and "error[E8007]: no-such-compiler cannot be run" in result.stderr, result)


def tuning(c):
    c.write("tune.atl", PROGRAM)
    for group in (found, logged, interrupted, refused):
        group(c)
