// Which definition calls which: finds recursion, and calls that would grow without measure when they are
// inlined.
#pragma once
#include "atl/parse/reporter.h"

#include <cstdint>
#include <string>
#include <vector>

namespace atl::parse {

// Bounds on what later stages, which recurse over trees and inline calls, have to cope with.
inline constexpr int depth_limit = 500;                   // operators, lets and forms one inside the other
inline constexpr std::uint64_t expansion_limit = 1000000; // parts of a definition with its calls inlined

struct CallSite {
  std::string callee;
  Span span;
};

struct DefinitionSize {
  std::string name;
  Span span;
  std::uint64_t parts;
  int depth;
  std::vector<CallSite> calls;
};

void check_calls(const std::vector<DefinitionSize> &definitions, Reporter &reporter);

} // namespace atl::parse
