#include "atl/parse/advise_calls.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace atl::parse {

namespace {

using Texts = std::vector<std::string_view>;

// The parameters of a definition in any of the files, as they are written.
Texts parameters_of(const Sources &sources, std::string_view name) {
  for (std::uint32_t file = 0; file < sources.size(); ++file) {
    const std::string &text = sources.at(file).text;
    const std::vector<Piece> pieces = pieces_of(text, 0, text.size());
    for (std::size_t i = 0; i + 3 < pieces.size(); ++i) {
      const bool defines = pieces[i].text == "kernel" || pieces[i].text == "fn";
      if (!defines || pieces[i + 1].text != name || pieces[i + 2].text != "(")
        continue;
      std::size_t at = i + 3;
      return list_at(text, pieces, at);
    }
  }
  return {};
}

// The extents of an argument: of a tensor by name, of a row of it, or of a `gen`.
Texts extents_of(std::string_view argument, const Declarations &declared) {
  const std::vector<Piece> pieces = pieces_of(argument, 0, argument.size());
  auto tensor = pieces.empty() ? declared.end() : declared.find(pieces[0].text);
  if (tensor == declared.end())
    return {};
  Texts extents = tensor->second.extents;
  if (pieces.size() == 1)
    return extents;
  std::size_t at = 2;
  const std::size_t given = pieces[1].text == "[" ? list_at(argument, pieces, at).size() : extents.size();
  if (given > extents.size() || at + 1 < pieces.size())
    return {};
  extents.erase(extents.begin(), extents.begin() + static_cast<std::ptrdiff_t>(given));
  return extents;
}

// The arguments with the sizes that the tensors tell; empty where they do not tell all.
std::vector<std::string> with_sizes(const Texts &parameters, const Texts &arguments,
                                    const Declarations &declared) {
  std::map<std::string_view, std::string_view> sizes;
  std::size_t next = 0;
  std::vector<std::string> all;
  for (std::string_view parameter : parameters) {
    const std::vector<Piece> pieces = pieces_of(parameter, 0, parameter.size());
    if (pieces.size() < 3 || pieces[2].text == "size")
      continue;
    if (next == arguments.size())
      return {};
    const Texts has = extents_of(arguments[next++], declared);
    std::size_t at = 4;
    const Texts wants = pieces.size() > 4 ? list_at(parameter, pieces, at) : Texts();
    for (std::size_t d = 0; d < std::min(has.size(), wants.size()); ++d)
      sizes.emplace(wants[d], has[d]);
  }
  if (next != arguments.size())
    return {};
  next = 0;
  for (std::string_view parameter : parameters) {
    const std::vector<Piece> pieces = pieces_of(parameter, 0, parameter.size());
    const bool is_size = pieces.size() > 2 && pieces[2].text == "size";
    if (is_size && !sizes.contains(pieces[0].text))
      return {};
    all.emplace_back(is_size ? sizes.at(pieces[0].text) : arguments[next++]);
  }
  return all;
}

} // namespace

std::vector<Fix> other_arguments(const Sources &sources, std::uint32_t file, const std::vector<Piece> &pieces,
                                 std::size_t at) {
  const std::string &text = sources.at(file).text;
  if (at + 1 >= pieces.size() || pieces[at + 1].text != "(")
    return {};
  std::size_t close = at + 2;
  const Texts arguments = list_at(text, pieces, close);
  const Texts parameters = parameters_of(sources, pieces[at].text);
  if (close == pieces.size() || parameters.empty())
    return {};
  const Span span{file, pieces[at].begin, pieces[close].end};
  std::vector<Fix> fixes;
  auto propose = [&](std::string_view why, const std::vector<std::string> &others) {
    const std::string call = fmt::format("{}({})", pieces[at].text, fmt::join(others, ", "));
    fixes.push_back({fmt::format("{}: {}", why, call), {{span, call}}, false});
  };
  if (const auto filled_in = with_sizes(parameters, arguments, declarations_of(text, pieces));
      !filled_in.empty())
    propose("sizes are passed, too", filled_in);
  if (arguments.size() == parameters.size() + 1)
    for (std::size_t left_out = 0; left_out < arguments.size(); ++left_out) {
      std::vector<std::string> fewer(arguments.begin(), arguments.end());
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(left_out));
      propose("with one argument less", fewer);
    }
  return fixes;
}

} // namespace atl::parse
