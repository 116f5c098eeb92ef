#include "atl/rewrites/rewrites.h"
#include "atl/syntax/names.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::rewrites {

void Work::require(const Known &known, const Pred &holds, const std::string &what, Template otherwise,
                   const std::string &fix) {
  std::vector<Note> notes;
  if (!fix.empty())
    notes.push_back({std::nullopt, fix});
  conditions.push_back(known.obligation(ObligationKind::rewrite, Code::step_condition, kernel.span, what,
                                        {{holds, std::move(otherwise)}}, std::move(notes)));
}

std::string Work::where_clause(const Pred &needed) const {
  std::set<std::string> names;
  collect_variables(needed, names);
  const std::vector<std::string> sizes = kernel.size_names();
  bool of_sizes = std::all_of(names.begin(), names.end(), [&](const std::string &name) {
    return std::find(sizes.begin(), sizes.end(), name) != sizes.end();
  });
  return of_sizes && !names.empty() ? "add `where " + to_string(needed) + "` to the kernel" : "";
}

std::string either(const std::string &advice, const std::string &other) {
  return advice + (advice.empty() || other.empty() ? "" : ", or ") + other;
}

void Work::reindex(const std::string &var, const Index &value, const Subst &parts) {
  for (auto &[name, now] : reindexing.to_now)
    now = substitute(now, {{var, value}});
  reindexing.to_now.try_emplace(var, value);
  const Subst before = reindexing.to_then; // a new variable may have the name of the old one
  for (const auto &[name, then] : parts)
    reindexing.to_then[name] = substitute(then, before);
}

namespace {

void collect_lets(const ExprPtr &e, std::vector<std::string> &into) {
  if (const Let *let = std::get_if<Let>(&e->node))
    into.push_back(let->names.at(0));
  for (const ExprPtr &child : children(*e))
    collect_lets(child, into);
}

} // namespace

ExprPtr Work::moved(const ExprPtr &e, const Subst &by) {
  std::vector<std::string> lets;
  collect_lets(e, lets);
  for (const std::string &name : lets)
    if (auto p = prophecies.find(name); p != prophecies.end())
      p->second = equality::substitute(p->second, by);
  return substitute(e, by);
}

ExprPtr Work::copied(const ExprPtr &e, const Subst &by) {
  std::vector<std::string> lets;
  collect_lets(e, lets);
  std::set<std::string> taken = names_in(kernel);
  TypedKernel copy; // renaming is for kernels
  copy.results = {substitute(e, by)};
  for (const std::string &name : lets) {
    std::string other = fresh_name(name, taken);
    taken.insert(other);
    rename_let(copy, name, other);
    if (auto p = prophecies.find(name); p != prophecies.end())
      prophecies[other] = equality::substitute(p->second, by);
  }
  return copy.results[0];
}

std::string Work::fresh(const std::string &name) const {
  return fresh_name(name, names_in(kernel));
}

std::optional<LetPlace> find_let(const TypedKernel &kernel, const std::string &name) {
  for (std::size_t i = 0; i < kernel.lets.size(); ++i)
    if (kernel.lets[i].name == name)
      return LetPlace{true, i, {}, kernel.lets[i].value};
  std::optional<LetPlace> found;
  for_each_node(kernel, [&](const Path &path, const ExprPtr &e) {
    const Let *let = std::get_if<Let>(&e->node);
    if (let && !found && let->names.at(0) == name)
      found = LetPlace{false, 0, path, let->bound};
  });
  return found;
}

const Shape *shape_of(const TypedKernel &kernel, const std::string &tensor) {
  for (const Param &param : kernel.params)
    if (param.kind == Param::Kind::tensor && param.name == tensor)
      return &param.type.shape;
  auto let = find_let(kernel, tensor);
  return let ? &let->bound->type->shape : nullptr;
}

namespace {

std::string temporaries_of(const TypedKernel &kernel) {
  std::vector<std::string> names;
  for (const Binding &let : kernel.lets)
    names.push_back(let.name);
  for_each_node(kernel, [&](const Path &, const ExprPtr &e) {
    if (const Let *let = std::get_if<Let>(&e->node))
      names.push_back(let->names.at(0));
  });
  return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace

Refusal unknown_temporary(const TypedKernel &kernel, const std::string &name, const std::string &advice) {
  std::string all = temporaries_of(kernel);
  std::string note = all.empty() ? "the kernel has no temporaries now" : "the temporaries are now " + all;
  return {name + " is not a temporary", {{std::nullopt, note + advice}}};
}

Refusal unknown_tensor(const TypedKernel &kernel, const std::string &name) {
  std::string all = temporaries_of(kernel);
  for (const Param &param : kernel.params)
    if (param.kind == Param::Kind::tensor)
      all += (all.empty() ? "" : ", ") + param.name;
  return {name + " is no tensor of this kernel", {{std::nullopt, "the tensors are now " + all}}};
}

} // namespace atl::rewrites
