// What is known at a place of a program: which names stand for integers there, and what holds of them.
// Whoever walks through a program takes one down, and makes a new one for each place.
#pragma once
#include "atl/index/bounds.h"
#include "atl/index/obligation.h"

namespace atl {

struct Known {
  std::string kernel;             // for messages
  std::vector<std::string> sizes; // and all that is free besides the variables
  std::vector<std::string> variables;
  std::vector<Pred> hypotheses; // ranges of the variables among them
  std::vector<LoopRange> loops; // around, outermost first

  Known() = default;
  Known(std::string kernel_, std::vector<std::string> sizes_, std::vector<Pred> hypotheses_)
      : kernel(std::move(kernel_)), sizes(std::move(sizes_)), hypotheses(std::move(hypotheses_)) {}

  Known inside(const LoopRange &loop) const;
  Known where(const Pred &pred) const;

  void enter(const LoopRange &loop);
  void assume(const Pred &pred) { hypotheses.push_back(pred); }

  // The quick procedure for what is known; made when it is asked for first.
  const Facts &facts() const;

  Obligation obligation(ObligationKind kind, Code code, Span span, std::string what,
                        std::vector<Claim> claims = {}, std::vector<Note> notes = {}) const;

private:
  mutable Facts facts_;
  mutable std::size_t assumed_ = 0; // so many of the hypotheses
};

} // namespace atl
