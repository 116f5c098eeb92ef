#include "proofs/reader/c/tokens.h"

#include "atl/base/deadline.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

namespace atl::proofs::reader {

namespace {

constexpr std::array<std::string_view, 6> refused_pairs{"/*", "<:", ":>", "<%", "%>", "%:"};
constexpr std::array<std::string_view, 16> pairs{"||", "&&", "==", "!=", "<=", ">=", "++", "--",
                                                 "+=", "-=", "*=", "/=", "%=", "->", "<<", ">>"};

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

class Lexer {
public:
  explicit Lexer(std::string_view source) : source_(source) {}

  std::vector<Token> run() {
    for (at_ = 0; at_ < source_.size(); ++at_)
      refuse_what_hides_code();
    at_ = 0;
    std::vector<Token> tokens;
    for (skip(); at_ < source_.size(); skip())
      tokens.push_back(next());
    tokens.push_back({Token::Kind::end, {}, static_cast<std::uint32_t>(source_.size())});
    return tokens;
  }

private:
  bool ends_line(std::size_t from) const {
    const std::size_t next = source_.find_first_not_of(" \t", from);
    return next == std::string_view::npos || source_[next] == '\n';
  }

  // The first character is compared by itself: it decides nearly always.
  bool sees(std::string_view text) const {
    return source_[at_] == text[0] && source_.substr(at_).starts_with(text);
  }

  bool sees_one_of(std::span<const std::string_view> texts) const {
    return std::any_of(texts.begin(), texts.end(), [&](std::string_view text) { return sees(text); });
  }

  // Inside comments, too: lines that go on, or end, where they do not seem to.
  void refuse_what_hides_code() const {
    const char c = source_[at_];
    if (c == '\\' && ends_line(at_ + 1))
      refuse("a backslash that joins two lines");
    if (c != '\n' && c != '\t' && std::iscntrl(static_cast<unsigned char>(c)))
      refuse("a control character");
    if (sees("??") && at_ + 2 < source_.size() &&
        std::string_view("=/'()!<>-").find(source_[at_ + 2]) != std::string_view::npos)
      refuse("a trigraph");
  }

  [[noreturn]] void refuse(const char *what) const {
    throw Difference(static_cast<std::uint32_t>(at_), what);
  }

  void skip() {
    while (at_ < source_.size())
      if (std::isspace(static_cast<unsigned char>(source_[at_])))
        ++at_;
      else if (sees("//"))
        at_ = std::min(source_.find('\n', at_), source_.size());
      else
        return;
  }

  Token next() {
    char c = source_[at_];
    if (c == '#')
      return take(Token::Kind::directive, line_length());
    if (c == '"')
      return take(Token::Kind::text, text_length());
    if (std::isdigit(static_cast<unsigned char>(c)))
      return take(Token::Kind::number, number_length());
    if (is_word_character(c))
      return take(Token::Kind::word, length_while([](char x) { return is_word_character(x); }));
    if (sees_one_of(refused_pairs))
      refuse("a comment or a digraph, which the emitted C does not have");
    if (sees_one_of(pairs))
      return take(Token::Kind::symbol, 2);
    if (std::string_view("()[]{};,<>+-*/%!?:=&|").find(c) == std::string_view::npos)
      refuse("a character that the emitted C does not have");
    return take(Token::Kind::symbol, 1);
  }

  Token take(Token::Kind kind, std::size_t length) {
    take_step();
    Token token{kind, source_.substr(at_, length), static_cast<std::uint32_t>(at_)};
    at_ += length;
    while (kind == Token::Kind::directive && std::isspace(static_cast<unsigned char>(token.text.back())))
      token.text.remove_suffix(1);
    return token;
  }

  template <class Predicate>
  std::size_t length_while(Predicate belongs) const {
    std::size_t end = at_;
    while (end < source_.size() && belongs(source_[end]))
      ++end;
    return end - at_;
  }

  std::size_t line_length() const {
    return length_while([](char c) { return c != '\n'; });
  }

  // 12, 0x80, 1.5f, 1e-05: a sign belongs to it after an e of a decimal number.
  std::size_t number_length() const {
    bool decimal = !sees("0x");
    std::size_t end = at_;
    while (end < source_.size()) {
      char c = source_[end];
      bool sign = (c == '-' || c == '+') && decimal && source_[end - 1] == 'e';
      if (!is_word_character(c) && c != '.' && !sign)
        break;
      ++end;
    }
    return end - at_;
  }

  std::size_t text_length() const {
    std::size_t end = at_ + 1;
    while (end < source_.size() && source_[end] != '"' && source_[end] != '\n')
      end += source_[end] == '\\' ? 2 : 1;
    if (end >= source_.size() || source_[end] != '"')
      refuse("a string that does not end");
    return end + 1 - at_;
  }

  std::string_view source_;
  std::size_t at_ = 0;
};

} // namespace

std::vector<Token> tokens_of(std::string_view source) {
  return Lexer(source).run();
}

} // namespace atl::proofs::reader
