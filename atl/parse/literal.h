// Numbers as they are written: 12, 0x1f, 1.5, 1e-3, with an element type attached or not: 3u8, 2.5f64.
#pragma once
#include "atl/base/diagnostic.h"
#include "atl/base/result.h"
#include "atl/syntax/expr.h"

#include <string_view>

namespace atl::parse {

// The length of the number that a text starts with, with letters that do not belong there; 0 if it starts
// with no digit.
std::size_t number_length(std::string_view text);

// `text` is what number_length measured; a minus sign in front of it belongs to the literal (so that -128i8
// is one).
Result<Literal> parse_number(std::string_view text, bool negative, Span span);

// true, false, inf, nan, inff64 ...; see is_literal_word.
Literal literal_of_word(std::string_view word);
Literal negated(Literal literal);
Literal literal_of(const Scalar &value); // with the element type attached

} // namespace atl::parse
