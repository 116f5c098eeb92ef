#include "proofs/reader/template.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace atl::proofs::reader {

namespace {

struct Part {
  std::string text;
  bool is_hole;
};

bool may_be_in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
}

// Braces around what is no name are C.
std::vector<Part> parts_of(const std::string &c) {
  std::vector<Part> parts{{"", false}};
  for (std::size_t at = 0; at < c.size();) {
    const bool begins_name = c[at] == '{' && at + 1 < c.size() && may_be_in_name(c[at + 1]) &&
                             !std::isdigit(static_cast<unsigned char>(c[at + 1]));
    std::size_t end = at + 1;
    while (begins_name && end < c.size() && may_be_in_name(c[end]))
      ++end;
    if (begins_name && end < c.size() && c[end] == '}') {
      parts.push_back({c.substr(at + 1, end - at - 1), true});
      parts.push_back({"", false});
      at = end + 1;
    } else {
      parts.back().text += c[at++];
    }
  }
  return parts; // C, hole, C, hole, ..., C
}

bool opens(std::string_view token) {
  constexpr std::array<std::string_view, 3> all{"(", ",", "="};
  return std::find(all.begin(), all.end(), token) != all.end();
}

bool closes(std::string_view token) {
  constexpr std::array<std::string_view, 3> all{")", ",", ";"};
  return std::find(all.begin(), all.end(), token) != all.end();
}

} // namespace

void same_template(const std::string &c, Cursor &in, const std::function<void(const Hole &)> &operand) {
  const std::vector<Part> parts = parts_of(c);
  for (std::size_t n = 0; n < parts.size(); ++n) {
    if (!parts[n].is_hole) {
      in.same_as(tokens_of(parts[n].text), "the C of an instruction");
      continue;
    }
    const std::vector<Token> before = tokens_of(parts[n - 1].text), behind = tokens_of(parts[n + 1].text);
    const bool opened = before.size() > 1 ? opens(before[before.size() - 2].text) : n == 1;
    const bool closed = behind.size() > 1 ? closes(behind[0].text) : n + 2 == parts.size();
    operand({parts[n].text, opened && closed});
  }
}

bool is_kept_together(const Cursor &in, std::size_t begin) {
  const std::vector<Token> &tokens = in.all_tokens();
  const std::size_t end = in.position();
  if (end == begin + 1)
    return tokens[begin].kind == Token::Kind::word || tokens[begin].kind == Token::Kind::number;
  if (end < begin + 3 || tokens[begin].kind != Token::Kind::word || tokens[begin + 1].text != "(")
    return false;
  int depth = 0;
  for (std::size_t n = begin + 1; n < end; ++n) {
    depth += tokens[n].text == "(";
    depth -= tokens[n].text == ")";
    if (depth == 0)
      return n + 1 == end;
  }
  return false;
}

} // namespace atl::proofs::reader
