#include "atl/parse/names.h"

#include "atl/base/spelling.h"
#include "atl/scalar/scalar.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

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

Names::Names(const Sources &sources, Reporter &reporter, const Loaded &loaded)
    : sources_(sources), reporter_(reporter), modules_(sources, loaded), loaded_(loaded),
      complete_(loaded.complete) {
  for (const Definition &definition : loaded.definitions)
    if (!definition.node.children.empty() && space_of(definition.node) == Space::value)
      check_name(definition);
}

static Meaning::Kind kind_of(const Node &definition) {
  switch (definition.kind) {
  case Kind::constant: return Meaning::Kind::constant;
  case Kind::function: return Meaning::Kind::function;
  case Kind::kernel: return Meaning::Kind::kernel;
  default: return Meaning::Kind::broken;
  }
}

static const Node &word_of(const Definition &definition) {
  return definition.node.children[0];
}

void Names::check_name(const Definition &definition) {
  const Definition &first = *modules_.entry_of(definition).definitions[0];
  if (!report_if_built_in(word_of(definition)) && &first != &definition)
    report_twice(word_of(definition), word_of(first).span);
}

bool Names::report_if_built_in(const Node &word) {
  std::string_view name = sources_.text(word.span);
  if (is_built_in(name))
    reporter_.report(Code::duplicate_name, word.span,
                     fmt::format("'{}' is built in and cannot be redefined", name));
  return is_built_in(name);
}

void Names::report_twice(const Node &word, Span other) {
  std::string_view name = sources_.text(word.span);
  reporter_.report(Code::duplicate_name, word.span, fmt::format("'{}' is already defined", name),
                   {{other, fmt::format("'{}' is defined here", name)}});
}

std::optional<Meaning> Names::find(const Node &word) const {
  std::string_view name = sources_.text(word.span);
  if (auto local = local_.find(name); local != local_.end())
    return local->second;
  const Entries found = modules_.find(Space::value, name, word.span.file);
  if (found.empty())
    return std::nullopt;
  const Definition &first = *found[0]->definitions[0];
  return Meaning{found.size() > 1 ? Meaning::Kind::ambiguous : kind_of(first.node), word_of(first).span,
                 found[0]};
}

void Names::declare(const Node &word, Meaning::Kind kind) {
  std::string name(sources_.text(word.span));
  if (report_if_built_in(word))
    return;
  auto [other, is_new] = local_.emplace(name, Meaning{kind, word.span});
  if (!is_new)
    return report_twice(word, other->second.span);
  local_names_.push_back(std::move(name));
}

void Names::use(const Entry &entry) {
  if (local_.contains(entry.unique))
    hidden_.insert(&entry);
}

bool Names::rename_hidden() {
  const std::set<const Entry *> hidden = std::exchange(hidden_, {});
  for (const Entry *entry : hidden)
    modules_.rename(*entry);
  return !hidden.empty();
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

std::string Names::closest(const Node &word, bool called) const {
  std::string_view name = sources_.text(word.span);
  std::vector<std::string_view> candidates;
  auto fits = [&](Meaning::Kind kind) {
    return kind == Meaning::Kind::broken || called == is_callable(kind);
  };
  for (const auto &[candidate, meaning] : local_)
    if (fits(meaning.kind))
      candidates.push_back(candidate);
  const auto values = modules_.values(word.span.file);
  for (const auto &[candidate, entry] : values)
    if (fits(kind_of(entry->definitions[0]->node)))
      candidates.push_back(candidate);
  if (called)
    for (std::string_view candidate : built_in_calls())
      candidates.push_back(candidate);
  return closest_name(name, candidates);
}

constexpr std::size_t most_notes = 3;

// It may be known elsewhere.
std::vector<Note> Names::why_unknown(Space space, const Node &word) const {
  std::string_view name = sources_.text(word.span);
  Entries others = modules_.anywhere(space, name);
  for (auto dot = name.find('.'); others.empty() && dot != std::string_view::npos;
       dot = name.find('.', dot + 1))
    others = modules_.anywhere(space, name.substr(dot + 1));
  std::vector<Note> notes;
  for (const Entry *entry : others) {
    const std::string qualified = modules_.qualified(*entry, word.span.file);
    const Definition &definition = *entry->definitions[0];
    notes.push_back({word_of(definition).span,
                     definition.is_private ? fmt::format("'{}' is private to this file", entry->name)
                     : !qualified.empty()  ? fmt::format("it is defined here; write '{}'", qualified)
                                           : "it is defined here, in a file that is not imported there"});
    if (notes.size() == most_notes)
      break;
  }
  return notes;
}

void Names::report_unknown(const Node &word, bool called) {
  std::string_view name = sources_.text(word.span);
  if (!complete_ || loaded_.unread.contains(name) || !reported_.emplace(name).second)
    return;
  std::vector<Note> notes = why_unknown(Space::value, word);
  std::vector<Fix> fixes;
  if (const std::string suggestion = notes.empty() ? closest(word, called) : ""; !suggestion.empty())
    fixes.push_back({fmt::format("did you mean '{}'?", suggestion), {{word.span, suggestion}}});
  reporter_.add({Code::unknown_name, word.span, fmt::format("unknown name '{}'", name), std::move(notes),
                 std::move(fixes)});
}

void Names::report_ambiguous(const Node &word, Space space) {
  std::string_view name = sources_.text(word.span);
  std::vector<std::string> spellings;
  std::vector<Note> notes;
  for (const Entry *entry : modules_.find(space, name, word.span.file)) {
    std::string qualified = modules_.qualified(*entry, word.span.file);
    notes.push_back({word_of(*entry->definitions[0]).span,
                     qualified.empty()
                         ? "this is one, of a file that is imported without a name: give it one "
                           "with `as`"
                         : fmt::format("this is '{}'", qualified)});
    if (!qualified.empty())
      spellings.push_back(fmt::format("'{}'", qualified));
  }
  reporter_.report(Code::ambiguous_name, word.span,
                   fmt::format("'{}' may mean {}", name, fmt::join(spellings, " or ")), std::move(notes));
}

std::vector<Note> Names::note_hidden(const Node &word) const {
  std::vector<Note> notes;
  const Entries found = modules_.find(Space::value, sources_.text(word.span), word.span.file);
  if (found.size() == 1 && local_.contains(sources_.text(word.span)))
    notes.push_back({word_of(*found[0]->definitions[0]).span, "the local name hides this definition"});
  return notes;
}

std::string Names::step(const Node &word, const std::vector<std::string> &kernels) {
  std::string name(sources_.text(word.span));
  const std::uint32_t from = word.span.file;
  // Schedules of one name may be for a kernel each.
  auto fits = [&](const Entry &entry) {
    std::set<std::string> served;
    for (const Definition *one : entry.definitions) {
      if (!entry.is_visible(*one, from))
        continue;
      if (one->node.kind == Kind::step_definition)
        return true;
      served.insert(modules_.kernels_of(*one).begin(), modules_.kernels_of(*one).end());
    }
    return !kernels.empty() && std::all_of(kernels.begin(), kernels.end(), [&](const std::string &kernel) {
      return served.contains(kernel);
    });
  };
  Entries found = modules_.find(Space::step, name, from, fits);
  if (found.empty()) // what it means is not for these kernels
    found = modules_.find(Space::step, name, from);
  if (found.size() > 1)
    report_ambiguous(word, Space::step);
  if (!found.empty())
    return found[0]->unique;
  std::vector<Note> notes = why_unknown(Space::step, word);
  if (!notes.empty())
    reporter_.report(Code::unknown_step, word.span,
                     fmt::format("no step or schedule '{}' is known here", name), std::move(notes));
  return name;
}

std::string Names::hardware(const Node &word, bool must_be) {
  std::string name(sources_.text(word.span));
  const Entries found = modules_.find(Space::hardware, name, word.span.file);
  if (found.size() == 1)
    return found[0]->unique;
  std::vector<Note> notes = why_unknown(Space::hardware, word);
  if (!must_be || (found.empty() && notes.empty())) // there is none: said where a schedule runs
    return name;
  if (found.empty())
    reporter_.report(Code::unknown_hardware, word.span, fmt::format("no hardware '{}' is known here", name),
                     std::move(notes));
  else
    report_ambiguous(word, Space::hardware);
  return name;
}

} // namespace atl::parse
