#include "proofs/z3/ranges.h"

#include <algorithm>

namespace atl::proofs {

Ranges::Ranges(const std::vector<Pred> &hypotheses, const std::vector<std::string> &names)
    : bounds_(names.size()) {
  for (std::size_t i = 0; i < names.size(); ++i)
    position_.emplace(names[i], i);
  for (const Pred &hypothesis : hypotheses)
    learn(hypothesis);
}

void Ranges::learn(const Pred &p) {
  if (p->op == PredOp::conj) {
    learn(p->a);
    learn(p->b);
  }
  if (!p->lhs || p->op == PredOp::ne)
    return;
  learn(p->lhs, p->op, p->rhs);
  learn(p->rhs, comparison(p->op).mirrored, p->lhs);
}

void Ranges::learn(const Index &name, PredOp op, const Index &value) {
  auto found = name->op == IndexOp::variable ? position_.find(name->name) : position_.end();
  if (found == position_.end())
    return;
  std::set<std::string> others;
  collect_variables(value, others);
  for (const std::string &other : others)
    if (auto at = position_.find(other); at == position_.end() || at->second >= found->second)
      return;
  std::vector<Bound> &bounds = bounds_[found->second];
  if (op != PredOp::lt && op != PredOp::le)
    bounds.push_back({true, value, op == PredOp::gt ? 1 : 0});
  if (op != PredOp::gt && op != PredOp::ge)
    bounds.push_back({false, value, op == PredOp::lt ? -1 : 0});
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
