// The manual page, in the macros of man(7).
#include "cbackend/library/packaging.h"
#include "driver/cli/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

namespace atl::driver {

namespace {

// A backslash, and a point or quote at the start of a line, mean something to man; so does a hyphen that is
// to be a minus.
std::string escaped(const std::string &text) {
  std::string result;
  for (char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  return result.starts_with('.') || result.starts_with('\'') ? "\\&" + result : result;
}

std::string trimmed(const std::string &text) {
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

std::string options(const CommandLine &line, const CLI::App &app) {
  std::string text;
  auto add = [&](const CLI::Option &option) {
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", escaped(trimmed(names_of(option))),
                        escaped(option.get_description()));
    if (auto words = line.choices.find(&option); words != line.choices.end())
      text += escaped(fmt::format(": {}", fmt::join(words->second, ", "))) + "\n";
  };
  for (const CLI::Option *argument : arguments_of(app))
    add(*argument);
  for (const CLI::Option *option : options_of(app))
    add(*option);
  return text;
}

std::string command(const CommandLine &line, const CLI::App &app) {
  std::string text = fmt::format(".SS {}\n.B {}\n.PP\n{}.\n{}", app.get_name(), escaped(usage_of(app)),
                                 escaped(app.get_description()), options(line, app));
  if (auto examples = line.examples.find(&app); examples != line.examples.end())
    text += ".PP\nExamples:\n.PP\n.nf\n" + escaped(examples->second) + ".fi\n";
  return text;
}

constexpr const char *rest = R"(.SH EXIT STATUS
.TP
0
The program is right, and everything that was asked for is done.
.TP
1
The program is wrong, or a file cannot be read or written. A diagnostic on standard error says why.
.TP
2
The command line is wrong.
.TP
70
An internal error of atlc: please report it.
.TP
128 + N
Ended by signal N.
.SH ENVIRONMENT
.TP
CC, CFLAGS, AR
The C compiler with its flags, and the archiver; cc and ar by default.
.TP
NO_COLOR
If it is set and not empty: no colours, unless \-\-color always is given.
.TP
XDG_CACHE_HOME
The folder of caches; ~/.cache by default. atlc keeps compiled libraries and theorems in atlc below it.
.SH FILES
.TP
PREFIX/share/atlc
Descriptions of hardware and steps of schedules, which programs import by name, and the Coq library.
)";

} // namespace

std::string manual_page(const CommandLine &line) {
  std::string text = fmt::format(".TH ATLC 1 \"\" \"atlc {}\" \"User Commands\"\n", cbackend::version());
  text += ".SH NAME\natlc \\- compiles dense tensor programs to C libraries that are proved right\n";
  text += ".SH SYNOPSIS\n";
  for (const CLI::App *app : commands_of(line))
    text += fmt::format(".B {}\n.br\n", escaped(usage_of(*app)));
  text += fmt::format(".SH OPTIONS\n{}.SH COMMANDS\n", options(line, *line.app));
  for (const CLI::App *app : commands_of(line))
    text += command(line, *app);
  return text + rest;
}

} // namespace atl::driver
