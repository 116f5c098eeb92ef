#include "lowering/verify/distinct.h"

namespace atl::lowering {

void Distinct::add(Obligation o) {
  std::string text(name(o.kind));
  for (const Claim &claim : o.claims)
    text += "|- " + to_string(claim.holds);
  for (const Pred &hypothesis : o.hypotheses)
    text += "\n" + to_string(hypothesis);
  if (said_.insert(std::move(text)).second)
    all_.push_back(std::move(o));
}

} // namespace atl::lowering
