#include "driver/commands/crash.h"

#include "driver/commands/commands.h"

#include <array>
#include <csignal>
#include <cstring>
#include <unistd.h>

namespace atl::driver {

namespace {

std::array<char, 1 << 16> stack_of_the_handler; // the program's own may be full

// Only what may be called in a handler of signals.
void report(int signal) {
  const char *name = signal == SIGSEGV  ? "SIGSEGV"
                     : signal == SIGBUS ? "SIGBUS"
                     : signal == SIGFPE ? "SIGFPE"
                     : signal == SIGILL ? "SIGILL"
                                        : "SIGABRT";
  for (const char *part : {"atlc: internal error: ", name,
                           "; please report it, with the files and the command line that led to it\n"})
    if (::write(STDERR_FILENO, part, std::strlen(part)) < 0)
      break;
  ::_exit(exit_internal);
}

} // namespace

void report_crashes() {
  stack_t stack{};
  stack.ss_sp = stack_of_the_handler.data();
  stack.ss_size = stack_of_the_handler.size();
  ::sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_handler = report;
  action.sa_flags = SA_ONSTACK;
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    ::sigaction(signal, &action, nullptr);
}

} // namespace atl::driver
