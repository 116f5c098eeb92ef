// Hands out the rows of a memory. Banks do one thing at a time: places that iterations use in turn lie in
// different banks, so that one of them is filled or emptied while another one is worked on.
#pragma once
#include "lowering/nest/loop_ir.h"

#include <vector>

namespace atl::accel {

class BankRows {
public:
  explicit BankRows(const Memory &memory);

  // So many places of so many rows each; nothing if there is no room.
  std::optional<lowering::RowRange> take(std::int64_t rows, std::int64_t places);
  std::int64_t used() const;

private:
  std::optional<lowering::RowRange> take_in_banks(std::int64_t rows, std::int64_t places);
  std::optional<lowering::RowRange> take_in_a_row(std::int64_t rows);
  std::int64_t rows_of(std::size_t bank) const; // the last one may have fewer

  std::int64_t first_, count_, bank_;
  std::vector<std::int64_t> used_; // of each bank, the first ones
};

// The first row of the place whose turn it is.
Index place_of(const lowering::RowRange &range, std::int64_t rows, const Index &turn);

} // namespace atl::accel
