// Text from outside, as messages may show it: a terminal must not obey it, and a reader must get to its end.
#pragma once
#include <string>
#include <string_view>

namespace atl {

// Control characters, marks that reverse the order of text, and bytes that are no UTF-8 become \x1b; line
// ends and tabs stay.
std::string printable(std::string_view text);

// A name, which has no line ends and tabs either.
std::string printable_name(std::string_view name);

// One character for each, so that a mark below a column stays there.
std::string printable_column_by_column(std::string_view line);

// Like printable, and words too long to read lose their middle.
std::string readable(std::string_view text);

} // namespace atl
