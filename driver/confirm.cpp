#include "driver/confirm.h"

#include "atl/base/check.h"
#include "atl/equality/witness.h"

#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace atl::driver {

using equality::Witness;

namespace {

// What goes wrong here is an answer, and nobody is told.
void become_quiet() {
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    std::signal(signal, SIG_DFL);
  const rlimit seconds{60, 60}, no_core{0, 0};
  setrlimit(RLIMIT_CPU, &seconds);
  setrlimit(RLIMIT_CORE, &no_core);
  if (const int nothing = open("/dev/null", O_WRONLY); nothing >= 0)
    dup2(nothing, STDERR_FILENO);
}

// A scheduled kernel is not checked yet: its shapes may be wrong, and the interpreter then writes where it
// should not. So it runs in a process of its own, and one that crashes says nothing.
Witness run_apart(const TypedKernel &a, const TypedKernel &b, const Valuation &sizes) {
  constexpr int first = 100; // no other exit code is an answer
  const pid_t child = fork();
  if (child == 0) {
    become_quiet();
    _exit(first + static_cast<int>(equality::run_both(a, b, sizes)));
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child)
    return Witness::not_run;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
    return Witness::too_large;
  for (Witness answer : {Witness::different, Witness::same, Witness::too_large})
    if (WIFEXITED(status) && WEXITSTATUS(status) == first + static_cast<int>(answer))
      return answer;
  return Witness::not_run;
}

std::string_view what_ran(Witness witness) {
  switch (witness) {
  case Witness::different: return "run with these sizes, they compute different results";
  case Witness::same: return "run with these sizes on a few inputs, both compute the same";
  case Witness::too_large: return "both are too large to be run with these sizes";
  case Witness::not_run: return "with these sizes they cannot be run";
  }
  ATL_CHECK(false, "not a witness");
}

} // namespace

proofs::Verdict confirmed(const Obligation &obligation, proofs::Verdict verdict, const TypedKernel &a,
                          const TypedKernel &b) {
  if (verdict.status != proofs::Verdict::Status::refuted)
    return verdict;
  const Witness witness = run_apart(a, b, verdict.model);
  if (witness == Witness::different)
    return verdict;
  const std::string end = proofs::explain(obligation, verdict)->message;
  verdict.status = proofs::Verdict::Status::unknown;
  verdict.reason = fmt::format("the comparison ends at {}; {}", end, what_ran(witness));
  return verdict;
}

} // namespace atl::driver
