// What an equality that is proved says about the bits of results.
#pragma once
#include "atl/equality/equality.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace atl::equality {

using Proves = std::function<bool(const Obligation &)>; // Z3 decides

// The laws that were used of floats, which satisfy them up to rounding, in words, added to `laws`. None: the
// results are the same bit by bit. Integers that wrap are a ring, for which all of them hold.
void note_laws(const Equality &equality, const Proves &proves, std::vector<std::string> &laws);

// Likewise of instructions: they round a * b + c once; they combine lanes in an order of their own.
void note_contracted(const TypedKernel &kernel, std::vector<std::string> &laws);
void note_reordered_lanes(const TypedKernel &kernel, std::vector<std::string> &laws);

// What was found about reductions, with what is proved of the order of their terms.
std::vector<Renumbered> in_order(const Equality &equality, const Proves &proves);

// What the clause `rounding` of a kernel has to say for a law that note_laws noted.
Rounding rounding_for(std::string_view law);

std::string agreement(const std::vector<std::string> &laws); // "bit by bit", or "up to: ..."

} // namespace atl::equality
