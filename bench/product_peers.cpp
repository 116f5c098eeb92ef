#include "bench/product_peers.h"

#if ATLC_HAS_DNNL
#include <dnnl.hpp>

#include <memory>
#include <unordered_map>
#else
#include <cstdio>
#endif

namespace atl::bench {

#if ATLC_HAS_DNNL

namespace {

using dnnl::memory;
using Tag = memory::format_tag;
using Type = memory::data_type;

template <class T>
constexpr Type type_of;
template <>
constexpr Type type_of<float> = Type::f32;
template <>
constexpr Type type_of<std::uint8_t> = Type::u8;
template <>
constexpr Type type_of<std::int8_t> = Type::s8;
template <>
constexpr Type type_of<std::int32_t> = Type::s32;

// One product, ready to run. What it needs lives as long as it.
class Ready {
public:
  template <class A, class B, class Out>
  Ready(const Product<A, B, Out> &data, Tag layout_of_b)
      : engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) {
    const memory::dims b_dims{data.k, data.n};
    memory::desc a({data.m, data.k}, type_of<A>, Tag::ab), b(b_dims, type_of<B>, layout_of_b),
        out({data.m, data.n}, type_of<Out>, Tag::ab);
    dnnl::matmul::primitive_desc description(dnnl::matmul::desc(a, b, out), engine_);
    primitive_ = dnnl::matmul(description);
    memory users({b_dims, type_of<B>, Tag::ab}, engine_, const_cast<B *>(data.b));
    memory own = users;
    if (description.weights_desc() != users.get_desc()) {
      own = memory(description.weights_desc(), engine_);
      dnnl::reorder(users, own).execute(stream_, users, own);
      stream_.wait();
    }
    arguments_ = {{DNNL_ARG_SRC, memory(a, engine_, const_cast<A *>(data.a))},
                  {DNNL_ARG_WEIGHTS, own},
                  {DNNL_ARG_DST, memory(out, engine_, data.out)}};
  }

  void run() {
    primitive_.execute(stream_, arguments_);
    stream_.wait();
  }

private:
  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::matmul primitive_;
  std::unordered_map<int, memory> arguments_;
};

} // namespace

std::vector<LayerPeer> product_peers(const BytesProduct &product) {
  auto as_it_is = std::make_shared<Ready>(product, Tag::ab), own = std::make_shared<Ready>(product, Tag::any);
  return {{"oneDNN", [as_it_is] { as_it_is->run(); }}, {"oneDNN, B copied before", [own] { own->run(); }}};
}

std::function<void()> product_peer(const FloatProduct &product) {
  return [ready = std::make_shared<Ready>(product, Tag::ab)] { ready->run(); };
}

#else

std::vector<LayerPeer> product_peers(const BytesProduct & /*product*/) {
  std::fputs("built without oneDNN (libdnnl-dev): not a peer in this run\n", stderr);
  return {};
}

std::function<void()> product_peer(const FloatProduct & /*product*/) {
  return {};
}

#endif

} // namespace atl::bench
