#include "atl/parse/reporter.h"

#include <algorithm>
#include <tuple>

namespace atl::parse {

void Reporter::add(Diagnostic diagnostic) {
  if (!is_full())
    errors_.push_back(std::move(diagnostic));
}

void Reporter::add_note(std::size_t first, const Note &note) {
  for (std::size_t i = first; i < errors_.size(); ++i)
    errors_[i].notes.push_back(note);
}

Diagnostics Reporter::take() {
  auto place = [](const Diagnostic &d) {
    return d.span ? std::tuple(d.span->file, d.span->begin) : std::tuple(0U, 0U);
  };
  bool full = is_full();
  std::stable_sort(errors_.begin(), errors_.end(),
                   [&](const Diagnostic &a, const Diagnostic &b) { return place(a) < place(b); });
  if (full)
    errors_.back().notes.push_back({std::nullopt, "further errors are not shown"});
  return std::move(errors_);
}

} // namespace atl::parse
