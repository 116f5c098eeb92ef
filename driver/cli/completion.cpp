// Scripts that complete command lines of atlc in bash, zsh and fish.
#include "driver/cli/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace atl::driver {

namespace {

using Words = std::vector<std::string>;

Words flags_of(const CLI::Option &option) {
  Words flags;
  for (const std::string &name : option.get_snames())
    flags.push_back("-" + name);
  for (const std::string &name : option.get_lnames())
    flags.push_back("--" + name);
  return flags;
}

Value value_of(const CommandLine &line, const CLI::Option &option) {
  auto found = line.values.find(&option);
  return found == line.values.end() ? Value::text : found->second;
}

Words choices_of(const CommandLine &line, const CLI::Option &option) {
  auto found = line.choices.find(&option);
  return found == line.choices.end() ? Words{} : found->second;
}

// In single quotes of a shell.
std::string quoted(const std::string &text) {
  std::string result = "'";
  for (char c : text)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

// bash: what can follow the word before the one that is completed, then what can stand anywhere.

std::string bash_values(const CommandLine &line, const CLI::Option &option) {
  if (const Words words = choices_of(line, option); !words.empty())
    return fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$word\"))", fmt::join(words, " "));
  switch (value_of(line, option)) {
  case Value::file: return "COMPREPLY=($(compgen -f -- \"$word\"))";
  case Value::folder: return "COMPREPLY=($(compgen -d -- \"$word\"))";
  case Value::text: break;
  }
  return "COMPREPLY=()";
}

std::string bash_command(const CommandLine &line, const CLI::App &app) {
  std::string cases;
  Words flags, words;
  bool files = false;
  for (const CLI::Option *option : all_options(line, app)) {
    const Words names = flags_of(*option);
    flags.insert(flags.end(), names.begin(), names.end());
    if (takes_value(*option))
      cases +=
          fmt::format("        {}) {}; return ;;\n", fmt::join(names, " | "), bash_values(line, *option));
  }
  for (const CLI::Option *argument : arguments_of(app)) {
    const Words more = choices_of(line, *argument);
    words.insert(words.end(), more.begin(), more.end());
    files = files || value_of(line, *argument) == Value::file;
  }
  std::string text = fmt::format("    {})\n", app.get_name());
  if (!cases.empty())
    text += "      case $before in\n" + cases + "      esac\n";
  return text + fmt::format("      flags='{}' others='{}' files={} ;;\n", fmt::join(flags, " "),
                            fmt::join(words, " "), files ? "-f" : "");
}

std::string bash(const CommandLine &line) {
  std::string cases;
  Words names;
  for (const CLI::App *app : commands_of(line)) {
    cases += bash_command(line, *app);
    names.push_back(app->get_name());
  }
  return fmt::format(R"(# Completion of atlc in bash.
_atlc() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} flags='-V --version -h --help' others='{}' files=
  if [ "$COMP_CWORD" -gt 1 ]; then
    others=
    case ${{COMP_WORDS[1]}} in
{}    esac
  fi
  case $word in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
    *) COMPREPLY=($(compgen -W "$others" $files -- "$word")) ;;
  esac
}}
complete -o filenames -F _atlc atlc
)",
                     fmt::join(names, " "), cases);
}

// zsh: one specification of _arguments for each option.

std::string zsh_escaped(const std::string &text) {
  std::string result;
  for (char c : text)
    result += c == '[' || c == ']' || c == ':' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return result;
}

std::string zsh_action(const CommandLine &line, const CLI::Option &option) {
  if (const Words words = choices_of(line, option); !words.empty())
    return fmt::format("({})", fmt::join(words, " "));
  switch (value_of(line, option)) {
  case Value::file: return "_files";
  case Value::folder: return "_files -/";
  case Value::text: break;
  }
  return " ";
}

std::string zsh_command(const CommandLine &line, const CLI::App &app) {
  std::string text = fmt::format("    {}) _arguments", app.get_name());
  for (const CLI::Option *option : all_options(line, app)) {
    const std::string value =
        takes_value(*option)
            ? fmt::format(":{}:{}", zsh_escaped(option->get_type_name()), zsh_action(line, *option))
            : "";
    for (const std::string &flag : flags_of(*option))
      text +=
          fmt::format(" \\\n      {}",
                      quoted(fmt::format("*{}[{}]{}", flag, zsh_escaped(option->get_description()), value)));
  }
  for (const CLI::Option *argument : arguments_of(app)) {
    const std::string many = argument->get_expected_max() > 1 ? "*" : "";
    text += fmt::format(" \\\n      {}",
                        quoted(fmt::format("{}:{}:{}", many, zsh_escaped(argument->get_name(true)),
                                           zsh_action(line, *argument))));
  }
  return text + " ;;\n";
}

std::string zsh(const CommandLine &line) {
  std::string names, cases;
  for (const CLI::App *app : commands_of(line)) {
    names += fmt::format("    {}\n", quoted(app->get_name() + ":" + zsh_escaped(app->get_description())));
    cases += zsh_command(line, *app);
  }
  return fmt::format(R"(#compdef atlc
# Completion of atlc in zsh.
_atlc() {{
  local -a commands=(
{}  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local name=$words[2]
  shift words
  ((CURRENT--))
  case $name in
{}  esac
}}
_atlc "$@"
)",
                     names, cases);
}

// fish: one line for each option.

std::string fish_value(const CommandLine &line, const CLI::Option &option) {
  if (const Words words = choices_of(line, option); !words.empty())
    return fmt::format(" -xa {}", quoted(fmt::format("{}", fmt::join(words, " "))));
  switch (value_of(line, option)) {
  case Value::file: return " -rF";
  case Value::folder: return " -xa '(__fish_complete_directories)'";
  case Value::text: break;
  }
  return " -x";
}

std::string fish_command(const CommandLine &line, const CLI::App &app) {
  const std::string start =
      fmt::format("complete -c atlc -n '__fish_seen_subcommand_from {}'", app.get_name());
  std::string text;
  for (const CLI::Option *option : all_options(line, app)) {
    text += start;
    for (const std::string &name : option->get_snames())
      text += " -s " + name;
    for (const std::string &name : option->get_lnames())
      text += " -l " + name;
    text += (takes_value(*option) ? fish_value(line, *option) : " -f") +
            fmt::format(" -d {}\n", quoted(option->get_description()));
  }
  for (const CLI::Option *argument : arguments_of(app))
    if (value_of(line, *argument) == Value::file || !choices_of(line, *argument).empty())
      text += start + (choices_of(line, *argument).empty() ? " -F" : fish_value(line, *argument)) + "\n";
  return text;
}

std::string fish(const CommandLine &line) {
  std::string text = "# Completion of atlc in fish.\ncomplete -c atlc -f\n";
  for (const CLI::App *app : commands_of(line))
    text += fmt::format("complete -c atlc -n __fish_use_subcommand -a {} -d {}\n", app->get_name(),
                        quoted(app->get_description()));
  for (const CLI::App *app : commands_of(line))
    text += fish_command(line, *app);
  return text;
}

} // namespace

std::string completion(const CommandLine &line, const std::string &shell) {
  if (shell == "zsh")
    return zsh(line);
  return shell == "fish" ? fish(line) : bash(line);
}

} // namespace atl::driver
