#include "lowering/nest/versions.h"

#include <algorithm>

namespace atl::lowering {

std::vector<Pred> conditions_in_order(const Block &body) {
  std::vector<Pred> all, none_before;
  for (const Stmt &stmt : body) {
    const If *branch = std::get_if<If>(&stmt.node);
    const std::vector<Pred> parts = branch ? conjuncts(branch->pred) : std::vector<Pred>{};
    const auto same = [](const Pred &a, const Pred &b) { return equal(a, b); };
    if (parts.size() < std::max<std::size_t>(none_before.size(), 1) ||
        !std::equal(none_before.begin(), none_before.end(), parts.begin(), same))
      return {};
    Pred when = truth(true);
    for (std::size_t i = none_before.size(); i < parts.size(); ++i)
      when = conj(when, parts[i]);
    const bool is_last = &stmt == &body.back();
    if (is_last != (when->op == PredOp::truth))
      return {};
    for (const Pred &part : conjuncts(positive_form(neg(when))))
      none_before.push_back(part);
    all.push_back(std::move(when));
  }
  return all;
}

} // namespace atl::lowering
