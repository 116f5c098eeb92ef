#include "atl/parse/pattern.h"

#include "atl/parse/scan.h"
#include "atl/scalar/elem.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace atl::parse {

namespace {

// Operators of all languages that people come from, the longest first.
constexpr std::array<std::string_view, 24> foreign_operators{
    "...", "**=", "//=", "<<=", ">>=", "**", "&&", "||", "==", "!=", "<=", ">=",
    "->",  "=>",  ":=",  "+=",  "-=",  "*=", "/=", "++", "--", "::", "..", "<<"};

bool is_decimal(char c) {
  return c >= '0' && c <= '9';
}

// 12, 0.5, 1e-3, 2.0f, 1.
std::size_t number_like_length(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (is_word_char(text[end]) || text[end] == '.')) {
    if (text[end] == '.' && text.substr(end).starts_with(".."))
      break;
    const bool exponent = (text[end] == 'e' || text[end] == 'E') && !text.starts_with("0x");
    ++end;
    if (exponent && end < text.size() && (text[end] == '-' || text[end] == '+'))
      ++end;
  }
  return end;
}

std::size_t piece_length(std::string_view rest) {
  if (const std::size_t name = name_length(rest); name > 0)
    return name;
  if (is_decimal(rest[0]) || (rest[0] == '.' && rest.size() > 1 && is_decimal(rest[1])))
    return number_like_length(rest);
  if (const std::size_t string = string_length(rest); string > 0)
    return string;
  auto op = std::find_if(foreign_operators.begin(), foreign_operators.end(),
                         [&](std::string_view known) { return rest.starts_with(known); });
  return op == foreign_operators.end() ? std::max<std::size_t>(token_at(rest, 0).size(), 1) : op->size();
}

bool is_one_of(std::string_view word, std::string_view alternatives) {
  while (!alternatives.empty()) {
    const std::size_t length = std::min(alternatives.find('|'), alternatives.size());
    if (alternatives.substr(0, length) == word)
      return true;
    alternatives.remove_prefix(std::min(length + 1, alternatives.size()));
  }
  return false;
}

class Matcher {
public:
  Matcher(std::string_view text, const std::vector<Piece> &pieces, const Pattern &pattern)
      : text_(text), pieces_(pieces), words_(pattern.words) {}

  std::optional<Found> match(std::size_t first) {
    found_ = {first, first, pieces_.size(), {}};
    if (words_[0][0] == '%' && !begins_expression(first))
      return std::nullopt;
    if (!rest(0, first))
      return std::nullopt;
    found_.key = std::min(key_.value_or(first), found_.behind - 1);
    return found_;
  }

private:
  std::string_view between(std::size_t first, std::size_t behind) const {
    return text_.substr(pieces_[first].begin, pieces_[behind - 1].end - pieces_[first].begin);
  }

  bool begins_expression(std::size_t at) const {
    static constexpr std::array<std::string_view, 12> before{"(",      "[", "{",  ",",  ";",    "=",
                                                             "return", ":", "&&", "||", "then", "else"};
    return at == 0 || std::find(before.begin(), before.end(), pieces_[at - 1].text) != before.end();
  }

  bool is_line_end(std::size_t at) const {
    if (at == 0 || at >= pieces_.size())
      return at > 0;
    return text_.substr(pieces_[at - 1].end, pieces_[at].begin - pieces_[at - 1].end).find('\n') !=
           std::string_view::npos;
  }

  bool rest(std::size_t word, std::size_t at) {
    if (word == words_.size()) {
      found_.behind = at;
      return true;
    }
    const std::string_view w = words_[word];
    const bool is_hole = w.size() > 1 && w[0] == '%' && w != "%=";
    if (is_hole)
      return expression(word, at);
    if (w == "~")
      return is_line_end(at) && rest(word + 1, at);
    return at < pieces_.size() && one(w, at) && rest(word + 1, at + 1);
  }

  bool one(std::string_view w, std::size_t at) {
    const std::string_view piece = pieces_[at].text;
    const bool has_letter = w.size() > 1 && std::isalpha(static_cast<unsigned char>(w[1])) != 0;
    if (w.size() == 2 && has_letter && w[0] == '$')
      return name_length(piece) == piece.size() && keep(w[1], piece);
    if (w.size() == 2 && has_letter && w[0] == '#')
      return (is_decimal(piece[0]) || piece[0] == '.') && keep(w[1], piece);
    if (w.size() == 2 && has_letter && w[0] == '"')
      return piece[0] == '"' && keep(w[1], piece);
    return literal(w, at, piece);
  }

  // Words that are given, which say where the mistake is.
  bool literal(std::string_view w, std::size_t at, std::string_view piece) {
    bool fits = false;
    const bool marks = w.size() > 1 && w[0] == '@';
    if (w.size() > 3 && w[0] == '$' && w[2] == '.')
      fits = piece.size() > w.size() - 2 && piece.ends_with(w.substr(2)) &&
             keep(w[1], piece.substr(0, piece.size() - w.size() + 2));
    else if (w.size() > 3 && w[0] == ':' && w[2] == ':')
      fits = is_one_of(piece, w.substr(3)) && keep(w[1], piece);
    else
      fits = piece == w.substr(marks);
    if (fits && (marks || !key_))
      key_ = at;
    return fits;
  }

  bool keep(char letter, std::string_view piece) {
    auto [there, is_new] = found_.parts.emplace(letter, piece);
    return is_new || there->second == piece;
  }

  bool ends(std::string_view piece, bool with_commas) const {
    return piece == ";" || closes(piece) || (piece == "," && !with_commas);
  }

  // The shortest that lets the rest match; at the end of a pattern, the longest.
  bool expression(std::size_t word, std::size_t first) {
    const bool with_commas = words_[word][1] == '%';
    const char letter = words_[word].back();
    const bool is_last = word + 1 == words_.size();
    int depth = 0;
    const auto key = key_;
    for (std::size_t at = first; at < pieces_.size(); ++at) {
      if (depth == 0 && ends(pieces_[at].text, with_commas))
        break;
      depth += opens(pieces_[at].text) - closes(pieces_[at].text);
      const bool complete =
          depth == 0 && (!is_last || at + 1 == pieces_.size() || ends(pieces_[at + 1].text, with_commas));
      if (!complete)
        continue;
      const auto parts = found_.parts;
      if (keep(letter, between(first, at + 1)) && rest(word + 1, at + 1))
        return true;
      found_.parts = parts;
      key_ = key;
    }
    return false;
  }

  std::string_view text_;
  const std::vector<Piece> &pieces_;
  const std::vector<std::string_view> &words_;
  std::optional<std::size_t> key_;
  Found found_{};
};

} // namespace

std::string_view type_of_elsewhere(std::string_view name) {
  struct Row {
    std::string_view elsewhere, here;
  };
  static constexpr Row rows[] = {
      {"float|float32|single|fp32|Float|F32|real|R|np.float32|torch.float32|float32_t", "f32"},
      {"double|float64|fp64|Double|F64|np.float64|torch.float64|float64_t", "f64"},
      {"int|int32|int32_t|Int|integer|I32|np.int32|torch.int32|signed|s32", "i32"},
      {"int8|int8_t|char|I8|np.int8|s8|schar", "i8"},
      {"uint8|uint8_t|byte|uchar|U8|np.uint8|UInt8", "u8"},
      {"int16|int16_t|short|I16|np.int16|s16", "i16"},
      {"uint16|uint16_t|ushort|U16|np.uint16", "u16"},
      {"uint32|uint32_t|uint|unsigned|U32|np.uint32", "u32"},
      {"int64|int64_t|long|I64|np.int64|s64|i64_t", "i64"},
      {"bool|_Bool|boolean|Bool|np.bool_|i1|u1", "bool"},
  };
  if (elem_named(name))
    return name;
  auto row = std::find_if(std::begin(rows), std::end(rows),
                          [&](const Row &r) { return is_one_of(name, r.elsewhere); });
  return row == std::end(rows) ? std::string_view() : row->here;
}

bool opens(std::string_view piece) {
  return piece == "(" || piece == "[" || piece == "{";
}

bool closes(std::string_view piece) {
  return piece == ")" || piece == "]" || piece == "}";
}

std::vector<Piece> pieces_of(std::string_view text, std::size_t begin, std::size_t end) {
  std::vector<Piece> pieces;
  const char *last = text.data() + std::min(end, text.size());
  for (const char *at = text.data() + begin; (at = skip_blank(at, last)) != last;) {
    const auto length = piece_length({at, static_cast<std::size_t>(last - at)});
    const auto offset = static_cast<std::uint32_t>(at - text.data());
    pieces.push_back({text.substr(offset, length), offset, offset + static_cast<std::uint32_t>(length)});
    at += pieces.back().text.size();
  }
  return pieces;
}

Pattern::Pattern(std::string_view written) {
  while (!written.empty()) {
    const std::size_t length = std::min(written.find(' '), written.size());
    if (length > 0)
      words.push_back(written.substr(0, length));
    written.remove_prefix(std::min(length + 1, written.size()));
  }
}

std::optional<Found> match_at(std::string_view text, const std::vector<Piece> &pieces, std::size_t first,
                              const Pattern &pattern) {
  return Matcher(text, pieces, pattern).match(first);
}

bool is_atom(std::string_view expression) {
  const std::vector<Piece> pieces = pieces_of(expression, 0, expression.size());
  if (pieces.size() == 1)
    return true;
  const std::size_t open = pieces.empty() || opens(pieces[0].text) ? 0 : 1;
  if (pieces.size() < 2 || (pieces[open].text != "(" && pieces[open].text != "["))
    return false;
  int depth = 0;
  for (std::size_t at = open; at < pieces.size(); ++at) {
    depth += opens(pieces[at].text) - closes(pieces[at].text);
    if (depth == 0)
      return at + 1 == pieces.size();
  }
  return false;
}

std::string filled(std::string_view pattern, const Found &found) {
  std::string result;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    if (pattern.substr(at).starts_with("%%"))
      ++at;
    const bool in_parens = pattern.substr(at).starts_with("(%") && pattern.substr(at + 3).starts_with(")");
    const std::size_t sign = at + in_parens;
    const bool is_sign = std::string_view("$%#:\"&").find(pattern[sign]) != std::string_view::npos;
    auto part =
        is_sign && sign + 1 < pattern.size() ? found.parts.find(pattern[sign + 1]) : found.parts.end();
    if (part == found.parts.end()) {
      result += pattern[at];
      continue;
    }
    if (pattern[sign] == '&') {
      result += type_of_elsewhere(part->second);
      at = sign + 1;
      continue;
    }
    const bool is_call = at > 0 && is_word_char(pattern[at - 1]);
    const bool needs = in_parens && (is_call || !is_atom(part->second));
    result += (needs ? "(" : "") + std::string(part->second) + (needs ? ")" : "");
    at = sign + 1 + in_parens;
  }
  return result;
}

} // namespace atl::parse
