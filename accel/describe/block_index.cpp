#include "accel/describe/block_index.h"

#include "atl/index/facts.h"

namespace atl::accel {

namespace {

std::optional<BlockIndex> index_of(const BlockPattern &pattern, const Index &index) {
  const Facts none;
  BlockIndex result;
  Subst first;
  for (std::size_t p = 0; p < pattern.loops.size(); ++p) {
    const std::string &var = pattern.loops[p].var;
    const Subst next{{var, add(variable(var), constant(1))}};
    const auto step = as_constant(none.simplify(sub(substitute(index, next), index)));
    if (step != 0 && step != 1)
      return std::nullopt;
    if (step == 1)
      result.loops.push_back(p);
    first[var] = constant(0);
  }
  const Index less = none.simplify(sub(constant(0), substitute(index, first)));
  if (less->op == IndexOp::variable && find_operand(*pattern.source, less->name))
    result.less = less->name;
  else if (as_constant(less) != 0)
    return std::nullopt;
  return result;
}

} // namespace

std::optional<std::vector<BlockIndex>> indices_of(const BlockPattern &pattern,
                                                  const std::vector<Index> &indices) {
  std::vector<BlockIndex> all;
  for (const Index &index : indices)
    if (auto found = index_of(pattern, index))
      all.push_back(std::move(*found));
    else
      return std::nullopt;
  return all;
}

} // namespace atl::accel
