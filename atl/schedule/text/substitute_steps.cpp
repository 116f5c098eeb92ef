#include "atl/schedule/text/substitute_steps.h"

#include "atl/syntax/print_schedule.h"

#include <fmt/format.h>

namespace atl::schedule {

namespace {

constexpr std::size_t size_limit = 10000; // of one item, in operands and operations

// The argument that the beginning of a dotted name stands for.
const StepItem *argument_of(const std::string &name, const Values &by) {
  auto found = by.find(name.substr(0, name.find('.')));
  return found == by.end() ? nullptr : &found->second;
}

std::string rest_of(const std::string &name) {
  std::size_t dot = name.find('.');
  return dot == std::string::npos ? "" : name.substr(dot);
}

Diagnostic does_not_fit(const StepItem &item, const std::string &name, const StepItem &argument) {
  std::string base = name.substr(0, name.find('.'));
  std::string needed = rest_of(name).empty() ? "an index" : "the name of a loop";
  return {Code::wrong_step_argument,
          item.span,
          fmt::format("'{}' needs {} for '{}', which is '{}' here", to_string(item), needed, base,
                      to_string(argument)),
          {}};
}

// What a name of a loop or temporary becomes: it may be made of two names, with or without arguments for
// them.
Result<std::string> renamed(const StepItem &item, const std::string &name, const Values &by) {
  if (auto parts = parts_of_composed(name)) {
    Result<std::string> first = renamed(item, parts->first, by), second = renamed(item, parts->second, by);
    return first && second ? Result<std::string>(*first + "." + *second) : first ? second : first;
  }
  const StepItem *argument = argument_of(name, by);
  if (!argument)
    return name;
  if (argument->kind != StepItem::Kind::index || argument->index->op != IndexOp::variable)
    return does_not_fit(item, name + ".", *argument);
  return argument->index->name + rest_of(name);
}

Result<std::string> renamed(const StepItem &item, Extent extent, const Values &by) {
  Result<std::string> loop = renamed(item, extent.loop, by);
  if (!loop || !extent.within)
    return loop ? Result<std::string>(name_of({*loop, {}})) : loop;
  Result<std::string> within = renamed(item, *extent.within, by);
  return within ? Result<std::string>(name_of({*loop, *within})) : within;
}

bool is_made_of_others(const std::string &name) {
  return parts_of_composed(name) || extent_of(name);
}

// Each variable that an argument stands for, with what it becomes.
Result<Subst> replacements(const StepItem &item, const Values &by) {
  std::set<std::string> names;
  if (item.index)
    collect_variables(item.index, names);
  else
    collect_variables(item.pred, names);
  Subst result;
  for (const std::string &name : names) {
    if (is_made_of_others(name)) {
      const auto extent = extent_of(name);
      Result<std::string> now = extent ? renamed(item, *extent, by) : renamed(item, name, by);
      if (!now)
        return now.errors();
      result[name] = variable(*now);
      continue;
    }
    const StepItem *argument = argument_of(name, by);
    if (!argument)
      continue;
    std::string rest = rest_of(name);
    bool is_index = argument->kind == StepItem::Kind::index;
    if (!is_index || (!rest.empty() && argument->index->op != IndexOp::variable))
      return does_not_fit(item, name, *argument);
    result[name] = rest.empty() ? argument->index : variable(argument->index->name + rest);
  }
  return result;
}

std::size_t size_of(const StepItem &item) {
  std::size_t size = 0;
  auto count = [&](const Index &) { ++size; };
  if (item.index)
    for_each_subexpression(item.index, count);
  else
    for_each_subexpression(item.pred, count);
  return size;
}

} // namespace

Result<StepItem> substitute(const StepItem &item, const Values &by) {
  if (item.kind == StepItem::Kind::word || item.kind == StepItem::Kind::comma)
    return item;
  StepItem result = item;
  if (item.kind == StepItem::Kind::list) {
    for (StepItem &element : result.elements) {
      Result<StepItem> now = substitute(element, by);
      if (!now)
        return now.errors();
      element = std::move(*now);
    }
    result.text = to_string(result);
    return result;
  }
  bool is_name = item.index && item.index->op == IndexOp::variable;
  const StepItem *whole = is_name && rest_of(item.index->name).empty() && !is_made_of_others(item.index->name)
                              ? argument_of(item.index->name, by)
                              : nullptr;
  if (whole) { // may be a word, such as `cut`, or a condition
    result = *whole;
    result.span = item.span;
    return result;
  }
  Result<Subst> subst = replacements(item, by);
  if (!subst)
    return subst.errors();
  if (item.index)
    result.index = atl::substitute(item.index, *subst);
  else
    result.pred = atl::substitute(item.pred, *subst);
  if (size_of(result) > size_limit)
    return Diagnostic{Code::too_deep,
                      item.span,
                      fmt::format("'{}' has more than {} parts with its arguments", item.text, size_limit),
                      {}};
  std::optional<std::int64_t> number = item.index ? as_constant(result.index) : std::nullopt;
  if (number)
    result.index = constant(*number);
  result.text = to_string(result);
  return result;
}

} // namespace atl::schedule
