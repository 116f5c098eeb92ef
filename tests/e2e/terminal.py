"""How atlc writes: colours and progress on a terminal, less, more, and the same with any number of cores."""
import os
import pty
import re
import subprocess

WRONG = """kernel first(N: size, x: f32[N]) -> f32[N] { gen i < N { x[i + 1] } }
kernel last(N: size, x: f32[N]) -> f32 { x[N - 1] }
kernel fine(N: size, x: f32[N + 8]) -> f32[N] { gen i < N { x[i] + x[i + 1] + x[i + 2] + x[i + 3] + x[i + 4] + x[i + 5] + x[i + 6] + x[i + 7] + x[i + 8] } }
schedule blocks for fine { split i by 8 tail cut; }
schedule wrong for fine { split i by 8 tail exact; }
"""
RED, GREEN = "\033[1;31m", "\033[32m"
MARK = re.compile(r"\033\[[0-9;]*m")


def plain(text):
    """Without colours and times, and with one blank between columns."""
    return re.sub(r" +", " ", re.sub(r"\d+(\.\d+)? ms|\s+\d+\.\d\d(?=  )|\"ms\": ?[0-9.e-]+", "", MARK.sub("", text)))


def on_terminal(c, *args, **environment):
    """What a terminal shows of the output and of the messages: one after the other."""
    ours, theirs = pty.openpty()
    variables = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    with subprocess.Popen([c.atlc, *args], cwd=c.folder, env=variables | {"TERM": "xterm"} | environment, stdin=subprocess.DEVNULL,
                          stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part
    os.close(ours)
    return subprocess.CompletedProcess(process.args, process.returncode, shown.decode().replace("\r\n", "\n"), "")


def colours(c):
    piped = c.run("check", "wrong.atl")
    coloured = on_terminal(c, "check", "wrong.atl")
    c.check("no colours in a pipe", "\033" not in piped.stdout + piped.stderr, piped)
    c.check("errors and carets are red on a terminal", f"{RED}error[E7001]" in coloured.stdout and f"{RED}^~~" in coloured.stdout, coloured)
    c.check("the words are the same", plain(coloured.stdout) == plain(piped.stderr + piped.stdout), coloured)
    c.check("what is right is green", f"{GREEN}ok" in on_terminal(c, "check", "p.atl").stdout, on_terminal(c, "check", "p.atl"))
    for name, args, environment in (("NO_COLOR", (), {"NO_COLOR": "1"}), ("a dumb terminal", (), {"TERM": "dumb"}), ("no kind of terminal", (), {"TERM": ""}),
                                    ("--color never", ("--color", "never"), {})):
        result = on_terminal(c, "check", "wrong.atl", *args, **environment)
        c.check(f"no colours: {name}", result.returncode == 1 and "\033" not in result.stdout, result)
    c.check("an empty NO_COLOR says nothing", RED in on_terminal(c, "check", "wrong.atl", NO_COLOR="").stdout, coloured)
    result = c.run("show", "wrong.atl", "--stage", "obligations", "--color", "always")
    c.check("--color always: verdicts", f"({GREEN}proved" in result.stdout and f"({RED}refuted" in result.stdout and f"{RED}error[" in result.stderr, result)
    result = c.run("prove", "p.atl", "-o", "proofs", "--color=always")
    c.check("--color always: the table of prove", f"  {GREEN}proved\033[m  " in result.stdout and
            plain(result.stdout) == plain(c.run("prove", "p.atl", "-o", "proofs").stdout), result)
    c.fails("no such colour", 2, "E8005", "check", "p.atl", "--color", "sometimes", says="auto, always, never")


def how_much(c):
    result = c.fine("check -q", "check", "-q", "p.atl")
    c.check("check -q says nothing", result.stdout + result.stderr == "", result)
    c.check("build -q says nothing", c.fine("build -q", "-q", "build", "p.atl", "-o", "quiet").stdout == "", result)
    c.check("prove --quiet says nothing", c.fine("prove --quiet", "prove", "p.atl", "-o", "proofs", "--quiet").stdout == "", result)
    result = c.fails("check -q of a wrong file", 1, "E7001", "check", "-q", "wrong.atl")
    c.check("it says what is wrong, and nothing else", result.stdout == "", result)
    c.check("show -q shows", c.run("show", "-q", "p.atl", "--stage", "c").stdout == c.run("show", "p.atl", "--stage", "c").stdout, result)
    result = c.fine("check -v", "check", "-v", "p.atl")
    c.check("check -v: files and kernels", result.stderr.startswith("reads p.atl\n") and re.search(r"^scale: \d+ obligations in", result.stderr, re.M), result)
    result = c.fine("build -v", "--verbose", "build", "p.atl", "-o", "verbose")
    c.check("build -v: programs and files", re.search(r"^runs \S+ .*-O3", result.stderr, re.M) and "writes verbose/libp.a\n" in result.stderr, result)
    c.check("the summary is the same", result.stdout == c.run("build", "p.atl", "-o", "verbose").stdout, result)
    c.fails("both", 2, "E8005", "check", "-q", "-v", "p.atl")


def cores(c):
    """Results, and their order, do not depend on the number of cores."""
    for args in (("check", "wrong.atl"), ("check", "--json", "wrong.atl", "p.atl"), ("prove", "wrong.atl", "-o", "proofs"), ("check", "-v", "p.atl")):
        one = c.run(*args, "-j", "1")
        for number in ("2", "7"):
            result = c.run("--jobs", number, *args)
            same = all(plain(getattr(result, stream)) == plain(getattr(one, stream)) for stream in ("stdout", "stderr"))
            c.check(f"{' '.join(args)} with {number} cores", same and result.returncode == one.returncode, result)
    for number in ("0", "-1", "many"):
        c.fails(f"-j {number}", 2, "E8005", "check", "p.atl", f"--jobs={number}")


def progress(c):
    """Only what takes more than a second shows how far it is, on a terminal, and takes it away."""
    shown = on_terminal(c, "check", "slow.atl", "-j1").stdout
    lines = re.findall(r"\r\033\[K(slow\.atl: \d+ of \d+ kernels and schedules, \d+ of \d+ obligations[^\r]*)", shown)
    result = subprocess.CompletedProcess("check slow.atl", 0, shown, "")
    c.check(f"progress is shown: {lines[:3]}", lines, result)
    c.check("and taken away", lines and f"{lines[-1]}\r\033[K" in shown, result)
    c.check("with the time left", any("s left" in line for line in lines), result)
    for name, shown in (("a pipe", c.run("check", "slow.atl").stderr), ("--quiet", on_terminal(c, "check", "slow.atl", "--quiet").stdout),
                        ("a dumb terminal", on_terminal(c, "check", "slow.atl", TERM="dumb").stdout),
                        ("what is short", on_terminal(c, "steps").stdout)):
        c.check(f"no progress: {name}", "\r" not in shown, subprocess.CompletedProcess(name, 0, shown, ""))


def terminal(c):
    c.write("wrong.atl", WRONG)
    cubes = "kernel hard{0}(X: size, Y: size, Z: size, x: f32[1]) -> f32\n" \
            "  where X >= {0}, Y >= 1, Z >= 1, X <= 100000, Y <= 100000, Z <= 100000\n{{ [X * X * X + Y * Y * Y == Z * Z * Z] x[1] }}\n"
    c.write("slow.atl", "".join(cubes.format(n) for n in range(1, 6)))
    for group in (colours, how_much, cores, progress):
        group(c)
