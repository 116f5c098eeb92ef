#include "atl/schedule/auto/block_convolution.h"

#include "atl/schedule/auto/roles.h"

#include <algorithm>

namespace atl::schedule {

namespace {

std::optional<LoopHead> loop_of(const Index &index, const std::vector<LoopHead> &loops) {
  for (const LoopHead &loop : loops)
    if (equal(index, variable(loop.var)))
      return loop;
  return std::nullopt;
}

bool is_fixed(const Index &index, const std::vector<LoopHead> &loops, const std::vector<std::string> &but) {
  return std::all_of(loops.begin(), loops.end(), [&](const LoopHead &loop) {
    return std::find(but.begin(), but.end(), loop.var) != but.end() || !mentions(index, loop.var);
  });
}

// Of the loops, the index moves with these two only, with the second one by 1: how far with the first one.
std::optional<std::int64_t> stride_of(const Index &index, const BlockSum &sum, const std::string &cell,
                                      const std::string &in_window) {
  const std::vector<std::string> both{cell, in_window};
  const auto stride = stride_along(index, cell);
  if (!stride || *stride < 1 || !moves_with(index, in_window) || !is_fixed(index, sum.loops, both) ||
      !is_fixed(index, sum.sums, both))
    return std::nullopt;
  return stride;
}

std::int64_t rounded_down(std::int64_t value, std::int64_t step) {
  return value / step * step;
}

} // namespace

std::optional<Convolution> convolution_of(const BlockSum &sum) {
  const std::vector<Index> &image = sum.left.indices, &weights = sum.right.indices;
  if (sum.loops.size() != 4 || sum.sums.size() != 3 || image.size() != 4 || weights.size() != 4)
    return std::nullopt;
  Convolution found{};
  for (std::size_t d = 0; d < 3; ++d) {
    const auto loop = loop_of(weights[d], sum.sums);
    if (!loop)
      return std::nullopt;
    found.sums.push_back(*loop);
  }
  const std::string &r = found.sums[0].var, &t = found.sums[1].var, &c = found.sums[2].var;
  const auto rows = as_constant(sub(found.sums[0].hi, found.sums[0].lo)),
             columns = as_constant(sub(found.sums[1].hi, found.sums[1].lo));
  const auto down = stride_of(image[1], sum, sum.loops[1].var, r),
             across = stride_of(image[2], sum, sum.loops[2].var, t);
  if (r == t || t == c || r == c || !rows || !columns || *rows < 1 || *columns < 1 || !down || !across ||
      !equal(image[0], variable(sum.loops[0].var)) || !equal(image[3], variable(c)) ||
      !equal(weights[3], variable(sum.loops[3].var)))
    return std::nullopt;
  found.rows = *rows;
  found.columns = *columns;
  found.stride = *across;
  return found;
}

// A block holds the pixels of as many columns as it has rows, in each phase of the stride. Of the rows of an
// image that a window touches, those of two blocks are there.
std::optional<ConvolutionSizes> sizes_for(const Convolution &convolution, const BlockProducts &machine) {
  const std::int64_t h = machine.block, w = machine.load, window = convolution.rows * convolution.columns;
  const auto pixels = [&](std::int64_t row) { return convolution.stride * (row + h) + convolution.columns; };
  const auto longest_row = [&](std::int64_t channels) {
    const std::int64_t columns = machine.left * h / (2 * convolution.rows * channels) - pixels(0);
    return rounded_down(std::max<std::int64_t>(columns / convolution.stride, 0), h);
  };
  ConvolutionSizes sizes{};
  sizes.channels = rounded_down(
      std::min(machine.right / window, machine.left * h / (2 * convolution.rows * pixels(h))), w);
  sizes.channels_at_once = std::min(rounded_down(machine.right * h / (window * w), w), sizes.channels);
  if (sizes.channels_at_once < w)
    return std::nullopt;
  sizes.long_row = longest_row(sizes.channels_at_once);
  sizes.short_row = longest_row(sizes.channels);
  return sizes;
}

} // namespace atl::schedule
