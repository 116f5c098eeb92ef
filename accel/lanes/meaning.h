// What a lane gets from instructions, in terms of the loop: their meanings with the operands put in.
#pragma once
#include "lowering/nest/loop_ir.h"

#include <set>
#include <string>

namespace atl::accel {

class Meaning {
public:
  // Of the loop with this variable, whose scalars are these.
  Meaning(std::string lane, std::set<std::string> locals)
      : lane_(std::move(lane)), locals_(std::move(locals)) {}

  ExprPtr of(const lowering::LaneCall &call) const { return of(call, variable(lane_)); }
  ExprPtr of(const lowering::Register &r, const std::optional<Type> &type, Span span) const {
    return of(r, variable(lane_), type, span);
  }
  // Of a part of the instruction's meaning.
  ExprPtr put_in(const ExprPtr &part, const lowering::LaneCall &call) const;

private:
  // What lane `at` gets.
  ExprPtr of(const lowering::LaneCall &call, const Index &at) const;
  ExprPtr of(const lowering::Register &r, const Index &at, const std::optional<Type> &type, Span span) const;
  ExprPtr with_own_variables(const ExprPtr &e) const;
  ExprPtr value(const lowering::LaneCall &call, const lowering::LaneOperand &operand, const Access &read,
                const ExprPtr &e) const;

  mutable int variables_ = 0; // of sums, so far
  std::string lane_;
  std::set<std::string> locals_;
};

// The sizes among operands, by their names.
template <class Operands>
Subst sizes_among(const Operands &operands) {
  Subst sizes;
  for (const auto &[name, operand] : operands)
    if (const Index *size = std::get_if<Index>(&operand))
      sizes[name] = *size;
  return sizes;
}

// The sizes that the call gives its instruction.
Subst sizes_of(const lowering::LaneCall &call);

} // namespace atl::accel
