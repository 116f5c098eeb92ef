// Prepares a typed kernel for lowering: names of lets unique in the whole kernel, unused lets dropped, and
// scalar expressions free of reductions, lets and guards.
#pragma once
#include "atl/syntax/typed.h"

#include <optional>
#include <set>
#include <string>

namespace atl::lowering {

// Names for temporaries, different from every name of the kernel.
class Names {
public:
  explicit Names(const TypedKernel &kernel);
  std::string fresh(const std::string &name); // name, name_2, name_3 ...

private:
  std::set<std::string> used_;
};

std::optional<std::int64_t> constant_count(const Shape &shape); // of elements, if all extents are constant

void rename_lets(TypedKernel &kernel); // unique in the kernel; unused ones vanish

// A scalar expression as temporaries to compute first, each rank 0 or a tensor, and a pure scalar form that
// reads them. What is used only under a condition is bound under a guard with the part of the condition that
// is about indices.
struct PureScalar {
  std::vector<Binding> lets;
  ExprPtr value;
};
PureScalar purify(const ExprPtr &scalar, Names &names);

} // namespace atl::lowering
