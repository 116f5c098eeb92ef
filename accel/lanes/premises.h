// What a comparison rests on: the conditions that were answered with yes by the quick procedure (Facts) on
// the way. They become obligations, so that Z3 decides each of them again.
#pragma once
#include "atl/index/known.h"

#include <string>
#include <vector>

namespace atl::accel {

class Premises {
public:
  // Whether it holds there. A yes is a premise.
  bool holds(const Pred &p, const Known &there) { return holds_by(there.facts(), p, there); }
  // The same by all that is known together: more is found, and it takes longer.
  bool holds_at_last(const Pred &p, const Known &there) {
    return holds_by(there.facts().settled(), p, there);
  }
  bool are_equal(const Index &a, const Index &b, const Known &there);

  // Of several ways to compare, only those that succeed have premises.
  template <class Way>
  bool attempt(const Way &way) {
    const std::size_t before = all_.size();
    if (way())
      return true;
    all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(before), all_.end());
    return false;
  }

  // Of kind instr. Premises under the same hypotheses are claims of one obligation.
  std::vector<Obligation> obligations(Span span, const std::string &what) const;

private:
  struct Premise {
    Known there;
    Pred holds;
  };
  bool holds_by(const Facts &facts, const Pred &p, const Known &there);
  void add(const Pred &p, const Known &there);

  std::vector<Premise> all_;
};

} // namespace atl::accel
