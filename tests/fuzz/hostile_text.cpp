#include "fuzz/hostile_text.h"

#include "atl/parse/scan.h"

#include <algorithm>

namespace atl::fuzz {

static Token::Kind kind_of(std::string_view token) {
  const char first = token[0];
  if (first >= '0' && first <= '9')
    return Token::Kind::number;
  if (parse::is_word_char(first))
    return parse::is_keyword(token) || parse::is_step_marker(token) ? Token::Kind::keyword
                                                                    : Token::Kind::name;
  if (first == '"')
    return Token::Kind::string;
  if (first == '(' || first == '[' || first == '{')
    return Token::Kind::open;
  if (first == ')' || first == ']' || first == '}')
    return Token::Kind::close;
  constexpr std::string_view operators = "+-*/%<>=!";
  return operators.find(first) != std::string_view::npos && token != "=" && token != "->"
             ? Token::Kind::op
             : Token::Kind::other;
}

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  std::size_t end = 0;
  for (std::string_view token = parse::token_at(text, end); !token.empty();
       token = parse::token_at(text, end)) {
    const auto begin = static_cast<std::size_t>(token.data() - text.data());
    tokens.push_back({kind_of(token), std::string(text.substr(end, begin - end)), std::string(token)});
    end = begin + token.size();
  }
  return tokens;
}

std::string text_of(const std::vector<Token> &tokens) {
  std::string text;
  for (const Token &token : tokens)
    text += token.blank + token.text;
  return text + "\n";
}

Range statement_at(const std::vector<Token> &tokens, std::size_t semicolon) {
  std::size_t begin = semicolon;
  auto ends_another = [&](const std::string &text) { return text == ";" || text == "{" || text == "}"; };
  while (begin > 0 && !ends_another(tokens[begin - 1].text))
    --begin;
  return {begin, semicolon + 1};
}

std::size_t behind_group(const std::vector<Token> &tokens, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    depth += tokens[i].kind == Token::Kind::open;
    depth -= tokens[i].kind == Token::Kind::close;
    if (depth == 0)
      return i + 1;
  }
  return tokens.size();
}

} // namespace atl::fuzz
