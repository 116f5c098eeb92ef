// Index expressions and predicates to C, in the order of lowering/nest/evaluation.h: here they only get their
// parentheses and, for `/` and `%`, C's own operators where the facts show that the dividend is not negative.
// Comes in: an index or a predicate, and what is known where it stands. Goes out: C text. May use: atl,
// lowering, accel.
#pragma once
#include "atl/index/index.h"
#include "atl/index/known.h"
#include "cbackend/term/prelude.h"
#include "lowering/nest/evaluation.h"

#include <map>
#include <string>

namespace atl::cbackend {

// How strongly a piece of C binds. `division` is apart from `product` so that 5*(i%2) and (i/2)*4 keep their
// parentheses.
enum class Binds {
  nothing,
  conditional,
  disjunction,
  conjunction,
  equality,
  relation,
  sum,
  division,
  product,
  prefix,
  postfix
};

struct CText {
  std::string text;
  Binds binds;
};
std::string parenthesized(const CText &c, Binds at_least);

struct IndexScope {
  std::map<std::string, std::string> variables; // sizes and loop variables, as they are called in C
  Known known;                                  // here
  Intervals sizes;                              // their ranges

  lowering::Evaluation evaluation() const { return {sizes, known.loops}; }
};

CText c_index(const Index &e, const IndexScope &scope, Prelude &prelude);
CText c_evaluated(const Index &tree, const IndexScope &scope, Prelude &prelude); // as it stands
CText c_pred(const Pred &p, const IndexScope &scope, Prelude &prelude);
std::string c_integer(std::int64_t value); // an expression of value `value`, INT64_MIN included

} // namespace atl::cbackend
