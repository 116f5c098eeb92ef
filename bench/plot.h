// The rows of benchmarks as a picture.
#pragma once
#include "bench/row.h"

namespace atl::bench {

// An SVG document: a line per row, where a dot is a contender's speed relative to ours, on a logarithmic axis
// from a quarter to four times; dots beyond that lie on its ends. Where the machine's peak was probed, the
// share of it that we reach stands at the end of the line.
std::string plot(const std::vector<Row> &rows);

// Of each suite, against each peer: how many times as fast we are, in the geometric mean of its cases. One
// bar each, on a logarithmic axis; to the right of the middle, ours is faster.
struct Bar {
  std::string group, name;
  double ratio;
};
std::string plot(const std::vector<Bar> &bars);

} // namespace atl::bench
