// What instructions on lanes need so that they do what their meaning says, from the calls alone: that their
// `where` clauses hold, and that addresses are aligned.
#pragma once
#include "lowering/nest/walk.h"

#include <map>
#include <string>
#include <vector>

namespace atl::accel {

struct LaneNeeds {
  std::vector<Obligation> obligations;         // of kind instr
  std::map<std::string, std::int64_t> aligned; // tensors that have to begin at a multiple of so many bytes
};

struct CallPlace {
  const lowering::LoopKernel &kernel;
  const Known &around;
  const std::map<std::string, lowering::Buffer> &buffers;
  Span span;
};

// Of the call, and of those that compute its operands.
void add_needs(const lowering::LaneCall &call, const CallPlace &place, LaneNeeds &into);

} // namespace atl::accel
