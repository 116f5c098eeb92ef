// Text to syntax tree. The grammar is in grammar.cpp (the only file that includes Boost.Spirit X3) and
// docs/language.md.
#pragma once
#include "atl/base/result.h"
#include "atl/base/source.h"
#include "atl/syntax/program.h"

#include <string>

namespace atl {

// Finds and reads imported files.
class Importer {
public:
  struct Found {
    std::string name;     // for messages; imports in it are relative to its folder
    std::string identity; // of the file: equal for other names of it
  };
  virtual ~Importer() = default;
  // `path` as the import gives it, `from` the name of the importing file. The errors of both are without a
  // place.
  virtual Result<Found> find(const std::string &path, const std::string &from) const = 0;
  virtual Result<std::string> read(const std::string &name) const = 0;
};

// Parses sources.at(file) and everything it imports (added to sources), each file once. Names are resolved:
// an identifier in an expression is a size, loop variable or constant (Index), or a tensor, scalar, function
// or kernel; anything else is a diagnostic. Several errors are reported in one run: syntax errors recover at
// the next top-level definition. Without an importer, no file is found.
Result<Program> parse_program(Sources &sources, std::uint32_t file, const Importer *importer = nullptr);

} // namespace atl
