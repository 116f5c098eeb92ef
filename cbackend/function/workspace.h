// The heap memory of a kernel, allocated once, at entry. Temporaries that are never alive at the same time
// share a piece of it; those of a parallel loop have a part of their piece for each thread.
#pragma once
#include "atl/index/facts.h"
#include "cbackend/term/names.h"
#include "lowering/nest/loop_ir.h"

#include <map>
#include <string>
#include <vector>

namespace atl::cbackend {

struct HeapTemporary {
  std::string c_name;
  Elem elem;
  Shape capacity;
  Pred when; // of the sizes: otherwise its version of the kernel does not run, and it has no bytes
};

bool same_bytes(const HeapTemporary &a, const HeapTemporary &b);

struct HeapPiece {
  std::string c_name;
  bool per_thread;
  std::vector<HeapTemporary> temporaries;

  // Its pointer is that of its only temporary.
  bool is_plain() const { return !per_thread && temporaries.size() == 1; }
};

struct Workspace {
  struct Place {
    std::size_t piece, temporary;
  };
  std::vector<HeapPiece> pieces;
  std::map<const lowering::Alloc *, Place> places; // looked up only
  std::string threads;                             // the C variable that counts them, if a piece has parts

  // In bytes, over the sizes and `threads`, simplified under what is known of the sizes.
  Index bytes(const Facts &facts) const;
};

// The names are visible in the whole function. `body` must outlive the result. Of a mapped kernel,
// temporaries in memories of the hardware are left out.
Workspace plan_workspace(const lowering::Block &body, NameScope &names, bool mapped = false,
                         bool shared = true);

// Not where instructions on blocks touch plain memory when the CPU is long past them: accel/blocks/fences.cpp
// goes by the names of temporaries.
bool can_share_memory(const lowering::LoopKernel &kernel);

} // namespace atl::cbackend
