"""Texts as C++: embed.py OUTPUT FILE... defines text_STEM for each file."""
import pathlib
import sys

output, *files = map(pathlib.Path, sys.argv[1:])
lines = ["#pragma once", "#include <string_view>", "namespace atl::cbackend {"]
for file in files:
    text = file.read_text(encoding="utf-8")
    assert ')~"' not in text
    lines.append(f'inline constexpr std::string_view text_{file.stem} = R"~({text})~";')
output.write_text("\n".join([*lines, "}", ""]), encoding="utf-8")
