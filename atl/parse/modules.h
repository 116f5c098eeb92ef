// What the names of definitions mean in each file of a program: those of the file itself, and those that it
// imports.
#pragma once
#include "atl/parse/load.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace atl::parse {

// Each has names of its own.
enum class Space { value, step, hardware }; // constants, functions, kernels; steps, schedules; descriptions

// What a file defines under one name: one definition, or schedules for several kernels.
struct Entry {
  std::uint32_t file;
  std::string name;   // in its file
  std::string unique; // in the program: the same, unless another file has it, too
  std::vector<const Definition *> definitions;

  // Whether another file may name it; `from` is the file that does.
  bool is_visible(const Definition &definition, std::uint32_t from) const {
    return file == from || !definition.is_private;
  }
};

using Entries = std::vector<const Entry *>;

class Modules {
public:
  Modules(const Sources &sources, const Loaded &loaded); // both stay where they are

  // What a name means in a file. A definition of the file itself comes first, then those of files that it
  // imports without `as`: these may be several. Then names such as blur.tile, of the file called blur.
  // `fits`: which ones can be meant.
  using Fits = std::function<bool(const Entry &)>;
  Entries find(Space space, std::string_view name, std::uint32_t from, const Fits &fits = nullptr) const;
  const Entry &entry_of(const Definition &definition) const { return *entries_of_.at(&definition); }

  // The kernels of a schedule, as they are called in the program; not those that it names by mistake.
  const std::vector<std::string> &kernels_of(const Definition &schedule) const;

  // For messages. How a file writes an entry that it imports, blur.tile; empty if it has no name for it.
  std::string qualified(const Entry &entry, std::uint32_t from) const;
  Entries anywhere(Space space, std::string_view name) const; // of all files
  // All names that stand for a value in a file: tile, blur.tile.
  std::vector<std::pair<std::string, const Entry *>> values(std::uint32_t from) const;

  // Gives it another name in the program, where its own would stand for something else.
  void rename(const Entry &entry);

private:
  using Table = std::map<std::string, Entry, std::less<>>;
  struct Module {
    std::map<Space, Table> tables;
    std::vector<Import> imports;
  };
  void add(const Definition &definition);
  void make_unique(Space space);
  Entries keep_their_names(Space space, Entries entries) const;
  bool clash(const Entry &a, const Entry &b) const;
  std::string label(std::uint32_t file) const;
  const Entry *own(Space space, std::string_view name, std::uint32_t file) const;
  const std::vector<Import> &imports_of(std::uint32_t file) const;
  std::vector<std::uint32_t> handed_on_by(std::uint32_t file) const;
  void add_exported(Entries &into, Space space, std::string_view name, std::uint32_t file,
                    const Fits &fits) const;

  const Sources &sources_;
  std::uint32_t main_;
  std::map<std::uint32_t, Module> modules_;
  std::map<const Definition *, Entry *> entries_of_;
  std::vector<Entry *> in_order_;
  std::map<Space, std::set<std::string>> taken_; // names in the program
  mutable std::map<const Definition *, std::vector<std::string>>
      kernels_; // of schedules, as far as asked for
};

Space space_of(const Node &definition);

} // namespace atl::parse
