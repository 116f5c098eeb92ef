// What the names of a program stand for: the definitions, which are visible everywhere, and the local names
// of one definition.
#pragma once
#include "atl/base/source.h"
#include "atl/parse/reporter.h"
#include "atl/parse/surface.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace atl::parse {

struct Meaning {
  enum class Kind { index, data, constant, function, kernel, broken } kind;
  Span span;                  // of the name where it is defined
  const Node *node = nullptr; // of a definition
};

class Names {
public:
  // `complete`: all definitions could be read; otherwise an unknown name may be one that is missing, and is
  // not reported.
  Names(const Sources &sources, Reporter &reporter, const std::vector<Node> &definitions, bool complete);

  std::optional<Meaning> find(std::string_view name) const;
  void declare(const Node &word, Meaning::Kind kind); // a local name; reports a name that is taken
  void report_unknown(const Node &word, bool called); // suggests a name that is alike
  void expect_unknown() { complete_ = false; }        // a loop variable is missing

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
  void define(const Node &definition);
  bool report_if_taken(const Node &word);
  void forget(std::size_t size);
  std::string closest(std::string_view name, bool called) const;

  const Sources &sources_;
  Reporter &reporter_;
  bool complete_;
  Table global_, local_;
  std::vector<std::string> local_names_;        // in order of declaration
  std::set<std::string, std::less<>> reported_; // unknown names, each reported once
};

// Operations and types that every program has: they cannot be redefined.
bool is_built_in(std::string_view name);

} // namespace atl::parse
