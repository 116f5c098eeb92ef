// The table of scalar operations, and the reductions made of them.
#include "atl/base/check.h"
#include "atl/scalar/scalar.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

namespace atl {

bool accepts(OperandRule rule, Elem elem) {
  switch (rule) {
  case OperandRule::number: return elem != Elem::boolean;
  case OperandRule::floating: return is_float(elem);
  case OperandRule::integer: return is_integer(elem);
  case OperandRule::any: return true;
  case OperandRule::boolean: return elem == Elem::boolean;
  }
  ATL_CHECK(false, "an operand rule without a meaning");
}

namespace {

using Operands = std::span<const Scalar>;

// Applies `op` in the arithmetic of the operands' type: float for f32, double for f64, and modulo 2^64, then
// wrapped, for integers.
template <class FloatOp, class IntegerOp>
Scalar arithmetic(Operands x, FloatOp float_op, IntegerOp integer_op) {
  const Scalar &a = x.front(), &b = x.back();
  switch (a.elem) {
  case Elem::f32: return {a.elem, float_op(static_cast<float>(a.real), static_cast<float>(b.real)), 0};
  case Elem::f64: return {a.elem, float_op(a.real, b.real), 0};
  default: return make_integer(a.elem, integer_op(a.integer, b.integer));
  }
}

template <class FloatOp>
Scalar float_function(Operands x, FloatOp op) {
  if (x[0].elem == Elem::f32)
    return {Elem::f32, static_cast<double>(op(static_cast<float>(x[0].real))), 0};
  return {Elem::f64, op(x[0].real), 0};
}

template <class Order>
Scalar comparison(Operands x, Order order) {
  return make_bool(is_float(x[0].elem) ? order(x[0].real, x[1].real) : order(x[0].integer, x[1].integer));
}

// Arithmetic modulo 2^64: done unsigned, where C++ defines it.
template <class Op>
std::int64_t modular(std::int64_t a, std::int64_t b, Op op) {
  return static_cast<std::int64_t>(op(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b)));
}

std::int64_t negated(std::int64_t a) {
  return modular(0, a, [](auto p, auto q) { return p - q; });
}

std::int64_t divided(std::int64_t a, std::int64_t b) {
  if (b == 0)
    return 0;
  if (b == -1)
    return negated(a); // MIN / -1 wraps
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

std::int64_t remainder(std::int64_t a, std::int64_t b) {
  if (b == 0 || b == -1)
    return 0;
  return a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0);
}

template <class T>
T float_min(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<T>::quiet_NaN();
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

template <class T>
T float_max(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<T>::quiet_NaN();
  if (a == b)
    return std::signbit(a) ? b : a;
  return a < b ? b : a;
}

Scalar add(Operands x) {
  return arithmetic(
      x, [](auto a, auto b) { return a + b; },
      [](std::int64_t a, std::int64_t b) { return modular(a, b, std::plus<>()); });
}
Scalar subtract(Operands x) {
  return arithmetic(
      x, [](auto a, auto b) { return a - b; },
      [](std::int64_t a, std::int64_t b) { return modular(a, b, std::minus<>()); });
}
Scalar multiply(Operands x) {
  return arithmetic(
      x, [](auto a, auto b) { return a * b; },
      [](std::int64_t a, std::int64_t b) { return modular(a, b, std::multiplies<>()); });
}
Scalar divide(Operands x) {
  return arithmetic(
      x, [](auto a, auto b) { return a / b; }, divided);
}
Scalar modulo(Operands x) {
  return make_integer(x[0].elem, remainder(x[0].integer, x[1].integer));
}
Scalar negate(Operands x) {
  return arithmetic(
      x, [](auto a, auto) { return -a; }, [](std::int64_t a, std::int64_t) { return negated(a); });
}
Scalar absolute(Operands x) {
  return arithmetic(
      x, [](auto a, auto) { return std::fabs(a); },
      [](std::int64_t a, std::int64_t) { return a < 0 ? negated(a) : a; });
}
Scalar minimum(Operands x) {
  return arithmetic(
      x, [](auto a, auto b) { return float_min(a, b); },
      [](std::int64_t a, std::int64_t b) { return std::min(a, b); });
}
Scalar maximum(Operands x) {
  return arithmetic(
      x, [](auto a, auto b) { return float_max(a, b); },
      [](std::int64_t a, std::int64_t b) { return std::max(a, b); });
}

Scalar exponential(Operands x) {
  return float_function(x, [](auto a) { return std::exp(a); });
}
Scalar logarithm(Operands x) {
  return float_function(x, [](auto a) { return std::log(a); });
}
Scalar square_root(Operands x) {
  return float_function(x, [](auto a) { return std::sqrt(a); });
}
Scalar hyperbolic_tangent(Operands x) {
  return float_function(x, [](auto a) { return std::tanh(a); });
}

Scalar error_function(Operands x) {
  return float_function(x, [](auto a) { return std::erf(a); });
}
// One rounding.
Scalar fused_multiply_add(Operands x) {
  if (x[0].elem == Elem::f32)
    return make_real(Elem::f32, std::fma(static_cast<float>(x[0].real), static_cast<float>(x[1].real),
                                         static_cast<float>(x[2].real)));
  return make_real(Elem::f64, std::fma(x[0].real, x[1].real, x[2].real));
}
// a * 2^floor(b) with one rounding; of infinite b the limit, or NaN where there is none.
template <class T>
T scaled(T a, T b) {
  constexpr T most = 5000; // beyond what any exponent makes finite, or not 0
  if (!std::isfinite(b))
    return b > 0 ? a * b : b < 0 ? a / -b : a + b;
  return std::ldexp(a, static_cast<int>(std::floor(std::clamp(b, -most, most))));
}
Scalar scale_by_power(Operands x) {
  if (x[0].elem == Elem::f32)
    return make_real(Elem::f32, scaled(static_cast<float>(x[0].real), static_cast<float>(x[1].real)));
  return make_real(Elem::f64, scaled(x[0].real, x[1].real));
}
Scalar round_down(Operands x) {
  return float_function(x, [](auto a) { return std::floor(a); });
}
Scalar round_up(Operands x) {
  return float_function(x, [](auto a) { return std::ceil(a); });
}
// Ties to even: the rounding mode that C programs start with.
Scalar round_to_nearest(Operands x) {
  return float_function(x, [](auto a) { return std::nearbyint(a); });
}

Scalar equals(Operands x) {
  return comparison(x, std::equal_to<>());
}
Scalar differs(Operands x) {
  return comparison(x, std::not_equal_to<>());
}
Scalar less(Operands x) {
  return comparison(x, std::less<>());
}
Scalar at_most(Operands x) {
  return comparison(x, std::less_equal<>());
}
Scalar greater(Operands x) {
  return comparison(x, std::greater<>());
}
Scalar at_least(Operands x) {
  return comparison(x, std::greater_equal<>());
}

Scalar conjunction(Operands x) {
  return make_bool(x[0].integer != 0 && x[1].integer != 0);
}
Scalar disjunction(Operands x) {
  return make_bool(x[0].integer != 0 || x[1].integer != 0);
}
Scalar negation(Operands x) {
  return make_bool(x[0].integer == 0);
}

constexpr auto any_type = OperandRule::any;
constexpr auto number = OperandRule::number;
constexpr auto floating = OperandRule::floating;
constexpr auto integer = OperandRule::integer;
constexpr auto boolean = OperandRule::boolean;
constexpr auto same_type = ResultRule::same;
constexpr auto truth_value = ResultRule::boolean;
namespace binds = precedence;

constexpr ScalarOp table[] = {
    {"+", 2, binds::sum, number, same_type, "@add", "{0} + {1}", add},
    {"-", 2, binds::sum, number, same_type, "@sub", "{0} - {1}", subtract},
    {"*", 2, binds::product, number, same_type, "@mul", "{0} * {1}", multiply},
    {"/", 2, binds::product, number, same_type, "@div", "{0} / {1}", divide, {}, Effort::much},
    {"%", 2, binds::product, integer, same_type, "@mod", "", modulo, {}, Effort::much},
    {"-", 1, binds::prefix, number, same_type, "@neg", "-{0}", negate},
    {"min", 2, 0, number, same_type, "@min", "", minimum},
    {"max", 2, 0, number, same_type, "@max", "", maximum},
    {"abs", 1, 0, number, same_type, "@abs", "", absolute},
    {"exp", 1, 0, floating, same_type, "@exp", "", exponential, {}, Effort::call},
    {"log", 1, 0, floating, same_type, "@log", "", logarithm, {}, Effort::call},
    {"sqrt", 1, 0, floating, same_type, "@sqrt", "", square_root, {}, Effort::much},
    {"tanh", 1, 0, floating, same_type, "@tanh", "", hyperbolic_tangent, {}, Effort::call},
    {"erf", 1, 0, floating, same_type, "@erf", "", error_function, {}, Effort::call},
    {"floor", 1, 0, floating, same_type, "@floor", "", round_down},
    {"ceil", 1, 0, floating, same_type, "@ceil", "", round_up},
    {"rint", 1, 0, floating, same_type, "@rint", "", round_to_nearest},
    {"fma", 3, 0, floating, same_type, "@fma", "", fused_multiply_add},
    {"scalb", 2, 0, floating, same_type, "@scalb", "", scale_by_power},
    {"==", 2, binds::comparison, any_type, truth_value, "{0} == {1}", "", equals},
    {"!=", 2, binds::comparison, any_type, truth_value, "{0} != {1}", "", differs},
    {"<", 2, binds::comparison, number, truth_value, "{0} < {1}", "", less},
    {"<=", 2, binds::comparison, number, truth_value, "{0} <= {1}", "", at_most},
    {">", 2, binds::comparison, number, truth_value, "{0} > {1}", "", greater},
    {">=", 2, binds::comparison, number, truth_value, "{0} >= {1}", "", at_least},
    {"and", 2, binds::conjunction, boolean, same_type, "{0} && {1}", "", conjunction, true},
    {"or", 2, binds::disjunction, boolean, same_type, "{0} || {1}", "", disjunction, false},
    {"not", 1, binds::negation, boolean, same_type, "!{0}", "", negation},
};

} // namespace

std::span<const ScalarOp> scalar_ops() {
  return table;
}

const ScalarOp *find_scalar_op(std::string_view name, int arity) {
  auto row = std::find_if(std::begin(table), std::end(table),
                          [&](const ScalarOp &op) { return op.name == name && op.arity == arity; });
  return row == std::end(table) ? nullptr : row;
}

std::string_view name(Reduction reduction) {
  constexpr std::array<std::string_view, 4> names{"sum", "prod", "max", "min"};
  return names[static_cast<std::size_t>(reduction)];
}

// The least value of a type: -inf for floats.
static Scalar least(Elem elem) {
  return is_float(elem) ? Scalar{elem, -std::numeric_limits<double>::infinity(), 0}
                        : Scalar{elem, 0, least_integer(elem)};
}

static Scalar greatest(Elem elem) {
  return is_float(elem) ? Scalar{elem, std::numeric_limits<double>::infinity(), 0}
                        : Scalar{elem, 0, greatest_integer(elem)};
}

Scalar neutral(Reduction reduction, Elem elem) {
  switch (reduction) {
  case Reduction::sum: return zero(elem);
  case Reduction::prod: return is_float(elem) ? Scalar{elem, 1, 0} : Scalar{elem, 0, 1};
  case Reduction::max: return least(elem);
  case Reduction::min: return greatest(elem);
  }
  ATL_CHECK(false, "a reduction without a neutral value");
}

const ScalarOp &combiner(Reduction reduction) {
  constexpr std::array<std::string_view, 4> operations{"+", "*", "max", "min"};
  static const std::array<const ScalarOp *, 4> rows{
      find_scalar_op(operations[0], 2), find_scalar_op(operations[1], 2), find_scalar_op(operations[2], 2),
      find_scalar_op(operations[3], 2)};
  return *rows[static_cast<std::size_t>(reduction)];
}

} // namespace atl
