#include "atl/parse/literal.h"

#include "atl/parse/scan.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <string>

namespace atl::parse {

namespace {

struct Parts {
  std::string_view digits; // without 0x
  int base = 10;
  bool has_fraction = false;
  std::optional<Elem> suffix;
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

std::size_t count_while(std::string_view text, bool (*holds)(char)) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), holds) - text.begin());
}

// The length of digits, fraction and exponent.
std::size_t decimal_length(std::string_view text) {
  std::size_t length = count_while(text, is_digit);
  if (text.substr(length).starts_with('.'))
    if (std::size_t fraction = count_while(text.substr(length + 1), is_digit); fraction > 0)
      length += 1 + fraction;
  std::string_view rest = text.substr(length);
  if (!rest.starts_with('e') && !rest.starts_with('E'))
    return length;
  std::size_t sign = rest.size() > 1 && (rest[1] == '+' || rest[1] == '-') ? 1 : 0;
  std::size_t exponent = count_while(rest.substr(1 + sign), is_digit);
  return exponent == 0 ? length : length + 1 + sign + exponent;
}

std::optional<Parts> split_number(std::string_view text) {
  Parts parts;
  bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  if (is_hex)
    text.remove_prefix(2);
  std::size_t length = is_hex ? count_while(text, is_hex_digit) : decimal_length(text);
  parts.digits = text.substr(0, length);
  parts.base = is_hex ? 16 : 10;
  parts.has_fraction = !is_hex && parts.digits.find_first_of(".eE") != std::string_view::npos;
  std::string_view suffix = text.substr(length);
  parts.suffix = elem_named(suffix);
  bool good_suffix = suffix.empty() || (parts.suffix && *parts.suffix != Elem::boolean);
  return length > 0 && good_suffix ? std::optional(parts) : std::nullopt;
}

Diagnostic does_not_fit(std::string_view text, bool negative, std::string_view type, Span span) {
  return {
      Code::number_too_large, span, fmt::format("{}{} does not fit {}", negative ? "-" : "", text, type), {}};
}

Result<Literal> float_literal(const Parts &parts, std::string_view text, bool negative, Span span) {
  Elem type = parts.suffix.value_or(Elem::f64);
  double magnitude = make_real(type, std::strtod(std::string(parts.digits).c_str(), nullptr)).real;
  if (std::isinf(magnitude))
    return does_not_fit(text, negative, name(type), span);
  return Literal{true, 0, negative ? -magnitude : magnitude, parts.suffix};
}

Result<Literal> integer_literal(const Parts &parts, std::string_view text, bool negative, Span span) {
  std::uint64_t magnitude = 0;
  auto [end, error] =
      std::from_chars(parts.digits.data(), parts.digits.data() + parts.digits.size(), magnitude, parts.base);
  Elem type = parts.suffix.value_or(Elem::i64);
  auto greatest = static_cast<std::uint64_t>(greatest_integer(type));
  std::uint64_t limit = !negative ? greatest : info(type).is_signed ? greatest + 1 : 0;
  if (error != std::errc() || magnitude > limit)
    return does_not_fit(text, negative, parts.suffix ? name(type) : "64 bits", span);
  std::uint64_t value = negative ? 0 - magnitude : magnitude; // modulo 2^64, so that the least i64 is reached
  return Literal{false, static_cast<std::int64_t>(value), 0, parts.suffix};
}

} // namespace

std::size_t number_length(std::string_view text) {
  if (text.empty() || !is_digit(text[0]))
    return 0;
  std::size_t length = decimal_length(text);
  return length + count_while(text.substr(length), is_word_char);
}

Result<Literal> parse_number(std::string_view text, bool negative, Span span) {
  std::optional<Parts> parts = split_number(text);
  if (!parts)
    return Diagnostic{Code::syntax_error, span, fmt::format("'{}' is not a number", text), {}};
  if (parts->suffix && is_integer(*parts->suffix) && parts->has_fraction)
    return Diagnostic{Code::syntax_error,
                      span,
                      fmt::format("'{}' has a fraction or an exponent, and {} is an integer type", text,
                                  name(*parts->suffix)),
                      {}};
  bool real = parts->has_fraction || (parts->suffix && is_float(*parts->suffix));
  return real ? float_literal(*parts, text, negative, span) : integer_literal(*parts, text, negative, span);
}

Literal literal_of_word(std::string_view word) {
  if (word == "true" || word == "false")
    return {false, word == "true" ? 1 : 0, 0, Elem::boolean};
  using Limits = std::numeric_limits<double>;
  return {true, 0, word.starts_with("inf") ? Limits::infinity() : Limits::quiet_NaN(),
          elem_named(word.substr(3))};
}

Literal negated(Literal literal) {
  literal.integer = -literal.integer;
  literal.real = -literal.real;
  return literal;
}

Literal literal_of(const Scalar &value) {
  return {is_float(value.elem), value.integer, value.real, value.elem};
}

} // namespace atl::parse
