#include "driver/library.h"

#include "driver/in_time.h"
#include "proofs/reader/reader.h"

#include <chrono>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace atl::driver {

using Clock = std::chrono::steady_clock;

static void read_back(Library &library, proofs::Prover &prover) {
  Clock::time_point start = Clock::now();
  const cbackend::File &header = library.c.header, &source = library.c.source;
  proofs::reader::Reading reading = proofs::reader::read_back(
      {library.c.name, header.name, header.text, source.text, library.sources.add({header.name, header.text}),
       library.sources.add({source.name, source.text})},
      library.kernels);
  library.problems = std::move(reading.differences);
  const std::vector<proofs::Verdict> verdicts = prover.decide_all(reading.conditions);
  for (std::size_t i = 0; i < verdicts.size(); ++i)
    if (auto problem = proofs::explain(reading.conditions[i], verdicts[i]))
      library.problems.push_back(std::move(*problem));
  library.functions = reading.functions;
  library.conditions = reading.conditions.size();
  library.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

Library make_library(const std::string &name, std::vector<lowering::LoopKernel> kernels,
                     proofs::Prover &prover, const cbackend::Packaging &packaging) {
  Library library{{}, std::move(kernels), {}, {}};
  auto late = in_time(prover.timeout_ms(), "emitting the C of " + name, std::nullopt,
                      [&] { library.c = cbackend::emit_library(name, library.kernels, packaging); });
  if (!late)
    late = in_time(prover.timeout_ms(), "reading back the C of " + name, std::nullopt,
                   [&] { read_back(library, prover); });
  if (late)
    library.problems = {*late};
  library.late = late.has_value();
  return library;
}

std::string summary(const Library &library) {
  return fmt::format("C text: {} functions read back, {:.1f} ms: {}\n", library.functions,
                     library.milliseconds,
                     library.ok() ? "each says what its loop nest says" : "not what the loop nests say");
}

nlohmann::ordered_json to_json(const Library &library) {
  return {{"ok", library.ok()},
          {"functions", library.functions},
          {"conditions", library.conditions},
          {"ms", library.milliseconds}};
}

} // namespace atl::driver
