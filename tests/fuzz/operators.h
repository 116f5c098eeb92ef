// Whether the generator has a case for every operator.
#pragma once
#include <string>
#include <vector>

namespace atl::fuzz {

// The reshape operators and the operations on scalars that none of the first few thousand programs of one
// seed has.
std::vector<std::string> operators_never_drawn();

} // namespace atl::fuzz
