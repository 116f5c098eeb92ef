// Products of matrices by oneDNN's primitive for them, which is made for one shape, where oneDNN is installed
// when atlc is built.
#pragma once
#include "bench/dnn_peers.h"

namespace atl::bench {

// out = A B, row-major.
template <class A, class B, class Out>
struct Product {
  std::int64_t m, n, k;
  const A *a;
  const B *b;
  Out *out;

  bool operator==(const Product &) const = default;
};
using BytesProduct = Product<std::uint8_t, std::int8_t, std::int32_t>;
using FloatProduct = Product<float, float, float>;

// As one call that takes both operands as they are, and as one that may copy B to a layout of its own before
// anything is timed.
std::vector<LayerPeer> product_peers(const BytesProduct &product);
// As they are; empty without oneDNN.
std::function<void()> product_peer(const FloatProduct &product);

} // namespace atl::bench
