#include "atl/parse/parse.h"

#include "atl/parse/elaborate.h"
#include "atl/parse/load.h"

#include <fmt/format.h>

namespace atl {

constexpr std::size_t most_definitions = 20000; // of all files together

Result<Program> parse_program(Sources &sources, std::uint32_t file, const Importer *importer) {
  parse::Reporter reporter;
  const parse::Loaded loaded = parse::load(sources, file, importer, reporter);
  if (loaded.definitions.empty() && !reporter.has_errors())
    reporter.report(Code::syntax_error, {file, 0, 0},
                    "there are no definitions; a program has at least one kernel");
  if (loaded.definitions.size() > most_definitions) {
    reporter.report(Code::program_too_large, loaded.definitions[most_definitions].node.span,
                    fmt::format("there are {} definitions, and {} at most are compiled",
                                loaded.definitions.size(), most_definitions));
    return reporter.take();
  }
  parse::Names names(sources, reporter, loaded);
  Program program = parse::Elaborator(sources, names, reporter).elaborate(loaded.definitions);
  while (!reporter.has_errors() && names.rename_hidden())
    program = parse::Elaborator(sources, names, reporter).elaborate(loaded.definitions);
  if (reporter.has_errors())
    return reporter.take();
  return program;
}

} // namespace atl
