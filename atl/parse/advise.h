// What the writer of a mistake may have meant, from the text around it: the table of habits is consulted
// here.
#pragma once
#include "atl/base/diagnostic.h"

namespace atl::parse {

// What is larger is not written by people, and takes long to try.
inline constexpr std::size_t largest_to_mend = 1 << 18; // bytes of a file

// Adds fixes, the likeliest first, and says the cause in the writer's terms where a habit is recognised. What
// is proposed for a syntax error reads well at its place; whether it is right otherwise is for later stages.
void advise(Diagnostic &diagnostic, const Sources &sources);

} // namespace atl::parse
