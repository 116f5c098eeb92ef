#include "atl/base/spelling.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <numeric>

namespace atl {

// The number of insertions, deletions, replacements and swaps of neighbours that make `b` of `a`.
static std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1), before; // of the letters of a before this one, and before that
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    const std::vector<std::size_t> last = row;
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = last;
  }
  return row[b.size()];
}

// British and American spelling, and upper and lower case, are no difference.
static std::string spelled_alike(std::string_view name) {
  std::string text(name);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  struct Pair {
    std::string_view british, american;
  };
  constexpr Pair pairs[] = {
      {"isation", "ization"}, {"ise", "ize"},     {"ising", "izing"}, {"yse", "yze"},      {"our", "or"},
      {"centre", "center"},   {"metre", "meter"}, {"grey", "gray"},   {"elling", "eling"}, {"elled", "eled"}};
  for (const Pair &pair : pairs)
    for (auto at = text.find(pair.british); at != std::string::npos; at = text.find(pair.british, at + 1))
      text.replace(at, pair.british.size(), pair.american);
  return text;
}

std::string closest_name(std::string_view name, const std::vector<std::string_view> &candidates) {
  constexpr std::size_t too_many = 10000, too_long = 100; // a suggestion is not worth the time
  if (candidates.size() > too_many || name.size() > too_long)
    return {};
  const std::string plain = spelled_alike(name);
  for (std::string_view candidate : candidates)
    if (candidate != name && spelled_alike(candidate) == plain)
      return std::string(candidate);
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(name.size(), 3) / 3 + 1; // must come below
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
