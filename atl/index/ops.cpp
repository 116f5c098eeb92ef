#include "atl/index/ops.h"

#include "atl/base/check.h"
#include "atl/scalar/scalar.h"

#include <algorithm>
#include <array>

namespace atl {

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

std::int64_t floor_mod(std::int64_t a, std::int64_t b) {
  return a % b + (a % b < 0 ? b : 0);
}

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { // without the overflow of (a + b - 1) / b
  return a / b + (a % b > 0 ? 1 : 0);
}

namespace {

using Z = std::int64_t;
using Value = std::optional<Z>;

Value sum(Z a, Z b) {
  Z r = 0;
  return __builtin_add_overflow(a, b, &r) ? Value{} : r;
}
Value difference(Z a, Z b) {
  Z r = 0;
  return __builtin_sub_overflow(a, b, &r) ? Value{} : r;
}
Value product(Z a, Z b) {
  Z r = 0;
  return __builtin_mul_overflow(a, b, &r) ? Value{} : r;
}
template <Z (*divide)(Z, Z)>
Value divided(Z a, Z b) {
  return b > 0 ? Value(divide(a, b)) : Value{};
}
Value least(Z a, Z b) {
  return std::min(a, b);
}
Value greatest(Z a, Z b) {
  return std::max(a, b);
}

constexpr int as_function = 0;

// In the order of IndexOp.
constexpr std::array index_ops{
    IndexOpInfo{IndexOp::add, "+", precedence::sum, false, true, sum},
    IndexOpInfo{IndexOp::sub, "-", precedence::sum, false, true, difference},
    IndexOpInfo{IndexOp::mul, "*", precedence::product, false, true, product},
    IndexOpInfo{IndexOp::div, "/", precedence::product, true, true, divided<floor_div>},
    IndexOpInfo{IndexOp::cdiv, "cdiv", as_function, true, true, divided<ceil_div>},
    IndexOpInfo{IndexOp::mod, "%", precedence::product, true, false, divided<floor_mod>},
    IndexOpInfo{IndexOp::min, "min", as_function, false, true, least},
    IndexOpInfo{IndexOp::max, "max", as_function, false, true, greatest},
};

// In the order of PredOp.
constexpr std::array comparisons{
    ComparisonInfo{PredOp::lt, "<", PredOp::gt, PredOp::ge, true, false, false},
    ComparisonInfo{PredOp::le, "<=", PredOp::ge, PredOp::gt, true, true, false},
    ComparisonInfo{PredOp::gt, ">", PredOp::lt, PredOp::le, false, false, true},
    ComparisonInfo{PredOp::ge, ">=", PredOp::le, PredOp::lt, false, true, true},
    ComparisonInfo{PredOp::eq, "==", PredOp::eq, PredOp::ne, false, true, false},
    ComparisonInfo{PredOp::ne, "!=", PredOp::ne, PredOp::eq, true, false, true},
};

} // namespace

const IndexOpInfo &info(IndexOp op) {
  ATL_CHECK(!is_leaf(op), "constants and variables are no operations");
  return index_ops[static_cast<std::size_t>(op) - static_cast<std::size_t>(IndexOp::add)];
}

std::optional<IndexOp> find_index_op(std::string_view text) {
  for (const IndexOpInfo &row : index_ops)
    if (row.text == text)
      return row.op;
  return std::nullopt;
}

const ComparisonInfo &comparison(PredOp op) {
  ATL_CHECK(is_comparison(op), "not a comparison");
  return comparisons[static_cast<std::size_t>(op) - static_cast<std::size_t>(PredOp::lt)];
}

} // namespace atl
