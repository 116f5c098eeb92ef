// A call of an instruction as the nest has it: the elements of memory that it may touch.
#pragma once
#include "lowering/nest/loop_ir.h"

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace atl::lowering {

// An operand in memory, the result among them. The instruction touches no other elements than those of the
// shape that it declares: [columns], or [rows, columns], or groups of rows, each behind the one before.
struct MemoryOperand {
  std::string name;
  Elem elem;
  Shape shape; // with the sizes of the call
  std::variant<FirstElement, RowBlock> at;
  std::string memory; // of a RowBlock
  // In plain memory, from a row to the next in bytes: one lies behind the other if the instruction is not
  // told. In a memory of rows, from a block of columns to the next in rows; null if it is not told.
  Index distance;
};

struct Called {
  const Instruction *instruction;
  Subst sizes;
  std::vector<MemoryOperand> operands;
  std::vector<ExprPtr> scalars; // which the CPU reads
};

// The call, and those that compute its operands.
std::vector<Called> calls_in(const LaneCall &call);
// `needs`: the configuration that it finds.
Called called(const BlockCall &call, const std::vector<Setting> &needs);

} // namespace atl::lowering
