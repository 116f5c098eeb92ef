#include "accel/blocks/setting.h"

#include "atl/syntax/tree.h"

#include <algorithm>

namespace atl::accel {

using namespace lowering;

bool same(const Setting &a, const Setting &b) {
  if (a.configuration->name != b.configuration->name || a.values.size() != b.values.size())
    return false;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    const Index *x = std::get_if<Index>(&a.values[i]), *y = std::get_if<Index>(&b.values[i]);
    const ExprPtr *p = std::get_if<ExprPtr>(&a.values[i]), *q = std::get_if<ExprPtr>(&b.values[i]);
    if (!(x && y && equal(*x, *y)) && !(p && q && equal(*p, *q)))
      return false;
  }
  return true;
}

bool mentions(const Setting &setting, const std::string &var) {
  return std::any_of(setting.values.begin(), setting.values.end(), [&](const auto &value) {
    const Index *index = std::get_if<Index>(&value);
    return index ? mentions(*index, var) : mentions_variable(std::get<ExprPtr>(value), var);
  });
}

Setting substituted(Setting setting, const Subst &by) {
  for (auto &value : setting.values)
    if (Index *index = std::get_if<Index>(&value))
      value = substitute(*index, by);
    else
      value = substitute(std::get<ExprPtr>(value), by);
  return setting;
}

} // namespace atl::accel
