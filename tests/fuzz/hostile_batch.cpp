#include "fuzz/hostile_batch.h"

#include <cstring>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define ATL_HAS_SHADOW_MEMORY
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ATL_HAS_SHADOW_MEMORY
#endif
#endif

namespace atl::fuzz {

namespace {

// What a process says of an input: that it begins, how far it came, or how the compiler failed.
struct Message {
  enum class Kind : std::uint8_t { begins, reached, failed } kind;
  Driven::Reached reached;
  std::uint64_t number;
  std::array<char, 400> problem; // with a 0 behind it
};
static_assert(sizeof(Message) <= 512); // written at once

void say(int pipe, Message message, const std::string &problem = "") {
  problem.copy(message.problem.data(), message.problem.size() - 1);
  if (::write(pipe, &message, sizeof message) != sizeof message)
    ::_exit(1);
}

void limit_memory() {
#ifndef ATL_HAS_SHADOW_MEMORY
  constexpr rlim_t bytes = rlim_t{4} << 30;
  const rlimit most{bytes, bytes};
  ::setrlimit(RLIMIT_AS, &most);
#endif
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
}

void start_timer(int seconds) { // of the processor, so that the load of the machine does not matter
  const itimerval once{{0, 0}, {seconds, 0}};
  ::setitimer(ITIMER_VIRTUAL, &once, nullptr);
}

[[noreturn]] void work(std::uint64_t first, std::uint64_t end,
                       const std::function<std::string(std::uint64_t)> &input, const Isolation &isolation,
                       int pipe) {
  limit_memory();
  for (std::uint64_t n = first; n < end; ++n) {
    say(pipe, {Message::Kind::begins, {}, n, {}});
    start_timer(isolation.seconds);
    const Driven driven = drive(input(n), isolation.folder / "hostile.atl");
    const auto kind = driven.problem.empty() ? Message::Kind::reached : Message::Kind::failed;
    say(pipe, {kind, driven.reached, n, {}}, driven.problem);
  }
  ::_exit(0);
}

std::string ending(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("ended by {}", ::strsignal(WTERMSIG(status)));
  return fmt::format("ended with status {}: a sanitizer, or exit()", WEXITSTATUS(status));
}

struct Process {
  pid_t id;
  int pipe;
};

Process start(std::uint64_t first, std::uint64_t end, const std::function<std::string(std::uint64_t)> &input,
              const Isolation &isolation) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0)
    throw std::system_error(errno, std::generic_category(), "pipe");
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0)
    throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    ::close(ends[0]);
    work(first, end, input, isolation, ends[1]);
  }
  ::close(ends[1]);
  return {child, ends[0]};
}

} // namespace

void drive_all(std::uint64_t first, std::uint64_t end, const std::function<std::string(std::uint64_t)> &input,
               const Isolation &isolation, Tally &tally) {
  while (first < end) {
    const Process process = start(first, end, input, isolation);
    bool is_done = true; // with the input `first - 1`
    Message message{};
    while (::read(process.pipe, &message, sizeof message) == sizeof message) {
      is_done = message.kind != Message::Kind::begins;
      first = message.number + 1;
      if (message.kind == Message::Kind::reached)
        ++tally.reached[static_cast<std::size_t>(message.reached)];
      if (message.kind == Message::Kind::failed)
        tally.failures[message.number] = message.problem.data();
    }
    ::close(process.pipe);
    int status = 0;
    ::waitpid(process.id, &status, 0);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGVTALRM)
      tally.slow.push_back(first - 1);
    else if (status != 0)
      tally.failures[is_done ? first : first - 1] = ending(status);
    if (status != 0 && is_done)
      throw std::runtime_error("a process ended between two inputs: " + ending(status));
  }
}

std::optional<std::string> failure_of(const std::string &text, const Isolation &isolation) {
  Tally tally;
  drive_all(
      0, 1, [&](std::uint64_t) { return text; }, isolation, tally);
  return tally.failures.empty() ? std::nullopt : std::optional(tally.failures.begin()->second);
}

} // namespace atl::fuzz
