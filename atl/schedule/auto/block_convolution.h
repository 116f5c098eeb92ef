// Convolutions for instructions on blocks.
#pragma once
#include "atl/schedule/auto/block_machine.h"
#include "atl/schedule/auto/block_sums.h"

#include <optional>
#include <vector>

namespace atl::schedule {

// Sums over r, t and c of left[b, _ * y + r + _, stride * q + t + _, c] * right[r, t, c, f] in cells (b, y,
// q, f).
struct Convolution {
  std::vector<LoopHead> sums; // r, t, c
  std::int64_t rows, columns; // the extents of r and t
  std::int64_t stride;
};
std::optional<Convolution> convolution_of(const BlockSum &sum);

// What fits into the memories, as multiples of what is loaded at once. The pixels that the next blocks read
// are loaded meanwhile.
struct ConvolutionSizes {
  std::int64_t channels_at_once; // whose weights for as many results as are loaded at once fit
  std::int64_t long_row;         // pixels of so many channels, a whole row of results
  std::int64_t channels;         // whose weights for one block of results fit, with the pixels of one block
  std::int64_t short_row;        // likewise
};
std::optional<ConvolutionSizes> sizes_for(const Convolution &convolution, const BlockProducts &machine);

} // namespace atl::schedule
