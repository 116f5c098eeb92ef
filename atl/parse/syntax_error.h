// What is said about a text that the grammar does not accept.
#pragma once
#include "atl/base/diagnostic.h"
#include "atl/parse/surface.h"

#include <string>
#include <string_view>
#include <vector>

namespace atl::parse {

// "expected ';', found 'let'" at the token at or behind `offset`, with advice for mistakes that are common.
Diagnostic syntax_error(std::string_view text, std::uint32_t file, std::uint32_t offset,
                        const std::string &expected);
Diagnostic nested_too_deeply(std::string_view text, std::uint32_t file, std::uint32_t offset);

// Stands for the definition at `offset` that has a syntax error: remembers its name.
Node broken_definition(std::string_view text, std::uint32_t file, std::uint32_t offset);

// Where reading goes on behind the definition at `begin`, which could be read up to `offset`: at the next of
// the places where definitions start. A `const` at `offset` was meant to stand inside.
std::size_t next_definition(std::string_view text, const std::vector<std::uint32_t> &starts,
                            std::ptrdiff_t begin, std::uint32_t offset);

} // namespace atl::parse
