// One cell of a tensor expression as a scalar expression: the denotation, written in the language itself.
#include "atl/rewrites/rewrites.h"
#include "atl/syntax/names.h"
#include "atl/syntax/ops/reshape_op.h"

namespace atl::rewrites {

namespace {

Type scalar_type(const ExprPtr &e) {
  return {e->type->elem, {}};
}

// The loop under a name that is not taken.
ExprPtr renamed_apart(const ExprPtr &loop, const std::set<std::string> &taken) {
  LoopHead head = *loop_head(loop);
  std::string name = fresh_name(head.var, taken);
  if (name == head.var)
    return loop;
  ExprPtr body = substitute(loop_body(loop), {{head.var, variable(name)}});
  head.var = name;
  return loop_of(head, body);
}

} // namespace

std::optional<ExprPtr> cell_of(const ExprPtr &e, const std::vector<Index> &indices,
                               const std::set<std::string> &taken) {
  using Cell = std::optional<ExprPtr>;
  return match(
      e,
      [&](const Gen &g) -> Cell {
        ExprPtr body = substitute(g.body, {{g.var, add(g.lo, indices.at(0))}});
        return cell_of(body, {indices.begin() + 1, indices.end()}, taken);
      },
      [&](const Reduce &) -> Cell {
        ExprPtr loop = renamed_apart(e, taken);
        LoopHead head = *loop_head(loop);
        std::set<std::string> inner = taken;
        inner.insert(head.var);
        Cell body = cell_of(loop_body(loop), indices, inner);
        return body ? Cell(loop_of(head, *body)) : body;
      },
      [&](const Guard &g) -> Cell {
        Cell body = cell_of(g.body, indices, taken);
        return body ? Cell(guard_of(g.pred, *body)) : body;
      },
      [&](const Reshape &r) -> Cell {
        Pullback from = r.op->pull(r.args, r.child->type->shape, indices);
        Cell body = cell_of(r.child, from.indices, taken);
        return body ? Cell(guard_of(from.inside, *body)) : body;
      },
      [&](const Let &l) -> Cell {
        std::string name = fresh_name(l.names.at(0), taken);
        ExprPtr body = name == l.names[0] ? l.body : read_as(l.body, l.names[0], name);
        std::set<std::string> inner = taken;
        inner.insert(name);
        Cell cell = cell_of(body, indices, inner);
        return cell ? Cell(let_of(name, l.bound, *cell)) : cell;
      },
      [&](const Concat &) { return Cell(); },
      [&](const auto &) { return Cell(make(e->node, e->span, scalar_type(e))); });
}

} // namespace atl::rewrites
