"""Builds the wheel of these kernels, with nothing but Python and, where there is no compiled module for this machine, a C compiler."""
import base64
import ctypes
import hashlib
import os
import pathlib
import shlex
import subprocess
import sysconfig
import tarfile
import tomllib
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
WHOLE = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT, OURS = WHOLE["project"], WHOLE["tool"]["atlc"]
STEM = f"{PROJECT['name'].replace('-', '_')}-{PROJECT['version']}"
METADATA = f"Metadata-Version: 2.1\nName: {PROJECT['name']}\nVersion: {PROJECT['version']}\nSummary: {PROJECT['description']}\n" \
           f"Requires-Python: {PROJECT['requires-python']}\n"
TAG = "cp311-abi3-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")


def compile_module(module):
    command = [*shlex.split(os.environ.get("CC", "cc")), *OURS["flags"], *shlex.split(os.environ.get("CFLAGS", "")), "-fvisibility=hidden",
               "-shared", *OURS["sources"], "-o", module, *shlex.split(os.environ.get("LDFLAGS", "")), "-lm"]
    subprocess.run([str(word) for word in command], cwd=HERE, check=True)


def compiled_module():
    """The one that is there if it runs on this machine."""
    module = HERE / OURS["package"] / "_kernels.abi3.so"
    try:
        ctypes.CDLL(str(module))
    except OSError:
        compile_module(module)
    return module


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    compiled_module()
    package = HERE / OURS["package"]
    files = {f"{package.name}/{name}": (package / name).read_bytes() for name in ("__init__.py", "__init__.pyi", "py.typed", "_kernels.abi3.so")}
    files[f"{STEM}.dist-info/METADATA"] = METADATA.encode()
    files[f"{STEM}.dist-info/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: atlc\nRoot-Is-Purelib: false\nTag: {TAG}\n".encode()
    record = "".join(f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip('=')},{len(data)}\n"
                     for name, data in files.items())
    files[f"{STEM}.dist-info/RECORD"] = (record + f"{STEM}.dist-info/RECORD,,\n").encode()
    wheel = f"{STEM}-{TAG}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    """The C, for machines of other kinds."""
    information = HERE / "PKG-INFO"
    information.write_text(METADATA, encoding="utf-8")
    names = ["PKG-INFO", "pyproject.toml", "atlc_backend.py", *OURS["sources"], OURS["header"],
             *(f"{OURS['package']}/{name}" for name in ("__init__.py", "__init__.pyi", "py.typed"))]
    with tarfile.open(pathlib.Path(sdist_directory) / f"{STEM}.tar.gz", "w:gz") as archive:
        for name in names:
            archive.add(HERE / name, f"{STEM}/{name}")
    return f"{STEM}.tar.gz"
