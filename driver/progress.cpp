#include "driver/progress.h"

#include "atl/base/printable.h"
#include "driver/console.h"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <fmt/format.h>
#include <mutex>
#include <sys/ioctl.h>
#include <thread>
#include <unistd.h>

namespace atl::driver {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

std::string time_left(const Count &count, double seconds) {
  const double done = static_cast<double>(count.done), all = static_cast<double>(count.all);
  return done == 0 ? "" : fmt::format(", about {:.0f} s left", seconds * (all - done) / done);
}

// Of one line of the terminal.
static std::size_t columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

struct Progress::Shown {
  explicit Shown(std::function<std::string(double)> line)
      : line_(std::move(line)), thread_([this] { show(); }) {}
  ~Shown() {
    {
      std::lock_guard guard(lock_);
      over_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

private:
  void show() {
    const Clock::time_point start = Clock::now();
    std::unique_lock guard(lock_);
    if (changed_.wait_for(guard, 1s, [&] { return over_; }))
      return;
    do {
      const std::string line = printable(line_(std::chrono::duration<double>(Clock::now() - start).count()));
      fmt::print(stderr, "\r\033[K{}", line.substr(0, columns() - 1));
      std::fflush(stderr);
    } while (!changed_.wait_for(guard, 200ms, [&] { return over_; }));
    fmt::print(stderr, "\r\033[K");
  }

  std::function<std::string(double)> line_;
  std::mutex lock_;
  std::condition_variable changed_;
  bool over_ = false;
  std::thread thread_;
};

Progress::Progress(std::function<std::string(double)> line)
    : shown_(shows_progress() ? new Shown(std::move(line)) : nullptr) {}
Progress::~Progress() = default;

} // namespace atl::driver
