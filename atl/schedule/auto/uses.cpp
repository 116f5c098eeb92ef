#include "atl/schedule/auto/uses.h"

#include <utility>

namespace atl::schedule {

namespace {

StepItem word_item(const std::string &text, Span span) {
  return {StepItem::Kind::word, text, nullptr, nullptr, span};
}
StepItem comma_item(Span span) {
  return {StepItem::Kind::comma, ",", nullptr, nullptr, span};
}
StepItem name_item(const std::string &name, Span span) {
  return {StepItem::Kind::index, name, variable(name), nullptr, span};
}

} // namespace

Use::Use(std::string name, Span span) : step_{std::move(name), span, {word_item("(", span)}, {}, {}, {}} {}

void Use::separate() {
  if (step_.items.size() > 1)
    step_.items.push_back(comma_item(step_.span));
}

Use &Use::name(const std::string &name) {
  separate();
  step_.items.push_back(name_item(name, step_.span));
  return *this;
}

Use &Use::names(const std::vector<std::string> &names) {
  separate();
  StepItem list{StepItem::Kind::list, "", nullptr, nullptr, step_.span};
  for (const std::string &name : names)
    list.elements.push_back(name_item(name, step_.span));
  step_.items.push_back(std::move(list));
  return *this;
}

Use &Use::number(std::int64_t value) {
  return index(constant(value));
}

Use &Use::index(const Index &value) {
  separate();
  step_.items.push_back({StepItem::Kind::index, to_string(value), value, nullptr, step_.span});
  return *this;
}

Step Use::step() {
  step_.items.push_back(word_item(")", step_.span));
  return std::move(step_);
}

static bool is_marker(const std::string &word) {
  return word == "every" || word == "in" || word == "at" || word == "as";
}

Step plain_step(const std::string &step, const std::vector<std::string> &words, Span span) {
  Step made{step, span, {}, {}, {}, {}};
  for (const std::string &word : words)
    made.items.push_back(is_marker(word) ? word_item(word, span) : name_item(word, span));
  return made;
}

Step reorder_step(const std::vector<std::string> &loops, Span span) {
  Step step{"reorder", span, {}, {}, {}, {}};
  for (const std::string &loop : loops) {
    if (!step.items.empty())
      step.items.push_back(comma_item(span));
    step.items.push_back(name_item(loop, span));
  }
  return step;
}

Step within_step(const std::string &tensor, std::vector<Step> steps, Span span) {
  return {"within", span, {name_item(tensor, span)}, std::move(steps), {}, {}};
}

Step specialize_step(const Pred &when, std::vector<Step> steps, Span span) {
  StepItem condition{StepItem::Kind::pred, "", nullptr, when, span};
  return {"specialize", span, {word_item("when", span), condition}, std::move(steps), {}, {}};
}

} // namespace atl::schedule
