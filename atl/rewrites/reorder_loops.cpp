// Loops move outwards, one at a time: pull takes a loop out of all that is around it.
#include "atl/rewrites/gaps.h"
#include "atl/syntax/ops/reshape_op.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::rewrites {

namespace {

// A reshape of the dimensions from `depth` on.
struct Deep {
  const ReshapeOp *op;
  std::vector<Index> args;
  std::size_t depth;
};

// e = the reshapes, first one innermost, around `loop { rest }`.
struct Pulled {
  LoopHead loop;
  std::vector<Deep> reshapes;
  ExprPtr rest;
};

struct Rank {
  std::size_t in, out; // dimensions that an operator takes and gives
};
Rank rank_of(const Deep &deep) {
  auto in = static_cast<std::size_t>(deep.op->min_rank);
  return {in, deep.op->shape(deep.args, Shape(in, constant(1))).size()};
}

// An operator for the dimensions from `depth` on: they are brought to the front, and back.
ExprPtr apply_deep(const Deep &deep, ExprPtr e) {
  if (deep.op == &raise_op || deep.op == &sink_op) {
    Index there = add(deep.args[0], constant(static_cast<std::int64_t>(deep.depth)));
    Index here = constant(static_cast<std::int64_t>(deep.depth));
    bool up = deep.op == &raise_op;
    return reshape_of(sink_op, {up ? here : there}, reshape_of(raise_op, {up ? there : here}, e));
  }
  Rank rank = rank_of(deep);
  auto dimension = [&](std::size_t count) {
    return constant(static_cast<std::int64_t>(deep.depth + count) - 1);
  };
  bool nested = deep.depth > 0;
  for (std::size_t i = 0; nested && i < rank.in; ++i)
    e = reshape_of(raise_op, {dimension(rank.in)}, e);
  e = reshape_of(*deep.op, deep.args, e);
  for (std::size_t i = 0; nested && i < rank.out; ++i)
    e = reshape_of(sink_op, {dimension(rank.out)}, e);
  return e;
}

std::string kind_of(const LoopHead &loop) {
  return loop.reduction ? std::string(name(*loop.reduction)) : "gen";
}

class Puller {
public:
  explicit Puller(std::string target) : target_(std::move(target)) {}

  std::string problem;

  std::optional<Pulled> pull(const ExprPtr &e) {
    return match(
        e, [&](const Gen &) { return out_of_loop(e); }, [&](const Reduce &) { return out_of_loop(e); },
        [&](const Guard &g) {
          auto pulled = pull(g.body);
          if (pulled)
            pulled->rest = guard_of(g.pred, pulled->rest);
          return pulled;
        },
        [&](const Reshape &r) {
          auto pulled = pull(r.child);
          if (pulled)
            pulled->reshapes.push_back({r.op, r.args, 0});
          return pulled;
        },
        [&](const Let &l) {
          return refuse("the temporary " + l.names.at(0) +
                        " is computed between the loops; reorder first, and say where to compute it then");
        },
        [&](const Concat &) { return refuse("it is in one part of a concat"); },
        [&](const auto &) { return refuse("it is inside a scalar expression"); });
  }

private:
  std::optional<Pulled> refuse(const std::string &why) {
    problem = "cannot move " + target_ + " out: " + why;
    return std::nullopt;
  }

  std::optional<Pulled> out_of_loop(const ExprPtr &e) {
    LoopHead around = *loop_head(e);
    if (around.var == target_)
      return Pulled{around, {}, loop_body(e)};
    auto pulled = pull(loop_body(e));
    if (!pulled)
      return std::nullopt;
    LoopHead &loop = pulled->loop;
    if (mentions(loop.lo, around.var) || mentions(loop.hi, around.var))
      return refuse(fmt::format("its range depends on {}", around.var));
    if (loop.reduction && around.reduction && loop.reduction != around.reduction)
      return refuse(fmt::format("{} {} does not commute with {} {}", kind_of(loop), loop.var, kind_of(around),
                                around.var));
    for (const Deep &deep : pulled->reshapes)
      for (const Index &arg : deep.args)
        if (mentions(arg, around.var))
          return refuse(fmt::format("{} {} between the loops depends on {}", deep.op->name, to_string(arg),
                                    around.var));
    if (!around.reduction) { // its dimension comes first, before those of the reshapes
      for (Deep &deep : pulled->reshapes)
        ++deep.depth;
      if (!loop.reduction)
        pulled->reshapes.insert(pulled->reshapes.begin(), Deep{&transpose_op, {}, 0});
    }
    pulled->rest = loop_of(around, pulled->rest);
    return pulled;
  }

  std::string target_;
};

ExprPtr ordered(const ExprPtr &e, const std::vector<std::string> &order, std::size_t next,
                std::string &problem) {
  if (next == order.size())
    return e;
  Puller puller(order[next]);
  auto pulled = puller.pull(e);
  if (!pulled) {
    problem = puller.problem;
    return nullptr;
  }
  ExprPtr rest = ordered(pulled->rest, order, next + 1, problem);
  if (!rest)
    return nullptr;
  ExprPtr result = loop_of(pulled->loop, rest);
  for (const Deep &deep : pulled->reshapes)
    result = apply_deep(deep, std::move(result));
  return result;
}

} // namespace

Refused reorder_loops(Work &work, const Path &outermost, const std::vector<std::string> &order) {
  std::string problem;
  ExprPtr result = ordered(at(work.kernel, outermost), order, 0, problem);
  if (!result)
    return Refusal{problem};
  const TypedKernel before = work.kernel;
  replace(work.kernel, outermost, result);
  require_same_gaps(work, before, outermost); // a reduction may have left a guard
  return {};
}

} // namespace atl::rewrites
