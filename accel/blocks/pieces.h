// Nests that are mapped to instructions, which run elsewhere: with other values of the loops around them, and
// piece by piece in the iterations of another loop.
#pragma once
#include "lowering/nest/walk.h"

#include <memory>

namespace atl::accel {

// Without the loops that the instructions replace.
lowering::Stmt substituted(const lowering::Stmt &stmt, const Subst &by);

// All of it is instructions.
bool is_simple(const lowering::Stmt &stmt);
bool has_loop_named(const lowering::Stmt &stmt, const std::vector<std::string> &names);
bool has_one_iteration(const lowering::For &loop);

// As many iterations of a nest as one of the loop `over` gets, so that all of them are done when that ends.
lowering::Stmt piece_of(lowering::For nest, const lowering::For &over, const Known &around);
// The loop of the nest whose iterations are shared out, and how many of them an iteration of `over` gets.
const lowering::For &shared_out(const lowering::For &nest);
Index piece_size(const lowering::For &shared, const lowering::For &over);

// What the hardware does beside the loop, to be changed.
lowering::BlockCode &code_of(lowering::For &loop, std::shared_ptr<lowering::BlockCode> &kept);

} // namespace atl::accel
