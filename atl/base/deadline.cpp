#include "atl/base/deadline.h"

#include <algorithm>

namespace atl {

using Clock = std::chrono::steady_clock;

static thread_local TimeLimit *innermost_limit = nullptr;

Deadline::Deadline(std::optional<unsigned> milliseconds) {
  if (milliseconds)
    end_ = Clock::now() + std::chrono::milliseconds(*milliseconds);
}

std::optional<unsigned> Deadline::remaining_ms() const {
  if (!end_)
    return std::nullopt;
  auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*end_ - Clock::now());
  return static_cast<unsigned>(std::max<std::int64_t>(left.count(), 1));
}

bool Deadline::passed() const {
  return end_ && Clock::now() >= *end_;
}

void Deadline::postpone(Clock::duration by) {
  if (end_)
    *end_ += by;
}

TimeLimit::TimeLimit(std::optional<unsigned> milliseconds)
    : begin_(Clock::now()), deadline_(milliseconds), outer_(innermost_limit) {
  innermost_limit = this;
}

TimeLimit::~TimeLimit() {
  innermost_limit = outer_;
  if (outer_)
    outer_->deadline_.postpone(Clock::now() - begin_);
}

void look_at_the_clock() {
  if (innermost_limit && innermost_limit->deadline_.passed())
    throw TimeIsUp();
}

} // namespace atl
