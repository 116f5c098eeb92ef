// Facts: what is known about the variables at a place (ranges, guards, where clauses), with a quick,
// deterministic and incomplete decision procedure (linear integer arithmetic by Fourier-Motzkin elimination;
// products and divisions are atoms with their defining bounds). Used to simplify; obligations are decided by
// Z3 in proofs/, never here.
// Comes in: predicates that hold. Goes out: what follows from them; simpler terms. May use: atl/base,
// atl/scalar.
#pragma once
#include "atl/index/index.h"
#include "atl/index/poly.h"

#include <memory>
#include <string>
#include <vector>

namespace atl {

class Facts {
public:
  Facts();
  void assume(const Pred &p);
  // The same facts, each read once more where all others are known: they may decide a minimum in it.
  Facts settled() const;
  const std::vector<Pred> &all() const { return facts_; }

  bool proves(const Pred &p) const; // true: holds wherever the facts hold; false: not known
  bool proves_nonnegative(const Index &e) const { return proves(compare(PredOp::ge, e, constant(0))); }

  // An equal, simpler expression under the facts: sums in a normal form with sorted terms, divisions,
  // remainders, min and max that the facts decide removed.
  Index simplify(const Index &e) const;
  Pred simplify(const Pred &p) const; // conjuncts that are known vanish

  bool proves_nonnegative(const Poly &goal) const; // of a polynomial in normal form
  MaybePoly normal_form(const Index &e) const;     // nothing if a coefficient overflows

  struct Memory; // what was found out under these facts

private:
  MaybePoly find_normal_form(const Index &e) const;
  bool decide_opened(const Poly &goal, const std::string &key) const;
  bool decide_nonnegative(const Poly &goal) const;
  bool proves_by_cases(const Poly &goal) const;
  bool proves_row_major(const Poly &goal) const;

  std::vector<Pred> facts_;
  std::vector<Poly> known_;        // the comparisons among them, each polynomial >= 0
  std::shared_ptr<Memory> memory_; // shared by copies, until one of them assumes more
};

} // namespace atl
