// What peers that are primitives of oneDNN have in common; where it was not installed, the message that says
// so.
#pragma once
#include "bench/dnn_peers.h"

#if ATLC_HAS_DNNL

#include <dnnl.hpp>

#include <unordered_map>

namespace atl::bench {

using dnnl::memory;
using Tag = memory::format_tag;
using Type = memory::data_type;

// A primitive for one shape, ready to run. What it needs lives as long as it.
class Ready {
public:
  void run() {
    primitive_.execute(stream_, arguments_);
    stream_.wait();
  }

protected:
  Ready() : engine_(dnnl::engine::kind::cpu, 0), stream_(engine_) {}

  memory given(const memory::desc &desc, const void *data) {
    return {desc, engine_, const_cast<void *>(data)};
  }
  // The operand in the layout that the primitive wants: the same, or a copy.
  memory laid_out(const memory::desc &wanted, memory users) {
    if (wanted == users.get_desc())
      return users;
    memory own(wanted, engine_);
    dnnl::reorder(users, own).execute(stream_, users, own);
    stream_.wait();
    return own;
  }

  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::primitive primitive_;
  std::unordered_map<int, memory> arguments_;
};

} // namespace atl::bench

#else

#include <cstdio>

namespace atl::bench {

inline std::vector<LayerPeer> no_peers() {
  static const bool told =
      std::fputs("built without oneDNN (libdnnl-dev): not a peer in this run\n", stderr) >= 0;
  static_cast<void>(told);
  return {};
}

} // namespace atl::bench

#endif
