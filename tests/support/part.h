// Long tests take turns in three parts, another each day: scripts/part.py says which. A number stands for one
// of many things to test.
#pragma once
#include <cstddef>

namespace atl::testing {

bool has_its_turn(std::size_t number); // in this run

} // namespace atl::testing
