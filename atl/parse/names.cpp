#include "atl/parse/names.h"

#include "atl/scalar.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

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
  if (definition.children.empty())
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

// The number of insertions, deletions and replacements that make `b` of `a`.
static std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

static bool is_callable(Meaning::Kind kind) {
  return kind == Meaning::Kind::function || kind == Meaning::Kind::kernel;
}

std::string Names::closest(std::string_view name, bool called) const {
  constexpr std::size_t too_many = 10000, too_long = 100; // a suggestion is not worth the time
  if (global_.size() + local_.size() > too_many || name.size() > too_long)
    return {};
  std::string best;
  std::size_t best_distance = std::min<std::size_t>(3, name.size()); // must come below
  auto consider = [&](std::string_view candidate) {
    std::size_t gap = std::max(candidate.size(), name.size()) - std::min(candidate.size(), name.size());
    if (gap >= best_distance)
      return;
    std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  };
  for (const Table *table : {&local_, &global_})
    for (const auto &[candidate, meaning] : *table)
      if (meaning.kind == Meaning::Kind::broken || called == is_callable(meaning.kind))
        consider(candidate);
  if (called)
    for (std::string_view candidate : built_in_calls())
      consider(candidate);
  return best;
}

void Names::report_unknown(const Node &word, bool called) {
  std::string_view name = sources_.text(word.span);
  if (!complete_ || !reported_.emplace(name).second)
    return;
  std::string suggestion = closest(name, called);
  std::string message = suggestion.empty()
                            ? fmt::format("unknown name '{}'", name)
                            : fmt::format("unknown name '{}'; did you mean '{}'?", name, suggestion);
  reporter_.report(Code::unknown_name, word.span, message);
}

} // namespace atl::parse
