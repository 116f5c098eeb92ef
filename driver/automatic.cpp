#include "driver/automatic.h"

#include <vector>

namespace atl::driver {

// Most often the best candidates do. If not, those of the first part are tried with nothing done about the
// others, then those of the second one with what was found for the first, and so on. In the end nothing is
// done about any of them, and what is wrong then is wrong with the rest of the schedule.
Attempt choose_automatically(const schedule::Automatic &automatic,
                             const std::function<Attempt(const schedule::Automatic &)> &attempt) {
  Attempt now = attempt(automatic);
  if (now.problems.empty())
    return now;
  schedule::Automatic one_by_one = automatic;
  one_by_one.further = schedule::choose_nothing;
  std::vector<std::size_t> &choices = one_by_one.choices;
  choices = {now.compiled.chosen.size() <= 1 ? std::size_t{1} : 0}; // of a single part, the first was tried
  for (;;) {
    now = attempt(one_by_one);
    const std::vector<schedule::Chosen> &chosen = now.compiled.chosen;
    if (now.problems.empty()) {
      if (choices.size() >= chosen.size())
        return now;
      choices.push_back(0);
    } else if (chosen.size() < choices.size() || !chosen[choices.size() - 1].taken()) {
      return now; // with nothing done about this part, either
    } else {
      ++choices.back();
    }
  }
}

} // namespace atl::driver
