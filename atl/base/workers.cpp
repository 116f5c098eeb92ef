#include "atl/base/workers.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <csignal>
#include <exception>
#include <mutex>
#include <pthread.h>
#include <vector>

namespace atl {

namespace {

struct Batch {
  std::size_t count;
  const std::function<void(std::size_t)> &work;
  std::vector<std::exception_ptr> failures;
  std::size_t begun = 0, done = 0;
};

class Workers {
public:
  unsigned count = 1;

  void run(Batch &batch) {
    std::unique_lock guard(lock_);
    begin_threads();
    open_.push_back(&batch);
    changed_.notify_all();
    while (batch.begun < batch.count)
      run_one(batch, guard);
    changed_.wait(guard, [&] { return batch.done == batch.count; });
  }

private:
  // One thread is the one that asks.
  void begin_threads() {
    for (; threads_ + 1 < count; ++threads_) {
      pthread_attr_t attributes;
      pthread_attr_init(&attributes);
      std::size_t stack = 0;
      pthread_attr_getstacksize(&attributes, &stack);
      pthread_attr_setstacksize(&attributes, std::max(stack, least_stack));
      pthread_t thread{};
      const bool failed = pthread_create(&thread, &attributes, help, this) != 0;
      pthread_attr_destroy(&attributes);
      if (failed)
        return; // fewer do the same
      pthread_detach(thread);
    }
  }

  // A full stack is reported by a handler, which needs another one.
  static void *help(void *workers) {
    std::array<char, 1 << 16> memory;
    stack_t stack{};
    stack.ss_sp = memory.data();
    stack.ss_size = memory.size();
    sigaltstack(&stack, nullptr);
    static_cast<Workers *>(workers)->serve();
    return nullptr;
  }

  // What was asked for last is a part of what was asked for before: it comes first.
  [[noreturn]] void serve() {
    std::unique_lock guard(lock_);
    for (;;) {
      changed_.wait(guard, [&] { return !open_.empty(); });
      run_one(*open_.back(), guard);
    }
  }

  void run_one(Batch &batch, std::unique_lock<std::mutex> &guard) {
    const std::size_t number = batch.begun++;
    if (batch.begun == batch.count)
      open_.erase(std::find(open_.begin(), open_.end(), &batch));
    guard.unlock();
    std::exception_ptr failure;
    try {
      batch.work(number);
    } catch (...) {
      failure = std::current_exception();
    }
    guard.lock();
    batch.failures[number] = failure;
    if (++batch.done == batch.count)
      changed_.notify_all();
  }

  static constexpr std::size_t least_stack = 8 << 20; // what the first thread has on most machines

  std::mutex lock_;
  std::condition_variable changed_;
  std::vector<Batch *> open_; // with numbers that nobody has begun
  unsigned threads_ = 0;
};

Workers &workers() {
  static Workers *all = new Workers; // outlives its threads
  return *all;
}

} // namespace

void use_workers(unsigned count) {
  workers().count = std::max(count, 1U);
}

unsigned worker_count() {
  return workers().count;
}

void for_each_number(std::size_t count, const std::function<void(std::size_t)> &work) {
  if (count == 0)
    return;
  Batch batch{count, work, std::vector<std::exception_ptr>(count)};
  workers().run(batch);
  for (const std::exception_ptr &failure : batch.failures)
    if (failure)
      std::rethrow_exception(failure);
}

} // namespace atl
