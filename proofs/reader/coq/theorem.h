// Reads the file of a theorem back: an independent check that the text which coqc proves is about the loop
// nest that is printed as C, under no more hypotheses than the C checks at entry and the laws that are told.
// So what writes that text need not be trusted for this. It shares no code with proofs/theorem.
#pragma once
#include "atl/base/result.h"
#include "lowering/nest/loop_ir.h"

#include <string>
#include <string_view>
#include <vector>

namespace atl::proofs::reader {

// The laws of scalars that the theorem assumes, such as `commutes "+.f32"`; or E6902 and what differs.
// `file`: of the text, for the place in the diagnostic.
Result<std::vector<std::string>> read_theorem(std::string_view text, const lowering::LoopKernel &kernel,
                                              std::uint32_t file);

} // namespace atl::proofs::reader
