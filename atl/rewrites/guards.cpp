// Guards that always hold vanish, nested ones become one, indices become simple.
#include "atl/rewrites/rewrites.h"

namespace atl::rewrites {

namespace {

// Facts find what is simpler; the equality of the whole schedule is proved by another procedure. Where the
// two may not agree, because of a divisor that is not a number, that one is asked first.
class Simplifier {
public:
  explicit Simplifier(const Proves &proves) : proves_(proves) {}

  Index simple(const Index &e, const Known &known) const {
    Index result = known.facts().simplify(e);
    return is_decided(e, result, compare(PredOp::eq, e, result), known) ? result : e;
  }

  Pred simple(const Pred &p, const Known &known) const {
    Pred result = known.facts().simplify(p);
    const Pred both = conj(p, result), none = conj(positive_form(neg(p)), positive_form(neg(result)));
    return is_decided(p, result, disj(both, none), known) ? result : p;
  }

private:
  template <class T>
  bool is_decided(const T &before, const T &now, const Pred &same, const Known &known) const {
    return !proves_ || equal(before, now) || !divides_by_a_variable(before) ||
           proves_(known.obligation(ObligationKind::rewrite, Code::step_condition, {},
                                    "the simple form has the same value", {{same, {}}}));
  }

  const Proves &proves_;
};

// `of_shape`: what is known where the tensor is that e is a part of. Its shape must hold there.
ExprPtr simplified_node(const ExprPtr &e, const Simplifier &simplifier, const Known &known,
                        const Known &of_shape) {
  auto same = [&](auto node) { return make(std::move(node), e->span, e->type); };
  return match(
      e,
      [&](Gen g) {
        g.lo = simplifier.simple(g.lo, of_shape);
        g.hi = simplifier.simple(g.hi, of_shape);
        return same(g);
      },
      [&](Reduce r) {
        r.lo = simplifier.simple(r.lo, known);
        r.hi = simplifier.simple(r.hi, known);
        return same(r);
      },
      [&](Access a) {
        for (Index &i : a.indices)
          i = simplifier.simple(i, known);
        return same(a);
      },
      [&](FromIndex f) {
        f.value = simplifier.simple(f.value, known);
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

ExprPtr simplified_part(const ExprPtr &e, const Simplifier &simplifier, const Known &known,
                        const Known &of_shape) {
  if (const Guard *g = std::get_if<Guard>(&e->node)) {
    Pred pred = simplifier.simple(g->pred, known);
    ExprPtr body = simplified_part(g->body, simplifier, known.where(pred), of_shape);
    if (const Guard *inner = std::get_if<Guard>(&body->node))
      return guard_of(conj(pred, inner->pred), inner->body);
    return guard_of(pred, body);
  }
  ExprPtr node = simplified_node(e, simplifier, known, of_shape);
  std::vector<ExprPtr> kids = children(*node);
  for (std::size_t i = 0; i < kids.size(); ++i) {
    const Known inside = known_below(known, *node, i);
    kids[i] = simplified_part(kids[i], simplifier, inside, is_part(*node, i) ? of_shape : inside);
  }
  return rebuild(*node, std::move(kids));
}

} // namespace

ExprPtr simplified(const ExprPtr &e, const Known &known, const Proves &proves) {
  return simplified_part(e, Simplifier(proves), known, known);
}

Refused simplify(Work &work) {
  Known known = known_in(work.kernel);
  for (Binding &let : work.kernel.lets)
    let.value = retyped(simplified(let.value, known, work.proves));
  for (ExprPtr &result : work.kernel.results)
    result = retyped(simplified(result, known, work.proves));
  return {};
}

} // namespace atl::rewrites
