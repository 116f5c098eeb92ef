// Pad types and the truncation check: the only door to lowering. Rules and notation: docs/padtypes.md.
// Source: "A Verified Compiler for a Functional Tensor Language" (PLDI 2024), section 6; here the counts of a
// type are index expressions, and a type can depend on a predicate.
// Comes in: a TypedKernel. Goes out: a CheckedKernel, which is made here only, and obligations. May use: atl.
#pragma once
#include "atl/index/facts.h"
#include "atl/syntax/typed.h"

#include <memory>
#include <string>
#include <vector>

namespace atl::padtypes {

// What is known of the padding of a tensor, wherever the facts of its place hold:
// - all of it is padding where `data` does not hold;
// - a tensor's first k and last c slices are padding, the l slices after the first k have type `first`, the r
//   slices before the last c have type `last`. The parts end at the tensor's ends, may overlap, and need not
//   cover it; of a slice that no part covers nothing is known. k and c are never negative; l or r below 0
//   means 0.
// Every type describes an all-padding tensor as well.
struct PadType;
using PadTypePtr = std::shared_ptr<const PadType>;
struct PadType {
  Pred data;
  Index extent; // of the first dimension; null for a scalar, which has nothing of what follows
  Index k, l, r, c;
  PadTypePtr first, last;
  int variety = 0; // how many dimensions, one inside the other, have two parts

  bool is_scalar() const { return !extent; }
  bool is_uniform() const { return first == last; } // one part, or two that are the same: to be visited once
};
std::string to_string(const PadTypePtr &type);

// One line per sub-expression of the kernel, indented by depth: the expression's head and its pad type.
std::string show_pads(const TypedKernel &kernel);

// The demand-driven check: one obligation (kind pad, code truncates_data) per truncation and scalar it may
// cut. A truncation that the pad type alone justifies needs no obligation.
struct CheckedKernel {
  TypedKernel kernel;
  std::vector<Obligation> obligations;
};
CheckedKernel check_pads(TypedKernel kernel);

} // namespace atl::padtypes
