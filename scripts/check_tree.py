"""Checks what no compiler checks about the source tree.

    check_tree.py [ROOT]

- an #include names only the own room or one above it in the table of docs/internals.md,
- a source file has at most 500 lines, headers have `#pragma once`, no work is left for later in a comment,
- no line of a document is longer than 100 columns, blocks of code and output aside,
- no line of the Coq library is longer than 100 columns,
- the files of the Coq library that a sceptic reads prove nothing, and its README lists them,
- no diagnostic code is used twice, those about files have a test, and docs/diagnostics.md lists them all,
- every link of the documents to a file of this tree leads somewhere, and documents that comments name exist.

Prints one line per problem, then `N passed, N failed` (checks, not problems).
"""
import re
import subprocess
import sys
from pathlib import Path

LONGEST = 500
WIDEST = 100
SOURCES = {".cpp", ".h", ".c", ".py", ".def", ".atl", ".build", ".sh", ""}
# Spelled so that this file does not find itself.
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([a-z0-9_/]+)/[a-z0-9_.]+"', re.MULTILINE)
ROOM = re.compile(r"^\| `([a-z0-9_/]+)/` \|", re.MULTILINE)  # a row of the table of rooms
FENCE = re.compile(r"^ *```")
# The first line of a file of the Coq library that one has to read, as a whole or up to this section.
SCEPTIC = re.compile(r"\(\*\* Read this to believe a theorem(, up to the section on lowering)?\. \*\)\n")
LOWERING = "(** ** Lowering, and the laws"
PROVES = re.compile(r"\b(Lemma|Theorem|Corollary|Fact|Remark|Proof|Qed|Defined|Admitted|Instance|Ltac)\b")
COQ_COMMENT = re.compile(r"\(\*.*?\*\)", re.DOTALL)
LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
DOCUMENT = re.compile(r"\b[A-Za-z-]+\.md\b")
FIRST_FILE_CODE = 8000  # from here on codes are about files and the command line


def tracked_files(root):
    """The files under version control, or, in a copy without it, all that are not build products."""
    listed = subprocess.run(["git", "-c", "safe.directory=*", "ls-files"], cwd=root, capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        names = listed.stdout.splitlines()
    else:
        names = [str(path.relative_to(root)) for path in root.rglob("*")]
        names = [name for name in names if not name.startswith(("build", ".git/"))]
    return [root / name for name in names if (root / name).is_file()]


def is_source(path):
    return path.suffix in SOURCES and path.name not in ("LICENSE", ".gitignore")


def room_of(folder):
    """Operators are a part of the syntax."""
    return str(folder).removesuffix("/ops")


def include_direction(root, files):
    table = (root / "docs/internals.md").read_text().split("## The rooms\n")[1].split("\n## ")[0]
    rooms = ROOM.findall(table)
    top_folders = {room.split("/")[0] for room in rooms}
    for path in files:
        room = room_of(path.relative_to(root).parent)
        if room.split("/")[0] not in top_folders or path.suffix not in (".cpp", ".h"):
            continue
        if room not in rooms:
            yield f"{path}: {room}/ is not in the table of rooms of docs/internals.md"
            continue
        for included in map(room_of, INCLUDE.findall(path.read_text())):
            if included not in rooms:
                yield f"{path}: includes {included}/, which is no room"
            elif rooms.index(included) > rooms.index(room):
                yield f"{path}: {room}/ includes {included}/, which comes later"


def file_lengths(_, files):
    for path in filter(is_source, files):
        lines = path.read_bytes().count(b"\n")
        if lines > LONGEST:
            yield f"{path}: {lines} lines, at most {LONGEST}"


def coq_widths(root, files):
    for path in files:
        if path.suffix == ".v" and path.is_relative_to(root / "proofs/coq"):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if len(line) > WIDEST:
                    yield f"{path}:{number}: {len(line)} columns, at most {WIDEST}"


def document_widths(root, files):
    """Code and output in fenced blocks keep the width that they have; so does a line that is one long word, such as a link."""
    for path in files:
        if path.suffix != ".md":
            continue
        fenced = False
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if FENCE.match(line):
                fenced = not fenced
            elif not fenced and len(line) > WIDEST and " " in line.strip():
                yield f"{path}:{number}: {len(line)} columns, at most {WIDEST}"
def sceptic_files(root, files):
    """Those that are marked contain definitions only, and are those that the library's README lists."""
    library = root / "proofs/coq"
    marked = set()
    for path in files:
        text = path.read_text() if path.suffix == ".v" and path.is_relative_to(library) else ""
        mark = SCEPTIC.match(text)
        if not mark:
            continue
        marked.add(str(path.relative_to(library)))
        if mark[1] and LOWERING not in text:
            yield f"{path}: no section on lowering"
        definitions = text.split(LOWERING)[0] if mark[1] else text
        for word in sorted(set(PROVES.findall(COQ_COMMENT.sub("", definitions)))):
            yield f"{path}: a sceptic reads it, and it has a {word}"
    readme = (library / "README.md").read_text()
    listed = set(re.findall(r"^\| `([a-zA-Z/]+\.v)` \|", readme.split("## What is proved")[0], re.MULTILINE))
    for name in sorted(marked ^ listed):
        yield f"proofs/coq/README.md: {name} is {'marked and not listed' if name in marked else 'listed and not marked'}"


def unfinished_work(_, files):
    for path in filter(is_source, files):
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            if UNFINISHED.search(line):
                yield f"{path}:{number}: {line.strip()}"


def header_guards(_, files):
    for path in files:
        if path.suffix == ".h" and path.parts[-2] != "tests" and "#pragma once" not in path.read_text():
            yield f"{path}: no #pragma once"


def codes(root):
    return [int(number) for number in re.findall(r"^ATL_CODE\((\d+),", (root / "atl/base/codes.def").read_text(), re.MULTILINE)]


def tested_codes(root, files):
    """Codes about files and the command line; tests/errors checks for itself that it has a program for each of the others."""
    texts = "".join(path.read_text() for path in files if path.parent == root / "tests/e2e" and path.suffix == ".py")
    for code in codes(root):
        if code >= FIRST_FILE_CODE and f"E{code}" not in texts:
            yield f"E{code}: not mentioned in tests/e2e"


def unique_codes(root, _):
    seen = codes(root)
    for code in sorted({code for code in seen if seen.count(code) > 1}):
        yield f"atl/base/codes.def: {code} is used twice"


def documented_codes(root, _):
    done = subprocess.run([sys.executable, root / "scripts/diagnostics_doc.py", "--check"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        yield (done.stdout + done.stderr).strip()


def documents_named(_, files):
    """A document that a comment names is one of this tree."""
    known = {path.name for path in files if path.suffix == ".md"}
    for path in files:
        if path.suffix in (".h", ".cpp", ".c", ".v", ".py", ".build", ".def"):
            for name in sorted(set(DOCUMENT.findall(path.read_text())) - known):
                yield f"{path}: there is no document {name}"


def links(root, files):
    for path in files:
        if path.suffix == ".md":
            for target in LINK.findall(path.read_text()):
                if not (path.parent / target).exists():
                    yield f"{path}: the link to {target} leads nowhere"


CHECKS = [include_direction, file_lengths, coq_widths, sceptic_files, document_widths, unfinished_work, header_guards,
          unique_codes, tested_codes, documented_codes, documents_named, links]


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    files = tracked_files(root)
    failed = 0
    for check in CHECKS:
        problems = list(check(root, files))
        for problem in problems:
            print(f"{check.__name__}: {problem.replace(str(root) + '/', '')}")
        failed += bool(problems)
    print(f"{len(CHECKS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
