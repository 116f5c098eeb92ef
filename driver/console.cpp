#include "driver/console.h"

#include "atl/base/printable.h"
#include "atl/base/workers.h"
#include "cbackend/host/process.h"

#include <cstdlib>
#include <fmt/ranges.h>
#include <string_view>
#include <thread>
#include <unistd.h>

namespace atl::driver {

namespace {

struct Console {
  bool colours_out = false, colours_err = false, quiet = false, verbose = false, progress = false;
  int hushed = 0; // so many live
};

Console &console() {
  static Console one;
  return one;
}

bool is_set(const char *variable) {
  const char *value = std::getenv(variable);
  return value && *value;
}

// One that does what escape sequences say.
bool is_terminal(int file) {
  const char *kind = std::getenv("TERM");
  return isatty(file) != 0 && kind && *kind && std::string_view(kind) != "dumb";
}

// NO_COLOR: see no-color.org.
bool has_colours(const std::string &when, int file) {
  return when == "always" || (when == "auto" && is_terminal(file) && !is_set("NO_COLOR"));
}

} // namespace

void adopt(const Manner &manner) {
  console() = {has_colours(manner.color, STDOUT_FILENO),
               has_colours(manner.color, STDERR_FILENO),
               manner.quiet,
               manner.verbose,
               is_terminal(STDERR_FILENO) && !manner.quiet && !manner.verbose,
               0};
  if (manner.verbose)
    cbackend::announce_programs([](const std::vector<std::string> &argv) {
      detail("runs {}\n", printable(fmt::format("{}", fmt::join(argv, " "))));
    });
  use_workers(manner.jobs.value_or(std::thread::hardware_concurrency()));
}

Hush::Hush() {
  ++console().hushed;
}

Hush::~Hush() {
  --console().hushed;
}

Style output_style() {
  return Style(console().colours_out);
}

Style message_style() {
  return Style(console().colours_err);
}

bool is_quiet() {
  return console().quiet;
}

bool is_verbose() {
  return console().verbose && console().hushed == 0;
}

bool shows_progress() {
  return console().progress && console().hushed == 0;
}

} // namespace atl::driver
