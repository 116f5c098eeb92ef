#include "driver/cli/command_line.h"

#include "atl/base/spelling.h"
#include "driver/commands/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

namespace atl::driver {

namespace {

using Words = std::vector<std::string>;

Diagnostic wrong(std::string message, const std::string &help) {
  Diagnostic problem{Code::bad_argument, std::nullopt, std::move(message), {}};
  if (!help.empty())
    problem.notes.push_back({std::nullopt, help});
  return problem;
}

// "did you mean 'build'?"; else `otherwise`.
std::string meant(const std::string &word, const Words &known, const std::string &otherwise) {
  const std::string question = did_you_mean(word, {known.begin(), known.end()});
  return question.empty() ? otherwise : question;
}

Words words_of(const std::vector<const CLI::App *> &commands) {
  Words names;
  for (const CLI::App *command : commands)
    names.push_back(command->get_name());
  return names;
}

// All words with which options of the command may be written.
Words flags_of(const CommandLine &line, const CLI::App &app) {
  Words flags;
  for (const CLI::Option *option : all_options(line, app)) {
    for (const std::string &name : option->get_lnames())
      flags.push_back("--" + name);
    for (const std::string &name : option->get_snames())
      flags.push_back("-" + name);
  }
  return flags;
}

std::optional<Diagnostic> unknown_command(const CommandLine &line, const std::string &word) {
  if (!std::as_const(*line.app)
           .get_subcommands([&](const CLI::App *app) { return app->get_name() == word; })
           .empty())
    return std::nullopt;
  const Words known = words_of(commands_of(line));
  std::error_code error;
  const bool is_program =
      std::filesystem::path(word).extension() == ".atl" || std::filesystem::exists(word, error);
  const std::string commands = fmt::format("the commands are {}", fmt::join(known, ", "));
  return wrong(fmt::format("there is no command {}", word),
               is_program ? fmt::format("a command stands before the file: `atlc check {}`", word)
                          : meant(word, known, commands));
}

std::string help_for(const CLI::App &command) {
  return command.get_name() == "atlc" ? "`atlc help` lists commands and options"
                                      : fmt::format("`atlc help {}` lists its options", command.get_name());
}

std::optional<Diagnostic> unknown_option(const CommandLine &line, const CLI::App &command,
                                         const Words &words) {
  const Words known = flags_of(line, command);
  for (const std::string &word : words) {
    const std::string flag = word.substr(0, word.find('='));
    if (flag == "--")
      return std::nullopt;
    const bool is_long = flag.rfind("--", 0) == 0;
    const bool is_flag =
        is_long || (flag.size() == 2 && flag[0] == '-' && std::isalpha(static_cast<unsigned char>(flag[1])));
    if (is_flag && std::find(known.begin(), known.end(), flag) == known.end())
      return wrong(fmt::format("{} has no option {}", command.get_name(), flag),
                   is_long ? meant(flag, known, help_for(command)) : help_for(command));
  }
  return std::nullopt;
}

// The first value that is none of those that its option takes.
std::optional<Diagnostic> unknown_choice(const CommandLine &line) {
  for (const auto &[option, words] : line.choices)
    for (const std::string &value : option->results())
      if (std::find(words.begin(), words.end(), value) == words.end())
        return wrong(fmt::format("{} is not {}", option->get_name(), value),
                     meant(value, words, fmt::format("it is one of {}", fmt::join(words, ", "))));
  return std::nullopt;
}

// CLI11 says "Could not convert: --timeout = soon".
Diagnostic explained(const CLI::ParseError &error, const CLI::App &command) {
  const std::string text = error.what(), conversion = "Could not convert: ";
  return wrong(text.rfind(conversion, 0) == 0
                   ? "this is no value of the option: " + text.substr(conversion.size())
                   : text,
               help_for(command));
}

// The word that names the command: the first one that is no option, nor the value of one before it.
Words::const_iterator command_word(const CommandLine &line, const Words &words) {
  auto takes_next = [&](const std::string &word) {
    const CLI::Option *option = line.app->get_option_no_throw(word);
    return option != nullptr && takes_value(*option);
  };
  auto word = words.begin();
  for (; word != words.end() && word->starts_with('-'); ++word)
    if (takes_next(*word) && std::next(word) != words.end())
      ++word;
  return word;
}

} // namespace

Parsed parse(CommandLine &line, int argc, const char *const *argv) {
  const Words words(argv + 1, argv + argc);
  auto print = [](const std::string &text) {
    return Parsed{[text] { return fmt::print("{}", text), exit_fine; }, std::nullopt};
  };
  const auto named = command_word(line, words);
  if (named != words.end())
    if (auto problem = unknown_command(line, *named))
      return {nullptr, problem};
  const CLI::App &command = named != words.end() ? *line.app->get_subcommand(*named) : *line.app;
  if (auto problem = unknown_option(line, *line.app, Words(words.begin(), named)))
    return {nullptr, problem};
  if (auto problem = unknown_option(line, command, Words(named, words.end())))
    return {nullptr, problem};
  try {
    line.app->parse(argc, argv);
  } catch (const CLI::CallForHelp &) {
    return print(help_text(line, command));
  } catch (const CLI::CallForVersion &version) {
    return print(std::string(version.what()) + "\n");
  } catch (const CLI::ParseError &error) {
    return {nullptr, explained(error, command)};
  }
  if (auto problem = unknown_choice(line))
    return {nullptr, problem};
  auto run = line.runs.find(&command);
  return run == line.runs.end() ? print(help_text(line, command)) : Parsed{run->second, std::nullopt};
}

} // namespace atl::driver
