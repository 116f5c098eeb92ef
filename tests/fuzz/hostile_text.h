// Programs as rows of tokens, which mutations change one by one.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace atl::fuzz {

struct Token {
  enum class Kind { name, keyword, number, string, open, close, op, other } kind;
  std::string blank, text; // white space and comments in front of it
};

std::vector<Token> tokens_of(std::string_view text);
std::string text_of(const std::vector<Token> &tokens);

// From the place behind the last ';' or brace before a ';' to the place behind it: a step, or a let.
struct Range {
  std::size_t begin, end;
};
Range statement_at(const std::vector<Token> &tokens, std::size_t semicolon);

// Of the bracket that opens at a place: the place behind the one that closes it.
std::size_t behind_group(const std::vector<Token> &tokens, std::size_t open);

} // namespace atl::fuzz
