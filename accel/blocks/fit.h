// The steps in which match_block.h fits an instruction to a nest. Each returns whether it fits, and notes
// what it finds in the attempt, or else why it does not.
#pragma once
#include "accel/blocks/match_block.h"
#include "accel/describe/block_index.h"

namespace atl::accel {

struct Fitting {
  const BlockPattern &pattern;
  const Hardware &hardware;
  const BlockNest &nest;
  const Facts &outside; // of the nest
  Facts inside;         // with the ranges of its loops
  const Buffers &buffers;
  Conditions conditions;
  BlockRefusal farthest = {}; // of all attempts

  const Instruction &instruction() const { return *pattern.source; }
};

// With the loops in one order.
struct Attempt {
  BlockMatch match;
  Subst starts = {}; // by the loops of the nest
  int stage = 1;
};

bool refuse(Fitting &fitting, const Attempt &attempt, std::string why);

// The loop of the nest that the loop number p of the pattern is.
const lowering::For &loop_of(const Fitting &fitting, const Attempt &attempt, std::size_t p);

// Whether it is the same in all iterations of the nest.
bool is_fixed(const Fitting &fitting, const Index &e);
// From where to where the loops run, with the guards of the nest.
bool find_extents(Fitting &fitting, Attempt &attempt);
// The sizes of the instruction are the extents.
bool bind_sizes(Fitting &fitting, Attempt &attempt);
// Where the windows of the terms begin, and how long they are: the conditions of the terms say it.
bool bind_windows(Fitting &fitting, Attempt &attempt);

bool bind_operand(Fitting &fitting, Attempt &attempt, const std::string &operand,
                  lowering::BlockOperand value);
// A tensor operand, whose element at the indices `at` of the pattern is this one of the nest.
bool place(Fitting &fitting, Attempt &attempt, const std::string &operand, const std::vector<BlockIndex> &at,
           const std::string &buffer, const std::vector<Index> &indices);

// From a row to the next in bytes, of an operand in plain memory, where `stride` is elements.
Index bytes_of_row(const Fitting &fitting, const std::string &operand, const Index &stride);
// The values of the configurations that the instruction needs.
bool find_needs(Fitting &fitting, Attempt &attempt);

} // namespace atl::accel
