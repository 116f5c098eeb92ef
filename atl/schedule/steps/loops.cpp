// Steps on loops: how they are divided, ordered and run.
#include "atl/schedule/steps/each.h"
#include "atl/schedule/steps/families.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::schedule {

namespace {

using namespace rewrites;

std::string name_at(const Work &work, const Path &loop) {
  return loop_head(at(work.kernel, loop))->var;
}

Split split_of(const std::string &loop, const Index &factor, const std::optional<Tail> &tail) {
  return {factor, loop + ".o", loop + ".i", loop + ".t", tail.value_or(Tail::guard)};
}

Refused split(Work &work, const std::vector<Path> &loops, const Index &factor,
              const std::optional<std::string> &outer, const std::optional<std::string> &inner,
              const std::optional<Tail> &tail) {
  return at_each(loops, [&](const Path &loop) {
    Split how = split_of(name_at(work, loop), factor, tail);
    how.outer = outer.value_or(how.outer);
    how.inner = inner.value_or(how.inner);
    return split_loop(work, loop, how);
  });
}

// Of the loops named, the one around the others, and each name once.
std::variant<Path, Refusal, Diagnostics> outermost_of(const TypedKernel &kernel,
                                                      const std::vector<LoopName> &names) {
  std::vector<Path> paths;
  for (const LoopName &name : names) {
    auto path = find_loop(kernel, name);
    if (!path)
      return path.errors();
    if (std::find(paths.begin(), paths.end(), *path) != paths.end())
      return Refusal{name.name + " is named twice"};
    paths.push_back(*path);
  }
  Path outermost = *std::min_element(paths.begin(), paths.end(), [](const Path &a, const Path &b) {
    return a.steps.size() < b.steps.size();
  });
  for (const Path &path : paths)
    if (!path.is_inside(outermost))
      return Refusal{fmt::format("{} is not inside {}", loop_head(at(kernel, path))->var,
                                 loop_head(at(kernel, outermost))->var)};
  return outermost;
}

// The loops of a nest down to this one, outermost first. A temporary between two loops ends a nest, and so
// does the loop `within`.
std::vector<Path> nest_of(const TypedKernel &kernel, const Path &innermost,
                          const std::optional<std::string> &within) {
  std::vector<Path> nest{innermost};
  for (Path path = innermost; !path.steps.empty();) {
    path = path.parent();
    const ExprPtr e = at(kernel, path);
    const auto head = loop_head(e);
    if (head && head->var == within)
      break;
    if (head)
      nest.insert(nest.begin(), path);
    else if (!std::holds_alternative<Guard>(e->node) && !std::holds_alternative<Reshape>(e->node))
      break;
  }
  return nest;
}

// In place of `others`, the loops of the nest that are not named, in their order.
Result<std::vector<LoopName>> with_others(const TypedKernel &kernel, std::vector<LoopName> names) {
  auto others = std::find_if(names.begin(), names.end(), [](const auto &n) { return n.name == "others"; });
  if (others == names.end() || find_loop(kernel, *others))
    return names;
  const LoopName word = *others;
  others = names.erase(others);
  Path innermost{false, 0, {}};
  std::vector<Path> named;
  for (const LoopName &name : names) {
    auto path = find_loop(kernel, name);
    if (!path)
      return path.errors();
    named.push_back(*path);
    if (path->steps.size() >= innermost.steps.size())
      innermost = *path;
  }
  std::vector<LoopName> rest;
  for (const Path &path : named.empty() ? named : nest_of(kernel, innermost, word.within))
    if (std::find(named.begin(), named.end(), path) == named.end())
      rest.push_back({loop_head(at(kernel, path))->var, word.within, word.span, word.scope});
  names.insert(others, rest.begin(), rest.end());
  return names;
}

Outcome in_order(Work &work, const std::vector<LoopName> &names) {
  auto outermost = outermost_of(work.kernel, names);
  if (auto *refusal = std::get_if<Refusal>(&outermost))
    return *refusal;
  if (auto *problems = std::get_if<Diagnostics>(&outermost))
    return *problems;
  std::vector<std::string> order;
  for (const LoopName &name : names)
    order.push_back(name.name);
  return reorder_loops(work, std::get<Path>(outermost), order);
}

// `in` at the end is meant for all.
std::vector<LoopName> in_same_place(std::vector<LoopName> names) {
  for (LoopName &name : names)
    if (!name.within)
      name.within = names.back().within;
  return names;
}

Outcome reorder(Work &work, const std::vector<LoopName> &names) {
  auto all = with_others(work.kernel, in_same_place(names));
  return all ? in_order(work, *all) : Outcome(all.errors());
}

Outcome tile(Work &work, const std::vector<LoopName> &loops, const std::vector<Index> &factors,
             const std::optional<Tail> &tail) {
  std::vector<LoopName> order, inner;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    const LoopName &loop = loops[i];
    auto path = find_loop(work.kernel, loop);
    if (!path)
      return path.errors();
    const Split how = split_of(loop.name, factors.at(i), tail);
    if (Refused refused = split_loop(work, *path, how))
      return refused;
    order.push_back({how.outer, loop.within, loop.span, loop.scope});
    inner.push_back({how.inner, loop.within, loop.span, loop.scope});
  }
  order.insert(order.end(), inner.begin(), inner.end());
  return in_order(work, order);
}

Outcome fuse(Work &work, const LoopName &outer, const LoopName &inner,
             const std::optional<std::string> &into) {
  std::vector<LoopName> names = in_same_place({outer, inner});
  auto a = find_loop(work.kernel, names[0]), b = find_loop(work.kernel, names[1]);
  for (auto *path : {&a, &b})
    if (!*path)
      return path->errors();
  if (*b != a->child(0))
    return Refusal{
        fmt::format("{} is not directly inside {}", inner.name, outer.name),
        {{std::nullopt,
          "bring them together with reorder, and fuse outer loops before inner ones; the loops are now " +
              loops_of(work.kernel)}}};
  return fuse_loops(work, *a, into.value_or(outer.name + "." + inner.name));
}

Refused cut(Work &work, const Path &loop, const Index &place, const std::optional<std::string> &first,
            const std::optional<std::string> &second) {
  std::string name = name_at(work, loop);
  if (!loop_head(at(work.kernel, loop))->reduction)
    return cut_loop(work, loop, place, first.value_or(name + ".a"), second.value_or(name + ".b"));
  if (first)
    return Refusal{name + " is a reduction, the two parts of which keep its name",
                   {{std::nullopt, "write it without `into`"}}};
  return cut_reduction(work, loop, place, name + ".c");
}

// At most as many iterations as there are.
Refused peel(Work &work, const Path &loop, const std::optional<Index> &count) {
  LoopHead head = *loop_head(at(work.kernel, loop));
  Index place = binary(IndexOp::min, add(head.lo, count.value_or(constant(1))), head.hi);
  return cut(work, loop, known_at(work.kernel, loop).facts().simplify(place), {}, {});
}

Refused distribute(Work &work, const Path &loop, const std::optional<std::string> &first,
                   const std::optional<std::string> &second) {
  std::string name = name_at(work, loop);
  bool is_reduction = loop_head(at(work.kernel, loop))->reduction.has_value();
  auto rewrite = is_reduction ? distribute_sum : distribute_loop;
  return rewrite(work, loop, first.value_or(name), second.value_or(name + ".r"));
}

template <LoopMode mode>
Refused run_as(Work &work, const std::vector<Path> &loops) {
  return at_each(loops, [&](const Path &loop) { return set_mode(work, loop, mode); });
}

} // namespace

StepRows loop_steps() {
  return {
      step("split [every] LOOP by FACTOR [into OUTER, INNER] [tail guard | cut | shift | pad | exact]",
           "splits a loop into tiles of FACTOR iterations: LOOP.o over the tiles, LOOP.i inside one", split),
      step("tile LOOP by FACTOR, LOOP by FACTOR ... [tail guard | shift | pad | exact]",
           "splits each loop, and moves the loops over tiles outside the loops inside a tile", tile),
      step("reorder LOOP, LOOP ...", "nests loops in this order, the first one outermost", reorder),
      step("fuse LOOP, LOOP [into NAME]", "makes one loop of two that are nested directly", fuse),
      step("cut LOOP at PLACE [into FIRST, SECOND]", "divides a loop into two, one after the other", cut),
      step("peel LOOP [by COUNT]", "makes a separate loop of the first iterations", peel),
      step("distribute LOOP [into FIRST, SECOND]",
           "moves a loop into the two parts inside it; makes two sums of a sum of sums", distribute),
      step("unroll [every] LOOP", "writes out the iterations one after the other",
           run_as<LoopMode::unrolled>),
      step("vectorize [every] LOOP", "runs the iterations as vector instructions",
           run_as<LoopMode::vectorized>),
      step("parallel [every] LOOP", "runs the iterations on several threads", run_as<LoopMode::parallel>),
      step("sequential [every] LOOP", "runs the iterations one after the other, in order",
           run_as<LoopMode::sequential>),
  };
}

} // namespace atl::schedule
