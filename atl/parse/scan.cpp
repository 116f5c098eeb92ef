#include "atl/parse/scan.h"

#include "atl/scalar/elem.h"
#include "atl/syntax/ops/reshape_op.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace atl::parse {

template <std::size_t N>
static bool contains(const std::array<std::string_view, N> &words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

static bool is_definition_word(std::string_view word) {
  static constexpr std::array<std::string_view, 4> words{"import", "const", "fn", "kernel"};
  return contains(words, word);
}

// These may be names as well: `step` starts a definition only where one can stand, before a name.
static bool is_schedule_word(std::string_view word) {
  return word == "step" || word == "schedule" || word == "hardware";
}

// In front of a definition. They may be names as well.
static bool is_modifier(std::string_view word) {
  return word == "private" || word == "export";
}

bool starts_definition(std::string_view word) {
  return is_definition_word(word) || is_schedule_word(word);
}

bool is_step_marker(std::string_view word) {
  static constexpr std::array<std::string_view, 19> words{
      "by",   "into",  "tail", "at",  "when",  "as",    "in",  "of",    "from", "to",
      "with", "using", "is",   "cut", "guard", "shift", "pad", "exact", "every"};
  return contains(words, word);
}

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
}

bool is_reduction(std::string_view word) {
  return word == "sum" || word == "prod" || word == "max" || word == "min";
}

std::size_t name_length(std::string_view text) {
  auto starts_part = [&](std::size_t i) {
    return i < text.size() && is_word_char(text[i]) && !(text[i] >= '0' && text[i] <= '9');
  };
  std::size_t end = 0;
  for (std::size_t part = 0; starts_part(part); part = end + 1) {
    auto rest = text.begin() + static_cast<std::ptrdiff_t>(part);
    end = static_cast<std::size_t>(std::find_if_not(rest, text.end(), is_word_char) - text.begin());
    if (end == text.size() || text[end] != '.')
      break;
  }
  return end;
}

std::size_t holed_name_length(std::string_view text) {
  std::size_t end = 0, part = 0;
  do {
    std::string_view rest = text.substr(end);
    const std::size_t column = rest.starts_with('{') ? name_length(rest.substr(1)) : 0;
    if (column > 0 && rest.substr(1 + column).starts_with('}'))
      part = column + 2;
    else if (end == 0)
      part = name_length(rest);
    else
      part =
          static_cast<std::size_t>(std::find_if_not(rest.begin(), rest.end(), is_word_char) - rest.begin());
    end += part;
  } while (part > 0);
  return is_keyword(text.substr(0, end)) ? 0 : end;
}

bool is_literal_word(std::string_view word) {
  if (word == "true" || word == "false")
    return true;
  if (!word.starts_with("inf") && !word.starts_with("nan"))
    return false;
  std::optional<Elem> suffix = elem_named(word.substr(3));
  return word.size() == 3 || (suffix && is_float(*suffix));
}

bool is_keyword(std::string_view word) {
  static constexpr std::array<std::string_view, 11> words{"where", "let",    "gen", "sum", "prod", "max",
                                                          "min",   "concat", "and", "or",  "not"};
  return contains(words, word) || is_definition_word(word) || is_literal_word(word) ||
         find_reshape_op(word) != nullptr;
}

// The length of the white space or comment that a non-empty text starts with; 0 if it starts with neither.
static std::size_t blank_length(std::string_view text) {
  constexpr std::string_view white = " \t\r\n";
  if (white.find(text[0]) != std::string_view::npos)
    return std::min(text.find_first_not_of(white), text.size());
  if (text.starts_with("//"))
    return std::min(text.find('\n'), text.size());
  std::size_t close = text.starts_with("/*") ? text.find("*/", 2) : std::string_view::npos;
  return close == std::string_view::npos ? 0 : close + 2;
}

const char *skip_blank(const char *first, const char *last) {
  std::string_view rest(first, static_cast<std::size_t>(last - first));
  while (!rest.empty()) {
    std::size_t length = blank_length(rest);
    if (length == 0)
      break;
    rest.remove_prefix(length);
  }
  return rest.data();
}

// The number of bytes of the UTF-8 code point that `text` starts with; 0 if there is none (RFC 3629: the
// shortest form only, no surrogates, at most U+10FFFF).
static std::size_t code_point_length(std::string_view text) {
  auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  unsigned lead = byte(0);
  if (lead < 0x80)
    return 1;
  if (lead < 0xC2 || lead > 0xF4)
    return 0;
  std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  unsigned least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  unsigned greatest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < least || byte(1) > greatest)
    return 0;
  for (std::size_t i = 2; i < length; ++i)
    if (byte(i) < 0x80 || byte(i) > 0xBF)
      return 0;
  return length;
}

static std::optional<std::size_t> first_invalid_byte(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    std::size_t length = code_point_length(text.substr(i, 4));
    if (length == 0)
      return i;
    i += length;
  }
  return std::nullopt;
}

namespace {

// One step over a text: a word, a string, or a single other character.
struct Lexeme {
  std::size_t begin, end;
  enum class Kind { word, string, open_string, open_comment, other } kind;
};

Lexeme string_at(std::string_view text, std::size_t begin) {
  std::size_t end = text.find_first_of("\"\n", begin + 1);
  if (end == std::string_view::npos || text[end] == '\n')
    return {begin, std::min(end, text.size()), Lexeme::Kind::open_string};
  return {begin, end + 1, Lexeme::Kind::string};
}

Lexeme word_at(std::string_view text, std::size_t begin) {
  if (std::size_t length = name_length(text.substr(begin)); length > 0)
    return {begin, begin + length, Lexeme::Kind::word};
  auto end = std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end(), is_word_char);
  return {begin, static_cast<std::size_t>(end - text.begin()), Lexeme::Kind::word};
}

// The lexeme at or behind `from`; nothing at the end of the text.
std::optional<Lexeme> next_lexeme(std::string_view text, std::size_t from) {
  const char *last = text.data() + text.size();
  std::size_t begin = static_cast<std::size_t>(skip_blank(text.data() + from, last) - text.data());
  if (begin == text.size())
    return std::nullopt;
  if (is_word_char(text[begin]))
    return word_at(text, begin);
  if (text[begin] == '"')
    return string_at(text, begin);
  if (text.substr(begin).starts_with("/*"))
    return Lexeme{begin, text.size(), Lexeme::Kind::open_comment};
  return Lexeme{begin, begin + 1, Lexeme::Kind::other};
}

} // namespace

std::size_t string_length(std::string_view text) {
  if (!text.starts_with('"'))
    return 0;
  Lexeme lexeme = string_at(text, 0);
  return lexeme.kind == Lexeme::Kind::string ? lexeme.end : 0;
}

static std::optional<Diagnostic> unterminated(std::string_view text, std::uint32_t file) {
  for (auto lexeme = next_lexeme(text, 0); lexeme; lexeme = next_lexeme(text, lexeme->end)) {
    auto begin = static_cast<std::uint32_t>(lexeme->begin);
    if (lexeme->kind == Lexeme::Kind::open_string)
      return Diagnostic{Code::syntax_error,
                        Span{file, begin, static_cast<std::uint32_t>(lexeme->end)},
                        "this string is not closed on its line",
                        {}};
    if (lexeme->kind == Lexeme::Kind::open_comment)
      return Diagnostic{Code::syntax_error, Span{file, begin, begin + 2}, "this comment is not closed", {}};
  }
  return std::nullopt;
}

std::optional<Diagnostic> check_text(std::string_view text, std::uint32_t file) {
  constexpr std::size_t largest = std::size_t{1} << 28; // bytes; offsets of places are 32 bits wide
  if (text.size() > largest)
    return Diagnostic{Code::syntax_error, std::nullopt, "a program file has at most 256 MiB", {}};
  if (std::optional<std::size_t> offset = first_invalid_byte(text)) {
    auto begin = static_cast<std::uint32_t>(*offset);
    return Diagnostic{Code::bad_encoding,
                      Span{file, begin, begin + 1},
                      fmt::format("byte 0x{:02x} at offset {} is not UTF-8",
                                  static_cast<unsigned char>(text[begin]), begin),
                      {}};
  }
  return unterminated(text, file);
}

// Does a definition start with a word that may be a name here, in front of `rest`?
static bool starts_here(std::string_view word, std::string_view rest, bool after_an_end) {
  if (!after_an_end)
    return false;
  std::string_view next = token_at(rest, 0);
  return (is_schedule_word(word) && name_length(next) > 0 && !is_keyword(next)) ||
         (is_modifier(word) && starts_definition(next));
}

Outline outline(std::string_view text) {
  Outline result;
  bool after_an_end = true;                       // of a definition, or of a part of one
  bool after_modifier = false;                    // of the definition that starts here
  std::vector<std::optional<std::uint32_t>> open; // brackets: of a min or max before them, the offset
  std::optional<std::uint32_t> min_or_max;        // just before this lexeme
  for (auto lexeme = next_lexeme(text, 0); lexeme; lexeme = next_lexeme(text, lexeme->end)) {
    std::string_view token = text.substr(lexeme->begin, lexeme->end - lexeme->begin);
    auto offset = static_cast<std::uint32_t>(lexeme->begin);
    if (is_definition_word(token) || starts_here(token, text.substr(lexeme->end), after_an_end)) {
      if (!std::exchange(after_modifier, is_modifier(token)))
        result.definitions.push_back(offset);
      open.clear();
    } else if (token == "(" || token == "[" || token == "{") {
      open.push_back(token == "(" ? min_or_max : std::nullopt);
    } else if ((token == ")" || token == "]" || token == "}") && !open.empty()) {
      open.pop_back();
    } else if (token == "," && !open.empty() && open.back()) {
      result.min_max_calls.push_back(*std::exchange(open.back(), std::nullopt));
    }
    min_or_max = token == "min" || token == "max" ? std::optional(offset) : std::nullopt;
    after_an_end = token == ";" || token == "}" || open.empty();
  }
  std::sort(result.min_max_calls.begin(), result.min_max_calls.end());
  return result;
}

std::string_view token_at(std::string_view text, std::size_t offset) {
  static constexpr std::array<std::string_view, 7> operators{"<=", ">=", "==", "!=", "->", "&&", "||"};
  std::optional<Lexeme> lexeme = next_lexeme(text, offset);
  if (!lexeme)
    return {};
  std::string_view rest = text.substr(lexeme->begin);
  if (lexeme->kind == Lexeme::Kind::other)
    return rest.substr(0, contains(operators, rest.substr(0, 2)) ? 2 : code_point_length(rest));
  return rest.substr(0, lexeme->end - lexeme->begin);
}

std::string describe(std::string_view token) {
  if (token.empty())
    return "the end of the file";
  auto byte = static_cast<unsigned char>(token[0]);
  if (byte < 0x20 || byte == 0x7F)
    return fmt::format("the character U+{:04X}", byte);
  constexpr std::size_t longest = 40;
  if (token.size() <= longest)
    return fmt::format("'{}'", token);
  std::size_t cut = longest;
  while (cut > 0 && (static_cast<unsigned char>(token[cut]) & 0xC0) == 0x80) // inside a code point
    --cut;
  return fmt::format("'{}...'", token.substr(0, cut));
}

std::string_view first_word(std::string_view text) {
  return text.substr(0, name_length(text));
}

std::string_view first_symbol(std::string_view text) {
  if (std::string_view word = first_word(text); !word.empty())
    return word;
  const std::string_view pair = text.substr(0, 2);
  const bool is_pair = pair == "<=" || pair == ">=" || pair == "==" || pair == "!=" || pair == "->";
  return pair.substr(0, is_pair ? 2 : 1);
}

} // namespace atl::parse
