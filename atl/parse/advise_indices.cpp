#include "atl/parse/around.h"
#include "atl/parse/scan.h"
#include "atl/scalar/elem.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::parse {

Around around(const Diagnostic &diagnostic, const Sources &sources) {
  const Span place = *diagnostic.span;
  const std::string &text = sources.at(place.file).text;
  std::size_t begin = 0, end = text.size();
  for (std::uint32_t start : outline(text).definitions) {
    if (start < place.begin)
      begin = start;
    if (start > place.begin && token_at(text, start) != "const" && token_at(text, place.begin) != "from")
      end = std::min<std::size_t>(end, start);
  }
  Around result{sources, text, place.file, pieces_of(text, begin, end), 0, {}};
  auto fail = std::find_if(result.pieces.begin(), result.pieces.end(),
                           [&](const Piece &piece) { return piece.begin >= place.begin; });
  result.fail = static_cast<std::size_t>(fail - result.pieces.begin());
  result.declared = declarations_of(text, result.pieces);
  return result;
}

namespace {

std::string_view text_of(const Around &at, Span span) {
  return at.text.substr(span.begin, span.end - span.begin);
}

// The access whose index the mistake stands in: first the tensor's name, then behind the closing bracket.
std::optional<std::pair<std::size_t, std::size_t>> access_around(const Around &at) {
  int depth = 0;
  for (std::size_t open = at.fail; open-- > 1;) {
    depth += closes(at.pieces[open].text) - opens(at.pieces[open].text);
    if (depth >= 0)
      continue;
    const bool is_access = at.pieces[open].text == "[" && at.declared.contains(at.pieces[open - 1].text);
    std::size_t close = open + 1;
    list_at(at.text, at.pieces, close);
    if (is_access && close < at.pieces.size())
      return std::pair(open - 1, close + 1);
    return std::nullopt;
  }
  return std::nullopt;
}

// An element at a position that depends on data: a sum over all positions.
void look_up(Diagnostic &diagnostic, const Around &at) {
  auto place = access_around(at);
  if (!place)
    return;
  const auto [first, behind] = *place;
  const Declared &table = at.declared.at(at.pieces[first].text);
  constexpr std::string_view advice =
      "an element at a position that depends on data is found by a reduction over all positions";
  if (table.extents.size() != 1) {
    diagnostic.notes.push_back({std::nullopt, std::string(advice)});
    return;
  }
  const std::string_view position =
      at.text.substr(at.pieces[first + 2].begin, at.pieces[behind - 2].end - at.pieces[first + 2].begin);
  for (std::string_view zero : {"0.0", "0"})
    diagnostic.fixes.push_back({std::string(advice),
                                {{{at.file, at.pieces[first].begin, at.pieces[behind - 1].end},
                                  fmt::format("(sum at < {} {{ select(i32(at) == i32({}), {}[at], {}) }})",
                                              table.extents[0], position, at.pieces[first].text, zero)}},
                                false});
}

} // namespace

void advise_data_as_index(Diagnostic &diagnostic, const Around &at) {
  if (at.fail >= at.pieces.size())
    return;
  const Piece &piece = at.pieces[at.fail];
  const Edit whole{*diagnostic.span, ""};
  auto replace = [&](std::string sentence, std::string by) {
    diagnostic.fixes.push_back({std::move(sentence), {{whole.span, std::move(by)}}, false});
  };
  const auto declared = at.declared.find(piece.text);
  const bool is_word = text_of(at, whole.span) == piece.text;
  if (is_word && declared != at.declared.end() && declared->second.extents.empty() &&
      declared->second.type_end > 0) {
    const Span type{at.file, declared->second.type_begin, declared->second.type_end};
    diagnostic.fixes.push_back(
        {fmt::format("declare it as a size: {}: size", piece.text), {{type, "size"}}, false});
  }
  if (is_word && declared != at.declared.end() && declared->second.extents.size() == 1)
    replace(fmt::format("the number of elements of {} is {}", piece.text, declared->second.extents[0]),
            std::string(declared->second.extents[0]));
  if (auto found = match_at(at.text, at.pieces, at.fail, Pattern("$f ( %e )"));
      found && elem_named(piece.text))
    replace("an index needs no conversion", filled("(%e)", *found));
  if (std::size_t point = text_of(at, whole.span).find(".0"); point != std::string_view::npos) {
    std::string without(text_of(at, whole.span));
    for (; point != std::string::npos; point = without.find(".0"))
      without.erase(point, 2);
    replace("numbers in an index have no point", without);
  }
  for (std::string_view number : {"#n", "$n", "( %n )"}) {
    const std::string call =
        fmt::format(":w:padr|padl|truncr|truncl|split|rotate|raise|sink|overlap $x {}", number);
    auto found = at.fail > 0 ? match_at(at.text, at.pieces, at.fail - 1, Pattern(call)) : std::nullopt;
    if (found)
      diagnostic.fixes.push_back(
          {"the number stands in front of the tensor",
           {{{at.file, at.pieces[found->first].begin, at.pieces[found->behind - 1].end},
             filled(fmt::format(":w {} $x", number == "( %n )" ? "(%n)" : number), *found)}}});
  }
  look_up(diagnostic, at);
}

// A choice that depends on data is no guard.
void advise_guard(Diagnostic &diagnostic, const Around &at) {
  for (std::size_t first = at.fail; first-- > 0;) {
    if (at.pieces[first].text != "[")
      continue;
    auto found = match_at(at.text, at.pieces, first, Pattern("[ %p ] %e"));
    if (!found || found->behind <= at.fail)
      return;
    for (std::string_view zero : {"0.0", "0"})
      diagnostic.fixes.push_back({"a choice that depends on data is select(condition, value, other)",
                                  {{{at.file, at.pieces[first].begin, at.pieces[found->behind - 1].end},
                                    filled(fmt::format("select(%p, %e, {})", zero), *found)}},
                                  true});
    diagnostic.notes.clear();
    return;
  }
}

void advise_index_as_data(Diagnostic &diagnostic, const Around &at) {
  const std::string_view text = text_of(at, *diagnostic.span);
  for (const ElemInfo &row : elem_table)
    if (row.elem != Elem::boolean)
      diagnostic.fixes.push_back({fmt::format("convert the index: {}({})", row.name, text),
                                  {{*diagnostic.span, fmt::format("{}({})", row.name, text)}},
                                  false});
}

} // namespace atl::parse
