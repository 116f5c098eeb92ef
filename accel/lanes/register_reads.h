// Who reads a temporary that is kept in registers. A lane that does not run may leave anything in a cell that
// is read only where the lane runs.
#pragma once
#include "accel/lanes/premises.h"
#include "lowering/nest/loop_ir.h"

#include <set>
#include <string>
#include <vector>

namespace atl::accel {

class RegisterReads {
public:
  RegisterReads(const lowering::Alloc &alloc, const Known &around);

  // A lane stores to the cell. Whether what others read of it is read only where the condition holds for the
  // lane; what a yes rests on is noted. What a store adds to, it reads for the same cell alone, and so it
  // does not count.
  bool only_where(const Pred &condition, const std::string &lane, const std::vector<Index> &cell,
                  Premises &premises) const;

private:
  struct Read {
    std::vector<Index> cell;
    Known there;
  };
  void collect(const lowering::Block &body, const std::string &tensor, const Known &around);
  void collect(const ExprPtr &e, const std::string &tensor, const Known &around);

  std::set<std::string> loops_; // inside of the temporary: a read may be in another iteration than a store
  std::vector<Read> reads_;
};

} // namespace atl::accel
