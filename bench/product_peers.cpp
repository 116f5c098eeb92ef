#include "bench/product_peers.h"

#include "bench/dnn_primitive.h"

#include <memory>

namespace atl::bench {

#if ATLC_HAS_DNNL

namespace {

template <class T>
constexpr Type type_of = Type::undef;
template <>
constexpr Type type_of<float> = Type::f32;
template <>
constexpr Type type_of<std::uint8_t> = Type::u8;
template <>
constexpr Type type_of<std::int8_t> = Type::s8;
template <>
constexpr Type type_of<std::int32_t> = Type::s32;

class Multiplication : public Ready {
public:
  template <class A, class B, class Out>
  Multiplication(const Product<A, B, Out> &data, Tag layout_of_b) {
    const memory::dims b_dims{data.k, data.n};
    const memory::desc a({data.m, data.k}, type_of<A>, Tag::ab), b(b_dims, type_of<B>, layout_of_b),
        users_b(b_dims, type_of<B>, Tag::ab), out({data.m, data.n}, type_of<Out>, Tag::ab);
    dnnl::matmul::primitive_desc description(dnnl::matmul::desc(a, b, out), engine_);
    primitive_ = dnnl::matmul(description);
    arguments_ = {{DNNL_ARG_SRC, given(a, data.a)},
                  {DNNL_ARG_WEIGHTS, laid_out(description.weights_desc(), given(users_b, data.b))},
                  {DNNL_ARG_DST, given(out, data.out)}};
  }
};

} // namespace

std::vector<LayerPeer> product_peers(const BytesProduct &product) {
  auto as_it_is = std::make_shared<Multiplication>(product, Tag::ab),
       own = std::make_shared<Multiplication>(product, Tag::any);
  return {{"oneDNN", [as_it_is] { as_it_is->run(); }}, {"oneDNN, B copied before", [own] { own->run(); }}};
}

std::function<void()> product_peer(const FloatProduct &product) {
  return [ready = std::make_shared<Multiplication>(product, Tag::ab)] { ready->run(); };
}

#else

std::vector<LayerPeer> product_peers(const BytesProduct & /*product*/) {
  return no_peers();
}

std::function<void()> product_peer(const FloatProduct & /*product*/) {
  return {};
}

#endif

} // namespace atl::bench
