"""Writes docs/diagnostics.md from atl/base/codes.def and the programs in tests/errors.

    diagnostics_doc.py [--check]      --check: changes nothing; exit code 1 if the document is out of date
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs/diagnostics.md"
ENTRY = re.compile(r'^ATL_CODE\((\d+), (\w+), "(.*)"\)$', re.MULTILINE)
LONGEST_EXAMPLE = 30  # lines

GROUPS = {1: "Text and names", 2: "Types and ranks", 3: "Padding", 4: "Lowering", 5: "Schedules",
          6: "Hardware and emitted C", 7: "Obligations", 8: "Files and command line"}
INTRODUCTION = """# Diagnostics

Every message of `atlc` has a code, a place and a reason:

```text
blur.atl:3:19: error[E7001]: ...
```

The first digit says which stage found it. Codes do not change their meaning. This page is made by `scripts/diagnostics_doc.py` from
`atl/base/codes.def` and the programs in `tests/errors`, where each example stands with the message that it must give (`//` comments under the
place). Obligations (7xxx) are claims about all sizes; a refuted one is reported with the smallest sizes at which it fails.
"""


def programs(code):
    return sorted((ROOT / "tests/errors").glob(f"E{code}_*.atl"))


def example(code):
    """The shortest program of tests/errors for this code, if one is short enough to show."""
    texts = [path.read_bytes() for path in programs(code)]
    printable = []
    for text in texts:
        try:
            decoded = text.decode("utf-8").strip("\n")
        except UnicodeDecodeError:
            continue
        if decoded.replace("\n", "").isprintable():
            printable.append(decoded)
    shortest = min(printable, key=lambda text: (text.count("\n"), len(text)), default=None)
    return shortest if shortest and shortest.count("\n") < LONGEST_EXAMPLE and len(shortest) < 2000 else None


def document():
    lines = [INTRODUCTION]
    group = None
    for number, name, meaning in ENTRY.findall((ROOT / "atl/base/codes.def").read_text()):
        if number[0] != group:
            group = number[0]
            lines.append(f"## {GROUPS[int(group)]} ({group}xxx)\n")
        lines.append(f"### E{number} {name.replace('_', ' ')}\n\n{meaning[0].upper()}{meaning[1:]}.\n")
        if shown := example(number):
            lines.append(f"```\n{shown}\n```\n")
        elif paths := programs(number):
            names = ", ".join(f"[{path.name}](../tests/errors/{path.name})" for path in paths)
            lines.append(f"Examples: {names}.\n")
    return "\n".join(lines)


def main():
    text = document()
    if "--check" not in sys.argv[1:]:
        DOCUMENT.write_text(text, encoding="utf-8")
        return 0
    if DOCUMENT.is_file() and DOCUMENT.read_text(encoding="utf-8") == text:
        return 0
    print("docs/diagnostics.md is out of date: run scripts/diagnostics_doc.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
