#include "atl/parse/modules.h"

#include "atl/parse/scan.h"
#include "atl/syntax/names.h"

#include <algorithm>
#include <filesystem>

namespace atl::parse {

Space space_of(const Node &definition) {
  switch (definition.kind) {
  case Kind::step_definition:
  case Kind::schedule: return Space::step;
  case Kind::hardware: return Space::hardware;
  default: return Space::value;
  }
}

Modules::Modules(const Sources &sources, const Loaded &loaded) : sources_(sources), main_(loaded.main) {
  for (const auto &[file, imports] : loaded.imports)
    modules_[file].imports = imports;
  for (const Definition &definition : loaded.definitions)
    if (!definition.node.children.empty()) // it is not broken before its name
      add(definition);
  for (Space space : {Space::value, Space::step, Space::hardware}) // clashes of schedules depend on kernels
    make_unique(space);
}

void Modules::add(const Definition &definition) {
  const Span word = definition.node.children[0].span;
  const std::string name(sources_.text(word));
  auto [entry, is_new] = modules_[word.file].tables[space_of(definition.node)].try_emplace(
      name, Entry{word.file, name, name, {}});
  entry->second.definitions.push_back(&definition);
  entries_of_[&definition] = &entry->second;
  if (is_new)
    in_order_.push_back(&entry->second);
}

const Entry *Modules::own(Space space, std::string_view name, std::uint32_t file) const {
  auto module = modules_.find(file);
  if (module == modules_.end())
    return nullptr;
  auto table = module->second.tables.find(space);
  if (table == module->second.tables.end())
    return nullptr;
  auto entry = table->second.find(name);
  return entry == table->second.end() ? nullptr : &entry->second;
}

const std::vector<Import> &Modules::imports_of(std::uint32_t file) const {
  static const std::vector<Import> none;
  auto module = modules_.find(file);
  return module == modules_.end() ? none : module->second.imports;
}

static bool is_exported(const Entry &entry) {
  return std::any_of(entry.definitions.begin(), entry.definitions.end(),
                     [](const Definition *definition) { return !definition->is_private; });
}

// The file and those whose definitions it hands on.
std::vector<std::uint32_t> Modules::handed_on_by(std::uint32_t file) const {
  std::vector<std::uint32_t> files{file};
  for (std::size_t i = 0; i < files.size(); ++i)
    for (const Import &import : imports_of(files[i]))
      if (import.is_exported && std::find(files.begin(), files.end(), import.file) == files.end())
        files.push_back(import.file);
  return files;
}

void Modules::add_exported(Entries &into, Space space, std::string_view name, std::uint32_t file,
                           const Fits &fits) const {
  for (std::uint32_t each : handed_on_by(file)) {
    const Entry *entry = own(space, name, each);
    if (!entry || !is_exported(*entry) || (fits && !fits(*entry)))
      continue;
    if (std::find(into.begin(), into.end(), entry) == into.end())
      into.push_back(entry);
    if (each == file) // its own comes before what it hands on
      return;
  }
}

Entries Modules::find(Space space, std::string_view name, std::uint32_t from, const Fits &fits) const {
  if (const Entry *entry = own(space, name, from); entry && (!fits || fits(*entry)))
    return {entry};
  Entries found;
  for (const Import &import : imports_of(from))
    if (import.is_open)
      add_exported(found, space, name, import.file, fits);
  if (!found.empty())
    return found;
  for (const Import &import : imports_of(from))
    if (const std::string file = import.qualifier + "."; file.size() > 1 && name.starts_with(file))
      add_exported(found, space, name.substr(file.size()), import.file, fits);
  return found;
}

std::string Modules::qualified(const Entry &entry, std::uint32_t from) const {
  for (const Import &import : imports_of(from)) {
    Entries exported;
    add_exported(exported, space_of(entry.definitions[0]->node), entry.name, import.file, nullptr);
    if (!import.qualifier.empty() && std::find(exported.begin(), exported.end(), &entry) != exported.end())
      return import.qualifier + "." + entry.name;
  }
  return {};
}

Entries Modules::anywhere(Space space, std::string_view name) const {
  Entries found;
  for (const auto &[file, module] : modules_)
    if (const Entry *entry = own(space, name, file))
      found.push_back(entry);
  return found;
}

std::vector<std::pair<std::string, const Entry *>> Modules::values(std::uint32_t from) const {
  std::vector<std::pair<std::string, const Entry *>> all;
  auto add_file = [&](std::uint32_t file, const std::string &before) {
    auto module = modules_.find(file);
    if (module == modules_.end() || !module->second.tables.contains(Space::value))
      return;
    for (const auto &[name, entry] : module->second.tables.at(Space::value))
      if (file == from || is_exported(entry))
        all.emplace_back(before + name, &entry);
  };
  add_file(from, "");
  for (const Import &import : imports_of(from))
    for (std::uint32_t file : handed_on_by(import.file)) {
      if (import.is_open)
        add_file(file, "");
      if (!import.qualifier.empty())
        add_file(file, import.qualifier + ".");
    }
  return all;
}

// Unique names.

const std::vector<std::string> &Modules::kernels_of(const Definition &schedule) const {
  auto [known, is_new] = kernels_.try_emplace(&schedule);
  std::vector<std::string> &kernels = known->second;
  if (!is_new)
    return kernels;
  for (const Node &word : schedule.node.children[2].children) {
    const Entries found = find(Space::value, sources_.text(word.span), word.span.file);
    if (found.size() == 1 && found[0]->definitions[0]->node.kind == Kind::kernel)
      kernels.push_back(found[0]->unique);
  }
  return kernels;
}

static bool has_step(const Entry &entry) {
  return std::any_of(entry.definitions.begin(), entry.definitions.end(), [](const Definition *definition) {
    return definition->node.kind == Kind::step_definition;
  });
}

// Of steps and schedules: schedules for other kernels may have one name.
bool Modules::clash(const Entry &a, const Entry &b) const {
  if (has_step(a) || has_step(b))
    return true;
  std::set<std::string> kernels;
  for (const Definition *schedule : a.definitions)
    kernels.insert(kernels_of(*schedule).begin(), kernels_of(*schedule).end());
  return std::any_of(b.definitions.begin(), b.definitions.end(), [&](const Definition *schedule) {
    const std::vector<std::string> &others = kernels_of(*schedule);
    return std::any_of(others.begin(), others.end(),
                       [&](const std::string &kernel) { return kernels.contains(kernel); });
  });
}

// Of entries with one name, those that it stands for in the whole program. A value: the one that it means
// in the main file. Schedules, which the command line names, go before steps.
Entries Modules::keep_their_names(Space space, Entries entries) const {
  if (entries.size() == 1)
    return entries;
  if (space != Space::step) {
    Entries meant = find(space, entries[0]->name, main_);
    return meant.size() == 1 && meant[0]->name == entries[0]->name ? meant : Entries();
  }
  std::stable_sort(entries.begin(), entries.end(), [&](const Entry *a, const Entry *b) {
    auto rank = [&](const Entry *entry) { return entry->file == main_ ? 0 : has_step(*entry) ? 2 : 1; };
    return rank(a) < rank(b);
  });
  Entries kept;
  for (const Entry *entry : entries)
    if (std::none_of(kept.begin(), kept.end(), [&](const Entry *other) { return clash(*entry, *other); }))
      kept.push_back(entry);
  return kept;
}

void Modules::make_unique(Space space) {
  std::map<std::string_view, Entries> by_name;
  for (Entry *entry : in_order_)
    if (space_of(entry->definitions[0]->node) == space)
      by_name[entry->name].push_back(entry);
  for (const auto &[name, entries] : by_name)
    taken_[space].emplace(name);
  for (const auto &[name, entries] : by_name) {
    const Entries kept = keep_their_names(space, entries);
    for (const Entry *entry : entries)
      if (std::find(kept.begin(), kept.end(), entry) == kept.end())
        rename(*entry);
  }
}

// How the main file calls the file; else by its own name.
std::string Modules::label(std::uint32_t file) const {
  for (const Import &import : imports_of(main_))
    if (import.file == file && !import.qualifier.empty())
      return import.qualifier;
  const std::string name = qualifier_of(sources_.at(file).name);
  return name.empty() ? "file" : name;
}

void Modules::rename(const Entry &entry) {
  const Definition &definition = *entry.definitions[0];
  kernels_.clear();
  entries_of_.at(&definition)->unique =
      take_name(label(entry.file) + "." + entry.name, taken_[space_of(definition.node)]);
}

} // namespace atl::parse
