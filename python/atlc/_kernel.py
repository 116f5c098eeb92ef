"""Kernels as functions, with what atlc has to say of them."""
import functools
import html
import importlib.util
import inspect
import json
import os
import pathlib
import re
import sys
import tempfile
import types
from typing import Any, List, NamedTuple, Optional, Sequence, Union

from . import _cache, _tool


class Text(str):
    """A text of several lines, shown as it is."""

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self)}</pre>"


class Obligation(NamedTuple):
    """What is to be proved, and what the prover says: proved, refuted or unknown."""
    id: str
    kind: str
    where: str
    what: str
    result: str


class Obligations(List[Obligation]):
    """All of a kernel."""

    def __repr__(self) -> str:
        return "\n".join(f"{o.id} ({o.result}), {o.where}: {o.what}" for o in self)

    def _repr_html_(self) -> str:
        rows = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in o) + "</tr>" for o in self)
        return f"<table><tr>{''.join(f'<th>{name}</th>' for name in Obligation._fields)}</tr>{rows}</table>"


class Program:
    """A file, or a text as standard input; the folder in which atlc is called; and folders of imported files."""

    def __init__(self, program: Union[str, "os.PathLike[str]"], imports: Sequence[Union[str, "os.PathLike[str]"]] = ()) -> None:
        is_text = isinstance(program, str) and ("{" in program or "\n" in program)
        self.folder, self.file, self.text = pathlib.Path.cwd(), "-" if is_text else os.fspath(program), str(program) if is_text else ""
        self.imports = [f"-I{os.path.abspath(folder)}" for folder in imports]

    def run(self, command: str, *options: str) -> str:
        """What a command of atlc prints about it."""
        return _tool.run(command, self.file, *options, *self.imports, text=self.text, folder=self.folder)

    def library(self, kernel: Optional[str], schedule: Optional[str]) -> pathlib.Path:
        """The folder of the compiled library."""
        chosen = [*(["-k", kernel] if kernel else []), "-s", schedule or "none"]

        def build(into: pathlib.Path) -> None:
            self.run("build", *chosen, "--name", "kernels", "--python", "-o", str(into))

        key = _cache.key_of(_tool.identity(), self.folder / self.file, self.text, *chosen, *self.imports)
        return _cache.cached(key, build, self.folder)


def _module(folder: pathlib.Path) -> types.ModuleType:
    name = f"atlc._compiled_{folder.parent.name}_{folder.name}"
    if name not in sys.modules:
        package = folder / "kernels"
        spec = importlib.util.spec_from_file_location(name, package / "__init__.py", submodule_search_locations=[str(package)])
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name]


class Kernel:
    """A kernel of a program, as it is written or under a schedule. It is called like a function."""

    def __init__(self, program: Program, kernel: Optional[str], schedule: Optional[str]) -> None:
        self._program, self._schedule = program, schedule
        self._folder = program.library(kernel, schedule)
        module = _module(self._folder)
        names = [k["name"] for k in json.loads((self._folder / "kernels.json").read_text(encoding="utf-8"))["kernels"]]
        if len(names) != 1:
            raise ValueError(f"{'the text' if program.text else program.file} has the kernels {', '.join(names)}: choose one, kernel=\"{names[0]}\"")
        self.name: str = names[0]
        self._function = getattr(module, module.__all__[0])
        self.__doc__ = self._function.__doc__
        self.__name__ = self._function.__name__
        self.__signature__ = inspect.signature(self._function)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._function(*arguments, **named)

    def schedule(self, name: str) -> "Kernel":
        """The kernel under that schedule of the program; several, as "fast,avx2,none", are chosen from by the CPU."""
        return Kernel(self._program, self.name, name)

    @functools.cached_property
    def schedules(self) -> List[str]:
        """The names of its schedules."""
        text = self._program.run("show", "--stage", "parsed")
        return re.findall(rf"^schedule (\S+) for {re.escape(self.name)}\b", text, re.MULTILINE)

    def _choice(self) -> List[str]:
        return ["-k", self.name, "-s", self._schedule or "none"]

    @functools.cached_property
    def c(self) -> Text:
        """The C that is called."""
        return Text((self._folder / "kernels.c").read_text(encoding="utf-8"))

    @functools.cached_property
    def loops(self) -> Text:
        """The loop nest."""
        return Text(self._program.run("show", *self._choice(), "--stage", "loops"))

    @functools.cached_property
    def obligations(self) -> Obligations:
        """What was proved."""
        with tempfile.TemporaryDirectory() as folder:
            printed = self._program.run("prove", *self._choice(), "--json", "-o", folder)
        return Obligations(Obligation(*(o[field] for field in Obligation._fields))
                           for kernel in json.loads(printed)["kernels"] for o in kernel["obligations"])

    def __repr__(self) -> str:
        under = f" under {self._schedule}" if self._schedule else ""
        return f"<atlc.Kernel {self.name}{self.__signature__}{under}>"

    def _repr_html_(self) -> str:
        under = f" under {html.escape(self._schedule)}" if self._schedule else ""
        return (f"<b>{html.escape(self.name)}</b>{under}<pre>{html.escape(self.__doc__ or '')}</pre>"
                f"<details><summary>C</summary>{self.c._repr_html_()}</details>")


def compile(program: Union[str, "os.PathLike[str]"], kernel: Optional[str] = None, schedule: Optional[str] = None,
            imports: Sequence[Union[str, "os.PathLike[str]"]] = ()) -> Kernel:
    """The kernel of a program: a text of atlc's language, or the name of a file.

    `kernel` names one of several kernels, `schedule` one of its schedules. In the folders of `imports`, imported files are
    looked for. CompileError: atlc refuses the program."""
    return Kernel(Program(program, imports), kernel, schedule)
