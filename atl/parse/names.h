// What the names of a program stand for: definitions, and the local names of one definition, which hide them.
#pragma once
#include "atl/base/source.h"
#include "atl/parse/modules.h"
#include "atl/parse/reporter.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace atl::parse {

struct Meaning {
  enum class Kind { index, data, constant, function, kernel, broken, ambiguous } kind;
  Span span;                    // of the name where it is defined
  const Entry *entry = nullptr; // of a definition
  const Node &node() const { return entry->definitions[0]->node; }
};

class Names {
public:
  Names(const Sources &sources, Reporter &reporter, const Loaded &loaded);

  std::optional<Meaning> find(const Node &word) const;
  void declare(const Node &word, Meaning::Kind kind); // a local name; reports one that is taken

  // What is said of a name that does not mean one thing.
  void report_unknown(const Node &word, bool called); // suggests a name that is alike
  void expect_unknown() { complete_ = false; }        // a loop variable is missing
  void report_ambiguous(const Node &word, Space space = Space::value);
  std::vector<Note> note_hidden(const Node &word) const; // the definition that a local name hides

  // The name in the program of what a word means in steps; reports what cannot be meant. The step, or the
  // schedule for these kernels. Hardware; a word that may be something else is not reported.
  std::string step(const Node &word, const std::vector<std::string> &kernels);
  std::string hardware(const Node &word, bool must_be);

  const std::string &unique(const Definition &definition) const {
    return modules_.entry_of(definition).unique;
  }
  // The kernels of a schedule that there are: as they are called in the program.
  std::vector<std::string> kernels_of(const Definition &schedule) const {
    return modules_.kernels_of(schedule);
  }

  // In the text that is printed, a local name must not hide what is used inside its scope. `use` says so;
  // rename_hidden then gives other names to what is hidden, if anything is.
  void use(const Entry &entry);
  bool rename_hidden();

  // Local names declared since a mark are forgotten when the mark is.
  class Mark {
  public:
    explicit Mark(Names &names) : names_(names), size_(names.local_names_.size()) {}
    ~Mark() { names_.forget(size_); }
    Mark(const Mark &) = delete;
    Mark &operator=(const Mark &) = delete;

  private:
    Names &names_;
    std::size_t size_;
  };

private:
  using Table = std::map<std::string, Meaning, std::less<>>;
  void check_name(const Definition &definition);
  bool report_if_built_in(const Node &word);
  void report_twice(const Node &word, Span other);
  void forget(std::size_t size);
  std::string closest(const Node &word, bool called) const;
  std::vector<Note> why_unknown(Space space, const Node &word) const;

  const Sources &sources_;
  Reporter &reporter_;
  Modules modules_;
  const Loaded &loaded_;
  bool complete_; // all files could be read; otherwise an unknown name may be one that is missing
  Table local_;
  std::set<const Entry *> hidden_;
  std::vector<std::string> local_names_;        // in order of declaration
  std::set<std::string, std::less<>> reported_; // unknown names, each reported once
};

// Operations and types that every program has: they cannot be redefined.
bool is_built_in(std::string_view name);

} // namespace atl::parse
