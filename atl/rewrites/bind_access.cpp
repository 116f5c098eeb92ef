#include "atl/rewrites/rewrites.h"

#include <algorithm>

namespace atl::rewrites {

Refused bind_access(Work &work, const std::string &tensor, const Path &loop, const std::string &name) {
  if (!shape_of(work.kernel, tensor))
    return unknown_tensor(work.kernel, tensor);
  if (auto let = find_let(work.kernel, tensor); let && !let->outermost && !loop.is_inside(let->path.child(1)))
    return Refusal{tensor + " is computed inside that loop; what is read of it is known further in"};
  ExprPtr body = at(work.kernel, loop.child(0));
  std::optional<Access> first;
  ExprPtr value;
  bool differ = false, bound_inside = false;
  std::set<std::string> inside = names_in(body);
  ExprPtr reading = replace_accesses(body, tensor, [&](const Access &a, const ExprPtr &e) {
    differ = differ || (first && !std::equal(a.indices.begin(), a.indices.end(), first->indices.begin(),
                                             [](const Index &x, const Index &y) { return equal(x, y); }));
    for (const Index &i : a.indices)
      bound_inside = bound_inside || std::any_of(inside.begin(), inside.end(),
                                                 [&](const std::string &var) { return mentions(i, var); });
    first = a;
    value = e;
    return access_of(name, {}, e->type->elem, e->span);
  });
  std::string var = loop_head(at(work.kernel, loop))->var;
  if (!first)
    return Refusal{"the loop " + var + " does not read " + tensor};
  if (differ)
    return Refusal{"the loop " + var + " reads several cells of " + tensor,
                   {{std::nullopt, "stage copies all of them: `stage " + tensor + " at " + var + "`"}}};
  if (bound_inside)
    return Refusal{"which cell of " + tensor + " is read depends on a loop inside " + var};
  // Where the cell is read only under guards directly inside the loop, it is computed under them.
  std::vector<Pred> guards;
  ExprPtr inner = reading;
  while (const Guard *g = std::get_if<Guard>(&inner->node)) {
    guards.push_back(g->pred);
    inner = g->body;
  }
  Known known = known_at(work.kernel, loop.child(0));
  for (const Pred &guard : guards)
    known.assume(guard);
  const Shape &shape = *shape_of(work.kernel, tensor);
  for (std::size_t d = 0; d < shape.size(); ++d)
    work.require(known, in_range(constant(0), first->indices[d], shape[d]),
                 tensor + " has the cell that " + var + " reads",
                 {"index ", first->indices[d], " of " + tensor + " is read, which has ", shape[d]},
                 "write `stage " + tensor + " at " + var + "`");
  ExprPtr result = let_of(name, value, inner);
  for (std::size_t i = guards.size(); i-- > 0;)
    result = guard_of(guards[i], result);
  replace(work.kernel, loop.child(0), result);
  auto held = work.prophecies.find(tensor);
  equality::Prophecy prophecy{tensor, {}, first->indices};
  if (held != work.prophecies.end()) {
    prophecy = equality::renumbered(held->second, {}, first->indices);
  } else if (find_let(work.kernel, tensor)) {
    return {}; // a temporary without a prophecy: nor has this one
  }
  work.prophecies[name] = prophecy;
  return {};
}

} // namespace atl::rewrites
