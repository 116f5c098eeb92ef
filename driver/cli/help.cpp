#include "driver/cli/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <utility>

namespace atl::driver {

namespace {

constexpr std::size_t widest = 100, left = 32; // columns

// "  -k, --kernel KERNEL    what it is", with the text in a column of its own.
std::string row(const std::string &name, const std::string &text) {
  std::string line = fmt::format("  {:<{}}", name, left - 2), result;
  if (line.size() > left) {
    result = line + "\n";
    line.assign(left, ' ');
  }
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (line.size() + word.size() > widest) {
      result += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
      line.assign(left, ' ');
    }
    line += word + " ";
  }
  return result + line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

std::string meaning_of(const CommandLine &line, const CLI::Option &option) {
  std::string text = option.get_description();
  if (auto words = line.choices.find(&option); words != line.choices.end())
    text += fmt::format(": {}", fmt::join(words->second, ", "));
  if (!option.get_default_str().empty())
    text += fmt::format(" (default: {})", option.get_default_str());
  return text + (option.get_required() && option.nonpositional() ? " (required)" : "");
}

std::string section(const char *title, const std::string &rows) {
  return rows.empty() ? "" : fmt::format("\n{}:\n{}", title, rows);
}

bool is_hidden(const CLI::App &command) {
  return command.get_group().empty();
}

} // namespace

std::vector<const CLI::App *> commands_of(const CommandLine &line) {
  return std::as_const(*line.app).get_subcommands([](const CLI::App *app) { return !is_hidden(*app); });
}

std::vector<const CLI::Option *> options_of(const CLI::App &app) {
  return app.get_options([](const CLI::Option *option) { return option->nonpositional(); });
}

std::vector<const CLI::Option *> arguments_of(const CLI::App &app) {
  return app.get_options([](const CLI::Option *option) { return !option->nonpositional(); });
}

bool takes_value(const CLI::Option &option) {
  return option.get_items_expected_max() != 0;
}

std::string names_of(const CLI::Option &option) {
  std::string text;
  for (const std::string &name : option.get_snames())
    text += (text.empty() ? "-" : ", -") + name;
  for (const std::string &name : option.get_lnames())
    text += (text.empty() ? "    --" : ", --") + name;
  if (!option.nonpositional())
    return option.get_name(true);
  return takes_value(option) ? text + " " + option.get_type_name() : text;
}

std::string usage_of(const CLI::App &command) {
  if (command.get_parent() == nullptr)
    return "atlc COMMAND [OPTIONS] ...";
  std::string text = fmt::format("atlc {} [OPTIONS]", command.get_name());
  for (const CLI::Option *argument : arguments_of(command)) {
    const std::string name = names_of(*argument) + (argument->get_expected_max() > 1 ? "..." : "");
    text += argument->get_required() ? " " + name : " [" + name + "]";
  }
  return text;
}

std::string help_text(const CommandLine &line, const CLI::App &command) {
  std::string commands, arguments, options, common;
  if (&command == line.app.get())
    for (const CLI::App *each : commands_of(line))
      commands += row(each->get_name(), each->get_description());
  for (const CLI::Option *argument : arguments_of(command))
    arguments += row(names_of(*argument), meaning_of(line, *argument));
  const std::vector<const CLI::Option *> of_all = common_options(line);
  for (const CLI::Option *option : all_options(line, command))
    (std::find(of_all.begin(), of_all.end(), option) == of_all.end() ? options : common) +=
        row(names_of(*option), meaning_of(line, *option));
  std::string text = fmt::format("{}\n\nUsage: {}\n", command.get_description(), usage_of(command));
  text += section("Commands", commands) + section("Arguments", arguments) + section("Options", options) +
          section("Options of all commands", common);
  if (auto examples = line.examples.find(&command); examples != line.examples.end())
    return text + section("Examples", examples->second);
  return text + fmt::format("\n`atlc help COMMAND` lists the options of a command, with examples.\n{}\n",
                            exit_codes);
}

} // namespace atl::driver
