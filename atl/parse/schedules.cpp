// Steps and schedules. The loops and tensors that steps name are known only when a schedule runs: here a name
// is a constant of the program, or stands for itself.
#include "atl/parse/elaborate.h"
#include "atl/parse/locals.h"
#include "atl/parse/scan.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace atl::parse {

// Can only be data, whatever its names mean.
static bool is_data_form(const Node &node, std::string_view callee) {
  switch (node.kind) {
  case Kind::guard:
  case Kind::reshape:
  case Kind::gen:
  case Kind::reduce:
  case Kind::concat:
  case Kind::block:
  case Kind::access: return true;
  case Kind::call: return callee != "cdiv" && callee != "min" && callee != "max" && callee != extent_word;
  default: return false;
  }
}

// extent(y), extent(y, rows): of a loop, known when the step is applied.
Value Elaborator::extent_in_step(const Node &node) {
  if (node.children.size() != 3 && !has_arguments(node, 1))
    return {};
  std::vector<std::string> names;
  for (std::size_t i = 1; i < node.children.size(); ++i) {
    Value name = value(node.children[i], Want::step);
    if (!name.index || name.index->op != IndexOp::variable)
      return error(
          Code::data_in_step, node.children[i].span,
          fmt::format("{} is no loop; extent(...) is that of a loop", quoted(node.children[i].span)));
    names.push_back(name.index->name);
  }
  std::optional<std::string> within;
  if (names.size() == 2)
    within = names[1];
  return {variable(name_of(Extent{names[0], within})), nullptr, nullptr};
}

Value Elaborator::reading_of_step(const Node &node) {
  if (node.kind == Kind::call && text(node.children[0]) == extent_word)
    return extent_in_step(node);
  if (is_data_form(node, node.children.empty() ? "" : text(node.children[0])))
    return data_in_index(node, Want::step);
  return reading(node, Want::step);
}

Value Elaborator::word_of_step(const Node &word) {
  std::string_view name = text(word);
  if (is_step_marker(name))
    return error(Code::syntax_error, word.span,
                 fmt::format("'{}' is a word of steps and cannot be a name in them", name));
  std::optional<Meaning> meaning = names_.find(word);
  if (meaning && meaning->kind == Meaning::Kind::constant && !is_step_name(name) && !is_local_of_steps(name))
    return use_of_constant(word, *meaning);
  return {variable(std::string(name)), nullptr, nullptr};
}

// A parameter, or of one, such as y.o.
bool Elaborator::is_step_name(std::string_view name) const {
  return std::find(step_names_.begin(), step_names_.end(), name.substr(0, name.find('.'))) !=
         step_names_.end();
}

// Their names become those of the steps that follow.
std::vector<ScheduleParam> Elaborator::step_params(const Node &names) {
  std::vector<ScheduleParam> all;
  for (const Node &word : names.children) {
    step_param(word);
    all.push_back({std::string(text(word)), word.span});
  }
  report_twice(all);
  return all;
}

void Elaborator::report_twice(const std::vector<ScheduleParam> &names) {
  for (auto name = names.begin(); name != names.end(); ++name)
    if (std::any_of(names.begin(), name,
                    [&](const ScheduleParam &other) { return other.name == name->name; }))
      error(Code::duplicate_name, name->span, fmt::format("'{}' stands here twice", name->name));
}

void Elaborator::step_param(const Node &word) {
  std::string_view name = text(word);
  if (is_step_marker(name) || name.find('.') != std::string_view::npos)
    error(Code::syntax_error, word.span, fmt::format("'{}' cannot be the name of a parameter of steps", name),
          {{std::nullopt, is_step_marker(name) ? "it is a word of steps"
                                               : "of y := row, y.o becomes row.o; a parameter has no dot"}});
  step_names_.push_back(name);
}

StepItem Elaborator::step_item(const Node &node) {
  StepItem item{StepItem::Kind::word, std::string(text(node)), nullptr, nullptr, node.span};
  if (node.kind == Kind::marker)
    return item;
  if (node.kind == Kind::comma) {
    item.kind = StepItem::Kind::comma;
    return item;
  }
  if (node.kind == Kind::list) {
    item.kind = StepItem::Kind::list;
    for (const Node &child : node.children)
      item.elements.push_back(step_item(child));
    return item;
  }
  if (node.kind == Kind::composed) {
    item.kind = StepItem::Kind::index;
    item.index = variable(composed_name(text(node.children[0]), text(node.children[1])));
    return item;
  }
  Value v = value(node, Want::step);
  item.kind = v.pred && !v.index ? StepItem::Kind::pred : StepItem::Kind::index;
  item.pred = v.index ? nullptr : v.pred;
  item.index = v.index || v.pred ? v.index : atl::constant(0); // an error was reported
  return item;
}

// Stands for a loop or a tensor of the kernels of the schedule, or for one that its steps make: it hides a
// constant.
bool Elaborator::is_local_of_steps(std::string_view name) const {
  const Callee callee = [&](const Node &word) -> const Node * {
    std::optional<Meaning> meaning = names_.find(word);
    bool is_called =
        meaning && (meaning->kind == Meaning::Kind::function || meaning->kind == Meaning::Kind::kernel);
    return is_called ? &meaning->node() : nullptr;
  };
  if (makes(under_way_->children.back(), name, sources_))
    return true;
  const std::vector<Node> &kernels = under_way_->children[2].children; // of a schedule
  return under_way_->kind == Kind::schedule &&
         std::any_of(kernels.begin(), kernels.end(), [&](const Node &word) {
           const Node *kernel = callee(word);
           return kernel && declares(*kernel, name, sources_, callee);
         });
}

// An argument, which may be hardware.
StepItem Elaborator::step_argument(const Node &node) {
  StepItem item = step_item(node);
  bool is_name = node.kind == Kind::word && item.index && item.index->op == IndexOp::variable;
  if (is_name && !is_step_name(item.index->name))
    item.index = variable(names_.hardware(node, false));
  return item;
}

// What stands for no constant: `map all with HARDWARE`, `map LOOP to INSTRUCTION`, `store TENSOR in MEMORY`.
std::optional<StepItem> Elaborator::part_of_hardware(std::string_view step, std::string_view before,
                                                     const Node &node) {
  const bool is_hardware = step == "map" && before == "with";
  const bool is_part =
      is_hardware || (step == "map" && before == "to") || (step == "store" && before == "in");
  if (!is_part || node.kind != Kind::word || is_literal_word(text(node)) || is_step_marker(text(node)))
    return std::nullopt;
  std::string name(text(node));
  if (is_hardware && !is_step_name(name))
    name = names_.hardware(node, true);
  return StepItem{StepItem::Kind::index, std::string(text(node)), variable(name), nullptr, node.span};
}

// The arguments of a use stand between words that are parentheses.
void Elaborator::step_arguments(const Node &node, std::vector<StepItem> &into) {
  Span open{node.span.file, node.span.begin, node.span.begin};
  Span close{node.span.file, node.span.end, node.span.end};
  into.push_back({StepItem::Kind::word, "(", nullptr, nullptr, open});
  for (const Node &child : node.children)
    into.push_back(step_argument(child));
  into.push_back({StepItem::Kind::word, ")", nullptr, nullptr, close});
}

Step Elaborator::step(const Node &node) {
  const bool uses_step = node.children.size() > 1 && node.children[1].kind == Kind::arguments;
  Step result{uses_step ? names_.step(node.children[0], kernels_) : std::string(text(node.children[0])),
              node.span,
              {},
              {},
              {},
              {}};
  std::size_t outer_names = step_names_.size();
  if (result.name == "for")
    step_param(node.children[1]);
  bool has_block = false;
  for (std::size_t i = 1; i < node.children.size(); ++i) {
    const Node &child = node.children[i];
    if (child.kind == Kind::steps)
      (std::exchange(has_block, true) ? result.otherwise : result.block) = steps(child);
    else if (child.kind == Kind::arguments)
      step_arguments(child, result.items);
    else if (auto part = part_of_hardware(result.name, text(node.children[i - 1]), child))
      result.items.push_back(std::move(*part));
    else
      result.items.push_back(step_item(child));
  }
  step_names_.resize(outer_names);
  if (result.name == local_word && !uses_step)
    for (std::size_t i = 1; i < node.children.size(); ++i)
      if (node.children[i].kind == Kind::word)
        step_param(node.children[i]);
  return result;
}

std::vector<Step> Elaborator::steps(const Node &node) {
  std::vector<Step> all;
  all.reserve(node.children.size());
  std::size_t outer_names = step_names_.size();
  for (const Node &child : node.children)
    all.push_back(step(child));
  step_names_.resize(outer_names); // those of `local` end with the block
  return all;
}

void Elaborator::step_definition(const Definition &definition) {
  const Node &node = definition.node;
  under_way_ = &node;
  StepDefinition result{names_.unique(definition), node.children[0].span, step_params(node.children[1]),
                        steps(node.children[2])};
  step_names_.clear();
  report_duplicate(result.name, result.span);
  program_.steps.push_back(std::move(result));
}

void Elaborator::schedule(const Definition &definition) {
  const Node &node = definition.node, &body = node.children.back();
  under_way_ = &node;
  kernels_ = names_.kernels_of(definition);
  Schedule result{names_.unique(definition),
                  node.children[0].span,
                  step_params(node.children[1]),
                  kernels_named(node.children[2]),
                  {},
                  definition.is_private};
  result.steps = body.kind == Kind::steps ? steps(body) : std::vector{step(body)};
  if (body.kind == Kind::step)
    check_other_schedule(body.children[0], result.steps[0].name);
  step_names_.clear();
  kernels_.clear();
  report_duplicate(result);
  program_.schedules.push_back(std::move(result));
}

std::vector<ScheduleParam> Elaborator::kernels_named(const Node &names) {
  std::vector<ScheduleParam> all;
  for (const Node &word : names.children)
    if (auto kernel = kernel_named(word))
      all.push_back(std::move(*kernel));
  report_twice(all);
  return all;
}

std::optional<ScheduleParam> Elaborator::kernel_named(const Node &word) {
  std::optional<Meaning> meaning = names_.find(word);
  if (meaning && meaning->kind == Meaning::Kind::kernel)
    return ScheduleParam{meaning->entry->unique, word.span};
  if (!meaning)
    names_.report_unknown(word, true);
  else if (meaning->kind == Meaning::Kind::ambiguous)
    names_.report_ambiguous(word);
  else if (meaning->kind != Meaning::Kind::broken)
    error(Code::wrong_kind_of_name, word.span,
          fmt::format("'{}' is no kernel; a schedule is for kernels", text(word)));
  return std::nullopt;
}

// Of schedule a for k = b(...): that `b` is no step. (check_schedules sees to the rest.)
void Elaborator::check_other_schedule(const Node &word, const std::string &name) {
  if (auto step = step_places_.find(name); step != step_places_.end())
    error(Code::not_a_schedule, word.span, fmt::format("'{}' is a step, not a schedule", text(word)),
          {{step->second, "it is defined here"},
           {std::nullopt, "a schedule made of steps is written { " + std::string(text(word)) + "(...); }"}});
}

void Elaborator::report_duplicate(const std::string &step_name, Span span) {
  auto [other, is_new] = step_places_.emplace(step_name, span);
  if (!is_new)
    error(Code::duplicate_name, span, fmt::format("the step '{}' is already defined", step_name),
          {{other->second, fmt::format("'{}' is defined here", step_name)}});
}

// A kernel has one schedule of a name. Steps, which are used like schedules, have other names.
void Elaborator::report_duplicate(const Schedule &schedule) {
  if (auto step = step_places_.find(schedule.name); step != step_places_.end())
    error(Code::duplicate_name, schedule.span,
          fmt::format("'{}' is already defined, as a step", schedule.name),
          {{step->second, fmt::format("'{}' is defined here", schedule.name)}});
  for (const ScheduleParam &kernel : schedule.kernels) {
    auto [other, is_new] = schedule_places_.emplace(std::pair(schedule.name, kernel.name), kernel.span);
    if (!is_new)
      error(Code::duplicate_schedule, kernel.span,
            fmt::format("the kernel '{}' already has a schedule '{}'", kernel.name, schedule.name),
            {{other->second, "it has one here"}});
  }
}

} // namespace atl::parse
