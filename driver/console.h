// How the whole program writes: with colours or without, how much, and with how many workers it gets there.
// Results go to standard output, diagnostics and progress to standard error.
#pragma once
#include "atl/base/style.h"

#include <fmt/format.h>

#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace atl::driver {

inline const std::vector<std::string> color_choices{"auto", "always", "never"};

struct Manner {
  std::string color = "auto";
  bool quiet = false, verbose = false;
  std::optional<unsigned> jobs; // none: one for each core
};

void adopt(const Manner &manner); // once, before a command runs; until then: no colours, one worker

Style output_style();  // of standard output
Style message_style(); // of standard error
bool is_quiet();
bool is_verbose();
bool shows_progress();

// While it lives, nothing is said of what is done: something is tried.
struct Hush {
  Hush();
  ~Hush();
  Hush(const Hush &) = delete;
  Hush &operator=(const Hush &) = delete;
};

// What nobody has to read who looks at the exit code.
template <class... Arguments>
void summarize(fmt::format_string<Arguments...> text, Arguments &&...arguments) {
  if (!is_quiet())
    fmt::print(text, std::forward<Arguments>(arguments)...);
}

// What only --verbose prints.
template <class... Arguments>
void detail(fmt::format_string<Arguments...> text, Arguments &&...arguments) {
  if (is_verbose())
    fmt::print(stderr, text, std::forward<Arguments>(arguments)...);
}

} // namespace atl::driver
