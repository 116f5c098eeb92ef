// What is said about a text that the grammar does not accept.
#pragma once
#include "atl/base/diagnostic.h"
#include "atl/parse/surface.h"

#include <string>
#include <string_view>

namespace atl::parse {

// "expected ';', found 'let'" at the token at or behind `offset`, with advice for mistakes that are common.
Diagnostic syntax_error(std::string_view text, std::uint32_t file, std::uint32_t offset,
                        const std::string &expected);
Diagnostic nested_too_deeply(std::string_view text, std::uint32_t file, std::uint32_t offset);

// Stands for the definition at `offset` that has a syntax error: remembers its name.
Node broken_definition(std::string_view text, std::uint32_t file, std::uint32_t offset);

} // namespace atl::parse
