// Layers of neural networks as oneDNN computes them, where it is installed when atlc is built. Pictures are
// NHWC, weights R x S x C x K, which oneDNN may copy to a layout of its own before anything is timed.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace atl::bench {

// N pictures of H x W results, each from a window of R x S pixels with C channels; every `stride`-th window.
struct ConvShape {
  std::int64_t n, h, w, c, k, r, s, stride = 1;

  std::int64_t rows() const { return stride * (h - 1) + r; } // of a picture
  std::int64_t columns() const { return stride * (w - 1) + s; }
  double flops() const { return 2 * static_cast<double>(n * h * w * c) * static_cast<double>(k * r * s); }
};

struct ConvData {
  const float *x, *w, *bias;
  float *out;
};

struct LayerPeer {
  std::string name;
  std::function<void()> run;
};

// relu(conv(x, w) + bias), direct, and with Winograd's algorithm where oneDNN has it for the shape.
std::vector<LayerPeer> conv_peers(const ConvShape &shape, const ConvData &data);

struct SeparableData {
  const float *x, *depth, *w, *bias;
  float *out;
};
// A window of R x S for each channel, then relu(the sums over channels + bias): two calls.
std::vector<LayerPeer> separable_peers(const ConvShape &shape, const SeparableData &data);

} // namespace atl::bench
