// What a schedule asks of a temporary (Requests), and the first reason why it cannot be done.
#pragma once
#include "lowering/nest/walk.h"

#include <functional>
#include <optional>

namespace atl::accel {

class Request {
public:
  // `refusal`: what the message says of the tensor, before the reason.
  Request(std::string tensor, Span span, std::string refusal)
      : tensor_(std::move(tensor)), span_(span), refusal_(std::move(refusal)) {}

  void refuse(const std::string &why);
  const std::optional<Diagnostic> &problem() const { return problem_; }

  // `apply` gets each allocation of that name, or only those in a memory of rows; without one it is refused.
  using Apply = std::function<void(lowering::Alloc &, const Known &)>;
  void each_temporary(lowering::LoopKernel &kernel, bool in_rows, const Apply &apply);

private:
  void visit(lowering::Block &body, const Known &around, bool in_rows, const Apply &apply);

  std::string tensor_;
  Span span_;
  std::string refusal_;
  bool found_ = false;
  std::optional<Diagnostic> problem_;
};

inline constexpr const char *no_temporary_in_rows = "there is no such temporary in a memory of rows";

} // namespace atl::accel
