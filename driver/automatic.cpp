#include "driver/automatic.h"

#include <utility>

namespace atl::driver {

// Most often the best candidates do. If not, those of the first part are tried with nothing done about the
// others, then those of the second one with what was found for the first, and so on. In the end nothing is
// done about any of them, and what is wrong then is wrong with the rest of the schedule.
Attempt choose_automatically(const schedule::Automatic &automatic,
                             const std::function<Attempt(const schedule::Automatic &)> &attempt) {
  Attempt now = attempt(automatic);
  const std::size_t first_choice = now.compiled.chosen.size() <= 1 ? 1 : 0; // that was it
  schedule::Automatic one_by_one = automatic;
  one_by_one.further = schedule::choose_nothing;
  while (!now.problems.empty() || one_by_one.choices.size() < now.compiled.chosen.size()) {
    const std::size_t part = one_by_one.choices.size();
    if (part == 0 && now.problems.empty())
      return now;
    one_by_one.choices.push_back(part == 0 ? first_choice : 0);
    for (bool found = false; !found; ++one_by_one.choices.back()) {
      now = attempt(one_by_one);
      found = now.problems.empty();
      const bool was_last = part >= now.compiled.chosen.size() ||
                            one_by_one.choices.back() >= now.compiled.chosen[part].decision.candidates.size();
      if (!found && was_last)
        return now;
      if (found)
        break;
    }
  }
  return now;
}

} // namespace atl::driver
