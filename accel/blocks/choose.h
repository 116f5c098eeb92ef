// A nest of loops -> the instruction that replaces it.
#pragma once
#include "accel/blocks/match_block.h"
#include "accel/describe/target.h"

namespace atl::accel {

using Settings = std::map<std::string, lowering::Setting>; // the last values of each configuration

// The first that fits and whose configurations were not used with other values last; else the first that
// fits. If none does, `closest` is the refusal that went farthest, of this nest and of those before it.
std::optional<BlockMatch> choose_instruction(const Target &target, const BlockNest &nest, const Facts &facts,
                                             const Buffers &buffers, Conditions conditions,
                                             const Settings &last, BlockRefusal &closest);

// No instruction has fewer loops: if none does what this nest does, then none does what a nest inside it
// does.
bool is_smallest(const BlockNest &nest, const Target &target);

} // namespace atl::accel
