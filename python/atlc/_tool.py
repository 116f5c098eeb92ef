"""The program atlc: where it is, and running it."""
import functools
import os
import pathlib
import re
import shutil
import subprocess
from typing import List, Optional


class CompileError(Exception):
    """What atlc refuses. As a text it is what the command line prints, with the place under the line."""

    def __init__(self, printed: str, status: int) -> None:
        super().__init__(printed.rstrip("\n"))
        self.status = status  # the exit code of atlc
        self.codes: List[str] = re.findall(r"error\[(E\d+)\]", printed)


def executable() -> pathlib.Path:
    """$ATLC, else the one that was installed or built with this package, else that of the PATH."""
    named = os.environ.get("ATLC")
    if named:
        found = shutil.which(named)
        if not found:
            raise FileNotFoundError(f"ATLC={named} is no program")
        return pathlib.Path(found).resolve()
    for folder in pathlib.Path(__file__).resolve().parents[1:]:
        for place in ("bin/atlc", "build/atlc"):
            if os.access(folder / place, os.X_OK) and (folder / place).is_file():
                return folder / place
    found = shutil.which("atlc")
    if not found:
        raise FileNotFoundError("the program atlc is not found: put it into the PATH, or set ATLC to its path")
    return pathlib.Path(found).resolve()


def run(*arguments: str, text: str = "", folder: Optional[pathlib.Path] = None) -> str:
    """What it prints, with a text as its standard input; a CompileError if it refuses."""
    done = subprocess.run([executable(), *arguments], cwd=folder, input=text, capture_output=True, encoding="utf-8",
                          errors="replace", check=False)
    if done.returncode != 0:
        raise CompileError(done.stderr or done.stdout, done.returncode)
    return done.stdout


@functools.lru_cache(maxsize=None)
def _identity(path: pathlib.Path, size: int, time: int) -> str:
    return f"{run('--version').strip()} {path} {size} {time}"


def identity() -> str:
    """Another one for each version, and for each build of it."""
    path = executable()
    status = path.stat()
    return _identity(path, status.st_size, status.st_mtime_ns)
