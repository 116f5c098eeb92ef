#include "atl/parse/declared.h"

#include "atl/parse/names.h"
#include "atl/parse/scan.h"
#include "atl/scalar/elem.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::parse {

std::vector<std::string_view> list_at(std::string_view text, const std::vector<Piece> &pieces,
                                      std::size_t &at) {
  std::vector<std::string_view> items;
  int depth = 0;
  std::size_t first = at;
  for (; at < pieces.size(); ++at) {
    const bool closed = depth == 0 && closes(pieces[at].text);
    if ((closed || (depth == 0 && pieces[at].text == ",")) && at > first)
      items.push_back(text.substr(pieces[first].begin, pieces[at - 1].end - pieces[first].begin));
    if (closed)
      break;
    if (depth == 0 && pieces[at].text == ",")
      first = at + 1;
    depth += opens(pieces[at].text) - closes(pieces[at].text);
  }
  return items;
}

// let x = gen i < N, j < M { ... }
static std::vector<std::string_view> extents_of_gen(std::string_view text, const std::vector<Piece> &pieces,
                                                    std::size_t at) {
  std::vector<std::string_view> extents;
  while (at + 2 < pieces.size() && pieces[at + 1].text == "<") {
    const std::size_t first = at + 2;
    int depth = 0;
    for (at = first; at < pieces.size(); ++at) {
      if (depth == 0 && (pieces[at].text == "," || pieces[at].text == "{"))
        break;
      depth += opens(pieces[at].text) - closes(pieces[at].text);
    }
    if (at == first || at == pieces.size())
      return {};
    extents.push_back(text.substr(pieces[first].begin, pieces[at - 1].end - pieces[first].begin));
    if (pieces[at].text == "{")
      return extents;
    ++at;
  }
  return {};
}

Declarations declarations_of(std::string_view text, const std::vector<Piece> &pieces) {
  Declarations all;
  for (std::size_t i = 0; i + 2 < pieces.size(); ++i) {
    const Piece &name = pieces[i], &elem = pieces[i + 2];
    if (pieces[i + 1].text == ":" && name_length(name.text) == name.text.size() && !all.contains(name.text)) {
      Declared one{elem.begin, elem.end, elem.text, {}};
      if (std::size_t at = i + 4; i + 3 < pieces.size() && pieces[i + 3].text == "[")
        one.extents = list_at(text, pieces, at);
      all.emplace(name.text, std::move(one));
    } else if (i > 0 && pieces[i - 1].text == "let" && pieces[i + 1].text == "=" && elem.text == "gen") {
      all.emplace(name.text, Declared{0, 0, {}, extents_of_gen(text, pieces, i + 3)});
    }
  }
  return all;
}

namespace {

// One reduction, while its loops are found.
struct Loops {
  std::vector<std::pair<std::string, std::string>> ranges; // variable, extent
  void add(std::string_view variable, std::string_view extent) {
    const bool known =
        std::any_of(ranges.begin(), ranges.end(), [&](const auto &r) { return r.first == variable; });
    if (!known)
      ranges.emplace_back(variable, extent);
  }
  std::string text() const {
    std::string all;
    for (const auto &[variable, extent] : ranges)
      all += fmt::format("{}{} < {}", all.empty() ? "" : ", ", variable, extent);
    return all;
  }
};

bool is_free_name(std::string_view name, const Declarations &declared) {
  return name_length(name) == name.size() && !declared.contains(name) && !is_keyword(name) &&
         !is_built_in(name);
}

} // namespace

std::optional<std::string> reduction_over(std::string_view word, std::string_view expression,
                                          const Declarations &declared) {
  constexpr std::string_view variables[] = {"i", "j", "k", "l"};
  const std::vector<Piece> pieces = pieces_of(expression, 0, expression.size());
  Loops loops;
  std::string body;
  std::size_t behind = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    auto tensor = declared.find(pieces[i].text);
    if (tensor == declared.end() || tensor->second.extents.empty())
      continue;
    const auto &extents = tensor->second.extents;
    if (i + 1 < pieces.size() && pieces[i + 1].text == "[") {
      std::size_t at = i + 2;
      const auto indices = list_at(expression, pieces, at);
      for (std::size_t d = 0; d < indices.size() && d < extents.size(); ++d)
        if (word != "gen" && is_free_name(indices[d], declared)) // of a gen, the loops around are there
          loops.add(indices[d], extents[d]);
      if (indices.size() < extents.size() && extents.size() <= std::size(variables) && at < pieces.size()) {
        body += expression.substr(behind, pieces[at - 1].end - behind);
        for (std::size_t d = indices.size(); d < extents.size(); ++d) {
          loops.add(variables[d], extents[d]);
          body += ", " + std::string(variables[d]);
        }
        behind = pieces[at - 1].end;
      }
      continue;
    }
    if (extents.size() > std::size(variables))
      return std::nullopt;
    std::string indices;
    for (std::size_t d = 0; d < extents.size(); ++d) {
      loops.add(variables[d], extents[d]);
      indices += (d == 0 ? "" : ", ") + std::string(variables[d]);
    }
    body += std::string(expression.substr(behind, pieces[i].end - behind)) + "[" + indices + "]";
    behind = pieces[i].end;
  }
  body += expression.substr(behind);
  if (loops.ranges.empty())
    return std::nullopt;
  return fmt::format("{} {} {{ {} }}", word, loops.text(), body);
}

static std::vector<std::string_view> items_of(std::string_view list) {
  std::size_t at = 0;
  const std::vector<Piece> pieces = pieces_of(list, 0, list.size());
  std::vector<std::string_view> items = list_at(list, pieces, at);
  const std::size_t behind = items.empty() ? 0 : static_cast<std::size_t>(items.back().end() - list.begin());
  std::string_view rest = list.substr(behind); // the last one, which no bracket closes
  rest.remove_prefix(std::min(rest.find_first_not_of(", \n"), rest.size()));
  if (!rest.empty())
    items.push_back(rest);
  return items;
}

std::optional<std::string> slice_of(std::string_view tensor, std::string_view indices,
                                    const Declarations &declared) {
  constexpr std::string_view variables[] = {"part", "part2", "part3", "part4"};
  auto known = declared.find(tensor);
  const std::vector<std::string_view> items = items_of(indices);
  if (known == declared.end() || known->second.extents.size() != items.size() ||
      items.size() > std::size(variables))
    return std::nullopt;
  std::string ranges, access;
  for (std::size_t d = 0; d < items.size(); ++d) {
    access += d == 0 ? "" : ", ";
    const std::size_t colon = items[d].find(':');
    if (colon == std::string_view::npos) {
      access += items[d];
      continue;
    }
    const std::string_view from =
        items[d].substr(0, items[d].find_last_not_of(' ', colon == 0 ? 0 : colon - 1) + 1);
    const bool has_start = colon > 0 && !from.empty();
    std::string_view to = items[d].substr(colon + 1);
    to.remove_prefix(std::min(to.find_first_not_of(' '), to.size()));
    const std::string_view end = to.empty() ? known->second.extents[d] : to;
    ranges += fmt::format(
        "{}{} < {}", ranges.empty() ? "" : ", ", variables[d],
        has_start ? fmt::format("{} - {}", end, is_atom(from) ? std::string(from) : fmt::format("({})", from))
                  : std::string(end));
    access += has_start ? fmt::format("{} + {}", variables[d], from) : std::string(variables[d]);
  }
  return fmt::format("gen {} {{ {}[{}] }}", ranges, tensor, access);
}

std::optional<std::string> parameters_from_c(std::string_view parameters) {
  std::string all;
  bool changed = false;
  for (std::string_view item : items_of(parameters)) {
    const std::vector<Piece> pieces = pieces_of(item, 0, item.size());
    const std::size_t first = !pieces.empty() && pieces[0].text == "const" ? 1 : 0;
    const bool is_c = pieces.size() >= first + 2 && !type_of_elsewhere(pieces[first].text).empty() &&
                      name_length(pieces[first + 1].text) == pieces[first + 1].text.size();
    const bool is_size = pieces.size() == first + 2 &&
                         (is_c && is_integer(*elem_named(type_of_elsewhere(pieces[first].text))));
    all += all.empty() ? "" : ", ";
    if (!is_c)
      all += item;
    else
      all += fmt::format("{}: {}{}", pieces[first + 1].text,
                         is_size ? "size" : type_of_elsewhere(pieces[first].text),
                         item.substr(pieces[first + 1].end));
    changed = changed || is_c;
  }
  return changed ? std::optional(all) : std::nullopt;
}

} // namespace atl::parse
