#include "atl/parse/parse.h"

#include "atl/parse/advise.h"
#include "atl/parse/elaborate.h"
#include "atl/parse/load.h"

#include <fmt/format.h>

namespace atl {

constexpr std::size_t most_definitions = 20000; // of all files together

static Diagnostics with_advice(Diagnostics problems, const Sources &sources) {
  constexpr std::size_t most = 10; // who has more mends these first
  for (std::size_t i = 0; i < std::min(most, problems.size()); ++i)
    parse::advise(problems[i], sources);
  return problems;
}

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
    return with_advice(reporter.take(), sources);
  return program;
}

} // namespace atl
