#include "lowering/nest/walk.h"

namespace atl::lowering {

const Block *body_of(const Stmt &stmt) {
  return match(
      stmt, [](const For &loop) { return &loop.body; }, [](const If &branch) { return &branch.body; },
      [](const Alloc &alloc) { return &alloc.body; }, [](const Store &) -> const Block * { return nullptr; });
}

Block *body_of(Stmt &stmt) {
  return const_cast<Block *>(body_of(std::as_const(stmt)));
}

Known known_in(const LoopKernel &kernel) {
  Known known(kernel.name, {}, kernel.assumptions);
  for (const Param &param : kernel.params)
    if (param.kind == Param::Kind::size)
      known.sizes.push_back(param.name);
  return known;
}

Obligation obligation_at(const Known &known, Span span, std::string what) {
  return known.obligation(ObligationKind::instr, Code::instruction_condition, span, std::move(what));
}

} // namespace atl::lowering
