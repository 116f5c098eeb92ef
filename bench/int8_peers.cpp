#include "bench/int8_peers.h"

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

// One product, ready to run. What it needs lives as long as it.
class Product {
public:
  Product(const Int8Data &data, Tag weights_layout) : engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) {
    const memory::dims a_dims{data.m, data.k}, b_dims{data.k, data.n}, out_dims{data.m, data.n};
    memory::desc a(a_dims, Type::u8, Tag::ab), b(b_dims, Type::s8, weights_layout),
        out(out_dims, Type::s32, Tag::ab);
    dnnl::matmul::primitive_desc description(dnnl::matmul::desc(a, b, out), engine_);
    primitive_ = dnnl::matmul(description);
    memory users({b_dims, Type::s8, Tag::ab}, engine_, const_cast<std::int8_t *>(data.b));
    memory own = users;
    if (description.weights_desc() != users.get_desc()) {
      own = memory(description.weights_desc(), engine_);
      dnnl::reorder(users, own).execute(stream_, users, own);
      stream_.wait();
    }
    arguments_ = {{DNNL_ARG_SRC, memory(a, engine_, const_cast<std::uint8_t *>(data.a))},
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

std::vector<LayerPeer> int8_peers(const Int8Data &data) {
  auto as_it_is = std::make_shared<Product>(data, Tag::ab), own = std::make_shared<Product>(data, Tag::any);
  return {{"oneDNN", [as_it_is] { as_it_is->run(); }}, {"oneDNN, B copied before", [own] { own->run(); }}};
}

#else

std::vector<LayerPeer> int8_peers(const Int8Data & /*data*/) {
  std::fputs("built without oneDNN (libdnnl-dev): not a peer in this run\n", stderr);
  return {};
}

#endif

} // namespace atl::bench
