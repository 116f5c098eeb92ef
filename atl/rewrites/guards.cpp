// Guards that always hold vanish, nested ones become one, indices become simple.
#include "atl/rewrites/rewrites.h"

namespace atl::rewrites {

namespace {

// `of_shape`: what is known where the tensor is that e is a part of. Its shape must hold there.
ExprPtr simplified_node(const ExprPtr &e, const Facts &facts, const Facts &of_shape) {
  auto same = [&](auto node) { return make(std::move(node), e->span, e->type); };
  return match(
      e,
      [&](Gen g) {
        g.lo = of_shape.simplify(g.lo);
        g.hi = of_shape.simplify(g.hi);
        return same(g);
      },
      [&](Reduce r) {
        r.lo = facts.simplify(r.lo);
        r.hi = facts.simplify(r.hi);
        return same(r);
      },
      [&](Access a) {
        for (Index &i : a.indices)
          i = facts.simplify(i);
        return same(a);
      },
      [&](FromIndex f) {
        f.value = facts.simplify(f.value);
        return same(f);
      },
      [&](const auto &) { return e; });
}

// The child, number i, of a part of a tensor is a part of the same tensor.
bool is_part(const Expr &e, std::size_t i) {
  return std::holds_alternative<Gen>(e.node) || std::holds_alternative<Reduce>(e.node) ||
         std::holds_alternative<Guard>(e.node) || std::holds_alternative<Concat>(e.node) ||
         std::holds_alternative<Reshape>(e.node) || (std::holds_alternative<Let>(e.node) && i == 1);
}

ExprPtr simplified_part(const ExprPtr &e, const Known &known, const Facts &of_shape) {
  if (const Guard *g = std::get_if<Guard>(&e->node)) {
    Pred pred = known.facts().simplify(g->pred);
    ExprPtr body = simplified_part(g->body, known.where(pred), of_shape);
    if (const Guard *inner = std::get_if<Guard>(&body->node))
      return guard_of(conj(pred, inner->pred), inner->body);
    return guard_of(pred, body);
  }
  ExprPtr node = simplified_node(e, known.facts(), of_shape);
  std::vector<ExprPtr> kids = children(*node);
  for (std::size_t i = 0; i < kids.size(); ++i) {
    const Known inside = known_below(known, *node, i);
    kids[i] = simplified_part(kids[i], inside, is_part(*node, i) ? of_shape : inside.facts());
  }
  return rebuild(*node, std::move(kids));
}

} // namespace

ExprPtr simplified(const ExprPtr &e, const Known &known) {
  return simplified_part(e, known, known.facts());
}

Refused simplify(Work &work) {
  Known known = known_in(work.kernel);
  for (Binding &let : work.kernel.lets)
    let.value = retyped(simplified(let.value, known));
  for (ExprPtr &result : work.kernel.results)
    result = retyped(simplified(result, known));
  return {};
}

} // namespace atl::rewrites
