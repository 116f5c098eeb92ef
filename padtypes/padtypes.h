// Pad types and the truncation check: the only door to lowering. Source: padtypes.md in the design notes, sections 1-6; PLDI 2024
// "A Verified Compiler for a Functional Tensor Language", section 6.
#pragma once
#include "atl/check/check.h"
#include "atl/facts.h"

#include <memory>
#include <string>
#include <vector>

namespace atl::padtypes {

// A scalar (known to be padding, or nothing known), or (k, l, first, r, last, c): the first k and the last c slices are padding,
// the l slices after the first k have type `first`, the r slices before the last c have type `last`.
struct PadType;
using PadTypePtr = std::shared_ptr<const PadType>;
struct PadType {
  bool is_scalar;
  bool scalar_is_padding;
  Index k, l, r, c;
  PadTypePtr first, last;
};
std::string to_string(const PadTypePtr &type);

// One line per sub-expression of the kernel, indented by depth: the expression's head and its pad type.
std::string show_pads(const TypedKernel &kernel);

// The demand-driven check: one obligation (kind pad, code truncates_data) per truncation and scalar it may cut.
// A truncation that the pad type alone justifies needs no obligation.
struct CheckedKernel {
  TypedKernel kernel;
  std::vector<Obligation> obligations;
};
CheckedKernel check_pads(TypedKernel kernel);

} // namespace atl::padtypes
