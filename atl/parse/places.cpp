#include "atl/parse/places.h"

#include "atl/parse/declared.h"
#include "atl/parse/scan.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace atl::parse {

namespace {

// The definition around a place.
struct ReadDefinition {
  std::string_view text;
  std::uint32_t file;
  std::vector<Piece> pieces;
  std::size_t at; // the piece at the place
  Declarations declared;
};

ReadDefinition definition_at(const Sources &sources, Span place) {
  const std::string &text = sources.at(place.file).text;
  std::size_t begin = 0, end = text.size();
  for (std::uint32_t start : outline(text).definitions) {
    if (start <= place.begin)
      begin = start;
    else
      end = std::min<std::size_t>(end, start);
  }
  ReadDefinition result{text, place.file, pieces_of(text, begin, end), 0, {}};
  while (result.at < result.pieces.size() && result.pieces[result.at].begin < place.begin)
    ++result.at;
  result.declared = declarations_of(text, result.pieces);
  return result;
}

struct Access {
  std::string_view tensor;
  std::vector<std::string_view> indices;
  Span span;
};

std::optional<Access> access_at(const ReadDefinition &d) {
  if (d.at + 1 >= d.pieces.size() || d.pieces[d.at + 1].text != "[")
    return std::nullopt;
  std::size_t close = d.at + 2;
  std::vector<std::string_view> indices = list_at(d.text, d.pieces, close);
  if (close == d.pieces.size())
    return std::nullopt;
  return Access{d.pieces[d.at].text, std::move(indices), {d.file, d.pieces[d.at].begin, d.pieces[close].end}};
}

std::string written(std::string_view tensor, const std::vector<std::string_view> &indices) {
  return fmt::format("{}[{}]", tensor, fmt::join(indices, ", "));
}

Fix write(Span span, std::string text, std::string_view why) {
  return {fmt::format("{}: {}", why, text), {{span, text}}, false};
}

// Swaps of two, then all other orders of a few.
std::vector<std::vector<std::string_view>> orders(const std::vector<std::string_view> &items) {
  std::vector<std::vector<std::string_view>> all;
  auto add = [&](const std::vector<std::string_view> &order) {
    if (order != items && std::find(all.begin(), all.end(), order) == all.end())
      all.push_back(order);
  };
  for (std::size_t i = 0; i < items.size() && items.size() <= 8; ++i)
    for (std::size_t j = i + 1; j < items.size(); ++j) {
      std::vector<std::string_view> order = items;
      std::swap(order[i], order[j]);
      add(order);
    }
  if (items.size() > 4)
    return all;
  std::vector<std::size_t> places(items.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    places[i] = i;
  while (std::next_permutation(places.begin(), places.end())) {
    std::vector<std::string_view> order;
    for (std::size_t place : places)
      order.push_back(items[place]);
    add(order);
  }
  return all;
}

// A loop `i < N` in front of a place: its variable, and the pieces of its end.
struct Range {
  std::string_view variable;
  Span end;
};

std::vector<Range> ranges_before(const ReadDefinition &d) {
  std::vector<Range> all;
  for (std::size_t i = 1; i + 2 < d.at; ++i) {
    if (d.pieces[i].text != "<" || name_length(d.pieces[i - 1].text) != d.pieces[i - 1].text.size())
      continue;
    std::size_t behind = i + 1;
    for (int depth = 0; behind < d.at; ++behind) {
      if (depth == 0 && (d.pieces[behind].text == "," || d.pieces[behind].text == "{"))
        break;
      depth += opens(d.pieces[behind].text) - closes(d.pieces[behind].text);
      if (depth < 0)
        break;
    }
    const bool is_range = behind < d.at && (d.pieces[behind].text == "," || d.pieces[behind].text == "{");
    if (is_range && behind > i + 1)
      all.push_back({d.pieces[i - 1].text, {d.file, d.pieces[i + 1].begin, d.pieces[behind - 1].end}});
  }
  std::reverse(all.begin(), all.end());
  return all;
}

bool is_variable(std::string_view text, const std::vector<Range> &ranges) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const Range &r) { return r.variable == text; });
}

} // namespace

std::optional<Edit> add_condition(const Sources &sources, Span kernel, const std::string &condition) {
  const ReadDefinition d = definition_at(sources, kernel);
  std::size_t at = d.at + 1;
  bool has_where = false;
  for (int depth = 0; at < d.pieces.size(); ++at) {
    const std::string_view piece = d.pieces[at].text;
    if (depth == 0 && (piece == "{" || (piece == "such" && has_where)))
      break;
    has_where = has_where || piece == "where";
    depth += opens(piece) - closes(piece);
  }
  if (at >= d.pieces.size() || at == 0)
    return std::nullopt;
  const std::uint32_t behind = d.pieces[at - 1].end;
  return Edit{{d.file, behind, behind}, (has_where ? ", " : " where ") + condition};
}

std::vector<Fix> other_indices(const Sources &sources, Span place) {
  const ReadDefinition d = definition_at(sources, place);
  const auto access = access_at(d);
  if (!access)
    return {};
  std::vector<Fix> fixes;
  for (const auto &order : orders(access->indices))
    fixes.push_back(write(access->span, written(access->tensor, order), "in this order the indices fit"));
  const std::vector<Range> ranges = ranges_before(d);
  const auto declared = d.declared.find(access->tensor);
  for (std::size_t i = 0; i < access->indices.size(); ++i) {
    if (!is_variable(access->indices[i], ranges))
      continue;
    for (const Range &range : ranges) {
      const bool is_used =
          std::find(access->indices.begin(), access->indices.end(), range.variable) != access->indices.end();
      std::vector<std::string_view> indices = access->indices;
      indices[i] = range.variable;
      if (!is_used)
        fixes.push_back(write(access->span, written(access->tensor, indices), "this variable fits"));
    }
    const bool known = declared != d.declared.end() && i < declared->second.extents.size();
    auto range = std::find_if(ranges.begin(), ranges.end(),
                              [&](const Range &r) { return r.variable == access->indices[i]; });
    if (known && sources.text(range->end) != declared->second.extents[i])
      fixes.push_back({fmt::format("the loop goes over the extent of {}: {} < {}", access->tensor,
                                   range->variable, declared->second.extents[i]),
                       {{range->end, std::string(declared->second.extents[i])}},
                       false});
  }
  return fixes;
}

std::vector<Fix> fewer_indices(const Sources &sources, Span place) {
  const ReadDefinition d = definition_at(sources, place);
  const auto access = access_at(d);
  if (!access || access->span.end > place.end)
    return {};
  std::vector<Fix> fixes;
  for (std::vector<std::string_view> indices = access->indices; indices.size() > 1;) {
    indices.pop_back();
    fixes.push_back(write(access->span, written(access->tensor, indices), "it has fewer dimensions"));
  }
  return fixes;
}

std::vector<Fix> guards(const Sources &sources, Span place) {
  const ReadDefinition d = definition_at(sources, place);
  const auto access = access_at(d);
  const auto declared = access ? d.declared.find(access->tensor) : d.declared.end();
  if (declared == d.declared.end() || declared->second.extents.size() != access->indices.size())
    return {};
  const std::vector<Range> ranges = ranges_before(d);
  std::vector<Fix> fixes;
  const std::string text(sources.text(access->span));
  for (std::size_t i = 0; i < access->indices.size(); ++i) {
    const auto pieces = pieces_of(access->indices[i], 0, access->indices[i].size());
    if (std::none_of(pieces.begin(), pieces.end(),
                     [&](const Piece &p) { return is_variable(p.text, ranges); }))
      continue; // nothing would ever be read
    const std::string_view index = access->indices[i], extent = declared->second.extents[i];
    for (const std::string &condition : {fmt::format("{} < {}", index, extent), fmt::format("{} >= 0", index),
                                         fmt::format("0 <= {} < {}", index, extent)})
      fixes.push_back({"a guard: where its condition is false, the value is 0",
                       {{access->span, fmt::format("([{}] {})", condition, text)}},
                       false});
  }
  return fixes;
}

// f(...) around a place: the pieces of its name and of its last parenthesis.
static std::optional<std::pair<std::size_t, std::size_t>> call_around(const ReadDefinition &d) {
  int depth = 0;
  for (std::size_t open = d.at; open-- > 1;) {
    depth += closes(d.pieces[open].text) - opens(d.pieces[open].text);
    if (depth >= 0)
      continue;
    const std::string_view name = d.pieces[open - 1].text;
    std::size_t close = open + 1;
    list_at(d.text, d.pieces, close);
    if (d.pieces[open].text == "(" && name_length(name) == name.size() && !is_keyword(name) &&
        close < d.pieces.size())
      return std::pair(open - 1, close);
    depth = 0;
  }
  return std::nullopt;
}

// The ranges of a `gen` that is the result, by the extents that are declared for it.
static std::vector<Edit> declared_ranges(const ReadDefinition &d,
                                         const std::vector<std::string_view> &extents) {
  std::vector<Edit> edits;
  std::size_t at = d.at + 1;
  for (std::string_view extent : extents) {
    if (at + 2 >= d.pieces.size() || d.pieces[at + 1].text != "<")
      return {};
    std::size_t behind = at + 2;
    for (int depth = 0; behind < d.pieces.size(); ++behind) {
      if (depth == 0 && (d.pieces[behind].text == "," || d.pieces[behind].text == "{"))
        break;
      depth += opens(d.pieces[behind].text) - closes(d.pieces[behind].text);
    }
    if (behind == d.pieces.size())
      return {};
    edits.push_back({{d.file, d.pieces[at + 2].begin, d.pieces[behind - 1].end}, std::string(extent)});
    at = behind + 1;
  }
  return edits;
}

std::vector<Fix> other_orders(const Sources &sources, Span place) {
  const ReadDefinition d = definition_at(sources, place);
  std::vector<Fix> fixes;
  std::optional<std::pair<std::size_t, std::size_t>> call = call_around(d);
  const bool at_call = d.at + 1 < d.pieces.size() && d.pieces[d.at + 1].text == "(" &&
                       name_length(d.pieces[d.at].text) > 0 && !is_keyword(d.pieces[d.at].text);
  if (at_call) {
    std::size_t close = d.at + 2;
    list_at(d.text, d.pieces, close);
    if (close < d.pieces.size())
      call = std::pair(d.at, close);
  }
  if (call) {
    std::size_t at = call->first + 2;
    const auto arguments = list_at(d.text, d.pieces, at);
    const Span span{d.file, d.pieces[call->first].begin, d.pieces[call->second].end};
    for (const auto &order : orders(arguments))
      fixes.push_back(write(span, fmt::format("{}({})", d.pieces[call->first].text, fmt::join(order, ", ")),
                            "in this order the arguments fit"));
  }
  auto arrow = std::find_if(d.pieces.begin(), d.pieces.end(), [](const Piece &p) { return p.text == "->"; });
  if (d.pieces.end() - arrow > 3 && (arrow + 2)->text == "[") {
    auto at = static_cast<std::size_t>(arrow - d.pieces.begin()) + 3;
    const auto extents = list_at(d.text, d.pieces, at);
    std::vector<Edit> ranges;
    if (d.at < d.pieces.size() && d.pieces[d.at].text == "gen")
      ranges = declared_ranges(d, extents);
    if (!ranges.empty())
      fixes.push_back({"the loops go over the extents that are declared", std::move(ranges), false});
    if (at < d.pieces.size())
      for (const auto &order : orders(extents))
        fixes.push_back(write({d.file, (arrow + 1)->begin, d.pieces[at].end},
                              written((arrow + 1)->text, order), "the body gives this shape"));
  }
  return fixes;
}

std::vector<Fix> cell_by_cell(const Sources &sources, Span place) {
  const ReadDefinition d = definition_at(sources, place);
  // The whole expression: from the last bracket, `=` or `;` in front of it to the next one behind it.
  auto ends = [](std::string_view piece) {
    return piece == ";" || piece == "=" || piece == "{" || piece == "}";
  };
  std::size_t first = std::min(d.at, d.pieces.size()), behind = first;
  while (first > 0 && !ends(d.pieces[first - 1].text))
    --first;
  for (int depth = 0; behind < d.pieces.size() && (depth > 0 || !ends(d.pieces[behind].text)); ++behind)
    depth += opens(d.pieces[behind].text) - closes(d.pieces[behind].text);
  if (first >= behind)
    return {};
  const Span span{d.file, d.pieces[first].begin, d.pieces[behind - 1].end};
  std::vector<Fix> fixes;
  const std::string_view expression = sources.text(span);
  if (auto gen = reduction_over("gen", expression, d.declared))
    fixes.push_back({"operations are on scalars; a tensor is computed cell by cell", {{span, *gen}}, true});
  return fixes;
}

std::vector<Fix> other_names(const Sources &sources, Span let, std::string_view message) {
  const ReadDefinition d = definition_at(sources, let);
  const std::size_t open = message.find('('), close = message.find(')');
  if (open == std::string_view::npos || close == std::string_view::npos || d.at + 2 >= d.pieces.size() ||
      d.pieces[d.at].text != "let" || d.pieces[d.at + 1].text != "(")
    return {};
  std::vector<std::string_view> results;
  for (const Piece &piece : pieces_of(message, open + 1, close))
    if (piece.text != ",")
      results.push_back(piece.text);
  std::size_t at = d.at + 2;
  std::vector<std::string_view> names = list_at(d.text, d.pieces, at);
  if (at == d.pieces.size() || results.empty())
    return {};
  for (std::size_t i = names.size(); i < results.size(); ++i)
    names.push_back(results[i]);
  names.resize(results.size());
  const Span span{d.file, d.pieces[d.at + 1].begin, d.pieces[at].end};
  return {write(span, fmt::format("({})", fmt::join(names, ", ")), "a name for each result")};
}

} // namespace atl::parse
