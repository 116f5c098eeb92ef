#include "atl/schedule/auto/roles.h"

#include "atl/index/poly.h"

#include <algorithm>

namespace atl::schedule {

namespace {

bool depends_on_loop(const Access &access, const std::string &loop) {
  return reads_along(access, loop) != Along::not_at_all;
}

// B[j, k] where j is the column, of several rows, and k the only loop of the sum.
bool is_turned(const Access &access, const std::string &column, const Nest &nest) {
  return nest.loops.size() > 1 && access.indices.size() == 2 && nest.sums.size() == 1 &&
         moves_with(access.indices[0], column) && !mentions(access.indices[1], column) &&
         moves_with(access.indices[1], nest.sums[0].var);
}

// The sums run over more or fewer terms with each iteration, as in a product with a triangle.
bool bounds_sums(const LoopHead &loop, const Nest &nest) {
  return std::any_of(nest.sums.begin(), nest.sums.end(), [&](const LoopHead &sum) {
    return mentions(sum.lo, loop.var) || mentions(sum.hi, loop.var);
  });
}

// The loop nearest to the column that the ranges of the sums do not depend on, and neither does the panel.
std::optional<std::size_t> row_for(const Nest &nest, const Access *panel = nullptr) {
  for (std::size_t i = nest.loops.size() - 1; i-- > 0;)
    if (!bounds_sums(nest.loops[i], nest) && !(panel && depends_on_loop(*panel, nest.loops[i].var)))
      return i;
  return std::nullopt;
}

} // namespace

std::optional<std::int64_t> stride_along(const Index &index, const std::string &loop) {
  const MaybePoly poly = as_written(index);
  if (!poly)
    return std::nullopt;
  std::int64_t stride = 0;
  for (const auto &[monomial, coefficient] : poly->terms) {
    if (monomial.size() == 1 && monomial[0].text() == loop) {
      stride = coefficient;
      continue;
    }
    for (const Atom &atom : monomial)
      if (mentions(atom.index(), loop))
        return std::nullopt;
  }
  return stride;
}

bool moves_with(const Index &index, const std::string &loop) {
  return stride_along(index, loop) == 1;
}

Along reads_along(const Access &access, const std::string &loop) {
  const bool before = std::any_of(access.indices.begin(), access.indices.end() - 1,
                                  [&](const Index &index) { return mentions(index, loop); });
  if (!before && !mentions(access.indices.back(), loop))
    return Along::not_at_all;
  return !before && moves_with(access.indices.back(), loop) ? Along::cell_by_cell : Along::otherwise;
}

std::optional<Roles> roles_of(const Nest &nest) {
  if (nest.loops.empty() || bounds_sums(nest.loops.back(), nest))
    return std::nullopt;
  const std::size_t column = nest.loops.size() - 1;
  const std::string &name = nest.loops[column].var;
  std::optional<Roles> best;
  bool serves_rows = false;
  for (const Access &access : nest.reads) {
    const Along along = reads_along(access, name);
    const bool turned = along == Along::otherwise;
    if (along == Along::not_at_all)
      continue;
    const auto row = row_for(nest, &access), any_row = row ? row : row_for(nest);
    if (turned && (!any_row || !is_turned(access, name, nest) || (best && best->turned)))
      return std::nullopt;
    if (!best || turned || (row && !serves_rows && !best->turned)) {
      best = Roles{column, any_row, access, turned};
      serves_rows = row.has_value();
    }
  }
  return best;
}

} // namespace atl::schedule
