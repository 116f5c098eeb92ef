// Sums of products that stay in tiles of registers, of rows and of vectors of columns. The operand that is
// read along the columns is read in place, or copied into panels, which serve many rows.
#pragma once
#include "atl/schedule/auto/loop_subject.h"

namespace atl::schedule {

// Where the nest has roles with a row, and the hardware has vectors.
std::vector<Candidate> contractions_in_tiles(const LoopSubject &subject);

// Without vectors: those that C compilers make.
Step contraction_for_compilers(const LoopSubject &subject);

// Of an operand that is read across the columns: copied and turned.
Candidate turned_contraction(const LoopSubject &subject);

} // namespace atl::schedule
