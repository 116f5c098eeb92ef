// Values of the variables at which facts hold. What is false there does not follow from the facts, so that
// nobody need look for a proof.
// Comes in: polynomials that are not negative. Goes out: whether another one is negative at some of the
// values. May use: atl/index.
#pragma once
#include "atl/index/index.h"
#include "atl/index/inequalities.h"

#include <set>
#include <string>
#include <vector>

namespace atl {

class Witnesses {
public:
  Witnesses();
  // All facts, of which so many were known before. Gives values to the variables that are new; if a new fact
  // does not hold at values, looks for others, and else forgets them.
  void learn(const Polys &facts, std::size_t known);
  bool refute(const Poly &goal) const;

private:
  enum class Choice { zero, one, large_sizes, large_sizes_and_last_iterations, huge_sizes };
  struct Witness {
    Choice choice;
    Valuation values;
  };
  static std::int64_t preferred(Choice choice, std::int64_t most);
  static void assign(Witness &witness, const std::string &variable, const Polys &facts);
  static bool mend(Witness &witness, const Poly &fact, const Polys &facts);
  static Valuation with_free_variables(const Witness &witness, const std::set<std::string> &variables);

  std::vector<Witness> all_;
};

} // namespace atl
