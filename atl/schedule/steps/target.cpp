#include "atl/schedule/steps/target.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::schedule {

namespace {

// The names of what is around a node: the root and the lets that it belongs to, and loops; outer ones first.
struct Around {
  std::vector<std::string> tensors, loops;

  const std::string &tensor() const { return tensors.back(); }
};

Around around(const TypedKernel &kernel, const Path &path) {
  Around result{{root_name(kernel, path)}, {}};
  Path at{path.in_let, path.root, {}};
  for (std::size_t step : path.steps) {
    ExprPtr e = atl::at(kernel, at);
    if (auto head = loop_head(e))
      result.loops.push_back(head->var);
    if (const Let *let = std::get_if<Let>(&e->node); let && step == 0)
      result.tensors.push_back(let->names.at(0));
    at = at.child(step);
  }
  return result;
}

bool contains(const std::vector<std::string> &names, const std::string &name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_meant(const Around &place, bool of_result, const LoopName &loop, Where where) {
  if (loop.scope && !contains(place.tensors, *loop.scope))
    return false;
  if (loop.within)
    return place.tensor() == *loop.within || contains(place.loops, *loop.within);
  return where == Where::anywhere || (loop.scope ? place.tensor() == *loop.scope : of_result);
}

struct FoundLoop {
  Path path;
  Around place;
};

std::vector<FoundLoop> all_loops(const TypedKernel &kernel, const std::string &name) {
  std::vector<FoundLoop> found;
  for_each_node(kernel, [&](const Path &path, const ExprPtr &e) {
    if (auto head = loop_head(e); head && head->var == name)
      found.push_back({path, around(kernel, path)});
  });
  return found;
}

// A name that tells this loop from the others.
std::string qualified(const std::string &name, const Around &place) {
  return fmt::format("{} in {}", name, place.loops.empty() ? place.tensor() : place.loops.back());
}

} // namespace

std::string loops_of(const TypedKernel &kernel) {
  std::vector<std::pair<std::string, std::string>> lines;
  for_each_node(kernel, [&](const Path &path, const ExprPtr &e) {
    auto head = loop_head(e);
    if (!head)
      return;
    std::string tensor = around(kernel, path).tensor();
    auto line = std::find_if(lines.begin(), lines.end(), [&](const auto &l) { return l.first == tensor; });
    if (line == lines.end())
      line = lines.insert(lines.end(), {tensor, ""});
    line->second += (line->second.empty() ? "" : ", ") + head->var;
  });
  std::string text;
  for (const auto &[tensor, loops] : lines)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", tensor, loops);
  return text.empty() ? "none" : text;
}

Result<std::vector<Path>> find_loops(const TypedKernel &kernel, const LoopName &loop, Where where) {
  std::vector<Path> paths;
  std::string elsewhere;
  for (const FoundLoop &f : all_loops(kernel, loop.name)) {
    const bool of_result = !f.path.in_let && f.place.tensors.size() == 1;
    if (is_meant(f.place, of_result, loop, where))
      paths.push_back(f.path);
    else if (elsewhere.empty())
      elsewhere = fmt::format("; there is `{} in {}`", loop.name, f.place.tensor());
  }
  if (!paths.empty())
    return paths;
  const auto &around_it = loop.within ? loop.within : loop.scope;
  std::string place = around_it ? " in " + *around_it : "";
  return Diagnostic{Code::unknown_target,
                    loop.span,
                    fmt::format("there is no loop {}{}{}", loop.name, place, elsewhere),
                    {{std::nullopt, "the loops are now " + loops_of(kernel)}}};
}

Result<Path> find_loop(const TypedKernel &kernel, const LoopName &loop) {
  auto paths = find_loops(kernel, loop, Where::results);
  if (!paths)
    return paths.errors();
  if (paths->size() == 1)
    return paths->front();
  std::string all;
  for (const Path &path : *paths)
    all += (all.empty() ? "`" : ", `") + qualified(loop.name, around(kernel, path)) + "`";
  return Diagnostic{Code::unknown_target,
                    loop.span,
                    fmt::format("{} names {} loops", loop.name, paths->size()),
                    {{std::nullopt, "they are " + all + "; `every " + loop.name + "` means all of them"}}};
}

Result<Step> with_extents(Step step, const TypedKernel &kernel, const std::optional<std::string> &scope) {
  for (StepItem &item : step.items) {
    std::set<std::string> names;
    if (item.index)
      collect_variables(item.index, names);
    if (item.pred)
      collect_variables(item.pred, names);
    Subst extents;
    for (const std::string &name : names)
      if (auto extent = extent_of(name)) {
        auto path = find_loop(kernel, {extent->loop, extent->within, item.span, scope});
        if (!path)
          return path.errors();
        const LoopHead head = *loop_head(at(kernel, *path));
        extents[name] = sub(head.hi, head.lo);
      }
    if (!extents.empty() && item.index)
      item.index = substitute(item.index, extents);
    if (!extents.empty() && item.pred)
      item.pred = substitute(item.pred, extents);
  }
  return step;
}

} // namespace atl::schedule
