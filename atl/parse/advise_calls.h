// What may be meant by a call with too few or too many arguments.
#pragma once
#include "atl/parse/declared.h"

#include "atl/base/fix.h"

namespace atl::parse {

// Of the call whose name is the piece `at`: with the sizes of its tensors, or without one argument.
// Proposals, which are right only if the program then compiles.
std::vector<Fix> other_arguments(const Sources &sources, std::uint32_t file, const std::vector<Piece> &pieces,
                                 std::size_t at);

} // namespace atl::parse
