#include "proofs/reader/scope.h"

#include <fmt/format.h>

namespace atl::proofs::reader {

void Scope::declare(const std::string &c_name, Variable variable, std::uint32_t at) {
  if (!names_.back().emplace(c_name, std::move(variable)).second)
    throw Difference(at, fmt::format("{} is declared twice", c_name));
}

Variable &Scope::at(const std::string &c_name, std::uint32_t place) {
  for (auto inner = names_.rbegin(); inner != names_.rend(); ++inner)
    if (auto found = inner->find(c_name); found != inner->end())
      return found->second;
  throw Difference(place, fmt::format("{} is not declared", c_name));
}

} // namespace atl::proofs::reader
