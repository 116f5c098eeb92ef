#include "atl/syntax/steps.h"

#include "atl/base/check.h"

#include <fmt/format.h>

namespace atl {

bool is_use(const Step &step) {
  return !step.items.empty() && step.items[0].kind == StepItem::Kind::word && step.items[0].text == "(";
}

std::vector<StepItem> arguments_of(const Step &use) {
  ATL_CHECK(is_use(use), "arguments of a step that is no use");
  std::vector<StepItem> all;
  for (std::size_t i = 1; i + 1 < use.items.size(); ++i)
    if (use.items[i].kind != StepItem::Kind::comma)
      all.push_back(use.items[i]);
  return all;
}

std::string name_of(const Extent &extent) {
  return fmt::format("{}({}{})", extent_word, extent.loop, extent.within ? ", " + *extent.within : "");
}

std::optional<Extent> extent_of(std::string_view name) {
  if (!name.starts_with(extent_word) || !name.ends_with(')') || name[extent_word.size()] != '(')
    return std::nullopt;
  std::string_view inside = name.substr(extent_word.size() + 1, name.size() - extent_word.size() - 2);
  std::size_t comma = inside.find(", ");
  if (comma == std::string_view::npos)
    return Extent{std::string(inside), std::nullopt};
  return Extent{std::string(inside.substr(0, comma)), std::string(inside.substr(comma + 2))};
}

std::string composed_name(std::string_view first, std::string_view second) {
  return fmt::format("{}.({})", first, second);
}

std::optional<std::pair<std::string, std::string>> parts_of_composed(std::string_view name) {
  std::size_t open = name.find(".(");
  if (open == std::string_view::npos || extent_of(name))
    return std::nullopt;
  return std::pair(std::string(name.substr(0, open)),
                   std::string(name.substr(open + 2, name.size() - open - 3)));
}

} // namespace atl
