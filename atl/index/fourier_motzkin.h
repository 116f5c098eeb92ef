// Satisfiability of linear inequalities by Fourier-Motzkin elimination, with integer tightening and a limit
// on the work.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

namespace atl {

// sum of coefficient * unknown + constant >= 0
struct Inequality {
  std::vector<std::pair<int, std::int64_t>> terms; // by unknown, ascending, no zero coefficients
  std::int64_t constant = 0;
};

// True: no integer solution exists. False: one may exist, or the limit of work was reached.
bool contradictory(std::vector<Inequality> system);

} // namespace atl
