#include "driver/read_back.h"

#include "proofs/reader/reader.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace atl::driver {

using Clock = std::chrono::steady_clock;

ReadBack read_back(const std::string &library, const cbackend::Files &files,
                   const std::vector<lowering::LoopKernel> &kernels, proofs::Prover &prover) {
  Clock::time_point start = Clock::now();
  auto header =
      std::find_if(files.begin(), files.end(), [](const auto &f) { return f.first.ends_with(".h"); });
  const std::string source = library + ".c";
  ReadBack result;
  proofs::reader::Emitted emitted{library, header->first, header->second, files.at(source)};
  emitted.header_file = result.sources.add({header->first, header->second});
  emitted.source_file = result.sources.add({source, files.at(source)});
  proofs::reader::Reading reading = proofs::reader::read_back(emitted, kernels);
  result.problems = std::move(reading.differences);
  for (const Obligation &condition : reading.conditions)
    if (auto problem = proofs::explain(condition, prover.decide(condition)))
      result.problems.push_back(std::move(*problem));
  result.functions = reading.functions;
  result.conditions = reading.conditions.size();
  result.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  return result;
}

std::string summary(const ReadBack &reading) {
  return fmt::format("C text: {} functions read back, {:.1f} ms: {}\n", reading.functions,
                     reading.milliseconds,
                     reading.ok() ? "each says what its loop nest says" : "not what the loop nests say");
}

nlohmann::ordered_json to_json(const ReadBack &reading) {
  return {{"ok", reading.ok()},
          {"functions", reading.functions},
          {"conditions", reading.conditions},
          {"ms", reading.milliseconds}};
}

} // namespace atl::driver
