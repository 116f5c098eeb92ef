#include "proofs/z3/ranges.h"

#include <algorithm>

namespace atl::proofs {

Ranges::Ranges(const std::vector<Pred> &hypotheses, const std::vector<std::string> &names)
    : bounds_(names.size()) {
  for (std::size_t i = 0; i < names.size(); ++i)
    position_.emplace(names[i], i);
  for (const Pred &hypothesis : hypotheses)
    for (const StatedBound &stated : stated_bounds(hypothesis))
      learn(stated);
}

// Of a bound that names the earlier ones only.
void Ranges::learn(const StatedBound &stated) {
  auto found = position_.find(stated.variable);
  if (found == position_.end() || stated.op == PredOp::ne)
    return;
  std::set<std::string> others;
  collect_variables(stated.value, others);
  for (const std::string &other : others)
    if (auto at = position_.find(other); at == position_.end() || at->second >= found->second)
      return;
  std::vector<Bound> &bounds = bounds_[found->second];
  if (stated.op != PredOp::lt && stated.op != PredOp::le)
    bounds.push_back({true, stated.value, stated.op == PredOp::gt ? 1 : 0});
  if (stated.op != PredOp::gt && stated.op != PredOp::ge)
    bounds.push_back({false, stated.value, stated.op == PredOp::lt ? -1 : 0});
}

Range Ranges::of(std::size_t position, const Valuation &earlier) const {
  Range range;
  for (const Bound &bound : bounds_[position]) {
    std::optional<std::int64_t> value = evaluate(add(bound.value, constant(bound.offset)), earlier);
    if (value && bound.is_lower)
      range.lo = std::max(*value, range.lo.value_or(*value));
    if (value && !bound.is_lower)
      range.hi = std::min(*value, range.hi.value_or(*value));
  }
  return range;
}

} // namespace atl::proofs
