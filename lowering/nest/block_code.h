// What a nest of loops becomes when it is mapped to an instruction that works on blocks (accel/): one call.
// The nest itself stays what it computes.
#pragma once
#include "atl/syntax/hardware.h"
#include "lowering/nest/lane_code.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace atl::lowering {

// A block of a tensor in a memory of rows: the element at its corner, and the address of that row.
struct RowBlock {
  std::string buffer;
  std::vector<Index> indices;
  Index address;
};

// FirstElement: a block in plain memory. An ExprPtr is a scalar, an Index a size.
using BlockOperand = std::variant<FirstElement, RowBlock, ExprPtr, Index>;

struct BlockCall {
  const Instruction *instruction;
  std::vector<std::pair<std::string, BlockOperand>> operands; // by the instruction's parameters, and `out`
  Pred condition;                                             // without it, the nest does nothing
};

// The configuration with these values from here on.
struct Setting {
  const Configuration *configuration;
  std::vector<std::variant<Index, ExprPtr>> values;
};

struct BlockCode; // beside a loop: loop_ir.h

} // namespace atl::lowering
