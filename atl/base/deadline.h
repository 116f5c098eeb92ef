// How long a stage may take, if the user limits it with --timeout. A stage that has not ended by then is left
// with an exception; whoever set the limit makes one message of it. Without a limit nothing here looks at the
// clock, so that what the compiler says does not depend on the machine: what bounds its work is counted.
//
// The limit is that of the thread, the one global of the compiler: a stage is long because of a step that may
// be anywhere below it, and what a step computes does not depend on the limit.
// Comes in: milliseconds; the steps that are taken. Goes out: TimeIsUp. May use: nothing outside this room.
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>

namespace atl {

class Deadline {
public:
  explicit Deadline(std::optional<unsigned> milliseconds = std::nullopt); // nothing: it never passes
  std::optional<unsigned> remaining_ms() const;                           // at least 1
  bool passed() const;
  void postpone(std::chrono::steady_clock::duration by);

private:
  std::optional<std::chrono::steady_clock::time_point> end_;
};

struct TimeIsUp {};

// While it lives, the steps of this thread end at its deadline. A limit inside of another one takes its
// place; the time until it ends again does not count for the outer one.
class TimeLimit {
public:
  explicit TimeLimit(std::optional<unsigned> milliseconds);
  ~TimeLimit();
  TimeLimit(const TimeLimit &) = delete;
  TimeLimit &operator=(const TimeLimit &) = delete;
  const Deadline &deadline() const { return deadline_; }

private:
  friend void look_at_the_clock();
  std::chrono::steady_clock::time_point begin_;
  Deadline deadline_;
  TimeLimit *outer_;
};

// Throws TimeIsUp behind the deadline of the innermost limit of this thread.
void look_at_the_clock();

inline thread_local std::uint32_t steps_taken = 0;

// Called by what is done often: making a node, combining two inequalities. Counting is cheaper than the
// clock.
inline void take_step() {
  constexpr std::uint32_t steps_between_looks = 256;
  if (++steps_taken % steps_between_looks == 0)
    look_at_the_clock();
}

} // namespace atl
