#include "atl/rewrites/window.h"

#include "atl/syntax/names.h"

#include <algorithm>

namespace atl::rewrites {

namespace {

struct Range {
  Index lo, hi; // both included
};
using MaybeRange = std::optional<Range>;

// The range of an index when the inner loops run, from their ranges alone.
class Ranges {
public:
  Ranges(const std::vector<LoopHead> &inner, const Facts &facts) : inner_(inner), facts_(facts) {}

  MaybeRange of(const Index &e) const {
    switch (e->op) {
    case IndexOp::constant: return Range{e, e};
    case IndexOp::variable: return of_variable(e);
    case IndexOp::mul: return of_product(e);
    default: break;
    }
    MaybeRange a = of(e->a), b = of(e->b);
    if (!a || !b)
      return std::nullopt;
    switch (e->op) {
    case IndexOp::add: return Range{add(a->lo, b->lo), add(a->hi, b->hi)};
    case IndexOp::sub: return Range{sub(a->lo, b->hi), sub(a->hi, b->lo)};
    case IndexOp::min:
    case IndexOp::max: return Range{binary(e->op, a->lo, b->lo), binary(e->op, a->hi, b->hi)};
    default: return of_division(e, *a, *b);
    }
  }

private:
  MaybeRange of_variable(const Index &e) const {
    auto loop =
        std::find_if(inner_.begin(), inner_.end(), [&](const LoopHead &l) { return l.var == e->name; });
    if (loop == inner_.end())
      return Range{e, e};
    MaybeRange lo = of(loop->lo), hi = of(sub(loop->hi, constant(1)));
    return lo && hi ? MaybeRange(Range{lo->lo, hi->hi}) : std::nullopt;
  }

  MaybeRange of_product(const Index &e) const {
    MaybeRange a = of(e->a), b = of(e->b);
    if (!a || !b)
      return std::nullopt;
    if (!equal(b->lo, b->hi))
      std::swap(a, b);
    if (!equal(b->lo, b->hi))
      return std::nullopt;
    const Index &factor = b->lo;
    if (facts_.proves_nonnegative(factor))
      return Range{mul(a->lo, factor), mul(a->hi, factor)};
    if (facts_.proves_nonnegative(sub(constant(0), factor)))
      return Range{mul(a->hi, factor), mul(a->lo, factor)};
    return std::nullopt;
  }

  MaybeRange of_division(const Index &e, const Range &a, const Range &b) const {
    if (!equal(b.lo, b.hi))
      return std::nullopt;
    if (e->op == IndexOp::mod)
      return Range{constant(0), sub(b.lo, constant(1))};
    return Range{binary(e->op, a.lo, b.lo), binary(e->op, a.hi, b.lo)};
  }

  const std::vector<LoopHead> &inner_;
  const Facts &facts_;
};

Index smaller(const Index &a, const Index &b, const Facts &facts) {
  if (facts.proves(compare(PredOp::le, a, b)))
    return a;
  return facts.proves(compare(PredOp::le, b, a)) ? b : binary(IndexOp::min, a, b);
}

Index larger(const Index &a, const Index &b, const Facts &facts) {
  if (facts.proves(compare(PredOp::ge, a, b)))
    return a;
  return facts.proves(compare(PredOp::ge, b, a)) ? b : binary(IndexOp::max, a, b);
}

class Collector {
public:
  Collector(std::string tensor, const Shape &shape, Known outside)
      : tensor_(std::move(tensor)), shape_(shape), outside_(std::move(outside)), ranges_(shape.size()) {}

  void visit(const ExprPtr &e, const Known &known) {
    if (const Access *a = std::get_if<Access>(&e->node); a && a->tensor == tensor_)
      include(*a, known);
    if (auto head = loop_head(e))
      inner_.push_back(*head);
    std::vector<ExprPtr> kids = children(*e);
    for (std::size_t i = 0; i < kids.size(); ++i)
      visit(kids[i], known_below(known, *e, i));
    if (loop_head(e))
      inner_.pop_back();
  }

  std::optional<Window> window() const {
    if (!any_)
      return std::nullopt;
    Window result;
    for (std::size_t d = 0; d < shape_.size(); ++d) {
      Range r = whole(d);
      if (ranges_[d].known)
        r = ranges_[d].range;
      result.lo.push_back(outside_.facts().simplify(r.lo));
      result.extent.push_back(outside_.facts().simplify(add(sub(r.hi, r.lo), constant(1))));
    }
    return result;
  }

private:
  struct Extent {
    Range range;
    bool known = true;
  };
  Range whole(std::size_t d) const { return {constant(0), sub(shape_[d], constant(1))}; }

  void include(const Access &a, const Known &known) {
    for (std::size_t d = 0; d < shape_.size(); ++d) {
      MaybeRange r = Ranges(inner_, known.facts()).of(known.facts().simplify(a.indices[d]));
      Extent &all = ranges_[d];
      if (!r)
        all.known = false;
      else if (!any_)
        all.range = *r;
      else if (all.known)
        all.range = {smaller(all.range.lo, r->lo, outside_.facts()),
                     larger(all.range.hi, r->hi, outside_.facts())};
    }
    any_ = true;
  }

  std::string tensor_;
  const Shape &shape_;
  Known outside_;
  std::vector<LoopHead> inner_;
  std::vector<Extent> ranges_;
  bool any_ = false;
};

equality::Prophecy shifted(const equality::Prophecy &old, const std::vector<std::string> &cell,
                           const std::vector<Index> &place, const Pred &inside) {
  equality::Prophecy result = equality::renumbered(old, cell, place);
  result.valid = conj(result.valid, inside);
  return result;
}

} // namespace

std::optional<Window> window_of(const TypedKernel &kernel, const std::string &tensor, const Path &loop) {
  Known known = known_at(kernel, loop.child(0));
  Collector collector(tensor, *shape_of(kernel, tensor), known);
  collector.visit(at(kernel, loop.child(0)), known);
  return collector.window();
}

Refused insert_window(Work &work, const Path &loop, const WindowLet &let) {
  auto window = window_of(work.kernel, let.tensor, loop);
  if (!window)
    return Refusal{"the loop does not read " + let.tensor};
  Known known = known_at(work.kernel, loop.child(0));
  const Shape shape = *shape_of(work.kernel, let.tensor);
  std::set<std::string> taken(known.variables.begin(), known.variables.end());
  for (const std::string &size : work.kernel.size_names())
    taken.insert(size);
  std::vector<std::string> vars, cells;
  std::vector<Index> place, cell_place;
  Pred inside = truth(true), cell_inside = truth(true);
  for (std::size_t d = 0; d < shape.size(); ++d) {
    std::string var = let.dimensions.at(d);
    if (taken.contains(var))
      var = let.name + "." + var;
    vars.push_back(fresh_name(var, taken));
    taken.insert(vars.back());
    known.enter({vars.back(), constant(0), window->extent[d]});
    cells.push_back(work.fresh(let.name + ".cell" + std::to_string(d)));
    place.push_back(add(window->lo[d], variable(vars.back())));
    cell_place.push_back(add(window->lo[d], variable(cells.back())));
    Pred in_shape = in_range(constant(0), place.back(), shape[d]);
    if (!known.facts().proves(in_shape)) {
      Pred upper = compare(PredOp::lt, place.back(), shape[d]);
      bool lower_holds = known.facts().proves(compare(PredOp::ge, place.back(), constant(0)));
      inside = conj(inside, lower_holds ? upper : in_shape);
      cell_inside = conj(cell_inside,
                         substitute(lower_holds ? upper : in_shape, {{vars.back(), variable(cells.back())}}));
    }
  }
  auto cell = let.cell(place);
  if (!cell)
    return Refusal{let.tensor + " is not a nest of loops: it has a concat"};
  ExprPtr value = guard_of(inside, *cell);
  for (std::size_t d = shape.size(); d-- > 0;)
    value = gen_of(vars[d], constant(0), window->extent[d], value);
  ExprPtr body =
      replace_accesses(at(work.kernel, loop.child(0)), let.tensor, [&](const Access &a, const ExprPtr &e) {
        std::vector<Index> indices;
        for (std::size_t d = 0; d < a.indices.size(); ++d)
          indices.push_back(sub(a.indices[d], window->lo[d]));
        return access_of(let.name, indices, e->type->elem, e->span);
      });
  replace(work.kernel, loop.child(0), let_of(let.name, value, body));
  if (let.prophecy) {
    equality::Prophecy &holds = work.prophecies[let.name] =
        shifted(*let.prophecy, cells, cell_place, cell_inside);
    if (auto from = find_let(work.kernel, let.tensor);
        from && !equal(equality::unwritten_value(from->bound), equality::unwritten_value(value)))
      holds.known = conj(holds.known, holds.valid); // a copy of what is not written is no 0
  }
  return {};
}

} // namespace atl::rewrites
