// The part of a tensor that the accesses inside a loop reach.
#pragma once
#include "atl/rewrites/rewrites.h"

namespace atl::rewrites {

struct Window {
  std::vector<Index> lo, extent; // by dimension, in the variables that are known at the body of the loop
};

// Over all accesses to `tensor` in the body of the loop. A dimension whose indices have no bound is there as
// a whole. Nothing if there are no accesses.
std::optional<Window> window_of(const TypedKernel &kernel, const std::string &tensor, const Path &loop);

// let name = gen c { [inside] cell(lo + c) } in the body of the loop, whose accesses to `tensor` read it
// instead. `prophecy` is that of `tensor`.
struct WindowLet {
  std::string tensor, name;
  std::vector<std::string> dimensions; // names for its loops
  std::function<std::optional<ExprPtr>(const std::vector<Index> &)> cell;
  std::optional<equality::Prophecy> prophecy;
};
Refused insert_window(Work &work, const Path &loop, const WindowLet &let);

} // namespace atl::rewrites
