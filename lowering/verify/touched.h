// The elements of memory that an operand of an instruction is: where they are, and what is claimed of it.
#pragma once
#include "lowering/verify/called.h"

namespace atl::lowering {

// What the claims are about: nothing is touched where it does not hold.
Pred touches_any(const MemoryOperand &operand);

// All elements are inside the tensor. `runs_on`: they may run on into further rows, among all cells in
// row-major order.
std::vector<Claim> inside_claims(const Called &call, const MemoryOperand &operand, const FirstElement &first,
                                 const Buffer &tensor, bool runs_on, const Known &known);

// The addresses that the C of the call makes are in the tensor or just behind its end: C has no others, even
// where nothing is touched.
std::vector<Claim> address_claims(const Called &call, MemoryOperand operand, const FirstElement &first,
                                  const Buffer &tensor, bool runs_on, const Known &known);

// All rows are among those of the temporary, which has its part of this memory.
std::vector<Claim> inside_claims(const Called &call, const MemoryOperand &operand, const RowBlock &block,
                                 const RowRange &rows, const Memory &memory);

// The first element lies at a multiple of `bytes` behind the beginning of the tensor, which lies at a
// multiple of `beginning` bytes.
std::vector<Claim> aligned_claims(const Called &call, const FirstElement &first, const Buffer &tensor,
                                  std::int64_t bytes, std::int64_t beginning, const Known &known);

// x[i, j * 8]
std::string cell(const std::string &buffer, const std::vector<Index> &indices);

} // namespace atl::lowering
