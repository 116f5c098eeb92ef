#include "atl/schedule/text/condition.h"

#include "atl/syntax/print_schedule.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace atl::schedule {

namespace {

using Items = std::span<const StepItem>;

Diagnostic no_value(Span span, std::string message, std::string note) {
  return {Code::condition_unknown, span, std::move(message), {{std::nullopt, std::move(note)}}};
}

bool is_size(const Kernel &kernel, const std::string &name) {
  return std::any_of(kernel.params.begin(), kernel.params.end(), [&](const Param &param) {
    return param.kind == Param::Kind::size && param.name == name;
  });
}

std::optional<Elem> elem_of(const Kernel &kernel, const std::string &name) {
  for (const Param &param : kernel.params)
    if (param.kind == Param::Kind::tensor && param.name == name)
      return param.type.elem;
  for (const Output &output : kernel.outputs)
    if (output.name == name)
      return output.type.elem;
  return std::nullopt;
}

Result<bool> decide(const Pred &pred, Span span, const Kernel &kernel) {
  if (std::optional<bool> value = evaluate(pred, {}))
    return *value;
  std::set<std::string> names;
  collect_variables(pred, names);
  auto size =
      std::find_if(names.begin(), names.end(), [&](const auto &name) { return is_size(kernel, name); });
  if (size != names.end())
    return no_value(
        span,
        fmt::format("'{}' is a size of '{}', which is not known when the schedule runs", *size, kernel.name),
        fmt::format("`specialize when {} {{ ... }}` decides when the kernel runs", to_string(pred)));
  if (!names.empty())
    return no_value(span, fmt::format("'{}' has no value in this condition", *names.begin()),
                    "a condition of `if` is made of integers, and of parameters that stand for integers");
  return no_value(span, fmt::format("the condition {} has no value", to_string(pred)),
                  "it divides by a number that is not positive, or exceeds 64 bits");
}

// A is f32
Result<bool> has_type(Items items, const Kernel &kernel) {
  auto name = [](const StepItem &item) {
    bool is_name = item.kind == StepItem::Kind::index && item.index->op == IndexOp::variable;
    return is_name ? item.index->name : to_string(item);
  };
  std::optional<Elem> wanted = elem_named(name(items[2]));
  if (!wanted)
    return no_value(items[2].span, fmt::format("'{}' is no element type", name(items[2])),
                    "a type is tested as in `A is f32`");
  std::optional<Elem> actual = elem_of(kernel, name(items[0]));
  if (!actual)
    return no_value(items[0].span,
                    fmt::format("'{}' is no parameter or result of '{}'", name(items[0]), kernel.name),
                    "only of tensors and scalars among them the type is known when the schedule runs");
  return *actual == *wanted;
}

Result<bool> holds(Items items, const Step &choice, const Kernel &kernel) {
  if (items.size() == 1 && items[0].kind == StepItem::Kind::pred)
    return decide(items[0].pred, items[0].span, kernel);
  bool is_type_test = items.size() == 3 && items[1].kind == StepItem::Kind::word && items[1].text == "is";
  if (is_type_test)
    return has_type(items, kernel);
  Span span = items.empty() ? choice.span : items[0].span;
  return no_value(span, "expected a condition that is known when the schedule runs",
                  "such as `if h > 1 { ... }` or `if A is f32 { ... }`");
}

} // namespace

Result<bool> holds(const Step &choice, const Kernel &kernel) {
  Items rest(choice.items);
  bool all = true;
  for (bool last = false; !last;) {
    auto comma = std::find_if(rest.begin(), rest.end(),
                              [](const StepItem &item) { return item.kind == StepItem::Kind::comma; });
    auto length = static_cast<std::size_t>(comma - rest.begin());
    last = comma == rest.end();
    Result<bool> part = holds(rest.first(length), choice, kernel);
    if (!part)
      return part;
    all = all && *part;
    rest = rest.subspan(last ? length : length + 1);
  }
  return all;
}

} // namespace atl::schedule
