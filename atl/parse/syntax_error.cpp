#include "atl/parse/syntax_error.h"

#include "atl/parse/grammar.h"
#include "atl/parse/scan.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::parse {

static Span place_of(std::string_view token, std::string_view text, std::uint32_t file) {
  auto begin = static_cast<std::uint32_t>(token.empty() ? text.size() : token.data() - text.data());
  return {file, begin, begin + static_cast<std::uint32_t>(token.size())};
}

// What the writer may have meant; what other languages have in its place is in habits.cpp.
static std::string advice(const std::string &expected, std::string_view found) {
  if (expected == "'}'" && found == ";")
    return "the last expression of a block is its result and has no ';'";
  if (expected == "an operand" && found == "[")
    return "a guard begins a product; elsewhere it needs parentheses: a * ([p] b)";
  if (expected == "a name" && is_keyword(found))
    return fmt::format("'{}' is a word of the language and cannot be a name", found);
  if (expected == "'{'" && found == "(")
    return "a reduction or gen is written with loop ranges: sum k < K { ... }";
  if (expected == "';' or '{'")
    return "a step ends with ';'";
  if (expected == "'for'")
    return "a schedule names its kernels: schedule fast for blur { ... }";
  if (found == ".")
    return "a number has digits before and after its point: 0.5";
  return {};
}

Diagnostic syntax_error(std::string_view text, std::uint32_t file, std::uint32_t offset,
                        const std::string &expected) {
  std::string_view found = token_at(text, offset);
  std::string what = advice(expected, found);
  Diagnostic error{Code::syntax_error,
                   place_of(found, text, file),
                   fmt::format("expected {}, found {}", expected, describe(found)),
                   {}};
  if (!what.empty())
    error.notes.push_back({std::nullopt, what});
  return error;
}

Diagnostic nested_too_deeply(std::string_view text, std::uint32_t file, std::uint32_t offset) {
  return {Code::too_deep,
          place_of(token_at(text, offset), text, file),
          fmt::format("expressions are nested more than {} levels deep", nesting_limit),
          {}};
}

Node broken_definition(std::string_view text, std::uint32_t file, std::uint32_t offset) {
  std::string_view word = token_at(text, offset);
  Span place = place_of(word, text, file);
  if (std::string_view next = token_at(text, place.end); word == "private" && starts_definition(next))
    place = place_of(word = next, text, file);
  Node node{Kind::broken, place, {}};
  std::string_view name = token_at(text, place.end);
  bool has_a_name_of_its_own = word == "step" || word == "schedule" || word == "hardware";
  if (!has_a_name_of_its_own && name_length(name) > 0)
    node.children.push_back({Kind::word, place_of(name, text, file), {}});
  return node;
}

std::size_t next_definition(std::string_view text, const std::vector<std::uint32_t> &starts,
                            std::ptrdiff_t begin, std::uint32_t offset) {
  const std::string_view found = token_at(text, offset);
  auto next = std::upper_bound(starts.begin(), starts.end(), begin);
  if (next != starts.end() && found == "const" && found.data() == text.data() + *next)
    ++next;
  return next == starts.end() ? text.size() : *next;
}

} // namespace atl::parse
