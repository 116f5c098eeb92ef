// The type of an expression from those of its parts. A loop over a known number of iterations is looked at
// iteration by iteration, as in the published system, if the type of each is decided; any other loop once,
// with its variable free.
#include "padtypes/infer_pad.h"

#include "atl/base/check.h"
#include "padtypes/rules.h"

#include <algorithm>
#include <set>

namespace atl::padtypes {

namespace {

Shape shape_here(const Expr &e, const Place &place) {
  ATL_CHECK(e.type.has_value(), "pad types need a typed tree");
  Shape shape;
  for (const Index &extent : e.type->shape)
    shape.push_back(place.known.facts().simplify(place.here(extent)));
  return shape;
}

bool is_empty(const Index &lo, const Index &hi) {
  auto count = as_constant(sub(hi, lo));
  return count && *count <= 0;
}

// Whether anything in e can be padding that the type system knows of.
bool may_be_padded(const ExprPtr &e) {
  bool here = match(
      e, [](const Gen &) { return false; }, [](const Reduce &r) { return is_empty(r.lo, r.hi); },
      [](const Guard &) { return true; }, [](const Let &) { return false; },
      [](const Concat &) { return false; },
      [](const Reshape &r) { return r.op == &split_op || r.op == &padl_op || r.op == &padr_op; },
      [](const Tuple &) { return false; }, [](const Access &) { return false; },
      [](const Literal &) { return false; }, [](const Op &) { return false; },
      [](const Convert &) { return false; }, [](const Select &) { return false; },
      [](const FromIndex &) { return false; }, [](const Test &) { return false; },
      [](const Call &) { return false; });
  if (here)
    return true;
  if (is_scalar_form(*e))
    return false;
  if (const Let *let = std::get_if<Let>(&e->node))
    return may_be_padded(let->body);
  for (const ExprPtr &child : children(*e))
    if (may_be_padded(child))
      return true;
  return false;
}

// Whether the guards in e depend on nothing but variables in `numbers` and the loops inside e.
bool guards_depend_on(const ExprPtr &e, std::set<std::string> numbers) {
  std::set<std::string> names;
  if (const Gen *gen = std::get_if<Gen>(&e->node))
    numbers.insert(gen->var);
  else if (const Reduce *reduce = std::get_if<Reduce>(&e->node))
    numbers.insert(reduce->var);
  else if (const Guard *guard = std::get_if<Guard>(&e->node))
    collect_variables(guard->pred, names);
  if (!std::includes(numbers.begin(), numbers.end(), names.begin(), names.end()))
    return false;
  std::vector<ExprPtr> kids = children(*e);
  return is_scalar_form(*e) || std::all_of(kids.begin(), kids.end(), [&](const ExprPtr &child) {
           return guards_depend_on(child, numbers);
         });
}

// One type per iteration; nothing if there are too many, or if it is not decided for each whether it is
// padding.
std::optional<std::vector<PadTypePtr>> types_by_iteration(const LoopRange &range, const ExprPtr &body,
                                                          const Place &place) {
  auto lo = as_constant(range.lo), hi = as_constant(range.hi);
  if (!lo || !hi || *hi <= *lo || *hi - *lo > place.iterations)
    return std::nullopt;
  std::set<std::string> numbers{range.var};
  for (const auto &[var, value] : place.fixed)
    numbers.insert(var);
  if (!guards_depend_on(body, std::move(numbers)))
    return std::nullopt;
  std::vector<PadTypePtr> types;
  for (std::int64_t i = *lo; i < *hi; ++i) {
    types.push_back(infer_pad(body, place.iteration(range.var, i, *hi - *lo)));
    if (padding_where(types.back(), place.known.facts())->op != PredOp::truth)
      return std::nullopt;
  }
  return types;
}

// The type of e where more is known, for use outside: its counts may be simplified by that knowledge, as they
// speak of nothing where it does not hold, but the extents are needed everywhere.
PadTypePtr infer_inside(const ExprPtr &e, const Place &inside, const Place &outside) {
  return with_shape(infer_pad(e, inside), shape_here(*e, outside));
}

PadTypePtr infer_gen(const Gen &gen, const Place &place) {
  LoopRange range = place.range_of(gen.var, gen.lo, gen.hi);
  if (auto types = types_by_iteration(range, gen.body, place))
    return gen_enumerated(*types, place.known.facts());
  return gen_symbolic(range, infer_inside(gen.body, place.inside(range), place), place.known.facts());
}

PadTypePtr infer_reduce(const Reduce &reduce, const Expr &e, const Place &place) {
  if (place.filling && *place.filling != reduce.reduction)
    return nothing_known(shape_here(e, place)); // computed apart, then every cell of it is stored
  LoopRange range = place.range_of(reduce.var, reduce.lo, reduce.hi);
  if (is_empty(range.lo, range.hi))
    return padding(shape_here(e, place));
  if (auto types = types_by_iteration(range, reduce.body, place)) {
    PadTypePtr result = types->front();
    for (const PadTypePtr &type : *types)
      result = either(result, type, place.known.facts());
    return result;
  }
  Place inside = place.inside(range);
  return for_all(infer_inside(reduce.body, inside, place), range, inside.known.facts(), true);
}

PadTypePtr infer_guard(const Guard &guard, const Expr &e, const Place &place) {
  Pred pred = place.known.facts().simplify(substitute(guard.pred, place.fixed));
  if (pred->op == PredOp::truth && !pred->value)
    return padding(shape_here(e, place));
  return only_where(pred, infer_inside(guard.body, place.with(pred), place));
}

// The type of a truncation's operand shows that only padding is cut.
bool suffices(const PadTypePtr &operand, const ReshapeOp &truncation, const Index &amount,
              const Facts &facts) {
  const Index &padded = &truncation == &truncr_op ? operand->c : operand->k;
  return proves_at_least(padded, amount, facts) || is_padding(operand, facts);
}

PadTypePtr infer_reshape(const Reshape &reshape, const Place &place) {
  Args args;
  for (const Index &arg : reshape.args)
    args.push_back(place.known.facts().simplify(place.here(arg)));
  PadTypePtr child = infer_pad(reshape.child, place);
  if (place.truncations && place.fixed.empty() && is_truncation(*reshape.op))
    place.truncations->emplace(&reshape, suffices(child, *reshape.op, args[0], place.known.facts()));
  return reshape_rule(*reshape.op, args, child, place.known.facts());
}

bool typable_here(const Reshape &truncation, const Place &place) {
  return suffices(infer_pad(truncation.child, place), *truncation.op, place.here(truncation.args[0]),
                  place.known.facts());
}

bool typable_with_variables(const Reshape &truncation, const Place &place) {
  if (place.truncations) // perhaps met when the type of a truncation around it was inferred
    if (auto met = place.truncations->find(&truncation); met != place.truncations->end())
      return met->second;
  return typable_here(truncation, place);
}

bool typable_in_iterations(const Reshape &truncation, const Place &place, const std::vector<LoopRange> &loops,
                           std::size_t next) {
  if (next == loops.size())
    return typable_here(truncation, place);
  const LoopRange &loop = loops[next];
  auto lo = as_constant(place.here(loop.lo)), hi = as_constant(place.here(loop.hi));
  if (!lo || !hi || *hi - *lo > place.iterations)
    return false;
  for (std::int64_t i = *lo; i < *hi; ++i) {
    Place iteration =
        place.iteration(loop.var, i, *hi - *lo).with(compare(PredOp::eq, variable(loop.var), constant(i)));
    if (!typable_in_iterations(truncation, iteration, loops, next + 1))
      return false;
  }
  return true;
}

} // namespace

bool cuts_only_padding(const Reshape &truncation, const Place &place, const std::vector<LoopRange> &loops) {
  if (typable_with_variables(truncation, place))
    return true;
  const Shape &shape = truncation.child->type.value().shape;
  bool numbers = std::all_of(shape.begin(), shape.end(), [](const Index &e) { return as_constant(e); });
  return numbers && !loops.empty() && typable_in_iterations(truncation, place, loops, 0);
}

Place Place::with(const Pred &p) const {
  Place result = *this;
  result.known.assume(p);
  return result;
}

Place Place::inside(const LoopRange &range) const {
  return with(in_range(range.lo, variable(range.var), range.hi));
}

Place Place::iteration(const std::string &var, std::int64_t value, std::int64_t of) const {
  Place result = *this;
  result.fixed[var] = constant(value);
  result.iterations /= of;
  return result;
}

PadTypePtr infer_pad(const ExprPtr &e, const Place &place) {
  if (!may_be_padded(e))
    return nothing_known(shape_here(*e, place));
  auto scalar = [] { return scalar_type(truth(true)); };
  return match(
      e, [&](const Gen &g) { return infer_gen(g, place); },
      [&](const Reduce &r) { return infer_reduce(r, *e, place); },
      [&](const Guard &g) { return infer_guard(g, *e, place); },
      [&](const Let &l) { return infer_pad(l.body, place); },
      [&](const Concat &c) {
        return concat_rule(infer_pad(c.left, place), infer_pad(c.right, place), place.known.facts());
      },
      [&](const Reshape &r) { return infer_reshape(r, place); },
      [&](const Tuple &) -> PadTypePtr { ATL_CHECK(false, "a tuple has no pad type"); },
      [&](const Access &) { return scalar(); }, [&](const Literal &) { return scalar(); },
      [&](const Op &) { return scalar(); }, [&](const Convert &) { return scalar(); },
      [&](const Select &) { return scalar(); }, [&](const FromIndex &) { return scalar(); },
      [&](const Test &) { return scalar(); },
      [&](const Call &) -> PadTypePtr { ATL_CHECK(false, "calls are inlined before pad types"); });
}

} // namespace atl::padtypes
