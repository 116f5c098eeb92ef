"""The command line by itself: help, completion, explanations, and what is misspelled."""
import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def usage(c):
    for args in (("frobnicate",), ("check",), ("show", "p.atl"), ("show", "p.atl", "--stage", "nothing"),
                 ("build", "p.atl"), ("run",), ("check", "--frobnicate", "p.atl"), ("prove", "p.atl"),
                 ("check", "p.atl", "--timeout", "soon"), ("run", "p.atl", "--engine", "quantum")):
        result = c.run(*args)
        c.check(f"usage {args}", result.returncode == 2 and result.stderr != "", result)
    whole = c.fine("help", "--help").stdout
    commands = re.findall(r"^  (\w+) {4}", whole.partition("Commands:")[2].partition("Options:")[0], re.M)
    c.check(f"help lists the commands: {commands}", {"check", "build", "run", "prove", "explain", "help"} <= set(commands), c.run("--help"))
    for args in ((), ("help",), ("-h",)):
        result = c.fine(f"help by {args}", *args)
        c.check(f"{args} prints all of it", result.stdout == whole, result)
    for command in commands:
        result = c.fine(f"{command} --help", command, "--help")
        c.check(f"{command} --help has examples in 100 columns", "Examples:\n  atlc" in result.stdout and
                max(map(len, result.stdout.splitlines())) <= 100, result)
        c.check(f"help {command} is the same", c.run("help", command).stdout == result.stdout, result)
    c.check("version", c.fine("version", "--version").stdout == c.fine("-V", "-V").stdout, c.run("--version"))
    for says, *args in (("mean 'build'?", "biuld", "p.atl"), ("`atlc check p.atl`", "p.atl"), ("mean '--stage'?", "show", "p.atl", "--stages", "loops"),
                        ("mean 'loops'?", "show", "p.atl", "--stage", "lops"), ("mean 'check'?", "help", "chek"), ("mean 'split'?", "steps", "splt"),
                        ("mean 'E7001'?", "explain", "E701"), ("the commands are check", "frobnicate"), ("`atlc help check`", "check"),
                        ("--timeout = soon", "check", "p.atl", "--timeout", "soon"), ("SHELL is not tcsh", "completion", "tcsh")):
        c.fails(f"usage {args}", 2, "E8005", *args, says=says)
    for args in (("check", "--json", "--nothing", "p.atl"), ("prove", "--json", "nothere.atl", "-o", "never"), ("prove", "--json", "p.atl", "-o", "never", "-k", "nothing"),
                 ("check", "--json", "nothere.atl")):
        result = c.run(*args)
        objects = [json.loads(line) for line in result.stdout.splitlines()]
        c.check(f"JSON of {args}", result.returncode in (1, 2) and len(objects) == 1 and not objects[0]["ok"] and objects[0]["diagnostics"], result)
    c.check("steps NAME", c.fine("a step", "steps", "split").stdout.startswith("split "), c.run("steps", "split"))
    result = c.fine("explain", "explain", "e7010")
    c.check("explain has an example", result.stdout.startswith("E7010 race") and "kernel dot" in result.stdout, result)
    for code in re.findall(r"ATL_CODE\((\d+)", (ROOT / "atl/base/codes.def").read_text(encoding="utf-8")):
        result = c.fine(f"explain E{code}", "explain", code)
        c.check(f"explain E{code} explains", len(result.stdout.splitlines()) > 2, result)
    for shell, check in (("bash", ["bash", "-n"]), ("zsh", None), ("fish", None)):
        result = c.fine(f"completion {shell}", "completion", shell)
        c.check(f"completion {shell} has all commands", all(command in result.stdout for command in commands), result)
        if check:
            c.check("bash reads it", subprocess.run([*check, "/dev/stdin"], input=result.stdout, text=True, check=False).returncode == 0, result)
    complete = c.run("completion", "bash").stdout + """
        try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _atlc; echo "${COMPREPLY[*]}"; }
        try atlc ch; try atlc show p.atl --stage lo; try atlc check p; try atlc build --pre; try atlc completion z; try atlc check --json --st"""
    result = subprocess.run(["bash", "-c", complete], cwd=c.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    c.check("bash completes", result.stdout.split("\n")[:6] == ["check", "loops", "p.atl", "--prefix", "zsh", "--steps"], result)
    c.fails("unknown kernel", 2, "E8005", "show", "p.atl", "-k", "nothing", "--stage", "loops", says="scale")
    c.fails("unknown kernel, parsed", 2, "E8005", "show", "p.atl", "-k", "nothing", "--stage", "parsed")
