// What one cell of a tensor is, as an expression: reshapes have dissolved into index arithmetic, loops into
// substitutions, concatenations into choices. Two programs are equal when their points are, for every cell.
#pragma once
#include "atl/syntax/expr.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace atl::equality {

struct Point;
using PointPtr = std::shared_ptr<const Point>;

struct Nothing {}; // not written

struct Choose {
  Pred pred;
  PointPtr then, otherwise;
};

// The combination of `body` over all values of the variables that are in their ranges and in the domain. The
// range of a variable may mention those before it. Order: the last variable runs fastest.
struct FoldVar {
  std::string name;
  Index lo, hi;
  std::string origin; // the loop's variable in the program, of which `name` is a copy
};
// What a schedule made of the variables of the algorithm's reductions: each of those in terms of the
// variables that are there now, and the other way round. Loops are called by the names they have in the
// programs.
struct Reindexing {
  Subst to_now, to_then;
};

// Two reductions over the same terms: what the comparison found. `before` are the variables of the
// algorithm's, `now` those of the schedule's, each in terms of the other.
struct Renumbered {
  std::string tensor;            // that was compared: a temporary or an output
  std::vector<std::string> cell; // what the indices of its cell are called
  Reduction reduction;
  std::vector<std::string> before, now;
  Subst to_before, to_now;
  bool partial = false;             // the terms of one are partial results
  bool zeros = false;               // terms of one that are a product with 0 were left out
  std::optional<std::size_t> order; // the number of the obligation that the order is the same; none: it is
  bool in_order = true;             // that is proved
};

struct Fold {
  Reduction reduction;
  std::vector<FoldVar> vars;
  Pred domain;
  PointPtr body;
  bool is_value = false;    // complete before it is used, as the cell of a temporary is
  bool regrouped = false;   // terms of such values were taken as its own
  bool zeros = false;       // terms that are 0 were left out
  bool neutrals = false;    // such values without terms were left out
  bool of_floats = true;    // whose combination rounds
  PointPtr apart = nullptr; // if regrouped or without neutrals: the same, with such values as its terms
};

struct Read { // of an input, or of a tensor of the algorithm
  std::string tensor;
  std::vector<Index> indices;
};

// A scalar form on points: Literal, Op, Convert, Select, FromIndex, Test. `form` says which; its own operands
// are not used, the index of a FromIndex and the predicate of a Test are.
struct Apply {
  ExprPtr form;
  std::vector<PointPtr> args;
};

struct Point {
  std::variant<Nothing, Choose, Fold, Read, Apply> node;
};

template <class... F>
decltype(auto) match(const PointPtr &p, F &&...cases) {
  return std::visit(Overloaded{std::forward<F>(cases)...}, p->node);
}

PointPtr nothing();
PointPtr choose(const Pred &pred, PointPtr then, PointPtr otherwise);
// Folds of one reduction directly inside each other become one, and conditions move into the domain, or out.
PointPtr fold(Reduction reduction, bool of_floats, FoldVar var, PointPtr body);
PointPtr with_body(Fold f, PointPtr body); // the same fold of other terms
PointPtr read(std::string tensor, std::vector<Index> indices);
PointPtr apply(ExprPtr form, std::vector<PointPtr> args);

// The form with its own index or predicate substituted.
ExprPtr form_at(const ExprPtr &form, const Subst &by);

// The value that reading the cell gives: `otherwise`, a literal, where nothing was written.
PointPtr value_of(const PointPtr &cell, const ExprPtr &otherwise);

// The point as a value that was computed by itself: what a temporary holds.
PointPtr complete(const PointPtr &p);

// Whether both combine such values, and those of one have the terms of those of the other. `to_a`: the
// variables of a in terms of those of b.
bool are_grouped_alike(const Fold &a, const Fold &b, const Subst &to_a);

PointPtr substitute(const PointPtr &p, const Subst &by); // capture is the caller's concern: names are unique

bool is_neutral(const PointPtr &p, Reduction reduction);          // the value of a reduction without terms
const Apply *operation(const PointPtr &p, std::string_view name); // of two operands; null if it is not that

// For messages: the head of a point, such as `img[y, x + 1]`, `a sum over k`, `the operation +`.
std::string describe(const PointPtr &p);

} // namespace atl::equality
