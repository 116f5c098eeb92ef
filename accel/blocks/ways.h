// Every way through a mapped nest: what may be so before each place, in the order in which the hardware and
// the CPU run it. For validators; what is placed in a nest is decided elsewhere, by other walks.
#pragma once
#include "lowering/nest/walk.h"

#include <utility>

namespace atl::accel {

// `State`: all that may be so at a place. A derived class says what changes it, and states at places what
// must be so there. It is asked to do so once for each place; on other passes it only follows.
template <class State>
class Ways {
public:
  virtual ~Ways() = default;

  // What may be so behind the kernel, of what may be so before it.
  State follow(const lowering::LoopKernel &kernel, State before) {
    return behind(kernel.body, lowering::known_in(kernel), std::move(before));
  }

protected:
  bool is_stating() const { return is_stating_; }

  virtual void merge(State &into, State other) = 0;
  // First of all at a loop with instructions: its fence, its settings.
  virtual void enter(const lowering::For &, State &) {}
  virtual void at_call(const lowering::For &, const Known &, State &) {}
  virtual void at_store(const lowering::Store &, const Known &, State &) {}
  virtual void end_life(const lowering::Alloc &, State &) {}
  // The loop has gone on since, or has ended.
  virtual void go_on(const lowering::For &, State &) {}

private:
  State behind(const lowering::Block &body, const Known &around, State now) {
    for (const lowering::Stmt &stmt : body)
      match(
          stmt, [&](const lowering::For &loop) { now = behind(loop, around, std::move(now)); },
          [&](const lowering::If &branch) {
            merge(now, behind(branch.body, around.where(branch.pred), now));
          },
          [&](const lowering::Alloc &alloc) {
            now = behind(alloc.body, around, std::move(now));
            end_life(alloc, now);
          },
          [&](const lowering::Store &one) { at_store(one, around, now); });
    return now;
  }

  State behind(const lowering::For &loop, const Known &around, State now) {
    if (loop.block) {
      enter(loop, now);
      now = behind(loop.block->before, around, std::move(now));
      if (loop.block->call)
        at_call(loop, around, now);
      if (loop.block->replaces)
        return now;
    }
    const Known inside = around.inside(loop.range());
    const bool was_stating = std::exchange(is_stating_, false);
    State some = behind_iteration(loop, inside, now);
    go_on(loop, some);
    merge(now, std::move(some)); // of any iteration, and before any
    is_stating_ = was_stating;
    if (is_stating_)
      behind_iteration(loop, inside, now);
    return now;
  }

  State behind_iteration(const lowering::For &loop, const Known &inside, State now) {
    if (loop.block)
      now = behind(loop.block->inside, inside, std::move(now));
    now = behind(loop.body, inside, std::move(now));
    return loop.block ? behind(loop.block->at_end, inside, std::move(now)) : now;
  }

  bool is_stating_ = true;
};

} // namespace atl::accel
