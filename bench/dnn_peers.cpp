#include "bench/dnn_primitive.h"

#include <memory>

namespace atl::bench {

#if ATLC_HAS_DNNL

namespace {

constexpr auto f32 = Type::f32;

class Convolution : public Ready {
public:
  struct Operands {
    memory::dims source, weights, bias, destination; // bias: empty if there is none
    Tag weights_layout;
  };

  Convolution(const Operands &sizes, std::int64_t stride, bool relu, dnnl::algorithm algorithm) {
    memory::desc source(sizes.source, f32, Tag::nhwc), weights(sizes.weights, f32, Tag::any);
    memory::desc destination(sizes.destination, f32, Tag::nhwc);
    given_weights_ = {sizes.weights, f32, sizes.weights_layout};
    const memory::dims strides{stride, stride}, none{0, 0};
    const auto kind = dnnl::prop_kind::forward_inference;
    using Desc = dnnl::convolution_forward::desc;
    if (!sizes.bias.empty())
      bias_ = {sizes.bias, f32, Tag::x};
    Desc desc = sizes.bias.empty()
                    ? Desc(kind, algorithm, source, weights, destination, strides, none, none)
                    : Desc(kind, algorithm, source, weights, bias_, destination, strides, none, none);
    dnnl::primitive_attr attributes;
    if (relu) {
      dnnl::post_ops after;
      after.append_eltwise(1.0F, dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
      attributes.set_post_ops(after);
    }
    description_ = dnnl::convolution_forward::primitive_desc(desc, attributes, engine_);
    primitive_ = dnnl::convolution_forward(description_);
  }

  void bind(const float *source, const float *weights, const float *bias, float *destination) {
    const memory own_weights = laid_out(description_.weights_desc(), given(given_weights_, weights));
    arguments_ = {{DNNL_ARG_SRC, given(description_.src_desc(), source)},
                  {DNNL_ARG_WEIGHTS, own_weights},
                  {DNNL_ARG_DST, given(description_.dst_desc(), destination)}};
    if (bias)
      arguments_.insert({DNNL_ARG_BIAS, given(bias_, bias)});
  }

private:
  memory::desc given_weights_, bias_;
  dnnl::convolution_forward::primitive_desc description_;
};

} // namespace

std::vector<LayerPeer> conv_peers(const ConvShape &s, const ConvData &data) {
  const Convolution::Operands sizes{
      {s.n, s.c, s.rows(), s.columns()}, {s.k, s.c, s.r, s.s}, {s.k}, {s.n, s.k, s.h, s.w}, Tag::hwio};
  std::vector<LayerPeer> peers;
  auto add = [&](const char *name, dnnl::algorithm algorithm) {
    try {
      auto convolution = std::make_shared<Convolution>(sizes, s.stride, true, algorithm);
      convolution->bind(data.x, data.w, data.bias, data.out);
      peers.push_back({name, [convolution] { convolution->run(); }});
    } catch (const dnnl::error &) {
      // not for this shape
    }
  };
  add("oneDNN", dnnl::algorithm::convolution_direct);
  add("oneDNN Winograd", dnnl::algorithm::convolution_winograd);
  return peers;
}

std::vector<LayerPeer> separable_peers(const ConvShape &s, const SeparableData &data) {
  const Convolution::Operands depth{
      {s.n, s.c, s.rows(), s.columns()}, {s.c, 1, 1, s.r, s.s}, {}, {s.n, s.c, s.h, s.w}, Tag::hwigo};
  const Convolution::Operands sums{
      {s.n, s.c, s.h, s.w}, {s.k, s.c, 1, 1}, {s.k}, {s.n, s.k, s.h, s.w}, Tag::hwio};
  const auto direct = dnnl::algorithm::convolution_direct;
  auto first = std::make_shared<Convolution>(depth, s.stride, false, direct);
  auto second = std::make_shared<Convolution>(sums, 1, true, direct);
  auto between = std::make_shared<std::vector<float>>(static_cast<std::size_t>(s.n * s.h * s.w * s.c));
  first->bind(data.x, data.depth, nullptr, between->data());
  second->bind(between->data(), data.w, data.bias, data.out);
  return {{"oneDNN", [first, second, between] {
             first->run();
             second->run();
           }}};
}

#else

std::vector<LayerPeer> conv_peers(const ConvShape & /*shape*/, const ConvData & /*data*/) {
  return no_peers();
}
std::vector<LayerPeer> separable_peers(const ConvShape & /*shape*/, const SeparableData & /*data*/) {
  return no_peers();
}

#endif

} // namespace atl::bench
