#include "atl/scalar/scalar.h"

#include "atl/base/check.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace atl {

Scalar make_real(Elem elem, double value) {
  return {elem, elem == Elem::f32 ? static_cast<double>(static_cast<float>(value)) : value, 0};
}

static std::int64_t wrap(Elem elem, std::int64_t value) {
  switch (elem) {
  case Elem::i8: return static_cast<std::int8_t>(value);
  case Elem::u8: return static_cast<std::uint8_t>(value);
  case Elem::i16: return static_cast<std::int16_t>(value);
  case Elem::u16: return static_cast<std::uint16_t>(value);
  case Elem::i32: return static_cast<std::int32_t>(value);
  case Elem::u32: return static_cast<std::uint32_t>(value);
  case Elem::i64: return value;
  case Elem::boolean: return value != 0;
  case Elem::f32:
  case Elem::f64: break;
  }
  ATL_CHECK(false, "a float type where an integer type is needed");
}

Scalar make_integer(Elem elem, std::int64_t value) {
  return {elem, 0, wrap(elem, value)};
}

Scalar zero(Elem elem) {
  return {elem, 0, 0};
}

bool same_bits(const Scalar &a, const Scalar &b) {
  if (a.elem != b.elem)
    return false;
  if (!is_float(a.elem))
    return a.integer == b.integer;
  if (std::isnan(a.real) || std::isnan(b.real))
    return std::isnan(a.real) && std::isnan(b.real);
  return std::bit_cast<std::uint64_t>(a.real) == std::bit_cast<std::uint64_t>(b.real);
}

// The shortest digits that read back as the same value, marked as a float.
static std::string float_literal(const Scalar &value) {
  if (std::isnan(value.real))
    return "nan";
  std::string digits = value.elem == Elem::f32 ? fmt::format("{}", static_cast<float>(value.real))
                                               : fmt::format("{}", value.real);
  return digits.find_first_of(".en") == std::string::npos ? digits + ".0" : digits;
}

std::string to_string(const Scalar &value) {
  if (is_float(value.elem))
    return float_literal(value);
  if (value.elem == Elem::boolean)
    return value.integer != 0 ? "true" : "false";
  return std::to_string(value.integer);
}

std::int64_t least_integer(Elem elem) {
  return info(elem).is_signed ? std::numeric_limits<std::int64_t>::min() >> (64 - info(elem).bits) : 0;
}

std::int64_t greatest_integer(Elem elem) {
  if (elem == Elem::boolean)
    return 1;
  int value_bits = info(elem).bits - (info(elem).is_signed ? 1 : 0);
  return std::numeric_limits<std::int64_t>::max() >> (63 - value_bits);
}

static std::int64_t clamp_to(Elem to, std::int64_t value) {
  return std::clamp(value, least_integer(to), greatest_integer(to));
}

// Towards zero, then to the nearest value of the type. The limits as doubles: the least is exact, and so is
// greatest + 1.
static std::int64_t saturate(Elem to, double value) {
  if (std::isnan(value))
    return 0;
  if (value < static_cast<double>(least_integer(to)))
    return least_integer(to);
  double limit = std::ldexp(1.0, info(to).bits - (info(to).is_signed ? 1 : 0));
  return value >= limit ? greatest_integer(to) : static_cast<std::int64_t>(value);
}

static double to_real(Elem to, std::int64_t value) {
  return to == Elem::f32 ? static_cast<double>(static_cast<float>(value)) : static_cast<double>(value);
}

Scalar convert(const Scalar &value, Elem to, ConvertMode mode) {
  bool from_float = is_float(value.elem);
  if (to == Elem::boolean)
    return make_bool(from_float ? value.real != 0 : value.integer != 0);
  if (is_float(to))
    return from_float ? make_real(to, value.real) : Scalar{to, to_real(to, value.integer), 0};
  if (from_float)
    return {to, 0, saturate(to, value.real)};
  return mode == ConvertMode::wrap ? make_integer(to, value.integer)
                                   : Scalar{to, 0, clamp_to(to, value.integer)};
}

} // namespace atl
