#include "atl/parse/names.h"

#include "atl/base/spelling.h"
#include "atl/scalar/scalar.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::parse {

static std::vector<std::string_view> built_in_calls() {
  std::vector<std::string_view> names{"select", "cdiv"};
  for (const ScalarOp &op : scalar_ops())
    if (op.precedence == 0)
      names.push_back(op.name);
  for (const ElemInfo &row : elem_table)
    names.push_back(row.name);
  return names;
}

bool is_built_in(std::string_view name) {
  static const std::vector<std::string_view> calls = built_in_calls();
  bool saturates = name.starts_with("sat_") && elem_named(name.substr(4));
  return saturates || name == "size" || std::find(calls.begin(), calls.end(), name) != calls.end();
}

Names::Names(const Sources &sources, Reporter &reporter, const std::vector<Node> &definitions, bool complete)
    : sources_(sources), reporter_(reporter), complete_(complete) {
  for (const Node &definition : definitions)
    define(definition);
}

static Meaning::Kind kind_of(const Node &definition) {
  switch (definition.kind) {
  case Kind::constant: return Meaning::Kind::constant;
  case Kind::function: return Meaning::Kind::function;
  case Kind::kernel: return Meaning::Kind::kernel;
  default: return Meaning::Kind::broken;
  }
}

void Names::define(const Node &definition) {
  bool is_scheduling = definition.kind == Kind::step_definition || definition.kind == Kind::schedule ||
                       definition.kind == Kind::hardware;
  if (definition.children.empty() || is_scheduling) // these have names of their own
    return;
  const Node &word = definition.children[0];
  bool taken = report_if_taken(word);
  if (!taken)
    global_.emplace(sources_.text(word.span), Meaning{kind_of(definition), word.span, &definition});
}

std::optional<Meaning> Names::find(std::string_view name) const {
  for (const Table *table : {&local_, &global_})
    if (auto entry = table->find(name); entry != table->end())
      return entry->second;
  return std::nullopt;
}

bool Names::report_if_taken(const Node &word) {
  std::string_view name = sources_.text(word.span);
  if (is_built_in(name)) {
    reporter_.report(Code::duplicate_name, word.span,
                     fmt::format("'{}' is built in and cannot be redefined", name));
    return true;
  }
  std::optional<Meaning> other = find(name);
  if (other)
    reporter_.report(Code::duplicate_name, word.span, fmt::format("'{}' is already defined", name),
                     {{other->span, fmt::format("'{}' is defined here", name)}});
  return other.has_value();
}

void Names::declare(const Node &word, Meaning::Kind kind) {
  if (report_if_taken(word))
    return;
  std::string name(sources_.text(word.span));
  local_.emplace(name, Meaning{kind, word.span});
  local_names_.push_back(std::move(name));
}

void Names::forget(std::size_t size) {
  for (; local_names_.size() > size; local_names_.pop_back())
    local_.erase(local_names_.back());
  if (size == 0)
    reported_.clear();
}

static bool is_callable(Meaning::Kind kind) {
  return kind == Meaning::Kind::function || kind == Meaning::Kind::kernel;
}

std::string Names::closest(std::string_view name, bool called) const {
  std::vector<std::string_view> candidates;
  for (const Table *table : {&local_, &global_})
    for (const auto &[candidate, meaning] : *table)
      if (meaning.kind == Meaning::Kind::broken || called == is_callable(meaning.kind))
        candidates.push_back(candidate);
  if (called)
    for (std::string_view candidate : built_in_calls())
      candidates.push_back(candidate);
  return closest_name(name, candidates);
}

void Names::report_unknown(const Node &word, bool called) {
  std::string_view name = sources_.text(word.span);
  if (!complete_ || !reported_.emplace(name).second)
    return;
  std::string suggestion = closest(name, called);
  std::vector<Fix> fixes;
  if (!suggestion.empty())
    fixes.push_back({fmt::format("did you mean '{}'?", suggestion), {{word.span, suggestion}}});
  reporter_.add(
      {Code::unknown_name, word.span, fmt::format("unknown name '{}'", name), {}, std::move(fixes)});
}

} // namespace atl::parse
