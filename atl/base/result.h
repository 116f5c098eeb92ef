// Result<T>: a value, or the diagnostics that say why there is none (one or more, in source order).
// Comes in: a value or diagnostics. Goes out: one of both. May use: this room.
#pragma once
#include "atl/base/diagnostic.h"

#include <utility>
#include <variant>
#include <vector>

namespace atl {

using Diagnostics = std::vector<Diagnostic>;

template <class T>
class [[nodiscard]] Result {
public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Diagnostics errors) : state_(std::in_place_index<1>, std::move(errors)) {}
  Result(Diagnostic error) : Result(Diagnostics{std::move(error)}) {}

  explicit operator bool() const { return state_.index() == 0; }
  T &operator*() { return std::get<0>(state_); }
  const T &operator*() const { return std::get<0>(state_); }
  T *operator->() { return &std::get<0>(state_); }
  const T *operator->() const { return &std::get<0>(state_); }
  Diagnostics &errors() { return std::get<1>(state_); }
  const Diagnostics &errors() const { return std::get<1>(state_); }

private:
  std::variant<T, Diagnostics> state_;
};

} // namespace atl
