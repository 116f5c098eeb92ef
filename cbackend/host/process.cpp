#include "cbackend/host/process.h"

#include "cbackend/host/interrupt.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace atl::cbackend {

namespace {

Diagnostic cannot_run(const std::string &program, int error) {
  return {Code::missing_tool, {}, fmt::format("{} cannot be run: {}", program, std::strerror(error)), {}};
}

struct Pipe {
  std::array<int, 2> ends{-1, -1};
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  void close_end(std::size_t end) {
    if (ends[end] >= 0)
      close(ends[end]);
    ends[end] = -1;
  }
};

std::function<void(const std::vector<std::string> &)> &announcement() {
  static std::function<void(const std::vector<std::string> &)> tell;
  return tell;
}

int spawn(const std::vector<std::string> &argv, int output, pid_t &child) {
  std::vector<char *> words;
  for (const std::string &word : argv)
    words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  posix_spawnattr_t attributes; // a process group of its own, and no signal blocked
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  int error = posix_spawnp(&child, words[0], &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

constexpr std::size_t most_output = 16 << 20;

// Up to one byte more than the most.
std::string read_all(int file) {
  std::string text;
  std::array<char, 4096> buffer;
  for (;;) {
    ssize_t count = read(file, buffer.data(), buffer.size());
    if (count > 0)
      text.append(buffer.data(), static_cast<std::size_t>(count));
    const bool ended = count == 0 || (count < 0 && errno != EINTR);
    if (ended || text.size() > most_output)
      return text;
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

} // namespace

void announce_programs(std::function<void(const std::vector<std::string> &)> tell) {
  announcement() = std::move(tell);
}

Result<Outcome> run_program(const std::vector<std::string> &argv) {
  if (announcement())
    announcement()(argv);
  Pipe pipe;
  if (pipe2(pipe.ends.data(), O_CLOEXEC) != 0)
    return cannot_run(argv[0], errno);
  pid_t child = 0;
  {
    Uninterrupted while_it_starts;
    if (int error = spawn(argv, pipe.ends[1], child); error != 0)
      return cannot_run(argv[0], error);
    add_child(child);
  }
  pipe.close_end(1);
  std::string output = read_all(pipe.ends[0]);
  const bool is_endless = output.size() > most_output;
  if (is_endless)
    kill(-child, SIGKILL);
  const int status = wait_for(child);
  remove_child(child); // if it was interrupted, that is the end
  if (is_endless)
    return Diagnostic{Code::tool_failed,
                      {},
                      fmt::format("{} was stopped: it printed more than {} bytes", argv[0], most_output),
                      {{{}, "it said:\n" + output.substr(0, 1000)}}};
  return Outcome{status, std::move(output)};
}

Result<Outcome> run_successfully(const std::vector<std::string> &argv) {
  auto outcome = run_program(argv);
  if (!outcome || outcome->status == 0)
    return outcome;
  constexpr std::size_t most = 10000;
  std::string said = outcome->output.substr(0, most);
  Diagnostic failed{
      Code::tool_failed, {}, fmt::format("{} failed with status {}", argv[0], outcome->status), {}};
  if (!said.empty())
    failed.notes.push_back({{}, "it said:\n" + said});
  return failed;
}

} // namespace atl::cbackend
