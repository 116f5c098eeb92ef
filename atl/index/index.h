// Index expressions (mathematical integers over loop variables and sizes) and predicates over them.
// Immutable, shared. `/` is floor division, `%` the remainder with 0 <= a % b < b for b > 0, cdiv(a, b) = (a
// + b - 1) / b.
// Comes in: names, numbers, operations. Goes out: terms, printed, evaluated, substituted. May use: atl/base,
// atl/scalar.
#pragma once
#include "atl/index/ops.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace atl {

struct IndexNode;
using Index = std::shared_ptr<const IndexNode>;

struct IndexNode {
  IndexOp op;
  std::int64_t value = 0; // constant
  std::string name;       // variable
  Index a, b;             // operands of the binary operations
};

inline bool is_leaf(const Index &e) {
  return is_leaf(e->op);
}
inline bool is_variable(const Index &e, const std::string &name) {
  return e->op == IndexOp::variable && e->name == name;
}

Index constant(std::int64_t value);
Index variable(std::string name);
Index binary(IndexOp op, Index a, Index b); // no simplification: keeps what the user wrote

// Building with light folding (constants, 0 and 1), for code that computes indices.
Index add(const Index &a, const Index &b);
Index sub(const Index &a, const Index &b);
Index mul(const Index &a, const Index &b);
Index floor_div(const Index &a, const Index &b);
Index ceil_div(const Index &a, const Index &b);
Index modulo(const Index &a, const Index &b);

struct PredNode;
using Pred = std::shared_ptr<const PredNode>;

struct PredNode {
  PredOp op;
  bool value = true; // truth
  Index lhs, rhs;    // comparisons
  Pred a, b;         // conj, disj; neg uses a
};

Pred truth(bool value);
Pred compare(PredOp op, Index lhs, Index rhs);
Pred conj(const Pred &a, const Pred &b); // folds truth values
Pred conj(const std::vector<Pred> &all);
std::vector<Pred> conjuncts(const Pred &p); // p is true where all of them are
Pred disj(const Pred &a, const Pred &b);
Pred neg(const Pred &a);
Pred positive_form(const Pred &p);                               // without negations
Pred in_range(const Index &lo, const Index &x, const Index &hi); // lo <= x and x < hi

bool equal(const Index &a, const Index &b); // structural
bool equal(const Pred &a, const Pred &b);
bool is_among(const Index &e, const std::vector<Index> &all);
bool is_among(const Pred &p, const std::vector<Pred> &all);

// p with each of its indices replaced, from left to right; what this decides vanishes.
using IndexMap = std::function<Index(const Index &)>;
Pred with_indices(const Pred &p, const IndexMap &f);

using Subst = std::map<std::string, Index>;
Index substitute(const Index &e, const Subst &by);
Pred substitute(const Pred &p, const Subst &by);

// Every occurrence of `part` replaced; products with 0 and 1 vanish.
Index replaced(const Index &e, const Index &part, const Index &by);
Pred replaced(const Pred &p, const Index &part, const Index &by);

// a % b as a - a / b * b, so that it adds up with quotients.
Index without_remainders(const Index &e);

// The number of a cell in row-major order: the last index counts single cells.
Index row_major(const std::vector<Index> &extents, const std::vector<Index> &indices);

void collect_variables(const Index &e, std::set<std::string> &into);
void collect_variables(const Pred &p, std::set<std::string> &into);
bool mentions(const Index &e, const std::string &name);
bool mentions(const Pred &p, const std::string &name);

// Calls `visit` on e and on every sub-expression, operands first.
void for_each_subexpression(const Index &e, const std::function<void(const Index &)> &visit);
void for_each_subexpression(const Pred &p, const std::function<void(const Index &)> &visit);
bool divides_by_a_variable(const Index &e); // some divisor in it is not a number
bool divides_by_a_variable(const Pred &p);

// Values of variables; evaluation gives nothing on 64-bit overflow, an unbound variable or a divisor <= 0.
using Valuation = std::map<std::string, std::int64_t>;
std::optional<std::int64_t> evaluate(const Index &e, const Valuation &values);
std::optional<bool> evaluate(const Pred &p, const Valuation &values);
std::optional<std::int64_t> as_constant(const Index &e);

// Source syntax; parentheses only where the parser needs them. `min_precedence`: see print of data
// expressions.
std::string to_string(const Index &e, int min_precedence = 0);
std::string to_string(const Pred &p, int min_precedence = 0);

} // namespace atl
