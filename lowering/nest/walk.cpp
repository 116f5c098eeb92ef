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

Surroundings Surroundings::inside(const For &loop) const {
  Surroundings inner = *this;
  inner.variables.push_back(loop.var);
  inner.ranges.emplace_back(loop.lo, loop.hi);
  inner.facts.assume(in_range(loop.lo, variable(loop.var), loop.hi));
  return inner;
}

Surroundings Surroundings::where(const Pred &pred) const {
  Surroundings inner = *this;
  inner.facts.assume(pred);
  return inner;
}

Surroundings around_body(const LoopKernel &kernel) {
  Surroundings root;
  for (const Pred &assumption : kernel.assumptions)
    root.facts.assume(assumption);
  return root;
}

Obligation obligation_at(const LoopKernel &kernel, const Surroundings &around, Span span, std::string what) {
  std::vector<std::string> sizes;
  for (const Param &param : kernel.params)
    if (param.kind == Param::Kind::size)
      sizes.push_back(param.name);
  return {ObligationKind::instr, Code::instruction_condition, span, kernel.name, std::move(what), sizes,
          around.variables,      around.facts.all(),          {},   {}};
}

} // namespace atl::lowering
