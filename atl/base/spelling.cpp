#include "atl/base/spelling.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace atl {

// The number of insertions, deletions and replacements that make `b` of `a`.
static std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

std::string closest_name(std::string_view name, const std::vector<std::string_view> &candidates) {
  constexpr std::size_t too_many = 10000, too_long = 100; // a suggestion is not worth the time
  if (candidates.size() > too_many || name.size() > too_long)
    return {};
  std::string best;
  std::size_t best_distance = std::min<std::size_t>(3, name.size()); // must come below
  for (std::string_view candidate : candidates) {
    std::size_t gap = std::max(candidate.size(), name.size()) - std::min(candidate.size(), name.size());
    std::size_t distance = gap < best_distance ? edit_distance(name, candidate) : gap;
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string_view> &candidates) {
  const std::string closest = closest_name(name, candidates);
  return closest.empty() ? "" : fmt::format("did you mean '{}'?", closest);
}

} // namespace atl
