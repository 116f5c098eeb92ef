// Text to syntax tree. The grammar is in grammar.cpp (the only file that includes Boost.Spirit X3) and
// docs/language.md.
#pragma once
#include "atl/base/result.h"
#include "atl/base/source.h"
#include "atl/syntax/program.h"

#include <functional>
#include <optional>
#include <string>

namespace atl {

// Reads an imported file; nothing if it cannot be read. `path` is the importing file's folder joined with the
// path that the import gives: "lib/filters.atl" for `import "filters.atl";` in "lib/all.atl".
using ReadFile = std::function<std::optional<std::string>(const std::string &path)>;

// Parses sources.at(file) and everything it imports (added to sources). Names are resolved: an identifier in
// an expression is a size, loop variable or constant (Index), or a tensor, scalar, function or kernel;
// anything else is a diagnostic. Several errors are reported in one run: syntax errors recover at the next
// top-level definition.
Result<Program> parse_program(Sources &sources, std::uint32_t file, const ReadFile &read);

} // namespace atl
