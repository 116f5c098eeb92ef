#include "driver/automatic.h"

#include <algorithm>
#include <vector>

namespace atl::driver {

namespace {

// Such a mistake is one of the strategy's text, whatever the kernel is.
bool is_in_the_text(const Diagnostic &problem) {
  switch (problem.code) {
  case Code::unknown_step:
  case Code::data_in_step:
  case Code::not_a_schedule:
  case Code::wrong_step_argument:
  case Code::step_usage:
  case Code::wrong_argument_count: return true;
  default: return false;
  }
}

bool has_mistake(const Attempt &attempt) {
  return std::any_of(attempt.problems.begin(), attempt.problems.end(), is_in_the_text);
}

} // namespace

// Most often the best candidates do. If not, those of the first part are tried with nothing done about the
// others, then those of the second one with what was found for the first, and so on. In the end nothing is
// done about any of them, and what is wrong then is wrong with the rest of the schedule. A mistake in the
// text of a strategy is told: it is no reason to try another.
Attempt choose_automatically(const schedule::Automatic &automatic,
                             const std::function<Attempt(const schedule::Automatic &)> &attempt) {
  Attempt now = attempt(automatic);
  if (now.problems.empty() || has_mistake(now))
    return now;
  schedule::Automatic one_by_one = automatic;
  one_by_one.further = schedule::choose_nothing;
  std::vector<std::size_t> &choices = one_by_one.choices;
  choices = {now.compiled.chosen.size() <= 1 ? std::size_t{1} : 0}; // of a single part, the first was tried
  for (;;) {
    now = attempt(one_by_one);
    const std::vector<schedule::Chosen> &chosen = now.compiled.chosen;
    const bool fits = now.problems.empty();
    const bool is_last = chosen.size() < choices.size() || // or with nothing done about this part, either
                         (fits ? choices.size() == chosen.size() : !chosen[choices.size() - 1].taken());
    if (is_last || has_mistake(now))
      return now;
    if (fits)
      choices.push_back(0);
    else
      ++choices.back();
  }
}

} // namespace atl::driver
