// The command line of atlc as one table: parsing, help, the manual page and completions for shells follow
// from it. Comes in: the words of the command line. Goes out: what to run, or what is wrong with them. May
// use: the commands.
#pragma once
#include "atl/base/diagnostic.h"
#include "driver/console.h"

#include <CLI/CLI.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace atl::driver {

// What shells offer for the value of an option or argument, besides words.
enum class Value { text, file, folder };

struct CommandLine {
  std::unique_ptr<CLI::App> app;
  Manner manner;                                                   // what the options of all commands say
  std::map<const CLI::App *, std::function<int()>> runs;           // of each command
  std::map<const CLI::App *, std::string> examples;                // lines that begin with `atlc`
  std::map<const CLI::Option *, std::vector<std::string>> choices; // the words that an option takes
  std::map<const CLI::Option *, Value> values;                     // text where it has none
};

std::unique_ptr<CommandLine> make_command_line();

std::vector<const CLI::App *> commands_of(const CommandLine &line);       // as help lists them
std::vector<const CLI::Option *> options_of(const CLI::App &app);         // with a name that begins with -
std::vector<const CLI::Option *> common_options(const CommandLine &line); // those of all commands
std::vector<const CLI::Option *> all_options(const CommandLine &line, const CLI::App &app); // both
std::vector<const CLI::Option *> arguments_of(const CLI::App &app);                         // the others
bool takes_value(const CLI::Option &option);                                                // a flag does not
std::string usage_of(const CLI::App &command);   // atlc check [OPTIONS] FILE...
std::string names_of(const CLI::Option &option); // -k, --kernel KERNEL

// What the words choose, ready to run; else a diagnostic (E8005), with the command or option that was meant.
struct Parsed {
  std::function<int()> run;
  std::optional<Diagnostic> problem;
};
Parsed parse(CommandLine &line, int argc, const char *const *argv);

std::string help_text(const CommandLine &line, const CLI::App &command);
std::string manual_page(const CommandLine &line);                          // for man, section 1
std::string completion(const CommandLine &line, const std::string &shell); // a script of the shell
inline const std::vector<std::string> completed_shells{"bash", "zsh", "fish"};

inline constexpr const char *exit_codes =
    "Exit codes: 0 fine, 1 the program or a file is wrong, 2 wrong usage, 70 internal error.";

} // namespace atl::driver
