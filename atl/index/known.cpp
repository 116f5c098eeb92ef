#include "atl/index/known.h"

#include <utility>

namespace atl {

void Known::enter(const LoopRange &loop) {
  variables.push_back(loop.var);
  loops.push_back(loop);
  assume(in_range(loop.lo, variable(loop.var), loop.hi));
}

Known Known::inside(const LoopRange &loop) const {
  Known inner = *this;
  inner.enter(loop);
  return inner;
}

Known Known::where(const Pred &pred) const {
  Known inner = *this;
  inner.assume(pred);
  return inner;
}

const Facts &Known::facts() const {
  for (; assumed_ < hypotheses.size(); ++assumed_)
    facts_.assume(hypotheses[assumed_]);
  return facts_;
}

Obligation Known::obligation(ObligationKind kind, Code code, Span span, std::string what,
                             std::vector<Claim> claims, std::vector<Note> notes) const {
  return {kind,
          code,
          span,
          kernel,
          std::move(what),
          sizes,
          variables,
          hypotheses,
          std::move(claims),
          std::move(notes)};
}

} // namespace atl
