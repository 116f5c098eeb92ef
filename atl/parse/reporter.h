// Collects what is wrong with a program, up to a limit: a file of garbage gets a page of messages, not a
// million.
#pragma once
#include "atl/base/result.h"

#include <string>
#include <vector>

namespace atl::parse {

class Reporter {
public:
  void report(Code code, Span span, std::string message, std::vector<Note> notes = {}) {
    add({code, span, std::move(message), std::move(notes)});
  }
  void add(Diagnostic diagnostic);
  std::size_t count() const { return errors_.size(); }
  void add_note(std::size_t first, const Note &note); // to the errors from the first on
  bool is_full() const { return errors_.size() >= limit; }
  bool has_errors() const { return !errors_.empty(); }
  Diagnostics take(); // sorted by file and place

private:
  static constexpr std::size_t limit = 100;
  Diagnostics errors_;
};

} // namespace atl::parse
