#include "atl/syntax/print_schedule.h"

#include <fmt/format.h>

namespace atl {

namespace {

std::string block(const std::vector<Step> &steps, int indent) {
  return "{\n" + print(steps, indent + 2) + std::string(static_cast<std::size_t>(indent), ' ') + "}";
}

bool is_choice(const std::vector<Step> &steps) {
  return steps.size() == 1 && steps[0].name == "if";
}

std::string whole(const Step &step, int indent) {
  bool needs_block = step.name == "if" || step.name == "for" || !step.block.empty();
  if (!needs_block)
    return to_string(step) + ";";
  std::string text = to_string(step) + " " + block(step.block, indent);
  if (is_choice(step.otherwise))
    text += " else " + whole(step.otherwise[0], indent);
  else if (!step.otherwise.empty())
    text += " else " + block(step.otherwise, indent);
  return text;
}

std::string names(const std::vector<ScheduleParam> &all) {
  std::string text;
  for (const ScheduleParam &name : all)
    text += (text.empty() ? "" : ", ") + name.name;
  return text;
}

std::string in_parens(const std::vector<ScheduleParam> &params) {
  return params.empty() ? "" : "(" + names(params) + ")";
}

std::string head(const Schedule &schedule) {
  return fmt::format("{}schedule {}{} for {}", schedule.is_private ? "private " : "", schedule.name,
                     in_parens(schedule.params), names(schedule.kernels));
}

} // namespace

static std::string in_order(const std::vector<StepItem> &elements) {
  std::string text;
  for (const StepItem &element : elements)
    text += (text.empty() ? "" : ", ") + to_string(element);
  return text;
}

std::string to_string(const StepItem &item) {
  switch (item.kind) {
  case StepItem::Kind::word:
  case StepItem::Kind::comma: return item.text;
  case StepItem::Kind::index: return to_string(item.index);
  case StepItem::Kind::pred: return to_string(item.pred);
  case StepItem::Kind::list: return fmt::format("[{}]", in_order(item.elements));
  }
  return {};
}

std::string to_string(const Step &step) {
  std::string text = step.name, before = step.name;
  for (const StepItem &item : step.items) {
    std::string next = to_string(item);
    bool joins = item.kind == StepItem::Kind::comma || next == "(" || next == ")" || before == "(";
    text += (joins ? "" : " ") + next;
    before = next;
  }
  return text;
}

std::string print(const std::vector<Step> &steps, int indent) {
  std::string text, margin(static_cast<std::size_t>(indent), ' ');
  for (const Step &step : steps)
    text += margin + whole(step, indent) + "\n";
  return text;
}

std::string print(const StepDefinition &definition) {
  return fmt::format("step {}{} {}\n", definition.name, in_parens(definition.params),
                     block(definition.body, 0));
}

std::string print(const Schedule &schedule) {
  return head(schedule) + " " + block(schedule.steps, 0) + "\n";
}

std::string print_as_other(const Schedule &schedule) {
  return head(schedule) + " = " + to_string(schedule.steps.at(0)) + ";\n";
}

} // namespace atl
