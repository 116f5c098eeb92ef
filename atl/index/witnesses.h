// Values of the variables at which facts hold. What is false there does not follow from the facts, so that
// nobody need look for a proof.
// Comes in: polynomials that are not negative. Goes out: whether another one is negative at some of the
// values. May use: atl/index.
#pragma once
#include "atl/index/index.h"
#include "atl/index/inequalities.h"

#include <vector>

namespace atl {

class Witnesses {
public:
  Witnesses();
  // Gives values to the variables that are new, and forgets the values at which a new fact does not hold.
  void learn(Polys::const_iterator begin, Polys::const_iterator end);
  bool refute(const Poly &goal) const;

private:
  enum class Choice { zero, one, large_sizes, large_sizes_and_last_iterations, huge_sizes };
  struct Witness {
    Choice choice;
    Valuation values;
  };
  static std::int64_t preferred(Choice choice, std::int64_t most);
  static void assign(Witness &witness, const std::string &variable, Polys::const_iterator begin,
                     Polys::const_iterator end);

  std::vector<Witness> all_;
};

} // namespace atl
