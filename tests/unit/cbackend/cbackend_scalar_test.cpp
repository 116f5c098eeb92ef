// Every scalar operation and conversion, for every type, on extreme values: the C gives what ScalarOp::eval
// gives, bit for bit.
#include "cbackend/cbackend_kernels.h"
#include "cbackend/host/native.h"
#include "tests/support/part.h"

#include <cmath>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <limits>

namespace atl::cbackend_scalar_test {

using namespace atl::testing;
using lowering::LoopKernel;

namespace {

std::vector<Scalar> float_values(Elem elem) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<Scalar> values{make_real(elem, std::nan(""))};
  for (double v : {0.0,
                   0.5,
                   1.0,
                   1.5,
                   2.0,
                   3.1415926535897931,
                   126.5,
                   127.5,
                   128.0,
                   255.5,
                   256.0,
                   32767.5,
                   65535.5,
                   2147483520.0,
                   2147483647.0,
                   2147483648.0,
                   4294967040.0,
                   4294967295.5,
                   4294967296.0,
                   16777217.0,
                   9223371487098961920.0,
                   9223372036854775808.0,
                   18446744073709551616.0,
                   1e-45,
                   1e-40,
                   1.17549435e-38,
                   1e-310,
                   3.4028234663852886e38,
                   3.4028236e38,
                   1e300,
                   infinity,
                   88.5,
                   0.1,
                   709.5})
    for (double sign : {1.0, -1.0})
      values.push_back(make_real(elem, sign * v));
  return values;
}

std::vector<Scalar> integer_values(Elem elem) {
  std::vector<Scalar> values;
  std::int64_t least = least_integer(elem), greatest = greatest_integer(elem);
  for (std::int64_t v : {std::int64_t{0},
                         std::int64_t{1},
                         std::int64_t{2},
                         std::int64_t{3},
                         std::int64_t{7},
                         std::int64_t{-1},
                         std::int64_t{-2},
                         std::int64_t{-3},
                         std::int64_t{-7},
                         std::int64_t{16777217},
                         std::int64_t{33554435},
                         std::int64_t{1} << 53,
                         (std::int64_t{1} << 53) + 1,
                         (std::int64_t{1} << 62) + (std::int64_t{1} << 38) + 1,
                         least,
                         least + 1,
                         least / 2,
                         greatest - 1,
                         greatest,
                         greatest / 2 + 1})
    values.push_back(make_integer(elem, v));
  return values;
}

std::vector<Scalar> extreme_values(Elem elem) {
  if (elem == Elem::boolean)
    return {make_bool(false), make_bool(true)};
  return is_float(elem) ? float_values(elem) : integer_values(elem);
}

Tensor tensor_of(Elem elem, const std::vector<Scalar> &values) {
  Tensor t = make_tensor(elem, {static_cast<std::int64_t>(values.size())});
  for (std::size_t i = 0; i < values.size(); ++i)
    t.set(static_cast<std::int64_t>(i), values[i]);
  return t;
}

// All pairs of values, as two columns.
std::pair<std::vector<Scalar>, std::vector<Scalar>> all_pairs(const std::vector<Scalar> &values) {
  std::vector<Scalar> left, right;
  for (const Scalar &a : values)
    for (const Scalar &b : values) {
      left.push_back(a);
      right.push_back(b);
    }
  return {left, right};
}

struct Case {
  LoopKernel kernel;
  std::string text;
  std::vector<Scalar> a, b, expected;
};

// out[i] = value, where value may read a[i] and b[i].
LoopKernel pointwise(const std::string &name, Elem from, const ExprPtr &value) {
  Index N = variable("N"), i = variable("i");
  LoopKernel k = kernel(name, {loop("i", constant(0), N, {store("out", {i}, value)})});
  add_size(k, "N");
  add_input(k, "a", from, {N});
  add_input(k, "b", from, {N});
  add_output(k, "out", value->type->elem, {N});
  return k;
}

Case operation_case(const ScalarOp &row, Elem elem, std::size_t number) {
  Case c;
  c.text = fmt::format("{} on {}", row.name, name(elem));
  std::tie(c.a, c.b) = all_pairs(extreme_values(elem));
  std::vector<ExprPtr> args{read(elem, "a", {variable("i")})};
  if (row.arity >= 2)
    args.push_back(read(elem, "b", {variable("i")}));
  if (row.arity == 3)
    args.push_back(args[0]);
  ExprPtr value = typed(row.result == ResultRule::boolean ? Elem::boolean : elem, Op{&row, args});
  c.kernel = pointwise(fmt::format("case{}", number), elem, value);
  for (std::size_t i = 0; i < c.a.size(); ++i) {
    std::vector<Scalar> operands{c.a[i]};
    if (row.arity >= 2)
      operands.push_back(c.b[i]);
    if (row.arity == 3)
      operands.push_back(c.a[i]);
    c.expected.push_back(row.eval(operands));
  }
  return c;
}

Case conversion_case(Elem from, Elem to, ConvertMode mode, std::size_t number) {
  Case c;
  c.text = fmt::format("{}{} of {}", mode == ConvertMode::saturate ? "sat_" : "", name(to), name(from));
  c.a = c.b = extreme_values(from);
  c.kernel = pointwise(fmt::format("case{}", number), from,
                       typed(to, Convert{mode, to, read(from, "a", {variable("i")})}));
  for (const Scalar &a : c.a)
    c.expected.push_back(convert(a, to, mode));
  return c;
}

Case literal_case(const Scalar &value, std::size_t number) {
  Case c;
  c.text = fmt::format("the literal {} of type {}", to_string(value), name(value.elem));
  c.kernel = pointwise(fmt::format("case{}", number), value.elem, literal(value));
  c.a = c.b = c.expected = {value};
  return c;
}

// A comparison with the least or greatest value, or with itself, would draw warnings if written as an
// operator.
Case obvious_case(const ScalarOp &row, Elem elem, const Scalar &limit, std::size_t number) {
  Case c;
  c.text = fmt::format("{} {} on {}", row.name, to_string(limit), name(elem));
  ExprPtr a = read(elem, "a", {variable("i")});
  ExprPtr value = op("and", {op(std::string(row.name).c_str(), {a, literal(limit)}), op("==", {a, a})});
  c.kernel = pointwise(fmt::format("case{}", number), elem, value);
  c.a = c.b = extreme_values(elem);
  for (const Scalar &x : c.a)
    c.expected.push_back(row.eval(std::vector<Scalar>{x, limit}));
  return c;
}

// A zero next to a value that a compiler knows never to be -0.0: 0.0 - f32(i) is no negation, whatever gcc 12
// makes of it.
Case signed_zero_case(const ScalarOp &row, Elem elem, Elem from, double zero, bool zero_first,
                      std::size_t number) {
  Case c;
  c.text = fmt::format("{} with {} on the {} and {} as {}", row.name, zero, zero_first ? "left" : "right",
                       name(from), name(elem));
  ExprPtr a = read(from, "a", {variable("i")});
  ExprPtr value = from == elem ? op("abs", {a}) : typed(elem, Convert{ConvertMode::wrap, elem, a});
  std::vector<ExprPtr> args{literal(make_real(elem, zero)), value};
  if (!zero_first)
    std::swap(args[0], args[1]);
  c.kernel = pointwise(fmt::format("case{}", number), from, typed(elem, Op{&row, args}));
  c.a = c.b = extreme_values(from);
  for (const Scalar &a_value : c.a) {
    std::vector<Scalar> operands{make_real(elem, zero), convert(a_value, elem, ConvertMode::wrap)};
    if (from == elem)
      operands[1].real = std::abs(operands[1].real);
    if (!zero_first)
      std::swap(operands[0], operands[1]);
    c.expected.push_back(row.eval(operands));
  }
  return c;
}

std::vector<Case> signed_zero_cases(std::size_t number) {
  std::vector<Case> cases;
  for (const char *operation : {"+", "-", "*"})
    for (Elem elem : {Elem::f32, Elem::f64})
      for (Elem from : {elem, Elem::boolean, Elem::i8, Elem::i32, Elem::u32, Elem::i64})
        for (double zero : {0.0, -0.0})
          for (bool zero_first : {true, false})
            cases.push_back(signed_zero_case(*find_scalar_op(operation, 2), elem, from, zero, zero_first,
                                             number + cases.size()));
  return cases;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const ScalarOp &row : scalar_ops())
    for (const ElemInfo &type : elem_table)
      if (accepts(row.operands, type.elem))
        cases.push_back(operation_case(row, type.elem, cases.size()));
  for (const ElemInfo &from : elem_table)
    for (const ElemInfo &to : elem_table)
      for (ConvertMode mode : {ConvertMode::wrap, ConvertMode::saturate})
        cases.push_back(conversion_case(from.elem, to.elem, mode, cases.size()));
  for (const ElemInfo &type : elem_table)
    for (const Scalar &value : extreme_values(type.elem))
      cases.push_back(literal_case(value, cases.size()));
  for (const ScalarOp &row : scalar_ops())
    for (const ElemInfo &type : elem_table)
      if (row.precedence == precedence::comparison && is_integer(type.elem))
        for (std::int64_t limit : {least_integer(type.elem), greatest_integer(type.elem)})
          cases.push_back(obvious_case(row, type.elem, make_integer(type.elem, limit), cases.size()));
  for (Case &c : signed_zero_cases(cases.size()))
    cases.push_back(std::move(c));
  return cases;
}

void compare(const Case &c, const Tensor &result) {
  for (std::size_t i = 0; i < c.expected.size(); ++i) {
    Scalar got = result.get(static_cast<std::int64_t>(i));
    if (same_bits(got, c.expected[i]))
      continue;
    FAIL_CHECK(c.text << " of " << to_string(c.a[i]) << ", " << to_string(c.b[i]) << " gives "
                      << to_string(got) << ", not " << to_string(c.expected[i]));
  }
}

const std::vector<std::string> warnings{"-Wall",    "-Wextra",   "-Wconversion",
                                        "-Wshadow", "-pedantic", "-Werror"};

} // namespace

TEST_CASE("cbackend: scalar operations, conversions and literals agree with their meaning") {
  const std::vector<Case> cases = all_cases();
  std::vector<LoopKernel> kernels;
  for (const Case &c : cases)
    kernels.push_back(c.kernel);
  std::size_t turn = 0;
  for (std::string compiler : {"gcc", "clang", "tcc"}) {
    if (!testing::has_its_turn(turn++))
      continue;
    CAPTURE(compiler);
    std::vector<std::string> flags = warnings;
    flags.push_back(compiler == "tcc" ? "-O0" : "-O1");
    auto library = cbackend::NativeLibrary::compile(kernels, {{compiler}, flags});
    if (!library && library.errors()[0].code == Code::missing_tool) {
      MESSAGE(compiler << " is not installed: skipped");
      continue;
    }
    REQUIRE_MESSAGE(library, library.errors()[0].message << library.errors()[0].notes.at(0).text);
    for (const Case &c : cases) {
      Tensors inputs{{"a", tensor_of(c.a[0].elem, c.a)}, {"b", tensor_of(c.a[0].elem, c.b)}};
      auto result = library->call(c.kernel.name, {{"N", static_cast<std::int64_t>(c.a.size())}}, inputs);
      REQUIRE(result);
      compare(c, result->at("out"));
    }
  }
}

} // namespace atl::cbackend_scalar_test
