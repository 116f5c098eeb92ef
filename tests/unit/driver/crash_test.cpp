// A crash of the compiler, in a process of its own.
#include "driver/commands/crash.h"

#include <doctest/doctest.h>

#include <array>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace atl::crash_test {

namespace {

int fill_the_stack(int depth);
int (*volatile again)(int) = fill_the_stack; // not a loop

int fill_the_stack(int depth) {
  std::array<char, 4096> page{};
  volatile char *kept = page.data();
  *kept = static_cast<char>(depth);
  return depth == 0 ? 0 : again(depth - 1) + *kept;
}

void overflow() {
  const rlimit usual{8 << 20, 8 << 20};
  ::setrlimit(RLIMIT_STACK, &usual);
  fill_the_stack(INT_MAX);
}

void write_nowhere() {
  volatile int *volatile nowhere = nullptr;
  *nowhere = 1; // NOLINT(clang-analyzer-core.NullDereference)
}

struct Ending {
  int status;
  std::string said; // on standard error
};

Ending ending_of(void (*crash)()) {
  std::array<int, 2> pipe{};
  REQUIRE(::pipe(pipe.data()) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::dup2(pipe[1], STDERR_FILENO);
    driver::report_crashes();
    crash();
    ::_exit(0);
  }
  ::close(pipe[1]);
  Ending ending{};
  std::array<char, 4096> part{};
  for (ssize_t size = 0; (size = ::read(pipe[0], part.data(), part.size())) > 0;)
    ending.said.append(part.data(), static_cast<std::size_t>(size));
  ::close(pipe[0]);
  ::waitpid(child, &ending.status, 0);
  return ending;
}

} // namespace

TEST_CASE("crash: exit code 70, and one line that says what to send") {
  const std::vector<std::pair<std::string, void (*)()>> crashes = {{"SIGSEGV", overflow},
                                                                   {"SIGSEGV", write_nowhere},
                                                                   {"SIGABRT", [] { std::abort(); }},
                                                                   {"SIGILL", [] { ::raise(SIGILL); }},
                                                                   {"SIGFPE", [] { ::raise(SIGFPE); }},
                                                                   {"SIGBUS", [] { ::raise(SIGBUS); }}};
  for (const auto &[signal, crash] : crashes) {
    const Ending ending = ending_of(crash);
    CHECK(WIFEXITED(ending.status));
    CHECK(WEXITSTATUS(ending.status) == 70);
    const std::string line = "atlc: internal error: " + signal +
                             "; please report it, with the files and the command line that led to it\n";
    CHECK(ending.said == line);
  }
}

} // namespace atl::crash_test
