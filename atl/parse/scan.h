// The text below the grammar: encoding, white space and comments, words, where definitions start.
#pragma once
#include "atl/base/result.h"
#include "atl/base/source.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace atl::parse {

bool is_word_char(char c);
std::size_t
name_length(std::string_view text); // of the name or word a text starts with, such as y.o; 0: none
std::string_view first_word(std::string_view text);   // the same, itself
std::string_view first_symbol(std::string_view text); // that, or the longest punctuation that it starts with
// Of the name of an instruction in a table, where a column may stand in braces: add_{T}; 0: none.
std::size_t holed_name_length(std::string_view text);
bool is_keyword(std::string_view word);     // a word of the grammar, which no definition can take as its name
bool is_step_marker(std::string_view word); // by, tail, at ...: words between the items of a step
bool starts_definition(std::string_view word); // import, const, fn, kernel, step, schedule
bool is_reduction(std::string_view word);      // sum, prod, max, min
bool is_literal_word(std::string_view word);   // true, false, inf, nan, inff32 ...

// The length of the string in quotation marks that a text starts with; 0 if it starts with none.
std::size_t string_length(std::string_view text);

// Behind white space and comments; at a comment without end if there is one.
const char *skip_blank(const char *first, const char *last);

// What makes a file unreadable as a whole: too large, not UTF-8, a comment or a string without end.
std::optional<Diagnostic> check_text(std::string_view text, std::uint32_t file);

// What the grammar wants to know ahead, found in one pass over the text outside comments and strings.
// Offsets, ascending.
struct Outline {
  std::vector<std::uint32_t>
      definitions; // the words `import`, `const`, `fn`, `kernel`, `step`, `schedule` that start a definition
  std::vector<std::uint32_t>
      min_max_calls; // the words `min` and `max` with two operands in parentheses behind them
};
Outline outline(std::string_view text);

// The token at an offset (empty at the end of the text), and how a message calls it: "'foo'", "'<='", "the
// end of the file".
std::string_view token_at(std::string_view text, std::size_t offset);
std::string describe(std::string_view token);

} // namespace atl::parse
