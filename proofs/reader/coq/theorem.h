// Reads the file of a theorem back: an independent check that the text which coqc proves is about the kernel
// as it was checked and the loop nest that is printed as C, under no more hypotheses than the C checks at
// entry and the laws that are told. So what writes that text need not be trusted. It shares no code with
// proofs/theorem.
#pragma once
#include "atl/base/result.h"
#include "atl/syntax/typed.h"
#include "lowering/nest/loop_ir.h"

#include <string>
#include <string_view>
#include <vector>

namespace atl::proofs::reader {

struct TheoremSubject {
  const TypedKernel &algorithm;
  const lowering::LoopKernel &loops;
  const Valuation &example; // sizes that satisfy the hypotheses
};

// The laws of scalars that the theorem assumes, such as `commutes "+.f32"`; or E6902 and what differs.
// `file`: of the text, for the place in the diagnostic.
Result<std::vector<std::string>> read_theorem(std::string_view text, const TheoremSubject &subject,
                                              std::uint32_t file);

} // namespace atl::proofs::reader
