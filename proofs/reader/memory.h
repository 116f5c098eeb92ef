// When temporaries of a loop nest are alive: those that are not at the same time may share memory.
#pragma once
#include "lowering/nest/loop_ir.h"

#include <map>

namespace atl::proofs::reader {

// Numbers of statements, in the order in which they stand. What a loop touches, but does not allocate, is
// alive from its beginning to its end.
struct Life {
  int first = 0, last = -1;
};
using Lives = std::map<const lowering::Buffer *, Life>; // looked up only

Lives lives_of(const lowering::Block &body);

} // namespace atl::proofs::reader
