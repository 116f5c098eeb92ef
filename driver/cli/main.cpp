// The program atlc: the command line, and exceptions to exit codes.
#include "atl/base/check.h"
#include "cbackend/host/interrupt.h"
#include "driver/cli/command_line.h"
#include "driver/commands/commands.h"
#include "driver/commands/crash.h"
#include "driver/commands/report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <system_error>

namespace {

using namespace atl::driver;

// Who asked for JSON gets it, too.
int wrong_usage(const atl::Diagnostic &problem, const std::vector<std::string> &words) {
  if (std::find(words.begin(), words.end(), "--json") != words.end())
    fmt::print(
        "{}\n",
        nlohmann::ordered_json{{"ok", false}, {"diagnostics", to_json({problem}, atl::Sources())}}.dump());
  return fail(problem);
}

int run_main(int argc, char **argv) {
  auto line = make_command_line();
  Parsed parsed = parse(*line, argc, argv);
  return parsed.problem ? wrong_usage(*parsed.problem, {argv + 1, argv + argc}) : parsed.run();
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
