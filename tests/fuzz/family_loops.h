// Loops of kernels that are made by families.cpp, as text.
#pragma once
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

namespace atl::fuzz {

using Strings = std::vector<std::string>;

struct FamilyLoop {
  std::string var, hi;
  std::string dimension; // at least `hi`, and the same in all iterations of other loops
};
using FamilyLoops = std::vector<FamilyLoop>;

inline std::string ranges(const FamilyLoops &loops) {
  Strings all;
  for (const FamilyLoop &l : loops)
    all.push_back(fmt::format("{} < {}", l.var, l.hi));
  return fmt::format("{}", fmt::join(all, ", "));
}
inline std::string shape(const FamilyLoops &loops) {
  Strings all;
  for (const FamilyLoop &l : loops)
    all.push_back(l.dimension);
  return fmt::format("{}", fmt::join(all, ", "));
}
inline std::string type(const std::string &elem, const std::string &shape) {
  return shape.empty() ? elem : fmt::format("{}[{}]", elem, shape);
}
inline std::string nest(const FamilyLoops &loops, const std::string &cell) {
  return loops.empty() ? cell : fmt::format("gen {} {{ {} }}", ranges(loops), cell);
}

inline std::string cell_of(const std::string &tensor, const FamilyLoops &loops) {
  Strings vars;
  for (const FamilyLoop &l : loops)
    vars.push_back(l.var);
  return vars.empty() ? tensor : fmt::format("{}[{}]", tensor, fmt::join(vars, ", "));
}

} // namespace atl::fuzz
