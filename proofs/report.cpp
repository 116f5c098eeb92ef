#include "proofs/report.h"

#include "atl/base/check.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace atl::proofs {

static std::string result_word(Verdict::Status status) {
  switch (status) {
  case Verdict::Status::proved: return "proved";
  case Verdict::Status::refuted: return "refuted";
  case Verdict::Status::unknown: return "unknown";
  }
  ATL_CHECK(false, "a verdict without a word");
}

std::vector<std::string> obligation_ids(const std::vector<Obligation> &obligations) {
  std::map<std::string, int> counts;
  std::vector<std::string> ids;
  for (const Obligation &obligation : obligations) {
    std::string family = fmt::format("{}.{}", obligation.kernel, name(obligation.kind));
    ids.push_back(fmt::format("{}.{}", family, ++counts[family]));
  }
  return ids;
}

ObligationRow make_row(std::string id, const Obligation &obligation, const Verdict &verdict,
                       const Sources &sources) {
  return {std::move(id),       std::string(name(obligation.kind)), sources.where(obligation.span),
          obligation.what,     result_word(verdict.status),        verdict.prover,
          verdict.milliseconds};
}

std::string styled(const std::string &result, const Style &style) {
  return style(result == "proved" ? Mark::good : result == "refuted" ? Mark::bad : Mark::doubtful, result);
}

std::string table(const std::vector<ObligationRow> &rows, const Style &style) {
  using Line = std::array<std::string, 6>;
  std::vector<Line> lines{{"obligation", "where", "result", "prover", "ms", "claim"}};
  std::map<std::string, std::size_t> counts;
  double total = 0;
  for (const ObligationRow &row : rows) {
    lines.push_back({row.id, row.where, row.result, row.prover, fmt::format("{:.2f}", row.ms), row.what});
    ++counts[row.result];
    total += row.ms;
  }
  std::array<std::size_t, 6> widths{};
  for (const Line &line : lines)
    for (std::size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], line[i].size());
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line &l = lines[i];
    const std::string result = i == 0 ? l[2] : styled(l[2], style), gap(widths[2] - l[2].size(), ' ');
    text += fmt::format("{:<{}}  {:<{}}  {}{}  {:<{}}  {:>{}}  {}\n", l[0], widths[0], l[1], widths[1],
                        result, gap, l[3], widths[3], l[4], widths[4], l[5]);
  }
  return text + fmt::format("{} obligations: {} proved, {} refuted, {} unknown, {:.1f} ms\n", rows.size(),
                            counts["proved"], counts["refuted"], counts["unknown"], total);
}

nlohmann::ordered_json to_json(const ObligationRow &row) {
  return {{"id", row.id},
          {"kind", row.kind},
          {"where", row.where},
          {"what", row.what},
          {"result", row.result},
          {"prover", row.prover},
          {"ms", std::round(row.ms * 1000) / 1000}};
}

nlohmann::ordered_json to_json(const std::vector<ObligationRow> &rows) {
  nlohmann::ordered_json array = nlohmann::ordered_json::array();
  for (const ObligationRow &row : rows)
    array.push_back(to_json(row));
  return array;
}

} // namespace atl::proofs
