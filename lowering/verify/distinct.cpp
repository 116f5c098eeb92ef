#include "lowering/verify/distinct.h"

namespace atl::lowering {

bool Distinct::is_new(const Obligation &o) {
  std::string text(name(o.kind));
  for (const Claim &claim : o.claims)
    text += "|- " + to_string(claim.holds);
  for (const Pred &hypothesis : o.hypotheses)
    text += "\n" + to_string(hypothesis);
  return said_.insert(std::move(text)).second;
}

void Distinct::know(const Obligation &o) {
  is_new(o);
}

void Distinct::add(Obligation o) {
  if (is_new(o))
    all_.push_back(std::move(o));
}

} // namespace atl::lowering
