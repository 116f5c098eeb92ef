#include "atl/equality/point.h"

#include "atl/syntax/print.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::equality {

namespace {

PointPtr point(std::variant<Nothing, Choose, Fold, Read, Apply> node) {
  return std::make_shared<const Point>(Point{std::move(node)});
}

bool mentions_any(const Pred &pred, const std::vector<FoldVar> &vars) {
  return std::any_of(vars.begin(), vars.end(), [&](const FoldVar &v) { return mentions(pred, v.name); });
}

bool is_nothing(const PointPtr &p) {
  return std::holds_alternative<Nothing>(p->node);
}

// A complete reduction of that kind, but for conditions under which it has no terms.
bool is_partial_result(const PointPtr &p, Reduction reduction) {
  if (const Fold *f = std::get_if<Fold>(&p->node))
    return f->is_value && f->reduction == reduction;
  const Choose *c = std::get_if<Choose>(&p->node);
  return c && ((is_neutral(c->otherwise, reduction) && is_partial_result(c->then, reduction)) ||
               (is_neutral(c->then, reduction) && is_partial_result(c->otherwise, reduction)));
}

// One directly inside f, as one with it.
Fold merged(Fold f, const Fold &inner) {
  f.vars.insert(f.vars.end(), inner.vars.begin(), inner.vars.end());
  f.domain = conj(f.domain, inner.domain);
  f.regrouped = f.regrouped || inner.regrouped || inner.is_value;
  f.neutrals = f.neutrals || inner.neutrals;
  f.body = inner.body;
  return f;
}

// A reduction with terms only where the condition holds, which says nothing of its variables.
struct Conditional {
  Fold fold;
  Pred when;
};

std::optional<Conditional> conditional(const PointPtr &p, Reduction reduction) {
  if (const Fold *f = std::get_if<Fold>(&p->node))
    return f->reduction == reduction ? std::optional(Conditional{*f, truth(true)}) : std::nullopt;
  const Choose *c = std::get_if<Choose>(&p->node);
  if (!c || !(is_nothing(c->otherwise) || is_neutral(c->otherwise, reduction)))
    return std::nullopt;
  const Fold *f = std::get_if<Fold>(&c->then->node);
  return f && f->reduction == reduction ? std::optional(Conditional{*f, c->pred}) : std::nullopt;
}

// Of a choice between two reductions over the same values, as a temporary whose loops were cut has: one of
// choices. Nothing if it is another choice.
std::optional<Fold> of_choices(const Choose &c, Reduction reduction) {
  const auto a = conditional(c.then, reduction), b = conditional(c.otherwise, reduction);
  if (!a || !b || a->fold.vars.size() != b->fold.vars.size() || a->fold.is_value != b->fold.is_value)
    return std::nullopt;
  Subst names;
  for (std::size_t i = 0; i < a->fold.vars.size(); ++i) {
    const FoldVar &v = a->fold.vars[i], &w = b->fold.vars[i];
    if (!equal(v.lo, substitute(w.lo, names)) || !equal(v.hi, substitute(w.hi, names)))
      return std::nullopt;
    names[w.name] = variable(v.name);
  }
  if (!equal(a->fold.domain, substitute(b->fold.domain, names)))
    return std::nullopt;
  Fold one = a->fold;
  one.regrouped = one.regrouped || b->fold.regrouped;
  one.zeros = one.zeros || b->fold.zeros;
  if (a->when->op != PredOp::truth || b->when->op != PredOp::truth) {
    one.domain = conj(one.domain, disj(conj(c.pred, a->when), conj(neg(c.pred), b->when)));
    one.neutrals = true;
  }
  one.neutrals = one.neutrals || b->fold.neutrals;
  one.body = choose(c.pred, a->fold.body, substitute(b->fold.body, names));
  return one;
}

PointPtr fold_of(Fold f);

PointPtr one_fold(Fold f) {
  if (is_nothing(f.body))
    return f.body;
  const PointPtr body = f.body; // keeps alive what is looked at while f changes
  if (const Choose *c = std::get_if<Choose>(&body->node)) {
    if (!mentions_any(c->pred, f.vars)) {
      Fold other = f;
      f.body = c->then;
      other.body = c->otherwise;
      return choose(c->pred, fold_of(std::move(f)), fold_of(std::move(other)));
    }
    bool partial = is_partial_result(body, f.reduction);
    f.neutrals = f.neutrals || partial;
    if (partial || is_nothing(c->otherwise) || is_nothing(c->then)) {
      bool then = is_nothing(c->otherwise) || is_neutral(c->otherwise, f.reduction);
      f.domain = conj(f.domain, then ? c->pred : neg(c->pred));
      f.body = then ? c->then : c->otherwise;
      return one_fold(std::move(f));
    }
    if (const auto one = of_choices(*c, f.reduction))
      return one_fold(merged(std::move(f), *one));
  }
  const Fold *inner = std::get_if<Fold>(&body->node);
  if (!inner || inner->reduction != f.reduction)
    return point(std::move(f));
  return point(merged(std::move(f), *inner));
}

bool has_groups(const Fold &f) {
  return f.regrouped || f.neutrals;
}

PointPtr fold_of(Fold f) {
  f.apart = nullptr;
  const PointPtr apart = has_groups(f) ? nullptr : point(f); // of what has groups already, they are lost
  PointPtr whole = one_fold(std::move(f));
  const Fold *one = std::get_if<Fold>(&whole->node);
  if (!one || !has_groups(*one))
    return whole;
  Fold result = *one;
  result.apart = apart;
  return point(std::move(result));
}

bool are_equal(const Pred &a, const Pred &b, const Subst &to_a) {
  return equal(positive_form(substitute(a, to_a)), positive_form(b));
}

// Variables of one have the values of those of the other, one by one.
bool have_the_same_variables(const Fold &a, const Fold &b, const Subst &to_a) {
  for (std::size_t i = 0; i < a.vars.size() && i < b.vars.size(); ++i) {
    const FoldVar &v = a.vars[i], &w = b.vars[i];
    const auto value = to_a.find(v.name);
    if (value == to_a.end() || !is_variable(value->second, w.name) || !equal(substitute(v.lo, to_a), w.lo) ||
        !equal(substitute(v.hi, to_a), w.hi))
      return false;
  }
  return a.vars.size() == b.vars.size();
}

bool have_the_same_groups(const Fold &a, const Fold &b, const Subst &to_a);

// What the terms are is compared elsewhere: here, only which of them are combined before.
bool have_the_same_groups(const PointPtr &a, const PointPtr &b, Reduction reduction, const Subst &to_a) {
  const Choose *ca = std::get_if<Choose>(&a->node), *cb = std::get_if<Choose>(&b->node);
  if (ca && cb)
    return are_equal(ca->pred, cb->pred, to_a) && have_the_same_groups(ca->then, cb->then, reduction, to_a) &&
           have_the_same_groups(ca->otherwise, cb->otherwise, reduction, to_a);
  const Fold *fa = std::get_if<Fold>(&a->node), *fb = std::get_if<Fold>(&b->node);
  if (fa && fb && fa->reduction == reduction && fb->reduction == reduction)
    return fa->is_value == fb->is_value && have_the_same_groups(*fa, *fb, to_a);
  return a->node.index() == b->node.index();
}

bool have_the_same_groups(const Fold &a, const Fold &b, const Subst &to_a) {
  if (has_groups(a) != has_groups(b) || (has_groups(a) && (!a.apart || !b.apart)))
    return false;
  const Fold &in_a = a.apart ? std::get<Fold>(a.apart->node) : a;
  const Fold &in_b = b.apart ? std::get<Fold>(b.apart->node) : b;
  return have_the_same_variables(in_a, in_b, to_a) && are_equal(in_a.domain, in_b.domain, to_a) &&
         have_the_same_groups(in_a.body, in_b.body, a.reduction, to_a);
}

std::string describe_form(const Apply &a) {
  return match(
      a.form, [](const Op &o) { return fmt::format("the operation {}", o.op->name); },
      [](const Convert &c) { return fmt::format("a conversion to {}", name(c.to)); },
      [](const Select &) { return std::string("a select"); }, [&](const auto &) { return print(a.form); });
}

} // namespace

ExprPtr form_at(const ExprPtr &form, const Subst &by) {
  if (const FromIndex *from = std::get_if<FromIndex>(&form->node))
    return make(FromIndex{from->to, substitute(from->value, by)}, form->span, form->type);
  if (const Test *test = std::get_if<Test>(&form->node))
    return make(Test{substitute(test->pred, by)}, form->span, form->type);
  return form;
}

PointPtr nothing() {
  static const PointPtr only = point(Nothing{});
  return only;
}

PointPtr choose(const Pred &pred, PointPtr then, PointPtr otherwise) {
  if (pred->op == PredOp::truth)
    return pred->value ? then : otherwise;
  if (then == otherwise)
    return then;
  return point(Choose{pred, std::move(then), std::move(otherwise)});
}

PointPtr fold(Reduction reduction, bool of_floats, FoldVar var, PointPtr body) {
  Fold f{reduction, {std::move(var)}, truth(true), std::move(body)};
  f.of_floats = of_floats;
  return fold_of(std::move(f));
}

PointPtr with_body(Fold f, PointPtr body) {
  f.body = std::move(body);
  return fold_of(std::move(f));
}

bool are_grouped_alike(const Fold &a, const Fold &b, const Subst &to_a) {
  return has_groups(a) && have_the_same_groups(a, b, to_a);
}

PointPtr read(std::string tensor, std::vector<Index> indices) {
  return point(Read{std::move(tensor), std::move(indices)});
}

PointPtr apply(ExprPtr form, std::vector<PointPtr> args) {
  return point(Apply{std::move(form), std::move(args)});
}

PointPtr value_of(const PointPtr &cell, const ExprPtr &otherwise) {
  if (is_nothing(cell))
    return apply(otherwise, {});
  if (const Choose *c = std::get_if<Choose>(&cell->node))
    return choose(c->pred, value_of(c->then, otherwise), value_of(c->otherwise, otherwise));
  return cell;
}

PointPtr complete(const PointPtr &p) {
  if (const Choose *c = std::get_if<Choose>(&p->node))
    return choose(c->pred, complete(c->then), complete(c->otherwise));
  if (const Fold *f = std::get_if<Fold>(&p->node)) {
    Fold value = *f;
    value.is_value = true;
    return point(std::move(value));
  }
  return p;
}

PointPtr substitute(const PointPtr &p, const Subst &by) {
  if (by.empty())
    return p;
  auto indices = [&](std::vector<Index> list) {
    for (Index &e : list)
      e = substitute(e, by);
    return list;
  };
  return match(
      p, [&](const Nothing &) { return p; },
      [&](const Choose &c) {
        return choose(substitute(c.pred, by), substitute(c.then, by), substitute(c.otherwise, by));
      },
      [&](const Fold &f) {
        Fold result = f;
        result.domain = substitute(f.domain, by);
        result.body = substitute(f.body, by);
        result.apart = f.apart ? substitute(f.apart, by) : nullptr;
        result.vars.clear();
        for (const FoldVar &v : f.vars)
          result.vars.push_back({v.name, substitute(v.lo, by), substitute(v.hi, by), v.origin});
        return point(std::move(result));
      },
      [&](const Read &r) { return read(r.tensor, indices(r.indices)); },
      [&](const Apply &a) {
        std::vector<PointPtr> args;
        for (const PointPtr &arg : a.args)
          args.push_back(substitute(arg, by));
        return apply(form_at(a.form, by), std::move(args));
      });
}

bool is_neutral(const PointPtr &p, Reduction reduction) {
  const Apply *a = std::get_if<Apply>(&p->node);
  const Literal *literal = a ? std::get_if<Literal>(&a->form->node) : nullptr;
  if (!literal)
    return false;
  Elem elem = a->form->type->elem;
  Scalar value{elem, literal->real, literal->integer};
  return literal->is_float == is_float(elem) && same_bits(value, neutral(reduction, elem));
}

const Apply *operation(const PointPtr &p, std::string_view name) {
  const Apply *a = std::get_if<Apply>(&p->node);
  const Op *op = a ? std::get_if<Op>(&a->form->node) : nullptr;
  return op && op->op->name == name && a->args.size() == 2 ? a : nullptr;
}

std::string describe(const PointPtr &p) {
  return match(
      p, [](const Nothing &) { return std::string("nothing"); },
      [](const Choose &c) { return "a choice on " + to_string(c.pred); },
      [](const Fold &f) {
        std::string vars;
        for (const FoldVar &v : f.vars)
          vars += (vars.empty() ? "" : ", ") + v.name;
        return fmt::format("a {} over {}", name(f.reduction), vars);
      },
      [](const Read &r) {
        std::string list;
        for (const Index &e : r.indices)
          list += (list.empty() ? "" : ", ") + to_string(e);
        return list.empty() ? r.tensor : fmt::format("{}[{}]", r.tensor, list);
      },
      [](const Apply &a) { return describe_form(a); });
}

} // namespace atl::equality
