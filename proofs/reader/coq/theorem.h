// Reads the file of a theorem back: an independent check that the text which coqc proves is about the loop
// nest that is printed as C, under no more hypotheses than the C checks at entry. So what writes that text
// need not be trusted for this. It shares no code with proofs/theorem.
#pragma once
#include "atl/base/diagnostic.h"
#include "lowering/nest/loop_ir.h"

#include <optional>
#include <string_view>

namespace atl::proofs::reader {

// E6902 and what differs, or nothing. `file`: of the text, for the place in the diagnostic.
std::optional<Diagnostic> read_theorem(std::string_view text, const lowering::LoopKernel &kernel,
                                       std::uint32_t file);

} // namespace atl::proofs::reader
