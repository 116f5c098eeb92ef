// What `auto` computes numbers from where instructions work on blocks of rows.
#pragma once
#include "atl/syntax/hardware.h"

#include <optional>

namespace atl::schedule {

// Instructions that add the product of two square blocks to a third one.
struct BlockProducts {
  std::int64_t block;       // its rows and columns
  std::int64_t load;        // columns that are loaded at once to the memory of the right operand
  std::int64_t stay;        // rows of so many columns that fit twice into that memory
  std::int64_t left, right; // rows of one block each that the memories of the operands have
  bool whole;               // other instructions compute such a product from plain memory to plain memory
};
std::optional<BlockProducts> block_products_of(const Hardware &hardware);

} // namespace atl::schedule
