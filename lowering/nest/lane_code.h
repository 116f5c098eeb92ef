// What a vectorized loop becomes when it is mapped to instructions (accel/): its iterations are the lanes of
// registers. The loop itself stays what it computes.
#pragma once
#include "atl/syntax/hardware.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace atl::lowering {

struct LaneCall;

// A register: one of a tensor kept in registers, or a temporary of the loop (no indices).
struct Register {
  std::string buffer;
  std::vector<std::int64_t> indices;
};

// The address of the element of lane 0.
struct FirstElement {
  std::string buffer;
  std::vector<Index> indices;
};

// A scalar (ExprPtr) has the same value in all lanes; an Index is a size of the instruction, such as the
// number of active lanes.
using LaneOperand = std::variant<std::shared_ptr<const LaneCall>, Register, FirstElement, ExprPtr, Index>;

struct LaneCall {
  const Instruction *instruction;
  std::vector<std::pair<std::string, LaneOperand>> operands; // by the instruction's parameters, and `out`
};

// target = call; without a target, the call stores by itself.
struct LaneStatement {
  Pred condition; // the same for all lanes
  std::optional<Register> target;
  std::variant<std::shared_ptr<const LaneCall>, Register> value;
};

struct LaneLocal { // a scalar of the loop body, one register
  std::string name, c_type;
};

struct LaneCode {
  std::vector<LaneLocal> locals;
  std::vector<LaneStatement> statements;
};

} // namespace atl::lowering
