// Which rows of a memory temporaries get.
#pragma once
#include "accel/blocks/block_nest.h"
#include "atl/base/result.h"

namespace atl::accel {

// The layout of a temporary, from the limits that are known of its extents; nothing if there are none.
std::optional<Shape> row_layout(const lowering::Alloc &alloc, const Memory &memory, const Facts &facts);

// How many copies of each temporary inside loops fit beside each other, so that an iteration need
// not wait until the one before has read its own: 4, 2 or 1. An error if not even one fits.
using Copies = std::map<std::string, std::int64_t>;
Result<Copies> copies_that_fit(const lowering::LoopKernel &kernel, const Hardware &hardware);

// Which iteration of the loops around this is, so that those that follow each other have other numbers, as
// far as their copies go. Of the loop `first` and those in it, the iterations are counted one after the
// other.
Index turn_of(const Known &around, const std::string &first);

} // namespace atl::accel
