"""A C compiler that does nothing, for tests that want the C alone."""
SCRIPT = '#!/bin/sh\nwhile [ $# -gt 0 ]; do [ "$1" = -o ] && : >"$2"; shift; done\n'


def write_compiler(folder):
    """Its path; it makes an empty file of what it should."""
    path = folder / "cc"
    path.write_text(SCRIPT, encoding="utf-8")
    path.chmod(0o755)
    return path
