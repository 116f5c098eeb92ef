// The grammar of the language (docs/language.md): text to parse tree.
#pragma once
#include "atl/parse/reporter.h"
#include "atl/parse/surface.h"

#include <string_view>
#include <vector>

namespace atl::parse {

inline constexpr int nesting_limit = 200; // of parentheses, brackets, blocks and prefix operators

// The definitions of one file, whose text has passed check_text. After a syntax error, which is reported,
// reading goes on at the next definition; the one in error becomes a node of Kind::broken.
std::vector<Node> parse_definitions(std::string_view text, std::uint32_t file, Reporter &reporter);

} // namespace atl::parse
