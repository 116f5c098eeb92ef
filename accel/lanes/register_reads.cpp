#include "accel/lanes/register_reads.h"

#include "atl/syntax/tree.h"

#include <algorithm>

namespace atl::accel {

using namespace lowering;

namespace {

// In the registers of a temporary, the last index is the lane.
bool are_other_registers(const std::vector<Index> &a, const std::vector<Index> &b) {
  for (std::size_t d = 0; d + 1 < a.size(); ++d)
    if (as_constant(sub(a[d], b[d])).value_or(0) != 0)
      return true;
  return false;
}

} // namespace

RegisterReads::RegisterReads(const Alloc &alloc, const Known &around) {
  collect(alloc.body, alloc.buffer.name, around);
}

void RegisterReads::collect(const Block &body, const std::string &tensor, const Known &around) {
  for (const Stmt &stmt : body)
    match(
        stmt,
        [&](const For &loop) {
          loops_.insert(loop.var);
          collect(loop.body, tensor, around.inside(loop.range()));
        },
        [&](const If &branch) { collect(branch.body, tensor, around.where(branch.pred)); },
        [&](const Alloc &alloc) { collect(alloc.body, tensor, around); },
        [&](const Store &store) { collect(store.value, tensor, around); });
}

void RegisterReads::collect(const ExprPtr &e, const std::string &tensor, const Known &around) {
  if (const Access *access = std::get_if<Access>(&e->node); access && access->tensor == tensor)
    reads_.push_back({access->indices, around});
  for (const ExprPtr &child : children(*e))
    collect(child, tensor, around);
}

bool RegisterReads::only_where(const Pred &condition, const std::string &lane, const std::vector<Index> &cell,
                               Premises &premises) const {
  const bool says_the_same_everywhere =
      std::none_of(loops_.begin(), loops_.end(),
                   [&](const std::string &var) { return var != lane && mentions(condition, var); });
  if (!says_the_same_everywhere || cell.empty() || !equal(cell.back(), variable(lane)))
    return false;
  return std::all_of(reads_.begin(), reads_.end(), [&](const Read &read) {
    return are_other_registers(cell, read.cell) ||
           premises.holds(substitute(condition, {{lane, read.cell.back()}}), read.there);
  });
}

} // namespace atl::accel
