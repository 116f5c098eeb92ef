// A temporary moves outwards, one node at a time; a loop that it depends on becomes a dimension of it.
#include "atl/rewrites/rewrites.h"
#include "atl/syntax/ops/reshape_op.h"

#include <algorithm>

namespace atl::rewrites {

namespace {

struct Lifted {
  ExprPtr bound, body; // let x = bound in body
};

class Lift {
public:
  Lift(Work &work, std::string name) : work_(work), name_(std::move(name)) {}

  std::string problem;

  // `outer` is the node around `let x = bound in body`, which is its child number `child`.
  std::optional<Lifted> out_of(const ExprPtr &outer, std::size_t child, const ExprPtr &bound,
                               const ExprPtr &body) {
    auto around = [&](const ExprPtr &inner) {
      std::vector<ExprPtr> kids = children(*outer);
      kids.at(child) = inner;
      return retyped(rebuild(*outer, std::move(kids)));
    };
    if (auto loop = loop_head(outer))
      return out_of_loop(*loop, bound, body);
    if (const Guard *g = std::get_if<Guard>(&outer->node)) {
      if (auto prophecy = work_.prophecies.find(name_); prophecy != work_.prophecies.end())
        prophecy->second.valid = conj(g->pred, prophecy->second.valid);
      return Lifted{guard_of(g->pred, bound), around(body)};
    }
    if (const Let *let = std::get_if<Let>(&outer->node); let && child == 1 && reads(bound, let->names.at(0)))
      return refuse(name_ + " is computed from " + let->names.at(0));
    if (std::holds_alternative<Select>(outer->node))
      return refuse("it is used only where a select takes that branch");
    return Lifted{bound, around(body)};
  }

private:
  std::optional<Lifted> refuse(const std::string &why) {
    problem = "cannot move " + name_ + " out: " + why;
    return std::nullopt;
  }

  std::optional<Lifted> out_of_loop(const LoopHead &loop, const ExprPtr &bound, const ExprPtr &body) {
    if (!mentions_variable(bound, loop.var))
      return Lifted{bound, loop_of(loop, body)};
    for (const Index &extent : bound->type->shape)
      if (mentions(extent, loop.var))
        return refuse("its shape depends on " + loop.var);
    // The temporary's own loop needs a name of its own: the other is in scope where the cells are read.
    std::string var = work_.fresh(name_ + "." + loop.var);
    ExprPtr wide = gen_of(var, loop.lo, loop.hi, work_.moved(bound, {{loop.var, variable(var)}}));
    Index place = sub(variable(loop.var), loop.lo);
    ExprPtr reading = replace_accesses(body, name_, [&](const Access &a, const ExprPtr &e) {
      std::vector<Index> indices{place};
      indices.insert(indices.end(), a.indices.begin(), a.indices.end());
      return access_of(name_, indices, e->type->elem, e->span);
    });
    widen_prophecy(loop);
    return Lifted{wide, loop_of(loop, reading)};
  }

  void widen_prophecy(const LoopHead &loop) {
    auto found = work_.prophecies.find(name_);
    if (found == work_.prophecies.end())
      return;
    std::string cell = work_.fresh(name_ + ".cell." + loop.var);
    found->second = equality::substitute(found->second, {{loop.var, add(loop.lo, variable(cell))}});
    found->second.cell.insert(found->second.cell.begin(), cell);
  }

  Work &work_;
  std::string name_;
};

// Nothing but other temporaries stands between the place and the loop.
bool is_in_body(const TypedKernel &kernel, Path place, const Path &loop) {
  for (; place.parent() != loop; place = place.parent())
    if (place.steps.back() != 1 || !std::holds_alternative<Let>(at(kernel, place.parent())->node))
      return false;
  return true;
}

} // namespace

Refused hoist_let(Work &work, const std::string &tensor, const std::optional<Path> &loop) {
  auto let = find_let(work.kernel, tensor);
  if (!let)
    return unknown_temporary(work.kernel, tensor);
  if (let->outermost)
    return Refusal{tensor + " is outside all loops already"};
  if (loop && !let->path.is_inside(*loop))
    return Refusal{tensor + " is not computed inside that loop"};
  Work result = work;
  Path place = let->path;
  while (!place.steps.empty() && (!loop || place.parent() != *loop)) {
    const Let inner = std::get<Let>(at(result.kernel, place)->node);
    Path up = place.parent();
    Lift lift(result, tensor);
    auto lifted = lift.out_of(at(result.kernel, up), place.steps.back(), inner.bound, inner.body);
    if (!lifted && loop && place != let->path && is_in_body(result.kernel, place, *loop))
      break; // it stands behind what it is computed from
    if (!lifted)
      return Refusal{lift.problem};
    replace(result.kernel, up, let_of(tensor, lifted->bound, lifted->body));
    place = up;
  }
  if (place.steps.empty()) { // one of the outermost lets, before the one it was in
    const Let inner = std::get<Let>(at(result.kernel, place)->node);
    replace(result.kernel, place, inner.body);
    auto before = place.in_let ? result.kernel.lets.begin() + static_cast<std::ptrdiff_t>(place.root)
                               : result.kernel.lets.end();
    result.kernel.lets.insert(before, Binding{tensor, inner.bound});
  }
  work = std::move(result);
  return {};
}

} // namespace atl::rewrites
