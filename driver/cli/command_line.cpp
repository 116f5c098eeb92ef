#include "driver/cli/command_line.h"

#include "atl/syntax/hardware.h"
#include "cbackend/library/packaging.h"
#include "driver/commands/commands.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace atl::driver {

namespace {

// Help does not say it: the text about the option does.
CLI::Validator positive() {
  return CLI::PositiveNumber.description("");
}

// NAME=N
std::string wrong_cost(const std::string &words) {
  const std::string name = words.substr(0, words.find('='));
  const std::string number = words.substr(std::min(words.size(), name.size() + 1));
  const bool is_number =
      !number.empty() && number.size() < 7 && number.find_first_not_of("0123456789") == std::string::npos;
  if (find_cost(name) && is_number)
    return "";
  return fmt::format("{} is not NAME=N, with NAME one of {}, and N an integer of at most 6 digits", words,
                     names_of_costs());
}

// One command while its options are added.
struct Adding {
  CommandLine &line;
  CLI::App &app;

  template <class T>
  CLI::Option *option(const char *names, T &variable, const char *what, const char *type) {
    CLI::Option *added = app.add_option(names, variable, what)->type_name(type);
    const std::string_view kind = type;
    if (kind == "FILE" || kind == "FOLDER")
      line.values[added] = kind == "FILE" ? Value::file : Value::folder;
    return added;
  }
  CLI::Option *choice(const char *names, std::string &variable, const char *what, const char *type,
                      const std::vector<std::string> &words) {
    CLI::Option *added = option(names, variable, what, type);
    line.choices[added] = words;
    return added;
  }
  CLI::Option *file(std::string &variable) {
    return option("FILE", variable, "the program; - is standard input", "FILE")->required();
  }
  void program(ProgramOptions &options) {
    option("-I,--import-folder", options.import_folders,
           "a folder in which imported files are looked for, too", "FOLDER")
        ->allow_extra_args(false);
    option("--timeout", options.timeout_ms,
           "milliseconds that a stage, and the solver for one obligation, may take", "MS");
  }
  void hardware(ProgramOptions &options) {
    option(
        "--for", options.hardware,
        "makes a schedule for each kernel and each of these descriptions of hardware, such as avx2; "
        "portable: for plain C; all: for all CPUs that atlc knows, and portable; none: no schedule is added",
        "HARDWARE,...");
    option("--cost", options.costs,
           "a cost that steps `auto` choose by, instead of that in the description: load=33", "NAME=N")
        ->allow_extra_args(false)
        ->check(CLI::Validator(wrong_cost, ""));
  }
  template <class Names>
  void kernels(Names &variable, const char *what) {
    option("-k,--kernel", variable, what, "KERNEL");
  }
};

constexpr const char *all_commands = "Options of all commands";

void add_common(CommandLine &line) {
  Adding add{line, *line.app};
  Manner &manner = line.manner;
  add.choice("--color", manner.color, "when to write in colours; auto: on a terminal", "WHEN", color_choices)
      ->capture_default_str();
  CLI::Option *quiet = line.app->add_flag("-q,--quiet", manner.quiet, "print errors, and no summaries");
  CLI::Option *verbose = line.app->add_flag("-v,--verbose", manner.verbose,
                                            "print what is done: kernels, programs that run, files");
  verbose->excludes(quiet);
  CLI::Option *jobs =
      add.option("-j,--jobs", manner.jobs, "how many cores to use; all by default", "N")->check(positive());
  for (CLI::Option *option : {line.app->get_option("--color"), quiet, verbose, jobs})
    option->group(all_commands);
}

// Adds a command: `add` gives it options and says what runs. The options live as long as that.
template <class Options>
void command(CommandLine &line, const char *name, const char *what, const char *examples,
             int (*run)(const Options &), void (*add)(Adding, Options &)) {
  CLI::App *app = line.app->add_subcommand(name, what)->fallthrough();
  auto options = std::make_shared<Options>();
  add({line, *app}, *options);
  line.examples[app] = examples;
  line.runs[app] = [options, run] { return run(*options); };
}

void check(Adding add, CheckOptions &options) {
  add.option("FILE", options.files, "the programs; - is standard input", "FILE")->required();
  add.app.add_flag("--json", options.json, "one JSON object per file");
  add.app.add_flag("--steps", options.steps, "what each step of a schedule did");
  add.hardware(options);
  add.program(options);
}

void schedule(Adding add, ScheduleOptions &options) {
  add.file(options.file);
  add.kernels(options.kernels, "a kernel; all by default");
  add.option("-s,--schedule", options.schedule, "a schedule of the file, with steps `auto`", "SCHEDULE");
  add.app.add_flag("--explain", options.explain,
                   "print what was estimated for the choice and the next best one, too");
  add.hardware(options);
  add.program(options);
}

void show(Adding add, ShowOptions &options) {
  add.file(options.file);
  add.choice("--stage", options.stage, "what to print", "STAGE", show_stages)->required();
  add.kernels(options.kernels, "a kernel to show; all by default");
  add.option("-s,--schedule", options.schedule, "the schedule to show; none: as the kernel is written",
             "SCHEDULE");
  add.hardware(options);
  add.option("--step", options.step, "with --stage scheduled: the program after so many steps", "K");
  add.app.add_flag("--diff", options.diff, "with --stage scheduled: what the last step shown changed");
  add.program(options);
}

void run(Adding add, RunOptions &options) {
  add.file(options.file);
  add.option("NAME=VALUE", options.arguments,
             "sizes and scalars by value, tensors as .npy or .png files; - is a .npy file on standard input",
             "FILE");
  add.kernels(options.kernel, "the kernel to run; needed if there are several");
  add.option(
      "-s,--schedule", options.schedule,
      "the schedule to run under; by default those that atlc makes, if the file has none for the kernel; "
      "none: as the kernel is written",
      "SCHEDULE");
  add.hardware(options);
  add.choice("--engine", options.engine, "compiled C, or the reference interpreter", "ENGINE",
             {"native", "interp"})
      ->capture_default_str();
  add.option("-o,--output", options.outputs,
             "FILE, or NAME=FILE for each output; .npy, .png, or - for a .npy file on standard output",
             "FILE")
      ->allow_extra_args(false);
  add.program(options);
}

void build(Adding add, BuildOptions &options) {
  add.file(options.file);
  add.option("-o,--output", options.folder, "the folder to write", "FOLDER")->required();
  add.kernels(options.kernels, "a kernel to build; all by default");
  add.option("-s,--schedule", options.schedule,
             "build only this schedule, or these with commas between them: the first whose instructions the "
             "CPU has, "
             "under the kernel's own name; none: as the kernels are written",
             "SCHEDULE,...");
  add.hardware(options);
  add.choice("--emit", options.emit, "the compiled library, or only its C, for which no compiler is needed",
             "WHAT", {"library", "c"})
      ->capture_default_str();
  add.app.add_flag("--python", options.python, "a package for Python, too, which takes NumPy's arrays");
  add.option("--name", options.name, "the name of the library; by default that of the file", "NAME");
  add.option("--prefix", options.prefix, "what the names of its functions begin with", "PREFIX");
  add.option("--library-version", options.version, "the version of the library, as 1.2.3; 1 is in its soname",
             "VERSION");
  add.program(options);
}

void tune(Adding add, TuneOptions &options) {
  add.file(options.file);
  add.kernels(options.kernel, "the kernel to tune; needed if there are several");
  add.option("-s,--schedule", options.schedule,
             "the schedule to begin with; by default the one that atlc makes", "SCHEDULE");
  add.hardware(options);
  add.option("--sizes", options.sizes, "the sizes to be fast for; several times: for each of these",
             "NAME=VALUE,...")
      ->allow_extra_args(false);
  add.option("--budget", options.budget, "seconds that the search may take", "S")->capture_default_str();
  add.option("--candidates", options.candidates,
             "how many schedules are tried at most, for each of the sizes", "N")
      ->check(positive());
  add.option("--log", options.log,
             "where each result is added; a search with the same file goes on from there", "FILE");
  add.option("--svg", options.svg, "a picture of the search", "FILE");
  add.app.add_flag("--json", options.json, "print a JSON object instead of the schedule");
  add.program(options);
}

void prove(Adding add, ProveOptions &options) {
  add.file(options.file);
  add.option("-o,--output", options.folder, "the folder to write", "FOLDER")->required();
  add.kernels(options.kernels, "a kernel to prove; all by default");
  add.option("-s,--schedule", options.schedule, "only this schedule; none: as the kernels are written",
             "SCHEDULE");
  add.hardware(options);
  add.app.add_flag("--json", options.json, "print a JSON object instead of a table");
  add.app.add_flag("--coq", options.coq,
                   "write the theorem of each kernel as a Coq file, and have coqc check it");
  add.option("--coq-library", options.coq_library,
             "a compiled Coq library; by default, atlc compiles the library when it is first needed",
             "FOLDER");
  add.option("--cache", options.cache,
             "the folder for what coqc has compiled and proved before (~/.cache/atlc); '' keeps nothing",
             "FOLDER");
  add.option("--coq-timeout", options.coq_timeout, "seconds that coqc may take for one theorem", "S")
      ->check(positive());
  add.program(options);
}

void equiv(Adding add, EquivOptions &options) {
  add.file(options.file);
  add.option("A", options.first, "a kernel of the file", "KERNEL")->required();
  add.option("B", options.second, "another, with the same parameters", "KERNEL")->required();
  add.program(options);
}

void steps(Adding add, StepsOptions &options) {
  add.option("STEP", options.name, "only this step", "STEP");
  add.app.add_flag("--json", options.json, "print a JSON array");
}

void explain(Adding add, ExplainOptions &options) {
  add.option("CODE", options.code, "the code of a diagnostic, as E7001", "CODE")->required();
}

// A command about the command line itself: `text` makes what it prints, about the subject that is named.
struct About {
  CLI::App *app;
  std::shared_ptr<std::string> subject;
};

About about(CommandLine &line, const char *name, const char *what, const char *examples,
            std::string (*text)(const CommandLine &, const std::string &)) {
  About made{line.app->add_subcommand(name, what)->fallthrough(), std::make_shared<std::string>()};
  line.examples[made.app] = examples;
  line.runs[made.app] = [&line, subject = made.subject, text] {
    return fmt::print("{}", text(line, *subject)), exit_fine;
  };
  return made;
}

std::string help_about(const CommandLine &line, const std::string &command) {
  return help_text(line, command.empty() ? *line.app : *line.app->get_subcommand(command));
}

} // namespace

std::unique_ptr<CommandLine> make_command_line() {
  auto made = std::make_unique<CommandLine>();
  CommandLine &line = *made;
  line.app = std::make_unique<CLI::App>("atlc: dense tensor programs to checked C libraries", "atlc");
  line.app->require_subcommand(0, 1); // a name of another command is then a word like others
  line.app->set_version_flag("-V,--version", "atlc " + std::string(cbackend::version()), "print the version");
  line.app->set_help_flag("-h,--help", "print help; of a command, behind its name");
  add_common(line);
  command(line, "check", "Checks programs: syntax, types, shapes, padding, every obligation",
          "  atlc check examples/blur/blur.atl\n  atlc check --json blur.atl > blur.json\n", check_command,
          check);
  command(line, "build", "Builds a C library",
          "  atlc build examples/blur/blur.atl -o build/blur\n"
          "  atlc build examples/matmul/matmul.atl -k matmul -s none -o build/matmul\n",
          build_command, build);
  command(line, "run", "Runs a kernel on NumPy files and images",
          "  atlc run examples/matmul/matmul.atl -k matmul A=a.npy B=b.npy -o c.npy\n"
          "  atlc run examples/blur/blur.atl -k two_stage_u8 img=photo.png -o blurred.png\n",
          run_command, run);
  command(line, "prove", "Writes all obligations as SMT-LIB and has them checked",
          "  atlc prove examples/dot/dot.atl -o build/proofs\n"
          "  atlc prove examples/dot/dot.atl -k dot --coq -o build/proofs\n",
          prove_command, prove);
  command(line, "equiv", "Proves that two kernels compute the same",
          "  atlc equiv examples/matmul/matmul.atl matmul matmul_tiled\n", equiv_command, equiv);
  command(line, "show", "Prints a stage of the compilation",
          "  atlc show examples/blur/blur.atl -k two_stage_f32 --stage loops\n"
          "  atlc show examples/blur/blur.atl -k two_stage_f32 -s tiles --stage c\n",
          show_command, show);
  command(line, "schedule", "Prints schedules, with what their steps `auto` stand for",
          "  atlc schedule examples/matmul/matmul.atl -k matmul --for avx2\n", schedule_command, schedule);
  command(line, "tune", "Looks for a faster schedule, by measuring",
          "  atlc tune examples/matmul/matmul.atl -k matmul --sizes M=512,N=512,K=512 --budget 60\n"
          "  atlc tune examples/matmul/matmul.atl -k matmul -s registers --sizes M=99,N=99,K=99 --log "
          "log.jsonl\n",
          tune_command, tune);
  command(line, "steps", "Lists the steps that schedules are made of", "  atlc steps\n  atlc steps split\n",
          steps_command, steps);
  command(line, "explain", "Explains the code of a diagnostic, with an example", "  atlc explain E7001\n",
          explain_command, explain);
  const About help =
      about(line, "help", "Prints the options and examples of a command", "  atlc help check\n", help_about);
  const About script =
      about(line, "completion", "Prints a script that completes command lines in a shell",
            "  atlc completion bash > ~/.local/share/bash-completion/completions/atlc\n", completion);
  line.choices[script.app->add_option("SHELL", *script.subject, "the shell")->required()] = completed_shells;
  about(line, "manual", "Prints the manual page", "  atlc manual | man -l -\n",
        [](const CommandLine &all, const std::string &) { return manual_page(all); })
      .app->group(""); // for who installs atlc: help does not list it
  std::vector<std::string> &names = line.choices[help.app->add_option("COMMAND", *help.subject, "a command")];
  for (const CLI::App *app : commands_of(line))
    names.push_back(app->get_name());
  return made;
}

std::vector<const CLI::Option *> common_options(const CommandLine &line) {
  return std::as_const(*line.app).get_options(
      [](const CLI::Option *option) { return option->get_group() == all_commands; });
}

std::vector<const CLI::Option *> all_options(const CommandLine &line, const CLI::App &app) {
  std::vector<const CLI::Option *> all = options_of(app);
  for (const CLI::Option *option : common_options(line))
    if (&app != line.app.get())
      all.push_back(option);
  return all;
}

} // namespace atl::driver
