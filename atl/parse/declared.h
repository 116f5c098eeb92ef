// What the text of a definition declares, read from its pieces: also of one that has errors.
#pragma once
#include "atl/parse/pattern.h"

namespace atl::parse {

struct Declared {
  std::uint32_t type_begin, type_end;    // of the element type, if there is one
  std::string_view elem;                 // "f32", "size"; empty: not known
  std::vector<std::string_view> extents; // as they are written
};
using Declarations = std::map<std::string_view, Declared>;

// Parameters, and lets of a `gen`.
Declarations declarations_of(std::string_view text, const std::vector<Piece> &pieces);

// The texts between commas, from the piece behind an open bracket to the one that closes it, which `at`
// becomes.
std::vector<std::string_view> list_at(std::string_view text, const std::vector<Piece> &pieces,
                                      std::size_t &at);

// `sum(x * y)` as a reduction over all cells: `sum i < N { x[i] * y[i] }`. Nothing where extents are unknown.
std::optional<std::string> reduction_over(std::string_view word, std::string_view expression,
                                          const Declarations &declared);

// A[i, 1:N] as a `gen` over the dimensions with a colon. Nothing where extents are unknown.
std::optional<std::string> slice_of(std::string_view tensor, std::string_view indices,
                                    const Declarations &declared);

// `int N, float x[N]` as `N: size, x: f32[N]`; nothing if no parameter is written so.
std::optional<std::string> parameters_from_c(std::string_view parameters);

} // namespace atl::parse
