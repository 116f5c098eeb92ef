#include "atl/equality/compare.h"

#include "atl/equality/reindex.h"
#include "atl/syntax/print.h"
#include "atl/syntax/same.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::equality {

namespace {

constexpr std::size_t step_limit = 200000; // of one comparison: beyond it, the answer is `unknown`

// Provable without knowing anything: by the normal form alone.
bool same(const Index &a, const Index &b) {
  const Facts nothing_known; // not static: what it remembers is for one thread
  auto d = nothing_known.normal_form(sub(a, b));
  return d && d->terms.empty();
}

Fold as_fold(const PointPtr &p, Reduction reduction) {
  const Fold *f = std::get_if<Fold>(&p->node);
  return f && f->reduction == reduction ? *f : Fold{reduction, {}, truth(true), p};
}

// A point that is taken as a reduction of one term says nothing of its type; the other one does.
bool of_floats(const Fold &a, const Fold &b) {
  return a.of_floats && b.of_floats;
}

// Pairs of indices at the same places of two points, as far as they are alike.
class Gather {
public:
  explicit Gather(const Comparison::Unfold &unfold) : unfold_(unfold) {}

  std::vector<Equation> equations;

  // First those of choices that correspond, then those of all with all.
  void all_pairs(const PointPtr &a, const PointPtr &b) {
    for (bool crosswise : {false, true}) {
      crosswise_ = crosswise;
      steps_ = 0;
      pairs(a, b);
    }
  }

  // Variables of reductions inside have no value outside.
  void leave_out_inner() {
    std::erase_if(equations, [&](const Equation &e) {
      std::set<std::string> names;
      collect_variables(e.a, names);
      collect_variables(e.b, names);
      return std::any_of(names.begin(), names.end(), [&](const auto &n) { return inner_.contains(n); });
    });
  }

  void domain(const Pred &p) {
    if (p->op == PredOp::conj) {
      domain(p->a);
      domain(p->b);
    } else if (p->op == PredOp::eq) {
      equations.push_back({p->lhs, p->rhs});
    }
  }

private:
  void pairs(const PointPtr &a, const PointPtr &b) {
    if (++steps_ > 10000)
      return;
    const Choose *ca = std::get_if<Choose>(&a->node), *cb = std::get_if<Choose>(&b->node);
    if (ca && cb && !crosswise_) {
      pairs(ca->then, cb->then);
      return pairs(ca->otherwise, cb->otherwise);
    }
    if (ca) {
      pairs(ca->then, b);
      return pairs(ca->otherwise, b);
    }
    if (cb) {
      pairs(a, cb->then);
      return pairs(a, cb->otherwise);
    }
    const Read *ra = std::get_if<Read>(&a->node), *rb = std::get_if<Read>(&b->node);
    if (ra && rb && ra->tensor == rb->tensor)
      return indices(ra->indices, rb->indices);
    if (auto inside = ra ? unfold_(*ra) : std::nullopt)
      return pairs(*inside, b);
    if (auto inside = rb ? unfold_(*rb) : std::nullopt)
      return pairs(a, *inside);
    const Apply *fa = std::get_if<Apply>(&a->node), *fb = std::get_if<Apply>(&b->node);
    if (fa && fb)
      return forms(*fa, *fb);
    const Fold *la = std::get_if<Fold>(&a->node), *lb = std::get_if<Fold>(&b->node);
    for (const Fold *f : {la, lb})
      for (const FoldVar &v : f ? f->vars : std::vector<FoldVar>{})
        inner_.insert(v.name);
    if (la || lb)
      pairs(la ? la->body : a, lb ? lb->body : b);
  }

  void indices(const std::vector<Index> &a, const std::vector<Index> &b) {
    for (std::size_t d = 0; d < a.size() && d < b.size(); ++d)
      equations.push_back({a[d], b[d]});
  }

  void forms(const Apply &a, const Apply &b) {
    if (a.args.size() != b.args.size())
      return;
    const FromIndex *ia = std::get_if<FromIndex>(&a.form->node), *ib = std::get_if<FromIndex>(&b.form->node);
    if (ia && ib)
      indices({ia->value}, {ib->value});
    for (std::size_t i = 0; i < a.args.size(); ++i)
      pairs(a.args[i], b.args[i]);
  }

  const Comparison::Unfold &unfold_;
  std::set<std::string> inner_;
  bool crosswise_ = false;
  std::size_t steps_ = 0;
};

// A loop that was copied has the name of the other with a number: `k_2`.
std::string without_number(const std::string &name) {
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  bool numbered = digits > 1 && digits < name.size() && name[digits - 1] == '_';
  return numbered ? name.substr(0, digits - 1) : name;
}

// What is said of the name, or of the loop that it is a copy of.
template <class Map>
auto said_of(const Map &map, const std::string &name) {
  auto found = map.find(name);
  return found != map.end() ? found : std::find_if(map.begin(), map.end(), [&](const auto &entry) {
    return without_number(entry.first) == without_number(name);
  });
}

// Each variable of `vars` by its meaning in terms of the others: what the schedule says, or the same name.
// `known`: the other names that have a value at the place.
void supply(const std::vector<FoldVar> &vars, const std::vector<FoldVar> &others, const Subst &meaning,
            const std::set<std::string> &known, std::vector<Equation> &into) {
  Subst copies;
  for (const FoldVar &v : others)
    copies[v.origin] = variable(v.name);
  for (const FoldVar &v : vars) {
    auto found = said_of(meaning, v.origin);
    Index value = found == meaning.end() ? variable(v.origin) : found->second;
    std::set<std::string> names;
    collect_variables(value, names);
    Subst by;
    bool has_value = true;
    for (const std::string &name : names)
      if (auto copy = said_of(copies, name); copy != copies.end())
        by[name] = copy->second;
      else
        has_value = has_value && known.contains(name);
    if (!by.empty() || (has_value && found != meaning.end()))
      into.push_back({variable(v.name), substitute(value, by)});
    else if (auto copy = copies.find(v.origin);
             copy != copies.end()) // what is said is about another reduction
      into.push_back({variable(v.name), copy->second});
  }
}

void enter(Place &place, const std::vector<FoldVar> &vars, const Pred &domain) {
  for (const FoldVar &v : vars)
    place.known.enter({v.name, v.lo, v.hi});
  if (domain->op != PredOp::truth)
    place.known.assume(domain);
}

// Where both say the same, what is supplied is shorter.
void in_the_words_of(const std::vector<Equation> &supplied, Subst &found, const Facts &facts) {
  for (const Equation &e : supplied)
    for (auto &[name, value] : found)
      if (is_variable(e.a, name) && !equal(value, e.b) && facts.proves(compare(PredOp::eq, value, e.b)))
        value = e.b;
}

// What the indices tell for certain, then what is supplied, then the rest of what the indices tell; where
// that leads to nothing, in other orders.
std::optional<Subst> solve(const std::vector<FoldVar> &unknowns, const std::vector<Equation> &told,
                           const std::vector<Equation> &supplied, const Facts &facts) {
  auto in_order = [&](std::vector<Equation> first, const std::vector<Equation> &second) {
    first.insert(first.end(), second.begin(), second.end());
    return solve(unknowns, std::move(first), facts);
  };
  std::vector<Equation> certain;
  for (const auto &[name, value] : determined(unknowns, told, facts))
    certain.push_back({variable(name), value});
  certain.insert(certain.end(), supplied.begin(), supplied.end());
  auto found = in_order(std::move(certain), told);
  if (!found)
    found = in_order(told, supplied);
  if (!found)
    found = in_order(supplied, told);
  if (found)
    in_the_words_of(supplied, *found, facts);
  return found;
}

} // namespace

void Comparison::state(const std::string &what, const Known &known, const PointPtr &algorithm,
                       const PointPtr &scheduled, std::vector<Claim> claims) {
  what_ = what;
  at({known, std::move(claims)}, [&](Place &inside) { equal_points(inside, algorithm, scheduled); });
}

void Comparison::at(Place place, const std::function<void(Place &)> &body) {
  body(place);
  if (!place.claims.empty())
    obligations.push_back(
        place.known.obligation(subject_.kind, subject_.code, subject_.span, what_, std::move(place.claims)));
}

void Comparison::under(const Place &place, const Pred &pred, const std::function<void(Place &)> &body) {
  at({place.known.where(pred), {}}, body);
}

void Comparison::equal_points(Place &place, const PointPtr &a, const PointPtr &b) {
  if (++steps_ > step_limit)
    return differ(place, a, b);
  if (const Choose *c = std::get_if<Choose>(&b->node))
    return equal_choice(place, *c,
                        [&](Place &inside, const PointPtr &chosen) { equal_points(inside, a, chosen); });
  if (const Choose *c = std::get_if<Choose>(&a->node))
    return equal_choice(place, *c,
                        [&](Place &inside, const PointPtr &chosen) { equal_points(inside, chosen, b); });
  if (!equal_heads(place, a, b))
    differ(place, a, b);
}

// Where the facts decide the condition, that is a claim and the other side is not looked at.
void Comparison::equal_choice(Place &place, const Choose &c,
                              const std::function<void(Place &, const PointPtr &)> &go_on) {
  Pred opposite = positive_form(neg(c.pred));
  for (bool holds : {true, false}) {
    const Pred &known = holds ? c.pred : opposite;
    if (!place.known.facts().proves(known))
      continue;
    place.claims.push_back({known, {"the condition " + to_string(known) + " does not hold"}});
    return go_on(place, holds ? c.then : c.otherwise);
  }
  under(place, c.pred, [&](Place &inside) { go_on(inside, c.then); });
  under(place, opposite, [&](Place &inside) { go_on(inside, c.otherwise); });
}

// False: the two cannot be compared, and no claim was made.
bool Comparison::equal_heads(Place &place, const PointPtr &a, const PointPtr &b) {
  if (std::holds_alternative<Nothing>(a->node) && std::holds_alternative<Nothing>(b->node))
    return true;
  const Read *ra = std::get_if<Read>(&a->node), *rb = std::get_if<Read>(&b->node);
  if (ra && rb && ra->tensor == rb->tensor)
    return equal_reads(place, *ra, *rb);
  const Apply *fa = std::get_if<Apply>(&a->node), *fb = std::get_if<Apply>(&b->node);
  if (fa && fb && equal_forms(place, *fa, *fb))
    return true;
  if (equal_by_start(place, a, b) || equal_by_distributivity(place, a, b))
    return true;
  bool folds = std::holds_alternative<Fold>(a->node) || std::holds_alternative<Fold>(b->node);
  if (folds && !ra && !rb && equal_folds(place, a, b))
    return true;
  if (auto inside = ra ? unfold_(*ra) : std::nullopt) {
    equal_points(place, *inside, b);
    return true;
  }
  if (auto inside = rb ? unfold_(*rb) : std::nullopt) {
    equal_points(place, a, *inside);
    return true;
  }
  return folds && (ra || rb) && equal_folds(place, a, b);
}

bool Comparison::equal_reads(Place &place, const Read &a, const Read &b) {
  Template text{names_.second + " uses " + b.tensor};
  for (std::size_t d = 0; d < b.indices.size(); ++d)
    text.insert(text.end(), {d == 0 ? "[" : ", ", b.indices[d]});
  text.emplace_back("], " + names_.first + " " + a.tensor);
  for (std::size_t d = 0; d < a.indices.size(); ++d)
    text.insert(text.end(), {d == 0 ? "[" : ", ", a.indices[d]});
  text.emplace_back("]");
  for (std::size_t d = 0; d < a.indices.size(); ++d)
    claim_equal(place, a.indices[d], b.indices[d], text);
  return true;
}

bool Comparison::equal_forms(Place &place, const Apply &a, const Apply &b) {
  if (a.args.size() != b.args.size() || a.form->type->elem != b.form->type->elem ||
      a.form->node.index() != b.form->node.index())
    return false;
  if (const FromIndex *from = std::get_if<FromIndex>(&a.form->node)) {
    const Index &other = std::get<FromIndex>(b.form->node).value;
    claim_equal(place, from->value, other,
                {names_.second + " uses the number ", other, ", " + names_.first + " ", from->value});
    return true;
  }
  if (const Test *test = std::get_if<Test>(&a.form->node)) {
    const Pred &p = test->pred, &q = std::get<Test>(b.form->node).pred;
    if (!equal(p, q))
      place.claims.push_back(
          {disj(conj(p, q), conj(positive_form(neg(p)), positive_form(neg(q)))),
           {names_.second + " tests " + to_string(q) + ", " + names_.first + " " + to_string(p)}});
    return true;
  }
  if (!same_operation(a.form, b.form))
    return false;
  for (std::size_t i = 0; i < a.args.size(); ++i)
    equal_points(place, a.args[i], b.args[i]);
  return true;
}

bool Comparison::equal_folds(Place &place, const PointPtr &pa, const PointPtr &pb) {
  const Fold *fa = std::get_if<Fold>(&pa->node), *fb = std::get_if<Fold>(&pb->node);
  Reduction reduction = fa ? fa->reduction : fb->reduction;
  Fold a = as_fold(pa, reduction), b = as_fold(pb, reduction);
  if (a.vars.size() != b.vars.size()) {
    decide_terms(place, a);
    decide_terms(place, b);
  }
  if (a.vars.size() != b.vars.size() && reduction == Reduction::sum) {
    leave_out_zeros(a);
    leave_out_zeros(b);
  }
  if (is_neutral(fa ? pb : pa, reduction)) {
    has_no_terms(place, fa ? a : b, fa ? names_.first : names_.second);
    return true;
  }
  Place inside_b = place, inside_a = place;
  enter(inside_b, b.vars, b.domain);
  enter(inside_a, a.vars, a.domain);
  Gather gather(unfold_);
  gather.all_pairs(a.body, b.body);
  gather.leave_out_inner();
  gather.domain(a.domain);
  gather.domain(b.domain);
  std::vector<Equation> for_a, for_b;
  std::set<std::string> known(place.known.sizes.begin(), place.known.sizes.end());
  known.insert(place.known.variables.begin(), place.known.variables.end());
  supply(a.vars, b.vars, reindexing_.to_now, known, for_a);
  supply(b.vars, a.vars, reindexing_.to_then, known, for_b);
  auto to_a = solve(a.vars, gather.equations, for_a, inside_b.known.facts());
  auto to_b = solve(b.vars, gather.equations, for_b, inside_a.known.facts());
  if (!to_a || !to_b)
    return false;
  if (are_grouped_alike(a, b, *to_a))
    a.regrouped = a.neutrals = b.regrouped = b.neutrals = false;
  if (a.vars.empty() != b.vars.empty() || a.neutrals || b.neutrals)
    use(Law::neutral, of_floats(a, b));
  if (a.regrouped || b.regrouped)
    use(Law::regrouping, of_floats(a, b));
  bijection(place, a, b, *to_a, *to_b);
  return true;
}

// Where the facts decide a condition of all terms, that is a claim: a reduction behind it is then one with
// the fold.
void Comparison::decide_terms(const Place &place, Fold &f) {
  while (const Choose *c = std::get_if<Choose>(&f.body->node)) {
    Place inside{place.known, {}};
    enter(inside, f.vars, f.domain);
    const Pred opposite = positive_form(neg(c->pred));
    const bool holds = inside.known.facts().proves(c->pred);
    if (!holds && !inside.known.facts().proves(opposite))
      return;
    const Pred known = holds ? c->pred : opposite;
    const PointPtr decided = with_body(f, holds ? c->then : c->otherwise);
    const Fold *fold = std::get_if<Fold>(&decided->node);
    if (!fold)
      return;
    at(std::move(inside), [&](Place &terms) {
      terms.claims.push_back({known, {"the condition " + to_string(known) + " does not hold"}});
    });
    f = Fold(*fold);
  }
}

void Comparison::has_no_terms(Place &place, const Fold &f, const std::string &whose) {
  Place inside{place.known, {}};
  enter(inside, f.vars, f.domain);
  Template text{fmt::format("the {} of {} has a term", name(f.reduction), whose)};
  for (const FoldVar &v : f.vars)
    text.insert(text.end(), {" " + v.name + " = ", variable(v.name)});
  text.emplace_back(", the other has none");
  at(std::move(inside), [&](Place &none) { none.claims.push_back({truth(false), text}); });
}

// The terms of b are those of a, at to_a; and each term of a is one of b, at to_b.
void Comparison::bijection(Place &place, const Fold &a, const Fold &b, const Subst &to_a, const Subst &to_b) {
  const std::string a_name = std::string(name(a.reduction));
  Place inside{place.known, {}};
  enter(inside, b.vars, b.domain);
  auto covered = [&](const Fold &f, const Subst &by, const std::string &whose) {
    Template text{"the " + whose + " has no term"};
    for (const FoldVar &v : f.vars)
      text.insert(text.end(), {" " + v.name + " = ", by.at(v.name)});
    std::vector<Claim> claims;
    for (const FoldVar &v : f.vars)
      claims.push_back({in_range(substitute(v.lo, by), by.at(v.name), substitute(v.hi, by)), text});
    if (f.domain->op != PredOp::truth)
      claims.push_back({substitute(f.domain, by), text});
    return claims;
  };
  auto inverse = [&](Place &at_place, const Fold &f, const Subst &there, const Subst &back) {
    for (const FoldVar &v : f.vars) {
      Index again = substitute(there.at(v.name), back);
      claim_equal(
          at_place, again, variable(v.name),
          {"two terms of the " + a_name + " are the same term of the other, such as " + v.name + " = ",
           variable(v.name), " and ", again});
    }
  };
  Place inside_a{place.known, {}};
  enter(inside_a, a.vars, a.domain);
  std::size_t known = order.size();
  require_order(inside, a, b, to_a);
  note_renumbered(inside, a, b, to_a, to_b, order.size() > known ? std::optional(known) : std::nullopt);
  at(std::move(inside), [&](Place &at_b) {
    at_b.claims = covered(a, to_a, a_name + " of " + names_.first);
    inverse(at_b, b, to_b, to_a);
    equal_points(at_b, substitute(a.body, to_a), b.body);
  });
  at(std::move(inside_a), [&](Place &at_a) {
    at_a.claims = covered(b, to_b, a_name + " of " + names_.second);
    inverse(at_a, a, to_a, to_b);
  });
}

// z before z' in b means to_a(z) before to_a(z') in a: lexicographically, the last variable runs fastest.
void Comparison::require_order(const Place &inside, const Fold &a, const Fold &b, const Subst &to_a) {
  auto less = [](const std::vector<Index> &x, const std::vector<Index> &y) {
    Pred result = truth(false);
    for (std::size_t i = x.size(); i-- > 0;)
      result = disj(compare(PredOp::lt, x[i], y[i]), conj(compare(PredOp::eq, x[i], y[i]), result));
    return result;
  };
  std::vector<Index> image, here;
  for (const FoldVar &v : a.vars)
    image.push_back(to_a.at(v.name));
  for (const FoldVar &v : b.vars)
    here.push_back(variable(v.name));
  bool renamed =
      image.size() == here.size() && std::equal(image.begin(), image.end(), here.begin(),
                                                [](const Index &x, const Index &y) { return same(x, y); });
  if (renamed || b.vars.empty())
    return;
  Subst primed;
  for (const FoldVar &v : b.vars)
    primed[v.name] = variable(v.name + "'");
  std::vector<Index> other_image = image, other_here = here;
  for (Index &e : other_image)
    e = substitute(e, primed);
  for (Index &e : other_here)
    e = substitute(e, primed);
  Known both = inside.known;
  for (const FoldVar &v : b.vars)
    both.enter({v.name + "'", substitute(v.lo, primed), substitute(v.hi, primed)});
  if (b.domain->op != PredOp::truth)
    both.assume(substitute(b.domain, primed));
  both.assume(less(here, other_here));
  order.push_back(both.obligation(subject_.kind, subject_.code, subject_.span,
                                  fmt::format("the {} combines in the algorithm's order", name(a.reduction)),
                                  {{less(image, other_image), {"the order differs"}}}));
  if (of_floats(a, b))
    order_of_floats.push_back(order.size() - 1);
}

void Comparison::note_renumbered(const Place &inside, const Fold &a, const Fold &b, const Subst &to_a,
                                 const Subst &to_b, std::optional<std::size_t> order_obligation) {
  bool renamed = a.vars.size() == b.vars.size();
  for (std::size_t i = 0; renamed && i < a.vars.size(); ++i)
    renamed =
        inside.known.facts().proves(compare(PredOp::eq, to_a.at(a.vars[i].name), variable(b.vars[i].name)));
  bool partial = a.regrouped || b.regrouped;
  bool in_order = !order_obligation || renamed;
  if (in_order && !partial && a.vars.empty() == b.vars.empty())
    return;
  Renumbered r{"", {}, a.reduction, {}, {}, to_a, to_b, partial, a.zeros || b.zeros, order_obligation};
  for (const FoldVar &v : a.vars)
    r.before.push_back(v.name);
  for (const FoldVar &v : b.vars)
    r.now.push_back(v.name);
  renumbered.push_back(std::move(r));
}

void Comparison::differ(Place &place, const PointPtr &a, const PointPtr &b) {
  std::string text = steps_ > step_limit ? "the comparison is too large"
                                         : fmt::format("{} has {} where {} has {}", names_.second,
                                                       describe(b), names_.first, describe(a));
  place.claims.push_back({truth(false), {text}});
}

void Comparison::claim_equal(Place &place, const Index &a, const Index &b, const Template &otherwise) {
  if (!same(a, b))
    place.claims.push_back({compare(PredOp::eq, a, b), otherwise});
}

} // namespace atl::equality
