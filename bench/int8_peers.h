// Products of bytes as oneDNN computes them, where it is installed when atlc is built.
#pragma once
#include "bench/dnn_peers.h"

namespace atl::bench {

struct Int8Data {
  std::int64_t m, n, k;
  const std::uint8_t *a;
  const std::int8_t *b;
  std::int32_t *out;
};

// out = A B, row-major: as one call that takes both as they are, and as one that may copy B to a layout of
// its own before anything is timed.
std::vector<LayerPeer> int8_peers(const Int8Data &data);

} // namespace atl::bench
