// Every operation of the scalar table at every type, with the values where machines and languages differ.
#include "atl/meaning/tensor.h"
#include "atl/scalar/scalar.h"

#include <array>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <random>
#include <stdexcept>

namespace atl::scalar_test {

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

Scalar integer(Elem elem, std::int64_t value) {
  REQUIRE(value >= least_integer(elem));
  REQUIRE(value <= greatest_integer(elem));
  return {elem, 0, value};
}

Scalar applied(std::string_view op, const Scalar &a, const Scalar &b) {
  const ScalarOp *row = find_scalar_op(op, 2);
  REQUIRE(row);
  return row->eval(std::array{a, b});
}

Scalar applied(std::string_view op, const Scalar &a) {
  const ScalarOp *row = find_scalar_op(op, 1);
  REQUIRE(row);
  return row->eval(std::array{a});
}

std::int64_t on_integers(std::string_view op, Elem elem, std::int64_t a, std::int64_t b) {
  Scalar result = applied(op, integer(elem, a), integer(elem, b));
  CHECK(result.elem == elem);
  return result.integer;
}

double on_reals(std::string_view op, Elem elem, double a, double b) {
  Scalar result = applied(op, make_real(elem, a), make_real(elem, b));
  CHECK(result.elem == elem);
  return result.real;
}

__extension__ using Wide = __int128;

// A second, independent statement of wrapping: the value congruent modulo 2^bits that the type has.
Wide wrapped(Elem elem, Wide value) {
  Wide modulus = Wide(1) << info(elem).bits;
  Wide residue = ((value % modulus) + modulus) % modulus;
  return info(elem).is_signed && residue >= modulus / 2 ? residue - modulus : residue;
}

// The quotient whose remainder lies between 0 and the divisor.
Wide floor_quotient(Wide a, Wide b) {
  for (Wide quotient : {a / b - 1, a / b})
    if (Wide rest = a - quotient * b; b > 0 ? 0 <= rest && rest < b : b < rest && rest <= 0)
      return quotient;
  FAIL("no quotient");
  return 0;
}

void check_integer_pair(Elem elem, std::int64_t a, std::int64_t b) {
  CAPTURE(name(elem));
  CAPTURE(a);
  CAPTURE(b);
  Wide x = a, y = b;
  CHECK(on_integers("+", elem, a, b) == wrapped(elem, x + y));
  CHECK(on_integers("-", elem, a, b) == wrapped(elem, x - y));
  CHECK(on_integers("*", elem, a, b) == wrapped(elem, x * y));
  Wide quotient = y == 0 ? 0 : floor_quotient(x, y);
  Wide rest = y == 0 ? 0 : x - quotient * y;
  CHECK(on_integers("/", elem, a, b) == wrapped(elem, quotient));
  CHECK(on_integers("%", elem, a, b) == wrapped(elem, rest));
  CHECK(on_integers("min", elem, a, b) == (a < b ? a : b));
  CHECK(on_integers("max", elem, a, b) == (a < b ? b : a));
  CHECK(applied("-", integer(elem, a)).integer == wrapped(elem, -x));
  CHECK(applied("abs", integer(elem, a)).integer == wrapped(elem, x < 0 ? -x : x));
  const std::array<bool, 6> expected{a == b, a != b, a<b, a <= b, a> b, a >= b};
  const std::array<std::string_view, 6> comparisons{"==", "!=", "<", "<=", ">", ">="};
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(same_bits(applied(comparisons[i], integer(elem, a), integer(elem, b)), make_bool(expected[i])));
}

std::vector<std::int64_t> edges(Elem elem) {
  std::vector<std::int64_t> found;
  for (std::int64_t value : {least_integer(elem), greatest_integer(elem)})
    for (std::int64_t near : {-2, -1, 0, 1, 2})
      if (std::int64_t sum = 0; !__builtin_add_overflow(value, near, &sum))
        found.push_back(sum);
  for (std::int64_t small : {-7, -3, -2, -1, 0, 1, 2, 3, 7})
    found.push_back(small);
  std::erase_if(found, [&](std::int64_t v) { return v < least_integer(elem) || v > greatest_integer(elem); });
  return found;
}

} // namespace

TEST_CASE("integer limits") {
  CHECK(least_integer(Elem::i8) == -128);
  CHECK(greatest_integer(Elem::i8) == 127);
  CHECK(least_integer(Elem::u32) == 0);
  CHECK(greatest_integer(Elem::u32) == 4294967295);
  CHECK(least_integer(Elem::i64) == std::numeric_limits<std::int64_t>::min());
  CHECK(greatest_integer(Elem::i64) == std::numeric_limits<std::int64_t>::max());
  CHECK(greatest_integer(Elem::boolean) == 1);
}

TEST_CASE("8-bit integers, every pair") {
  for (Elem elem : {Elem::i8, Elem::u8})
    for (std::int64_t a = least_integer(elem); a <= greatest_integer(elem); a += 1)
      for (std::int64_t b = least_integer(elem); b <= greatest_integer(elem); b += 5)
        check_integer_pair(elem, a, b);
}

TEST_CASE("integers at the edges of every type") {
  for (const ElemInfo &row : elem_table)
    if (is_integer(row.elem))
      for (std::int64_t a : edges(row.elem))
        for (std::int64_t b : edges(row.elem))
          check_integer_pair(row.elem, a, b);
}

TEST_CASE("wrapping, in numbers") {
  CHECK(on_integers("/", Elem::i32, -2147483648, -1) == -2147483648);
  CHECK(on_integers("%", Elem::i32, -2147483648, -1) == 0);
  CHECK(on_integers("/", Elem::i64, least_integer(Elem::i64), -1) == least_integer(Elem::i64));
  CHECK(on_integers("%", Elem::i64, least_integer(Elem::i64), -1) == 0);
  CHECK(on_integers("/", Elem::i8, -128, -1) == -128);
  CHECK(on_integers("/", Elem::i32, -7, 2) == -4);
  CHECK(on_integers("%", Elem::i32, -7, 2) == 1);
  CHECK(on_integers("%", Elem::i32, 7, -2) == -1);
  CHECK(on_integers("/", Elem::u8, 255, 0) == 0);
  CHECK(on_integers("%", Elem::u8, 255, 0) == 0);
  CHECK(on_integers("-", Elem::u32, 0, 1) == 4294967295);
  CHECK(on_integers("*", Elem::u32, 4294967295, 4294967295) == 1);
  CHECK(applied("abs", integer(Elem::i16, -32768)).integer == -32768);
  CHECK(applied("-", integer(Elem::u8, 1)).integer == 255);
}

TEST_CASE("float arithmetic is IEEE in its own width") {
  CHECK(on_reals("+", Elem::f32, 16777216, 1) == 16777216);
  CHECK(on_reals("+", Elem::f64, 16777216, 1) == 16777217);
  CHECK(on_reals("*", Elem::f32, 1e38f, 10) == inf);
  CHECK(on_reals("/", Elem::f32, 1, 0) == inf);
  CHECK(on_reals("/", Elem::f64, -1, 0) == -inf);
  CHECK(on_reals("/", Elem::f64, 1, -0.0) == -inf);
  CHECK(std::isnan(on_reals("/", Elem::f32, 0, 0)));
  CHECK(std::isnan(on_reals("-", Elem::f64, inf, inf)));
  CHECK(on_reals("/", Elem::f32, 1, 3) == static_cast<double>(1.0f / 3.0f));
  std::mt19937 random(1);
  std::uniform_real_distribution<float> any(-1e3f, 1e3f);
  for (int i = 0; i < 1000; ++i) {
    float a = any(random), b = any(random);
    CHECK(on_reals("+", Elem::f32, a, b) == static_cast<double>(a + b));
    CHECK(on_reals("*", Elem::f32, a, b) == static_cast<double>(a * b));
    CHECK(on_reals("/", Elem::f32, a, b) == static_cast<double>(a / b));
    CHECK(applied("exp", make_real(Elem::f32, a / 100)).real == static_cast<double>(std::exp(a / 100)));
    CHECK(applied("tanh", make_real(Elem::f32, a / 100)).real == static_cast<double>(std::tanh(a / 100)));
    CHECK(applied("erf", make_real(Elem::f32, a / 100)).real == static_cast<double>(std::erf(a / 100)));
  }
}

TEST_CASE("min and max of floats: NaN wins, and -0 is below +0") {
  for (Elem elem : {Elem::f32, Elem::f64})
    for (std::string_view op : {"min", "max"}) {
      CHECK(std::isnan(on_reals(op, elem, nan_value, 1)));
      CHECK(std::isnan(on_reals(op, elem, 1, nan_value)));
      CHECK(std::isnan(on_reals(op, elem, -inf, nan_value)));
      CHECK(std::signbit(on_reals(op, elem, -0.0, 0.0)) == (op == "min"));
      CHECK(std::signbit(on_reals(op, elem, 0.0, -0.0)) == (op == "min"));
      CHECK(std::signbit(on_reals(op, elem, -0.0, -0.0)));
      CHECK(on_reals(op, elem, 2, 3) == (op == "min" ? 2 : 3));
      CHECK(on_reals(op, elem, inf, -inf) == (op == "min" ? -inf : inf));
    }
}

TEST_CASE("float functions and comparisons") {
  for (Elem elem : {Elem::f32, Elem::f64}) {
    auto of = [&](std::string_view op, double x) { return applied(op, make_real(elem, x)).real; };
    auto power = [&](std::string_view op, double x, double y) {
      return applied(op, make_real(elem, x), make_real(elem, y)).real;
    };
    CHECK(of("abs", -2.5) == 2.5);
    CHECK_FALSE(std::signbit(of("abs", -0.0)));
    CHECK(std::signbit(of("-", 0.0)));
    CHECK(of("floor", -0.5) == -1);
    CHECK(of("ceil", -0.5) == 0);
    CHECK(power("scalb", 1.5, 3.9) == 12);
    CHECK(power("scalb", -1.5, -1.5) == -0.375);
    CHECK(power("scalb", 1, -140) == std::ldexp(1.0, -140));
    CHECK(power("scalb", 1.5, -149) == std::ldexp(elem == Elem::f32 ? 2 : 1.5, -149)); // to even
    CHECK(power("scalb", 1, 1e30) == inf);
    CHECK(power("scalb", inf, -1e30) == inf);
    CHECK(power("scalb", -0.0, inf) != power("scalb", -0.0, inf));
    CHECK(power("scalb", -2, -inf) == 0);
    CHECK(power("scalb", 2, inf) == inf);
    CHECK(of("rint", 2.5) == 2);
    CHECK(of("rint", 3.5) == 4);
    CHECK(of("rint", -2.5) == -2);
    CHECK(of("rint", 2.25) == 2);
    CHECK(std::signbit(of("ceil", -0.5)));
    CHECK(of("sqrt", 9) == 3);
    CHECK(std::isnan(of("sqrt", -1)));
    CHECK(of("exp", -inf) == 0);
    CHECK(of("log", 0) == -inf);
    CHECK(of("tanh", inf) == 1);
    CHECK(of("erf", inf) == 1);
    auto holds = [&](std::string_view op, double a, double b) {
      return applied(op, make_real(elem, a), make_real(elem, b)).integer != 0;
    };
    CHECK(holds("==", 0.0, -0.0));
    CHECK_FALSE(holds("<", -0.0, 0.0));
    for (std::string_view op : {"==", "<", "<=", ">", ">="})
      CHECK_FALSE(holds(op, nan_value, nan_value));
    CHECK(holds("!=", nan_value, nan_value));
    CHECK(holds("<=", 1, inf));
  }
}

TEST_CASE("bool") {
  for (bool a : {false, true}) {
    CHECK(same_bits(applied("not", make_bool(a)), make_bool(!a)));
    for (bool b : {false, true}) {
      CHECK(same_bits(applied("and", make_bool(a), make_bool(b)), make_bool(a && b)));
      CHECK(same_bits(applied("or", make_bool(a), make_bool(b)), make_bool(a || b)));
      CHECK(same_bits(applied("==", make_bool(a), make_bool(b)), make_bool(a == b)));
      CHECK(same_bits(applied("!=", make_bool(a), make_bool(b)), make_bool(a != b)));
    }
  }
}

TEST_CASE("conversions between integers") {
  auto both = [](Elem from, std::int64_t value, Elem to) {
    return std::pair(convert(integer(from, value), to, ConvertMode::wrap).integer,
                     convert(integer(from, value), to, ConvertMode::saturate).integer);
  };
  CHECK(both(Elem::i32, 300, Elem::u8) == std::pair<std::int64_t, std::int64_t>(44, 255));
  CHECK(both(Elem::i32, -1, Elem::u8) == std::pair<std::int64_t, std::int64_t>(255, 0));
  CHECK(both(Elem::u8, 200, Elem::i8) == std::pair<std::int64_t, std::int64_t>(-56, 127));
  CHECK(both(Elem::u32, 4294967295, Elem::i32) == std::pair<std::int64_t, std::int64_t>(-1, 2147483647));
  CHECK(both(Elem::i64, least_integer(Elem::i64), Elem::i32) ==
        std::pair<std::int64_t, std::int64_t>(0, -2147483648));
  CHECK(both(Elem::i64, -5, Elem::u32) == std::pair<std::int64_t, std::int64_t>(4294967291, 0));
  for (const ElemInfo &from : elem_table)
    for (const ElemInfo &to : elem_table)
      if (is_integer(from.elem) && is_integer(to.elem))
        for (std::int64_t value : edges(from.elem)) {
          auto [wraps, saturates] = both(from.elem, value, to.elem);
          CHECK(wraps == wrapped(to.elem, value));
          CHECK(saturates == std::min(std::max(value, least_integer(to.elem)), greatest_integer(to.elem)));
        }
}

TEST_CASE("conversions from float to integer truncate, saturate, and take NaN to 0") {
  auto to = [](Elem elem, double value, Elem from = Elem::f64) {
    Scalar wraps = convert(make_real(from, value), elem, ConvertMode::wrap);
    CHECK(same_bits(wraps, convert(make_real(from, value), elem, ConvertMode::saturate)));
    return wraps.integer;
  };
  CHECK(to(Elem::i32, 2147483648.0, Elem::f32) == 2147483647);
  CHECK(to(Elem::i32, 2147483647.5) == 2147483647);
  CHECK(to(Elem::i32, 2147483646.9) == 2147483646);
  CHECK(to(Elem::i32, -2147483648.0, Elem::f32) == -2147483648);
  CHECK(to(Elem::i32, -2147483904.0, Elem::f32) == -2147483648);
  CHECK(to(Elem::i64, 9.3e18, Elem::f32) == greatest_integer(Elem::i64));
  CHECK(to(Elem::i64, 9223372036854775808.0) == greatest_integer(Elem::i64));
  CHECK(to(Elem::i64, 9223372036854774784.0) == 9223372036854774784);
  CHECK(to(Elem::i64, -9223372036854775808.0) == least_integer(Elem::i64));
  CHECK(to(Elem::i64, -1e300) == least_integer(Elem::i64));
  CHECK(to(Elem::u32, 4294967296.0, Elem::f32) == 4294967295);
  CHECK(to(Elem::u32, 4294967295.0) == 4294967295);
  CHECK(to(Elem::u8, 255.99) == 255);
  CHECK(to(Elem::u8, 256) == 255);
  CHECK(to(Elem::u8, -0.99) == 0);
  CHECK(to(Elem::u8, -1) == 0);
  CHECK(to(Elem::i8, -128.9) == -128);
  CHECK(to(Elem::i8, -129) == -128);
  CHECK(to(Elem::i16, -2.9) == -2);
  for (const ElemInfo &row : elem_table)
    if (is_integer(row.elem)) {
      CHECK(to(row.elem, nan_value) == 0);
      CHECK(to(row.elem, inf) == greatest_integer(row.elem));
      CHECK(to(row.elem, -inf) == least_integer(row.elem));
      CHECK(to(row.elem, -0.0) == 0);
    }
}

TEST_CASE("conversions to float round once, to nearest even") {
  auto to = [](Elem elem, std::int64_t value) {
    return convert(integer(Elem::i64, value), elem, ConvertMode::wrap).real;
  };
  CHECK(to(Elem::f32, 16777217) == 16777216);
  CHECK(to(Elem::f32, 16777219) == 16777220);
  CHECK(to(Elem::f64, 9007199254740993) == 9007199254740992.0);
  // Through double this would round twice, to 2^60 + 2^37 and then down to 2^60.
  CHECK(to(Elem::f32, (1LL << 60) + (1LL << 36) + 1) == std::ldexp(1.0, 60) + std::ldexp(1.0, 37));
  CHECK(convert(make_real(Elem::f64, 1e300), Elem::f32, ConvertMode::saturate).real == inf);
  CHECK(convert(make_real(Elem::f64, 0.1), Elem::f32, ConvertMode::wrap).real == static_cast<double>(0.1f));
  CHECK(std::isnan(convert(make_real(Elem::f64, nan_value), Elem::f32, ConvertMode::wrap).real));
  CHECK(same_bits(convert(make_bool(true), Elem::f32, ConvertMode::wrap), make_real(Elem::f32, 1)));
  CHECK(same_bits(convert(make_bool(true), Elem::u8, ConvertMode::saturate), integer(Elem::u8, 1)));
  CHECK(same_bits(convert(integer(Elem::i32, 256), Elem::boolean, ConvertMode::wrap), make_bool(true)));
  CHECK(same_bits(convert(make_real(Elem::f32, -0.0), Elem::boolean, ConvertMode::wrap), make_bool(false)));
  CHECK(same_bits(convert(make_real(Elem::f32, 0.25), Elem::boolean, ConvertMode::wrap), make_bool(true)));
}

TEST_CASE("reductions start from their neutral value") {
  for (Reduction reduction : {Reduction::sum, Reduction::prod, Reduction::max, Reduction::min})
    for (const ElemInfo &row : elem_table) {
      if (row.elem == Elem::boolean)
        continue;
      CAPTURE(name(reduction));
      CAPTURE(row.name);
      Scalar start = neutral(reduction, row.elem);
      for (std::int64_t x : {0, 1, 2, 100}) {
        Scalar value =
            is_float(row.elem) ? make_real(row.elem, static_cast<double>(x)) : integer(row.elem, x);
        CHECK(same_bits(combiner(reduction).eval(std::array{start, value}), value));
        CHECK(same_bits(combiner(reduction).eval(std::array{value, start}), value));
      }
    }
  CHECK(neutral(Reduction::max, Elem::f32).real == -inf);
  CHECK(neutral(Reduction::min, Elem::u16).integer == 65535);
  CHECK(neutral(Reduction::max, Elem::i8).integer == -128);
}

TEST_CASE("the table: rows are distinct, typed, and have a C template for what they accept") {
  for (const ScalarOp &op : scalar_ops()) {
    CAPTURE(op.name);
    CHECK(find_scalar_op(op.name, op.arity) == &op);
    CHECK_FALSE(op.c.empty());
    for (const ElemInfo &row : elem_table)
      if (accepts(op.operands, row.elem)) {
        std::vector<Scalar> ones(static_cast<std::size_t>(op.arity),
                                 convert(make_bool(true), row.elem, ConvertMode::wrap));
        CHECK(op.eval(ones).elem == (op.result == ResultRule::same ? row.elem : Elem::boolean));
      }
  }
  CHECK(find_scalar_op("sin", 1) == nullptr);
  CHECK(find_scalar_op("min", 3) == nullptr);
  CHECK(find_scalar_op("-", 1) != find_scalar_op("-", 2));
}

TEST_CASE("values as literals") {
  CHECK(to_string(make_real(Elem::f32, 0.1)) == "0.1");
  CHECK(to_string(make_real(Elem::f64, 0.1f)) == "0.10000000149011612");
  CHECK(to_string(make_real(Elem::f32, 3)) == "3.0");
  CHECK(to_string(make_real(Elem::f64, -0.0)) == "-0.0");
  CHECK(to_string(make_real(Elem::f64, 1e20)) == "1e+20");
  CHECK(to_string(make_real(Elem::f32, -inf)) == "-inf");
  CHECK(to_string(make_real(Elem::f32, -nan_value)) == "nan");
  CHECK(to_string(integer(Elem::i64, least_integer(Elem::i64))) == "-9223372036854775808");
  CHECK(to_string(make_bool(true)) == "true");
}

TEST_CASE("tensors hold every type") {
  for (const ElemInfo &row : elem_table) {
    CAPTURE(row.name);
    Tensor tensor = make_tensor(row.elem, {2, 3});
    CHECK(tensor.element_count() == 6);
    CHECK(tensor.bytes.size() == 6 * byte_size(row.elem));
    CHECK(same_bits(tensor.get(5), zero(row.elem)));
    Scalar one = convert(make_bool(true), row.elem, ConvertMode::wrap);
    Scalar extreme =
        is_float(row.elem) ? make_real(row.elem, -inf) : integer(row.elem, least_integer(row.elem));
    tensor.set(0, one);
    tensor.set(5, extreme);
    CHECK(same_bits(tensor.get(0), one));
    CHECK(same_bits(tensor.get(5), extreme));
    CHECK(same_bits(tensor.get(1), zero(row.elem)));
  }
  CHECK(make_tensor(Elem::f32, {}).element_count() == 1);
  CHECK(make_tensor(Elem::f32, {0, 1LL << 62, 1LL << 62}).element_count() == 0);
  CHECK_THROWS_AS(make_tensor(Elem::f32, {1LL << 40, 1LL << 40}), std::length_error);
}

TEST_CASE("tensors with other NaNs are the same, with another zero they are not") {
  Tensor a = make_tensor(Elem::f32, {2}), b = a;
  a.set(0, make_real(Elem::f32, nan_value));
  b.set(0, make_real(Elem::f32, -nan_value));
  CHECK(same_bits(a, b));
  b.set(1, make_real(Elem::f32, -0.0));
  CHECK_FALSE(same_bits(a, b));
  CHECK_FALSE(same_bits(make_tensor(Elem::f32, {2}), make_tensor(Elem::f32, {2, 1})));
  CHECK_FALSE(same_bits(make_tensor(Elem::f32, {2}), make_tensor(Elem::i32, {2})));
}

} // namespace atl::scalar_test
