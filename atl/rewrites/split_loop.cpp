#include "atl/base/check.h"
#include "atl/rewrites/rewrites.h"
#include "atl/syntax/ops/reshape_op.h"

namespace atl::rewrites {

namespace {

struct Parts {
  LoopHead loop;
  ExprPtr body;
  Index count; // of iterations
  Known known;
  Work *work;
};

// What is known wherever the shape of a tensor matters: also outside the loops and guards around a part of
// it.
Facts of_shape(const Work &work) {
  return known_in(work.kernel).facts();
}

// The loop's variable as a number of whole tiles and a place in one.
Index position(const Parts &parts, const Split &how) {
  return add(parts.loop.lo, add(mul(variable(how.outer), how.factor), variable(how.inner)));
}

ExprPtr tiles(const Parts &parts, const Split &how, const Index &count, const Pred &inside,
              const Index &place) {
  ExprPtr body = guard_of(inside, parts.work->moved(parts.body, {{parts.loop.var, place}}));
  LoopHead inner{parts.loop.reduction, how.inner, constant(0), how.factor, LoopMode::sequential};
  LoopHead outer{parts.loop.reduction, how.outer, constant(0), count, parts.loop.mode};
  return loop_of(outer, loop_of(inner, body));
}

ExprPtr guarded(const Parts &parts, const Split &how) {
  Index count = ceil_div(parts.count, how.factor);
  Pred inside = compare(PredOp::lt, position(parts, how), parts.loop.hi);
  const Pred divides = compare(PredOp::eq, modulo(parts.count, how.factor), constant(0));
  if (parts.known.facts().proves(divides))
    inside = truth(true);
  ExprPtr all = tiles(parts, how, count, inside, position(parts, how));
  if (parts.loop.reduction)
    return all;
  ExprPtr flat = reshape_of(flatten_op, {}, all);
  Index excess = sub(mul(count, how.factor), parts.count);
  return of_shape(*parts.work).proves(divides) ? flat : reshape_of(truncr_op, {excess}, flat);
}

ExprPtr exact(const Parts &parts, const Split &how) {
  ExprPtr all = tiles(parts, how, floor_div(parts.count, how.factor), truth(true), position(parts, how));
  return parts.loop.reduction ? all : reshape_of(flatten_op, {}, all);
}

Index end_of_tiles(const Parts &parts, const Split &how) {
  return add(parts.loop.lo, mul(floor_div(parts.count, how.factor), how.factor));
}

ExprPtr cut(const Parts &parts, const Split &how) {
  Index whole = floor_div(parts.count, how.factor);
  ExprPtr rest = gen_of(how.rest, end_of_tiles(parts, how), parts.loop.hi,
                        parts.work->copied(parts.body, {{parts.loop.var, variable(how.rest)}}));
  ExprPtr main = reshape_of(flatten_op, {}, tiles(parts, how, whole, truth(true), position(parts, how)));
  return concat_of(main, rest);
}

ExprPtr shifted(const Parts &parts, const Split &how) {
  Index begin = binary(IndexOp::min, mul(variable(how.outer), how.factor), sub(parts.count, how.factor));
  Index place = add(parts.loop.lo, add(begin, variable(how.inner)));
  ExprPtr all = tiles(parts, how, ceil_div(parts.count, how.factor), truth(true), place);
  return reshape_of(overlap_op, {parts.count}, all);
}

// The temporary whose cells the loop computes, and which of its dimensions the loop runs over.
struct Filled {
  std::string tensor;
  std::size_t dimension;
};
std::optional<Filled> filled_by(const TypedKernel &kernel, const Path &loop) {
  Path root = loop;
  std::size_t dimension = 0;
  for (; !root.steps.empty(); ++dimension, root = root.parent()) {
    const ExprPtr around = at(kernel, root.parent());
    const Let *let = std::get_if<Let>(&around->node);
    if (let && root.steps.back() == 0)
      return Filled{let->names.at(0), dimension};
    if (!std::holds_alternative<Gen>(around->node))
      return std::nullopt;
  }
  return root.in_let ? std::optional(Filled{root_name(kernel, root), dimension}) : std::nullopt;
}

// What is computed beyond the end is computed from cells that exist.
void require_reads(Work &work, const Path &path, const ExprPtr &e, const Split &how, const std::string &var) {
  const Access *a = std::get_if<Access>(&e->node);
  const Shape *shape = a ? shape_of(work.kernel, a->tensor) : nullptr;
  for (std::size_t d = 0; shape && d < a->indices.size(); ++d)
    if (mentions(a->indices[d], how.outer) || mentions(a->indices[d], how.inner))
      work.require(known_at(work.kernel, path), in_range(constant(0), a->indices[d], shape->at(d)),
                   a->tensor + " has what the whole tiles of " + var + " read",
                   {"the last tile of " + var + " reads index ", a->indices[d],
                    " of " + a->tensor + ", which has ", shape->at(d)},
                   "write `tail guard`");
  std::vector<ExprPtr> kids = children(*e);
  for (std::size_t i = 0; i < kids.size(); ++i)
    require_reads(work, path.child(i), kids[i], how, var);
}

Refused pad(Work &work, const Parts &parts, const Path &path, const Split &how) {
  auto filled = filled_by(work.kernel, path);
  if (!filled)
    return Refusal{parts.loop.var + " is not a loop over the cells of a temporary, which could have more",
                   {{std::nullopt, "write `tail shift`, `tail cut` or `tail guard`"}}};
  Index count = ceil_div(parts.count, how.factor);
  ExprPtr all = tiles(parts, how, count, truth(true), position(parts, how));
  replace(work.kernel, path, reshape_of(flatten_op, {}, all));
  require_reads(work, path, at(work.kernel, path), how, parts.loop.var);
  if (auto p = work.prophecies.find(filled->tensor); p != work.prophecies.end()) {
    Index cell = variable(p->second.cell.at(filled->dimension));
    p->second.known = conj(p->second.known, compare(PredOp::lt, cell, parts.count));
  }
  return {};
}

void reindex(Work &work, const Parts &parts, const Split &how) {
  Index number = sub(variable(parts.loop.var), parts.loop.lo);
  work.reindex(parts.loop.var, position(parts, how),
               {{how.outer, floor_div(number, how.factor)}, {how.inner, modulo(number, how.factor)}});
}

} // namespace

Refused split_loop(Work &work, const Path &path, const Split &how) {
  ExprPtr e = at(work.kernel, path);
  Parts parts{*loop_head(e), loop_body(e), {}, known_at(work.kernel, path), &work};
  const Facts known = parts.loop.reduction ? parts.known.facts() : of_shape(work);
  parts.count = known.simplify(sub(parts.loop.hi, parts.loop.lo));
  for (const std::string &name : {how.outer, how.inner})
    if (names_in(parts.body).contains(name) || (how.outer == how.inner))
      return Refusal{"a loop inside is already called " + name};
  std::string factor = to_string(how.factor);
  work.require(parts.known, compare(PredOp::ge, how.factor, constant(1)),
               "the factor " + factor + " is positive", {"the factor is ", how.factor});
  if (parts.loop.reduction && (how.tail == Tail::guard || how.tail == Tail::exact))
    reindex(work, parts, how);
  switch (how.tail) {
  case Tail::guard: replace(work.kernel, path, guarded(parts, how)); return {};
  case Tail::exact:
    work.require(
        parts.known, compare(PredOp::eq, modulo(parts.count, how.factor), constant(0)),
        factor + " divides the " + to_string(parts.count) + " iterations of " + parts.loop.var,
        {parts.loop.var + " has ", parts.count, " iterations, and " + factor + " does not divide that"},
        either("write `tail guard` or `tail cut`",
               work.where_clause(compare(PredOp::eq, modulo(parts.count, how.factor), constant(0)))));
    replace(work.kernel, path, exact(parts, how));
    return {};
  case Tail::cut:
    if (!parts.loop.reduction) {
      replace(work.kernel, path, cut(parts, how));
      return {};
    }
    if (Refused refused = cut_reduction(work, path, end_of_tiles(parts, how), parts.loop.var + ".c"))
      return refused;
    return split_loop(work, path.child(0),
                      {how.factor, how.outer, how.inner, how.rest, Tail::guard}); // of both parts
  case Tail::shift:
    if (parts.loop.reduction)
      return Refusal{"tiles of a reduction cannot overlap: its terms would count twice",
                     {{std::nullopt, "write `tail guard`, or `tail exact` where the factor divides"}}};
    work.require(
        parts.known, compare(PredOp::le, how.factor, parts.count),
        parts.loop.var + " has at least " + factor + " iterations",
        {parts.loop.var + " has ", parts.count, " iterations, not enough for one tile"},
        either(work.where_clause(compare(PredOp::ge, parts.count, how.factor)), "write `tail guard`"));
    replace(work.kernel, path, shifted(parts, how));
    return {};
  case Tail::pad:
    if (parts.loop.reduction)
      return Refusal{"a reduction cannot be padded: more terms would count"};
    return pad(work, parts, path, how);
  }
  ATL_CHECK(false, "a tail without a rewrite");
}

} // namespace atl::rewrites
