// Decided obligations as rows: the table of `atlc prove`, and the objects of `check --json`.
#pragma once
#include "proofs/discharge.h"

#include <nlohmann/json_fwd.hpp>

namespace atl::proofs {

struct ObligationRow {
  std::string
      id; // kernel.kind.N: N counts from 1 within kernel and kind, in the order the obligations were made
  std::string kind, where, what;
  std::string result; // "proved", "refuted" or "unknown"
  std::string prover;
  double ms = 0;
};

std::vector<std::string> obligation_ids(const std::vector<Obligation> &obligations);
ObligationRow make_row(std::string id, const Obligation &obligation, const Verdict &verdict,
                       const Sources &sources);

std::string styled(const std::string &result, const Style &style); // green, red, or neither
std::string table(const std::vector<ObligationRow> &rows,
                  const Style &style = Style()); // a heading, a line per row, and a line of totals
nlohmann::ordered_json to_json(const ObligationRow &row);
nlohmann::ordered_json to_json(const std::vector<ObligationRow> &rows); // an array

} // namespace atl::proofs
