// Whether each step of the C's arithmetic on indices fits 64 bits, in the order in which the text has them.
#pragma once
#include "lowering/nest/loop_ir.h"
#include "proofs/reader/arithmetic.h"

#include <map>
#include <string>
#include <vector>

namespace atl::proofs::reader {

// The steps of an offset in row-major order: indices of a cell are from 0 to their extents, and the bytes of
// all cells fit 64 bits, so that no step exceeds the number of cells. Nor does one where the last index is
// its extent.
struct CellSteps {
  CellSteps() = default;
  CellSteps(const lowering::Buffer &buffer, const std::vector<Index> &indices);

  std::map<std::string, std::int64_t> greatest; // by their canonical texts; the least is 0
  std::vector<Pred> known;                      // the same
};

// The steps of which the ranges of variables do not show that they fit.
std::vector<Index> open_steps(const Index &text, const Spans &variables, const CellSteps &cell = {});

std::vector<Claim> fitting(const std::vector<Index> &steps); // that they fit

Index row_major_offset(const Shape &dims, const std::vector<Index> &indices);

} // namespace atl::proofs::reader
