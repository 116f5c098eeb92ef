// Comparison where the two sides are equal by a law of arithmetic only.
#include "atl/equality/compare.h"

namespace atl::equality {

PointPtr Comparison::unfolded(const PointPtr &p) const {
  const Read *r = std::get_if<Read>(&p->node);
  return r ? unfold_(*r).value_or(p) : p;
}

// The second fold's variables, called as the first's; nothing if they have other ranges.
static std::optional<Fold> named_alike(const Fold &first, const Fold &second) {
  if (first.reduction != second.reduction || first.vars.size() != second.vars.size())
    return std::nullopt;
  Subst names;
  for (std::size_t v = 0; v < first.vars.size(); ++v) {
    const FoldVar &a = first.vars[v], &b = second.vars[v];
    if (!equal(a.lo, substitute(b.lo, names)) || !equal(a.hi, substitute(b.hi, names)))
      return std::nullopt;
    names[b.name] = variable(a.name);
  }
  Fold result = second;
  result.vars = first.vars;
  result.domain = substitute(second.domain, names);
  result.body = substitute(second.body, names);
  return result;
}

// One of two sums with the same ranges  =  the sum of one of their terms each; nothing if it is no sum.
std::optional<Fold> Comparison::as_one_sum(const PointPtr &p) const {
  PointPtr inside = unfolded(p);
  if (const Fold *f = std::get_if<Fold>(&inside->node))
    return f->reduction == Reduction::sum ? std::optional(*f) : std::nullopt;
  const Choose *c = std::get_if<Choose>(&inside->node);
  if (!c)
    return std::nullopt;
  const Pred otherwise = positive_form(neg(c->pred));
  auto first = as_one_sum(c->then), second = as_one_sum(c->otherwise);
  if (!first != !second) {
    std::optional<Fold> &only = first ? first : second;
    only->domain = conj(first ? c->pred : otherwise, only->domain);
    return is_neutral(first ? c->otherwise : c->then, Reduction::sum) ? only : std::nullopt;
  }
  auto alike = first ? named_alike(*first, *second) : std::nullopt;
  if (!alike)
    return std::nullopt;
  if (!equal(first->domain, alike->domain))
    first->domain = disj(conj(c->pred, first->domain), conj(otherwise, alike->domain));
  first->body = choose(c->pred, first->body, alike->body);
  return first;
}

void Comparison::use(Law law, bool of_floats) {
  laws.insert(law);
  if (of_floats)
    laws_of_floats.insert(law);
}

bool Comparison::is_sum(const PointPtr &p) const {
  PointPtr inside = unfolded(p);
  const Fold *f = std::get_if<Fold>(&inside->node);
  return f && f->reduction == Reduction::sum;
}

// A sum, or one that other values are added to.
bool Comparison::has_sum(const PointPtr &p) const {
  const Apply *added = operation(unfolded(p), "+");
  return is_sum(p) || (added && (has_sum(added->args[0]) || has_sum(added->args[1])));
}

// c * sum f  =  sum (c * f); null if p is no product with a sum.
PointPtr Comparison::product_brought_in(const PointPtr &p) const {
  const Apply *product = operation(p, "*");
  for (std::size_t i = 0; product && i < 2; ++i) {
    auto f = as_one_sum(product->args[i]);
    if (!f)
      continue;
    std::vector<PointPtr> args = product->args;
    args[i] = f->body;
    return with_body(*f, apply(product->form, std::move(args)));
  }
  return nullptr;
}

// sum (f + g)  =  sum f + sum g; null if p is no sum of sums.
PointPtr Comparison::fold_of_sum_apart(const PointPtr &p) const {
  const Fold *f = std::get_if<Fold>(&p->node);
  if (!f || f->reduction != Reduction::sum)
    return nullptr;
  for (const char *name : {"+", "-"})
    if (const Apply *sum = operation(f->body, name))
      return apply(sum->form, {with_body(*f, sum->args[0]), with_body(*f, sum->args[1])});
  return nullptr;
}

// False: it is not the place for this law, and no claim was made.
bool Comparison::equal_by_distributivity(Place &place, const PointPtr &a, const PointPtr &b) {
  const Fold *fold_a = std::get_if<Fold>(&a->node), *fold_b = std::get_if<Fold>(&b->node);
  auto go_on = [&](const PointPtr &p, const PointPtr &q) {
    use(Law::distributivity, (!fold_a || fold_a->of_floats) && (!fold_b || fold_b->of_floats));
    equal_points(place, p, q);
    return true;
  };
  if (fold_a && fold_b) {
    if (!is_sum(a) || !is_sum(b) || fold_a->vars.size() == fold_b->vars.size())
      return false;
    bool first = fold_a->vars.size() < fold_b->vars.size(); // has fewer loops: the product is there
    const Fold &fewer = first ? *fold_a : *fold_b, &more = first ? *fold_b : *fold_a;
    PointPtr inside = product_brought_in(more.body) ? nullptr : product_brought_in(fewer.body);
    if (!inside)
      return false; // if both have a product with a sum, the loops around it were split
    return first ? go_on(with_body(fewer, inside), b) : go_on(a, with_body(fewer, inside));
  }
  if (!fold_a && !fold_b)
    return false;
  const PointPtr &fold = fold_a ? a : b, &other = fold_a ? b : a;
  auto in_order = [&](const PointPtr &f, const PointPtr &o) { return fold_a ? go_on(f, o) : go_on(o, f); };
  if (PointPtr inside = product_brought_in(other); inside && is_sum(fold))
    return in_order(fold, inside);
  const Apply *apart = operation(other, "+");
  if (!apart)
    apart = operation(other, "-");
  auto sums_up = [&](const PointPtr &p) { return is_sum(p) || product_brought_in(p); };
  if (!apart || !sums_up(apart->args[0]) || !sums_up(apart->args[1]))
    return false;
  PointPtr sums = fold_of_sum_apart(fold);
  return sums && in_order(sums, other);
}

// The terms of one of two parts of a sum; null if it has no such parts.
static PointPtr part_of(const PointPtr &p, std::int64_t number) {
  const Fold *f = std::get_if<Fold>(&p->node);
  if (!f || f->reduction != Reduction::sum || f->vars.size() != 1 || as_constant(f->vars[0].lo) != 0 ||
      as_constant(f->vars[0].hi) != 2)
    return nullptr;
  return substitute(choose(f->domain, f->body, nothing()), {{f->vars[0].name, constant(number)}});
}

// Whether a part of a sum has a sum in it, where its conditions are decided.
bool Comparison::part_has_sum(const Place &place, const PointPtr &part) const {
  const Choose *c = std::get_if<Choose>(&part->node);
  if (!c)
    return has_sum(part);
  const Facts &facts = place.known.facts();
  const bool never = facts.proves(positive_form(neg(c->pred))), always = facts.proves(c->pred);
  return (!never && part_has_sum(place, c->then)) || (!always && part_has_sum(place, c->otherwise));
}

// The sum of { s } and then what y sums up, or the other way round  =  y + s = s + y, of integers. False: it
// is not the place for this law, and no claim was made.
bool Comparison::equal_by_start(Place &place, const PointPtr &a, const PointPtr &b) {
  const bool is_first = operation(a, "+") != nullptr;
  const Apply *added = operation(is_first ? a : b, "+");
  const PointPtr &fold = is_first ? b : a;
  if (!added || is_float(added->form->type->elem) || !part_of(fold, 0))
    return false;
  const Type type = *added->form->type;
  const ExprPtr zero = make(Literal{false, 0, 0, type.elem}, added->form->span, type);
  use(Law::start, false);
  const std::size_t sums = has_sum(added->args[1]) && !has_sum(added->args[0]) ? 1 : 0;
  if (!has_sum(added->args[sums]))
    use(Law::neutral, false);
  const bool is_last = part_has_sum(place, part_of(fold, 1)) || !part_has_sum(place, part_of(fold, 0));
  for (std::int64_t number : {0, 1}) {
    PointPtr part = value_of(part_of(fold, number), zero);
    const PointPtr &meant = added->args[(number == 1) == is_last ? sums : 1 - sums];
    equal_points(place, is_first ? meant : part, is_first ? part : meant);
  }
  return true;
}

// A term that is a product with 0 under some condition is left out there: as where a delta is 0.
void Comparison::leave_out_zeros(Fold &f) {
  const PointPtr body = f.body; // which owns the product while another takes its place
  const Apply *product = operation(body, "*");
  for (std::size_t i = 0; product && i < 2; ++i) {
    PointPtr factor = unfolded(product->args[i]);
    const Choose *c = std::get_if<Choose>(&factor->node);
    bool then = c && is_neutral(c->otherwise, Reduction::sum);
    if (!c || (!then && !is_neutral(c->then, Reduction::sum)))
      continue;
    std::vector<PointPtr> args = product->args;
    args[i] = then ? c->then : c->otherwise;
    f.domain = conj(f.domain, then ? c->pred : positive_form(neg(c->pred)));
    f.body = apply(product->form, std::move(args));
    use(Law::zero, is_float(product->form->type->elem));
    f.zeros = true;
    return leave_out_zeros(f);
  }
}

} // namespace atl::equality
