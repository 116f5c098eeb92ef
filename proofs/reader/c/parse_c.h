// Tokens to functions. Throws Difference where they are not of the C that atlc emits.
#pragma once
#include "proofs/reader/c/c_syntax.h"

namespace atl::proofs::reader {

// A place in the tokens.
class Cursor {
public:
  explicit Cursor(const std::vector<Token> &tokens, std::size_t first = 0) : tokens_(&tokens), next_(first) {}

  const Token &peek(std::size_t ahead = 0) const {
    return (*tokens_)[std::min(next_ + ahead, tokens_->size() - 1)];
  }
  bool sees(std::string_view text, std::size_t ahead = 0) const { return peek(ahead).text == text; }
  const Token &take() {
    const Token &token = peek();
    next_ += next_ + 1 < tokens_->size();
    return token;
  }
  std::size_t position() const { return next_; }
  const std::vector<Token> &all_tokens() const { return *tokens_; }
  bool takes(std::string_view text); // if it is there
  void expect(std::string_view text);
  std::string word();
  bool begins_with(const std::vector<Token> &expected) const;
  void same_as(const std::vector<Token> &expected, const std::string &what); // one by one
  [[noreturn]] void fail(const std::string &what) const { throw Difference(peek().at, what); }

private:
  const std::vector<Token> *tokens_;
  std::size_t next_;
};

bool is_type(std::string_view word);
CFunction parse_function(Cursor &cursor, bool has_instructions = false);
CExpr parse_expression(Cursor &cursor);
CExpr parse_postfix(Cursor &cursor); // a name, number or call, or something in parentheses; with subscripts

} // namespace atl::proofs::reader
