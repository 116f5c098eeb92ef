#include "atl/schedule/steps/arguments.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::schedule {

Span Arguments::span() const {
  const StepItem *item = peek();
  return item ? item->span : step_.span;
}

bool Arguments::word(std::string_view text) {
  const StepItem *item = peek();
  bool found = item && (item->kind == StepItem::Kind::word || item->kind == StepItem::Kind::index) &&
               item->text == text;
  next_ += found;
  return found;
}

void Arguments::expect(std::string_view text) {
  if (!failed() && !word(text))
    fail_usage();
}

bool Arguments::comma() {
  const StepItem *item = peek();
  bool found = item && item->kind == StepItem::Kind::comma;
  next_ += found;
  return found;
}

std::string Arguments::name() {
  const StepItem *item = peek();
  if (!item || item->kind != StepItem::Kind::index || item->index->op != IndexOp::variable) {
    std::vector<Note> why;
    if (item && item->kind == StepItem::Kind::word)
      why.push_back({item->span, fmt::format("'{}' is a word of steps: a name stands here", item->text)});
    fail_usage(std::move(why));
    return "";
  }
  ++next_;
  return item->index->name;
}

Index Arguments::index() {
  const StepItem *item = peek();
  if (!item || item->kind != StepItem::Kind::index) {
    fail_usage();
    return constant(1);
  }
  ++next_;
  return item->index;
}

Pred Arguments::condition() {
  const StepItem *item = peek();
  if (!item || item->kind != StepItem::Kind::pred) {
    fail_usage();
    return truth(true);
  }
  ++next_;
  return item->pred;
}

std::string Arguments::one_of(std::initializer_list<std::string_view> words) {
  for (std::string_view w : words)
    if (word(w))
      return std::string(w);
  fail_usage();
  return std::string(*words.begin());
}

LoopName Arguments::loop_name() {
  Span span = peek() ? peek()->span : step_.span;
  LoopName loop{name(), std::nullopt, span};
  if (word("in"))
    loop.within = name();
  return loop;
}

Path Arguments::loop() {
  LoopName loop = loop_name();
  if (failed())
    return {};
  auto path = find_loop(kernel_, loop);
  if (path)
    return *path;
  problems_ = path.errors();
  return {};
}

std::vector<Path> Arguments::loops() {
  if (!word("every"))
    return {loop()};
  LoopName loop = loop_name();
  if (failed())
    return {};
  auto paths = find_loops(kernel_, loop, Where::anywhere);
  if (paths)
    return *paths;
  problems_ = paths.errors();
  return {};
}

void Arguments::end() {
  if (more())
    fail_usage();
}

void Arguments::fail(std::string message, std::vector<Note> notes) {
  if (!failed())
    problems_.push_back({Code::step_refused, step_.span, std::move(message), std::move(notes)});
}

void Arguments::fail(Diagnostics problems) {
  if (!failed())
    problems_ = std::move(problems);
}

void Arguments::fail_usage(std::vector<Note> notes) {
  notes.insert(notes.begin(), {std::nullopt, fmt::format("write `{};`", usage_)});
  if (!failed())
    problems_.push_back({Code::step_usage, step_.span,
                         fmt::format("{} is written in another way", step_.name), std::move(notes)});
}

} // namespace atl::schedule
