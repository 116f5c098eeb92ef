// Scalar values and the operations on them: one table row per operation, with its defined, total meaning
// (docs/language.md): integers wrap at their width, integer division and remainder are floor and give 0 for
// divisor 0, min and max of floats give NaN if an operand is NaN and order -0 below +0, float to integer
// truncates, saturates, and NaN gives 0. Operations on f32 are done in float, so that compiled code agrees
// bit for bit.
// Comes in: values and the name of an operation. Goes out: its row, or the value. May use: atl/base.
#pragma once
#include "atl/scalar/elem.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace atl {

// A value of element type `elem`. Floats live in `real` (an f32 is always exactly representable as float),
// integers and bool (0 or 1) in `integer`, always within the range of their type.
struct Scalar {
  Elem elem = Elem::f32;
  double real = 0;
  std::int64_t integer = 0;
};

Scalar make_real(Elem elem, double value);          // rounds to elem
Scalar make_integer(Elem elem, std::int64_t value); // wraps to elem; bool: value != 0
inline Scalar make_bool(bool value) {
  return {Elem::boolean, 0, value ? 1 : 0};
}
Scalar zero(Elem elem);
bool same_bits(const Scalar &a, const Scalar &b); // all NaNs are one value
std::string
to_string(const Scalar &value); // a literal of the language, without suffix; "-" in front if negative

std::int64_t least_integer(Elem elem); // of an integer type or bool
std::int64_t greatest_integer(Elem elem);

enum class OperandRule { number, floating, integer, any, boolean }; // which element types an operation takes
enum class ResultRule { same, boolean };
bool accepts(OperandRule rule, Elem elem);

// What it takes on a CPU: an instruction or a few; many cycles; a call of a function of the C library, which
// C compilers do not vectorize. Schedules are chosen by it; nothing that is proved depends on it.
enum class Effort { little, much, call };

// How a row becomes C. A template is one of
//   "{0} + {1}"  C's own operator means exactly this: put the operands in, parenthesised where C's precedence
//   needs it;
//   "@add"       a call of the prelude function atl_add_<type name>(a, b), whose meaning is `eval` and whose
//   result has the type.
// `c_float`, where not empty, is the template for f32 and f64. Integer arithmetic is all "@": C's would
// promote, or overflow. The prelude functions so named: integers add sub mul div mod neg; numbers min max
// abs; floats exp log sqrt tanh erf floor ceil rint scalb.
struct ScalarOp {
  std::string_view name; // call syntax `name(a, b)`, or the operator's own symbol
  int arity;
  int precedence;       // 0: call syntax; else infix/prefix binding strength, see `precedence` below
  OperandRule operands; // all operands have one type
  ResultRule result;
  std::string_view c;
  std::string_view c_float;
  Scalar (*eval)(std::span<const Scalar>);
  // Of `and` and `or`: the right operand is looked at only where the left one has this value.
  std::optional<bool> right_where = {};
  Effort effort = Effort::little;
};

// Binding strengths shared by index, predicate and data expressions.
namespace precedence {
inline constexpr int disjunction = 1, conjunction = 2, negation = 3, comparison = 4, sum = 5, product = 6,
                     prefix = 7, atom = 8;
}

std::span<const ScalarOp> scalar_ops();
const ScalarOp *find_scalar_op(std::string_view name, int arity); // "-" has two rows: arity 1 and 2

// u8(x) wraps integers, sat_u8(x) saturates them; both truncate and saturate floats, and NaN gives 0. To
// bool: x != 0. To a float type: rounds to nearest, once.
enum class ConvertMode { wrap, saturate };
Scalar convert(const Scalar &value, Elem to, ConvertMode mode);

// The reductions: a commutative monoid each, with its neutral value.
enum class Reduction { sum, prod, max, min };
std::string_view name(Reduction reduction);
Scalar neutral(Reduction reduction, Elem elem);
const ScalarOp &combiner(Reduction reduction);

} // namespace atl
