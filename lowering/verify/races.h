// What the iterations of parallel and vectorized loops share: every two touches of one cell by different
// iterations, one of them a store, must be excluded.
#pragma once
#include "lowering/nest/loop_ir.h"
#include "lowering/verify/two_iterations.h"

#include <map>

namespace atl::lowering {

struct Touch {
  enum class Kind { read, store, combine } kind;
  Site site;
  std::optional<Reduction> reduction = std::nullopt; // of combine
};

// Told of everything on a walk through the loop nest, in its order.
class Races {
public:
  void enter_loop(const For &loop, const Known &outside);
  std::vector<Obligation> leave_loop(const For &loop);
  void allocate(const Alloc &alloc);
  void touch(const Touch &touch);

private:
  struct Loop {
    const For *loop;
    Outside outside;
    std::vector<Touch> touches; // of what its iterations share
  };
  struct Life {
    std::size_t loops; // that were running when it was allocated: it is private to their iterations
    bool is_scalar;
  };
  Obligation condition(const Loop &left, const Touch &first, const Touch &second) const;
  bool is_inside(const std::string &buffer, std::size_t loop) const;
  bool is_shared(const std::string &buffer, std::size_t loop) const;

  std::vector<Loop> loops_; // those that do not run in order, outermost first
  std::map<std::string, Life> lives_;
};

} // namespace atl::lowering
