// Guards that always hold vanish, nested ones become one, indices become simple.
#include "atl/rewrites/rewrites.h"

namespace atl::rewrites {

namespace {

ExprPtr simplified_node(const ExprPtr &e, const Facts &facts) {
  auto same = [&](auto node) { return make(std::move(node), e->span, e->type); };
  return match(
      e,
      [&](Gen g) {
        g.lo = facts.simplify(g.lo);
        g.hi = facts.simplify(g.hi);
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

} // namespace

ExprPtr simplified(const ExprPtr &e, const Context &context) {
  if (const Guard *g = std::get_if<Guard>(&e->node)) {
    Pred pred = context.facts.simplify(g->pred);
    Context inside = context;
    inside.assume(pred);
    ExprPtr body = simplified(g->body, inside);
    if (const Guard *inner = std::get_if<Guard>(&body->node))
      return guard_of(conj(pred, inner->pred), inner->body);
    return guard_of(pred, body);
  }
  ExprPtr node = simplified_node(e, context.facts);
  std::vector<ExprPtr> kids = children(*node);
  for (std::size_t i = 0; i < kids.size(); ++i) {
    Context inside = context;
    enter_child(inside, *node, i);
    kids[i] = simplified(kids[i], inside);
  }
  return rebuild(*node, std::move(kids));
}

Refused simplify(Work &work) {
  Context context = context_of(work.kernel);
  for (Binding &let : work.kernel.lets)
    let.value = retyped(simplified(let.value, context));
  for (ExprPtr &result : work.kernel.results)
    result = retyped(simplified(result, context));
  return {};
}

} // namespace atl::rewrites
