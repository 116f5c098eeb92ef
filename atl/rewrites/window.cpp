#include "atl/rewrites/window.h"

#include "atl/syntax/names.h"

namespace atl::rewrites {

namespace {

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

// A remainder counts as any of its values, each of which is a value of a further loop: a window of constant
// extent is better than a smaller one whose extent is not.
Index with_any_remainder(const Index &e, std::vector<LoopRange> &loops) {
  if (is_leaf(e))
    return e;
  if (e->op != IndexOp::mod)
    return binary(e->op, with_any_remainder(e->a, loops), with_any_remainder(e->b, loops));
  loops.push_back({"%" + std::to_string(loops.size()), constant(0), e->b});
  return variable(loops.back().var);
}

class Collector {
public:
  Collector(std::string tensor, const Shape &shape, Known outside)
      : tensor_(std::move(tensor)), shape_(shape), outside_(std::move(outside)), ranges_(shape.size()) {}

  void visit(const ExprPtr &e, const Known &known) {
    if (const Access *a = std::get_if<Access>(&e->node); a && a->tensor == tensor_)
      include(*a, known);
    std::vector<ExprPtr> kids = children(*e);
    for (std::size_t i = 0; i < kids.size(); ++i)
      visit(kids[i], known_below(known, *e, i));
  }

  std::optional<Window> window() const {
    if (!any_)
      return std::nullopt;
    Window result;
    for (std::size_t d = 0; d < shape_.size(); ++d) {
      Bounds r{constant(0), sub(shape_[d], constant(1))};
      if (ranges_[d].lo && ranges_[d].hi)
        r = ranges_[d];
      result.lo.push_back(outside_.facts().simplify(r.lo));
      result.extent.push_back(outside_.facts().simplify(add(sub(r.hi, r.lo), constant(1))));
    }
    return result;
  }

private:
  void include(const Access &a, const Known &known) {
    const auto inner = known.loops.begin() + static_cast<std::ptrdiff_t>(outside_.loops.size());
    for (std::size_t d = 0; d < shape_.size(); ++d) {
      std::vector<LoopRange> loops(inner, known.loops.end());
      Index e = with_any_remainder(known.facts().simplify(a.indices[d]), loops);
      Bounds r = bounds_of(e, loops, known.facts());
      Bounds &all = ranges_[d];
      if (!any_)
        all = r;
      else
        all = {all.lo && r.lo ? smaller(all.lo, r.lo, outside_.facts()) : nullptr,
               all.hi && r.hi ? larger(all.hi, r.hi, outside_.facts()) : nullptr};
    }
    any_ = true;
  }

  std::string tensor_;
  const Shape &shape_;
  Known outside_;
  std::vector<Bounds> ranges_; // in the body of the loop
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
