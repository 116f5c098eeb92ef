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
#include <malloc.h>
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
  adopt(line->manner);
  return parsed.problem ? wrong_usage(*parsed.problem, {argv + 1, argv + argc}) : parsed.run();
}

int cannot_write(const std::string &why) {
  return fail({atl::Code::cannot_write, std::nullopt, "cannot write the output: " + why, {}});
}

// A full disk must not look like success.
int flush_stdout(int exit_code) {
  return std::fflush(stdout) == 0 && !std::ferror(stdout) ? exit_code : cannot_write(std::strerror(errno));
}

} // namespace

// Z3 takes and gives back 17 MB again and again. To get them from the system each time costs more than most
// obligations.
static void keep_memory() {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
}

int main(int argc, char **argv) {
  keep_memory();
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
    return cannot_write(e.code().message()); // fmt::print, when stdout is full
  } catch (const std::exception &e) {
    fmt::print(stderr, "atlc: internal error: {}\n", e.what());
  }
  return exit_internal;
}
