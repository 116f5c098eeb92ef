#include "proofs/reader/coq/sentences.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace atl::proofs::reader::coq {

namespace {

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_blank(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

class Scanner {
public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<Sentence> run() {
    while (skip_blanks(), next_ < text_.size())
      if (sees(".") && is_blank(after(1)))
        end_sentence();
      else
        sentence_.push_back(word());
    if (!sentence_.empty())
      throw Difference(place(), "the last sentence has no end");
    return std::move(sentences_);
  }

private:
  char after(std::size_t ahead) const { return next_ + ahead < text_.size() ? text_[next_ + ahead] : '\n'; }
  bool sees(std::string_view what) const { return text_.substr(next_, what.size()) == what; }
  std::uint32_t place() const { return static_cast<std::uint32_t>(next_); }

  void end_sentence() {
    ++next_;
    sentences_.push_back(std::move(sentence_));
    sentence_ = {};
  }

  void skip_blanks() {
    while (next_ < text_.size())
      if (is_blank(text_[next_]))
        ++next_;
      else if (sees("(*"))
        skip_comment();
      else
        return;
  }

  // Comments nest, and strings in them are strings.
  void skip_comment() {
    const std::uint32_t begin = place();
    int depth = 0;
    do {
      if (next_ >= text_.size())
        throw Difference(begin, "a comment has no end");
      if (sees("\"")) {
        string();
        continue;
      }
      const bool opens = sees("(*"), closes = sees("*)");
      depth += opens ? 1 : closes ? -1 : 0;
      next_ += opens || closes ? 2 : 1;
    } while (depth > 0);
  }

  Word word() {
    const std::uint32_t at = place();
    if (sees("\""))
      return {Word::Kind::text, string(), at};
    if (is_letter(text_[next_])) {
      while (is_letter(after(0)) || is_digit(after(0)) || after(0) == '\'' ||
             (after(0) == '.' && is_letter(after(1))))
        ++next_;
      return {Word::Kind::word, std::string(text_.substr(at, next_ - at)), at};
    }
    if (is_digit(text_[next_])) {
      while (is_digit(after(0)))
        ++next_;
      return {Word::Kind::number, std::string(text_.substr(at, next_ - at)), at};
    }
    static constexpr std::array<std::string_view, 9> pairs = {":=",  "<=", ">=", "<>", "/\\",
                                                              "\\/", "->", "=>", "<-"};
    auto pair = std::find_if(pairs.begin(), pairs.end(), [&](std::string_view p) { return sees(p); });
    const std::size_t length = pair == pairs.end() ? 1 : pair->size();
    next_ += length;
    return {Word::Kind::symbol, std::string(text_.substr(at, length)), at};
  }

  std::string string() { // "" in it is one quote
    const std::uint32_t begin = place();
    std::string content;
    for (++next_; !sees("\"") || sees("\"\""); ++next_) {
      if (next_ >= text_.size())
        throw Difference(begin, "a string has no end");
      content += text_[next_];
      next_ += sees("\"\"");
    }
    ++next_;
    return content;
  }

  std::string_view text_;
  std::size_t next_ = 0;
  Sentence sentence_;
  std::vector<Sentence> sentences_;
};

} // namespace

std::vector<Sentence> sentences_of(std::string_view text) {
  return Scanner(text).run();
}

} // namespace atl::proofs::reader::coq
