// The operations on indices and the comparisons of them, one row each: how they are written, what they mean
// on numbers, how they bound. Who only goes through indices (print, evaluate, bound, look for divisors) reads
// the row. A stage that gives each operation something of its own, such as C or a term of Coq, has a switch.
// Comes in: an operation. Goes out: its row. May use: atl/base, atl/scalar.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace atl {

enum class IndexOp { constant, variable, add, sub, mul, div, cdiv, mod, min, max };
enum class PredOp { truth, lt, le, gt, ge, eq, ne, conj, disj, neg };

// A binary operation; constants and variables have no row.
struct IndexOpInfo {
  IndexOp op;
  std::string_view text; // between its operands, or the name of a function
  int precedence;        // 0: a function
  bool divides;          // the right operand is a divisor: it is positive
  bool monotone;         // in each operand while the other one stays: its bounds are at the corners
  // Nothing if the value does not fit 64 bits, or if a divisor is not positive.
  std::optional<std::int64_t> (*value)(std::int64_t, std::int64_t);
};
const IndexOpInfo &info(IndexOp op);
std::optional<IndexOp> find_index_op(std::string_view text);

inline bool is_leaf(IndexOp op) {
  return op == IndexOp::constant || op == IndexOp::variable;
}
inline bool divides(IndexOp op) {
  return !is_leaf(op) && info(op).divides;
}
inline bool is_extremum(IndexOp op) {
  return op == IndexOp::min || op == IndexOp::max;
}

struct ComparisonInfo {
  PredOp op;
  std::string_view text;
  PredOp mirrored;           // of the sides exchanged: < becomes >
  PredOp opposite;           // what holds where this one does not: < becomes >=
  bool less, equal, greater; // whether it holds where the left side is so
};
const ComparisonInfo &comparison(PredOp op);

inline bool is_comparison(PredOp op) {
  return op >= PredOp::lt && op <= PredOp::ne;
}

// Of any kind of numbers.
template <class Number>
bool holds(PredOp op, const Number &a, const Number &b) {
  const ComparisonInfo &row = comparison(op);
  return a < b ? row.less : a == b ? row.equal : row.greater;
}

std::int64_t floor_div(std::int64_t a, std::int64_t b); // b > 0
std::int64_t floor_mod(std::int64_t a, std::int64_t b);
std::int64_t ceil_div(std::int64_t a, std::int64_t b);

} // namespace atl
