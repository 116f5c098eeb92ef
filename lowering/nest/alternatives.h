// A library may hold several versions of a kernel, under different schedules for different CPUs. They stand
// one behind the other, in the order in which the CPU is asked, and have the name and the place of the
// kernel.
#pragma once
#include "lowering/nest/loop_ir.h"

#include <span>
#include <vector>

namespace atl::lowering {

using Versions = std::span<const LoopKernel>; // never empty

inline bool are_versions_of_one(const LoopKernel &a, const LoopKernel &b) {
  return a.name == b.name && a.span.file == b.span.file && a.span.begin == b.span.begin;
}

// What each function of a library is made of: mostly a kernel alone.
inline std::vector<Versions> group_versions(const std::vector<LoopKernel> &kernels) {
  std::vector<Versions> groups;
  for (auto first = kernels.begin(), end = first; first != kernels.end(); first = end) {
    while (end != kernels.end() && are_versions_of_one(*first, *end))
      ++end;
    groups.emplace_back(first, end);
  }
  return groups;
}

} // namespace atl::lowering
