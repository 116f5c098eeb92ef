// Patterns of text, such as `$x = %e ;`, and what is written instead: the language of the table of habits
// (habits.cpp). A pattern is words with blanks between them:
//   $x   a name                        #n   a number
//   %e   an expression: brackets are balanced, no comma and no semicolon stands outside of them
//   %%e  the same, with commas         ~    an end of a line
//   $x.end  a name that ends in .end   "s   a string
//   :k:a|b  one of these words         a    itself; @a is where the mistake is, instead of the first such
//   word
// In a template the letter behind its sign stands for what was found, and &t for the element type that t is
// elsewhere; (%e) has its parentheses only if needed.
#pragma once
#include "atl/base/span.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace atl::parse {

struct Piece { // of a text: a word, a number or punctuation
  std::string_view text;
  std::uint32_t begin, end;
};

// What stands from `begin` to `end`, without white space and comments.
std::vector<Piece> pieces_of(std::string_view text, std::size_t begin, std::size_t end);

struct Pattern {
  explicit Pattern(std::string_view written); // which has to outlive it
  std::vector<std::string_view> words;
};

struct Found {
  std::size_t first, behind, key; // pieces
  std::map<char, std::string_view> parts;
};
std::optional<Found> match_at(std::string_view text, const std::vector<Piece> &pieces, std::size_t first,
                              const Pattern &pattern);
std::string filled(std::string_view pattern, const Found &found);

// The element types that other languages have: "float" is f32. Empty: not known.
std::string_view type_of_elsewhere(std::string_view name);

bool is_atom(std::string_view expression); // can be an operand as it is
bool opens(std::string_view piece);        // a bracket
bool closes(std::string_view piece);

} // namespace atl::parse
