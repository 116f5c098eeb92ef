// The command line of atlc: options to the command functions, exceptions to exit codes.
#include "atl/base/check.h"
#include "atl/base/printable.h"
#include "cbackend/host/interrupt.h"
#include "cbackend/library/packaging.h"
#include "driver/commands/commands.h"
#include "driver/commands/crash.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>
#include <new>
#include <system_error>

namespace {

using namespace atl::driver;

constexpr const char *examples = R"(Examples:
  atlc check examples/blur/blur.atl
  atlc show examples/blur/blur.atl -k two_stage_f32 --stage loops
  atlc run examples/matmul/matmul.atl -k matmul A=a.npy B=b.npy -o c.npy
  atlc build examples/blur/blur.atl -o build/blur
  atlc prove examples/blur/blur.atl -o build/proofs
  atlc equiv examples/matmul/matmul.atl matmul matmul_tiled

Exit codes: 0 fine, 1 the program or a file is wrong, 2 wrong usage, 70 internal error.)";

CLI::App *command(CLI::App &app, const char *name, const char *what, std::string &file,
                  std::optional<unsigned> &timeout) {
  CLI::App *sub = app.add_subcommand(name, what);
  sub->add_option("FILE", file, "the program")->required();
  sub->add_option("--timeout", timeout, "milliseconds the solver may take for one obligation");
  return sub;
}

int run_main(int argc, char **argv) {
  CLI::App app{"atlc: dense tensor programs to checked C libraries"};
  app.footer(examples);
  app.require_subcommand(1);
  app.set_version_flag("--version", "atlc " + std::string(atl::cbackend::version()));
  std::function<int()> chosen;

  CheckOptions check;
  CLI::App *check_app =
      app.add_subcommand("check", "Checks programs: syntax, types, shapes, padding, every obligation");
  check_app->add_option("FILE", check.files, "the programs")->required();
  check_app->add_flag("--json", check.json, "one JSON object per file");
  check_app->add_flag("--steps", check.steps, "what each step of a schedule did");
  check_app->add_option("--timeout", check.timeout_ms, "milliseconds the solver may take for one obligation");
  check_app->callback([&] { chosen = [&] { return check_command(check); }; });

  ShowOptions show;
  CLI::App *show_app = command(app, "show", "Prints a stage of the compilation", show.file, show.timeout_ms);
  show_app->add_option("-k,--kernel", show.kernels, "the kernels to show; all by default");
  show_app->add_option("-s,--schedule", show.schedule,
                       "the schedule to show; none: as the kernel is written");
  show_app->add_option("--stage", show.stage, "what to print")->required()->check(CLI::IsMember(show_stages));
  show_app->add_option("--step", show.step, "with --stage scheduled: the program after so many steps");
  show_app->add_flag("--diff", show.diff, "with --stage scheduled: what the last step shown changed");
  show_app->callback([&] { chosen = [&] { return show_command(show); }; });

  RunOptions run;
  CLI::App *run_app =
      command(app, "run", "Runs a kernel on NumPy files and images", run.file, run.timeout_ms);
  run_app->add_option("-k,--kernel", run.kernel, "the kernel to run; needed if there are several");
  run_app->add_option("-s,--schedule", run.schedule,
                      "the schedule to run under; by default as the kernel is written");
  run_app->add_option("--engine", run.engine, "compiled C, or the reference interpreter")
      ->check(CLI::IsMember({"native", "interp"}))
      ->capture_default_str();
  run_app->add_option("NAME=VALUE", run.arguments,
                      "sizes and scalars by value, tensors as .npy or .png files");
  run_app->add_option("-o,--output", run.outputs, "FILE, or NAME=FILE for each output; .npy or .png")
      ->allow_extra_args(false);
  run_app->callback([&] { chosen = [&] { return run_command(run); }; });

  BuildOptions build;
  CLI::App *build_app = command(app, "build", "Builds a C library", build.file, build.timeout_ms);
  build_app->add_option("-k,--kernel", build.kernels, "the kernels to build; all by default");
  build_app->add_option("-s,--schedule", build.schedule,
                        "build only this schedule, or these with commas between them: the first whose "
                        "instructions the CPU has, "
                        "under the kernel's own name; none: as the kernels are written");
  build_app->add_option("-o,--output", build.folder, "the folder to write")->required();
  build_app->add_option("--name", build.name, "the name of the library; by default that of the file");
  build_app->add_flag("--python", build.python, "a package for Python, too, which takes NumPy's arrays");
  build_app->callback([&] { chosen = [&] { return build_command(build); }; });

  ProveOptions prove;
  CLI::App *prove_app = command(app, "prove", "Writes all obligations as SMT-LIB and has them checked",
                                prove.file, prove.timeout_ms);
  prove_app->add_option("-k,--kernel", prove.kernels, "the kernels to prove; all by default");
  prove_app->add_option("-s,--schedule", prove.schedule,
                        "only this schedule; none: as the kernels are written");
  prove_app->add_option("-o,--output", prove.folder, "the folder to write")->required();
  prove_app->add_flag("--json", prove.json, "print a JSON object instead of a table");
  prove_app->add_flag("--coq", prove.coq,
                      "write the theorem of each kernel as a Coq file, and have coqc check it");
  prove_app->add_option("--coq-library", prove.coq_library, "the folder of the compiled Coq library");
  prove_app->add_option(
      "--cache", prove.cache,
      "the folder for what coqc has proved before (~/.cache/atlc/theorems); '' keeps nothing");
  prove_app->add_option("--coq-timeout", prove.coq_timeout, "seconds that coqc may take for one theorem")
      ->check(CLI::PositiveNumber);
  prove_app->callback([&] { chosen = [&] { return prove_command(prove); }; });

  EquivOptions equiv;
  CLI::App *equiv_app =
      command(app, "equiv", "Proves that two kernels compute the same", equiv.file, equiv.timeout_ms);
  equiv_app->add_option("A", equiv.first, "a kernel of the file")->required();
  equiv_app->add_option("B", equiv.second, "another, with the same parameters")->required();
  equiv_app->callback([&] { chosen = [&] { return equiv_command(equiv); }; });

  StepsOptions steps;
  CLI::App *steps_app = app.add_subcommand("steps", "Lists the steps that schedules are made of");
  steps_app->add_flag("--json", steps.json, "print a JSON array");
  steps_app->callback([&] { chosen = [&] { return steps_command(steps); }; });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &e) {
    if (e.get_exit_code() == 0)
      return app.exit(e), exit_fine;
    fmt::print(stderr, "{}\nRun with --help for more information.\n", atl::readable(e.what()));
    return exit_usage;
  }
  return chosen();
}

int cannot_write(const char *why) {
  std::fprintf(stderr, "error[E8002]: cannot write the output: %s\n", why);
  return exit_wrong;
}

// A full disk must not look like success.
int flush_stdout(int exit_code) {
  return std::fflush(stdout) == 0 && !std::ferror(stdout) ? exit_code : cannot_write(std::strerror(errno));
}

} // namespace

int main(int argc, char **argv) {
  atl::driver::report_crashes();
  atl::cbackend::clean_up_when_interrupted();
  try {
    return flush_stdout(run_main(argc, argv));
  } catch (const atl::InternalError &e) {
    fmt::print(stderr, "atlc: internal error: {}\n", e.what());
  } catch (const std::bad_alloc &) {
    fmt::print(stderr, "error[E8009]: there is not enough memory\n");
    return exit_wrong;
  } catch (const std::system_error &e) {
    return cannot_write(e.code().message().c_str()); // fmt::print, when stdout is full
  } catch (const std::exception &e) {
    fmt::print(stderr, "atlc: internal error: {}\n", e.what());
  }
  return exit_internal;
}
