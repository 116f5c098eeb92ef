// From facts to a system of linear inequalities, in which products, divisions, remainders, min and max are
// unknowns: which facts matter to a goal, what defines the unknowns, and whether the system has no solution.
// Comes in: polynomials that are >= 0. Goes out: the system; whether it is contradictory.
#pragma once
#include "atl/index/poly.h"

#include <deque>
#include <unordered_map>

namespace atl {

using Polys = std::vector<Poly>;                                // each known to be >= 0
using AtomDefinitions = std::unordered_map<std::string, Polys>; // of atoms; filled as they are met
using Borrowed = std::vector<const Poly *>;

// The facts that are connected to the goal through shared atoms, with the defining facts of the atoms met on
// the way.
Borrowed relevant(const Polys &known, AtomDefinitions &definitions, const Poly &goal);

// Where the goal has products, products of known non-negative facts are facts too: (N - 1 - i) * M >= 0. They
// are kept in `products`.
void add_products(Borrowed &facts, const Poly &goal, std::deque<Poly> &products);

bool refutes(const Borrowed &facts); // no integers satisfy all of them

} // namespace atl
