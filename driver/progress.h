// How far a long piece of work is. Comes in: what to say of it. Goes out: a line on standard error, from the
// second second on, which is gone when the work is done. Only on a terminal, and not if quiet.
#pragma once
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace atl::driver {

struct Count {
  std::atomic<std::size_t> done = 0, all = 0;
};

// ", about 12 s left": as if what is left takes as long each as what is done.
std::string time_left(const Count &count, double seconds);

class Progress {
public:
  // `line` is called by another thread, with the seconds since now.
  explicit Progress(std::function<std::string(double)> line);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

private:
  struct Shown;
  std::unique_ptr<Shown> shown_; // null: nobody sees it
};

} // namespace atl::driver
