// What is used of the scalars' arithmetic, besides that equal operands give equal results. Integers that wrap
// satisfy all of these; floats satisfy them up to rounding.
#pragma once
#include <set>
#include <string_view>

namespace atl::equality {

enum class Law {
  neutral,        // 0 + x = x, or the like for another reduction
  regrouping,     // (a + b) + (c + d) = a + b + c + d
  distributivity, // a * (b + c) = a * b + a * c
  zero,           // 0 * x = 0
  start,          // 0 + a + b + ... + x = 0 + x + a + b + ..., of integers
};
using Laws = std::set<Law>;

std::string_view name(Law law); // in words, for reports

} // namespace atl::equality
