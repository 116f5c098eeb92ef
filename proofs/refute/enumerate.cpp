// Depth-first search over sizes and variables in the order of counterexample.h; a hypothesis is checked as
// soon as its names have values.
#include "proofs/refute/counterexample.h"
#include "proofs/refute/exact.h"
#include "proofs/z3/ranges.h"

#include <algorithm>

namespace atl::proofs {

// 64 bits are faster; where they overflow the exact value decides.
static std::optional<bool> holds(const Pred &p, const Valuation &values) {
  std::optional<bool> result = evaluate(p, values);
  return result ? result : exact_value(p, values);
}

const Claim *violated_claim(const Obligation &obligation, const Valuation &values) {
  for (const Pred &hypothesis : obligation.hypotheses)
    if (holds(hypothesis, values) != true)
      return nullptr;
  for (const Claim &claim : obligation.claims)
    if (holds(claim.holds, values) == false)
      return &claim;
  return nullptr;
}

namespace {

constexpr std::int64_t widest_sum = 24;   // of sizes, above the sum of their least values
constexpr std::int64_t guessed_width = 6; // of a variable without a stated bound
constexpr std::int64_t largest = std::int64_t{1} << 62;
constexpr std::size_t size_of_a_step = 64; // subexpressions that are evaluated in one

std::vector<std::string> all_names(const Obligation &obligation) {
  std::vector<std::string> names = obligation.sizes;
  names.insert(names.end(), obligation.variables.begin(), obligation.variables.end());
  return names;
}

std::size_t size_of(const Obligation &obligation) {
  std::size_t size = 0;
  auto count = [&](const Index &) { ++size; };
  for (const Pred &hypothesis : obligation.hypotheses)
    for_each_subexpression(hypothesis, count);
  for (const Claim &claim : obligation.claims)
    for_each_subexpression(claim.holds, count);
  return size;
}

class Enumerator {
public:
  Enumerator(const Obligation &obligation, std::size_t most_steps, const Deadline &deadline)
      : obligation_(obligation), most_steps_(most_steps), deadline_(deadline), names_(all_names(obligation)),
        ranges_(obligation.hypotheses, names_), checks_(names_.size() + 1),
        extra_steps_(size_of(obligation) / size_of_a_step) {
    for (const Pred &hypothesis : obligation.hypotheses)
      checks_[last_name_of(hypothesis)].push_back(hypothesis);
    for (std::size_t i = 0; i < obligation.sizes.size(); ++i) {
      Range range = ranges_.of(i, {});
      least_.push_back(std::clamp<std::int64_t>(range.lo.value_or(0), 0, largest));
      complete_ = complete_ && range.lo && *range.lo >= 0;
    }
  }

  Enumeration run() {
    if (!hypotheses_hold(0))
      return {std::nullopt, false};
    for (std::int64_t extra = 0; extra <= widest_sum && !out_of_steps(); ++extra) {
      if (choose_size(0, extra))
        return {values_, complete_};
      if (least_.empty())
        break;
    }
    return {std::nullopt, false};
  }

private:
  // How many names must have values before the hypothesis can be checked.
  std::size_t last_name_of(const Pred &p) const {
    std::size_t last = 0;
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (mentions(p, names_[i]))
        last = i + 1;
    return last;
  }

  bool hypotheses_hold(std::size_t assigned) const {
    return std::all_of(checks_[assigned].begin(), checks_[assigned].end(),
                       [&](const Pred &p) { return holds(p, values_) == true; });
  }

  bool out_of_steps() const { return steps_ > most_steps_ || (steps_ % 1024 == 0 && deadline_.passed()); }

  bool give(std::size_t position, std::int64_t value) {
    ++steps_;
    values_[names_[position]] = value;
    return hypotheses_hold(position + 1);
  }

  // Distributes `extra` over this size and those after it, above their least values.
  bool choose_size(std::size_t position, std::int64_t extra) {
    if (position == least_.size())
      return choose_variable(position);
    bool is_last = position + 1 == least_.size();
    for (std::int64_t more = is_last ? extra : 0; more <= extra && !out_of_steps(); ++more)
      if (give(position, least_[position] + more) && choose_size(position + 1, extra - more))
        return true;
    return false;
  }

  bool choose_variable(std::size_t position) {
    if (position == names_.size()) {
      steps_ += extra_steps_;
      return violated_claim(obligation_, values_) != nullptr;
    }
    Range range = ranges_.of(position, values_);
    complete_ = complete_ && range.lo && range.hi;
    std::int64_t lo = std::clamp(
        range.lo.value_or(std::max(range.hi.value_or(guessed_width), -largest) - 2 * guessed_width), -largest,
        largest);
    std::int64_t hi = std::clamp(range.hi.value_or(lo + 2 * guessed_width), -largest, largest);
    for (std::int64_t value = std::max<std::int64_t>(lo, 0); value <= hi && !out_of_steps(); ++value)
      if (give(position, value) && choose_variable(position + 1))
        return true;
    for (std::int64_t value = std::min<std::int64_t>(hi, -1); value >= lo && !out_of_steps(); --value)
      if (give(position, value) && choose_variable(position + 1))
        return true;
    return false;
  }

  const Obligation &obligation_;
  std::size_t most_steps_;
  const Deadline &deadline_;
  std::vector<std::string> names_;
  Ranges ranges_;
  std::vector<std::vector<Pred>> checks_; // by the number of names that must have values
  std::vector<std::int64_t> least_;       // of each size
  std::size_t extra_steps_;               // that it takes to evaluate a long obligation
  Valuation values_;
  std::size_t steps_ = 1;
  bool complete_ = true;
};

} // namespace

Enumeration enumerate_small(const Obligation &obligation, std::size_t most_steps, const Deadline &deadline) {
  return Enumerator(obligation, most_steps, deadline).run();
}

} // namespace atl::proofs
