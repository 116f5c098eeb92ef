// The clause `rounding contract, reorder` of a kernel: what schedules may do to its floats, besides giving
// the same results bit by bit.
#pragma once
#include "atl/base/span.h"

#include <array>
#include <optional>
#include <set>
#include <string_view>

namespace atl {

enum class Rounding { contract, reorder, distribute, zeros };

struct RoundingRow {
  Rounding rounding;
  std::string_view word, meaning;
};
inline constexpr std::array<RoundingRow, 4> roundings{{
    {Rounding::contract, "contract", "a product and a sum may be rounded once"},
    {Rounding::reorder, "reorder", "reductions may combine their terms in any order and grouping"},
    {Rounding::distribute, "distribute", "a factor may be moved into a sum, and out of it"},
    {Rounding::zeros, "zeros", "a product with 0 may be taken for 0"},
}};

constexpr std::string_view word_of(Rounding rounding) {
  return roundings[static_cast<std::size_t>(rounding)].word;
}
constexpr std::optional<Rounding> rounding_named(std::string_view word) {
  for (const RoundingRow &row : roundings)
    if (row.word == word)
      return row.rounding;
  return std::nullopt;
}

struct RoundingClause {
  std::set<Rounding> allowed = {};
  Span behind = {}; // empty: where more words, or the clause, can be written
};

} // namespace atl
