"""Compiled libraries in the user's cache folder: by what was compiled, how, and by which compiler."""
import hashlib
import json
import os
import pathlib
import platform
import shutil
import tempfile
from typing import Callable, Dict, List, Optional

_temporary: List["tempfile.TemporaryDirectory[str]"] = []  # where there is no cache folder; until the program ends


def root() -> pathlib.Path:
    base = os.environ.get("XDG_CACHE_HOME", "")
    folder = (pathlib.Path(base) if os.path.isabs(base) else pathlib.Path.home() / ".cache") / "atlc" / "python"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except OSError:
        pass
    if not _temporary:
        _temporary.append(tempfile.TemporaryDirectory(prefix="atlc-"))
    return pathlib.Path(_temporary[0].name)


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def key_of(*parts: object) -> str:
    environment = [os.environ.get(name, "") for name in ("CC", "CFLAGS", "LDFLAGS", "AR", "ATLC_PATH")]
    return digest(json.dumps([*map(str, parts), platform.machine(), environment]).encode())[:32]


def _digest_of_file(name: str) -> Optional[str]:
    try:
        return digest(pathlib.Path(name).read_bytes())
    except OSError:
        return None


def _inputs(depfile: pathlib.Path, folder: pathlib.Path) -> Dict[str, Optional[str]]:
    """The programs that a library is made from, imported ones included."""
    words = depfile.read_text(encoding="utf-8").split(" \\\n  ")[1:]
    names = [word.rstrip("\n").replace("\\ ", " ").replace("\\#", "#").replace("$$", "$") for word in words]
    return {str(folder / name): _digest_of_file(str(folder / name)) for name in names}


def _is_current(entry: pathlib.Path) -> bool:
    try:
        inputs = json.loads((entry / "inputs.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return all(content is not None and _digest_of_file(name) == content for name, content in inputs.items())


def cached(key: str, build: Callable[[pathlib.Path], None], folder: pathlib.Path) -> pathlib.Path:
    """The folder of a library; `build` fills one. Names in its depfile are relative to `folder`."""
    entries = root() / key
    entries.mkdir(exist_ok=True)
    for entry in sorted(entries.iterdir()):
        if _is_current(entry):
            return entry
    staging = pathlib.Path(tempfile.mkdtemp(prefix=f"{key}-", dir=root()))
    try:
        build(staging)
        inputs = json.dumps(_inputs(staging / "kernels.d", folder))
        (staging / "inputs.json").write_text(inputs, encoding="utf-8")
        entry = entries / digest(inputs.encode())[:32]
        try:
            staging.rename(entry)
        except OSError:  # another process was faster
            if not _is_current(entry):
                raise
        return entry
    finally:
        shutil.rmtree(staging, ignore_errors=True)
