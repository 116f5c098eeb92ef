// inline_let, sink_let, stage_window: where a temporary is computed, and how much of it.
#include "atl/rewrites/gaps.h"
#include "atl/rewrites/window.h"
#include "atl/syntax/names.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::rewrites {

namespace {

// The loop of a dimension that has none yet: c0, c1, ...; inputs and results have other names.
std::string dimension_name(const TypedKernel &kernel, std::size_t dimension) {
  std::set<std::string> taken;
  for (const Param &param : kernel.params)
    taken.insert(param.name);
  for (const Output &output : kernel.outputs)
    taken.insert(output.name);
  return fresh_name(fmt::format("c{}", dimension), taken);
}

std::vector<std::string> dimension_names(const TypedKernel &kernel, const ExprPtr &e, std::size_t rank) {
  std::vector<std::string> names;
  ExprPtr at = e;
  while (names.size() < rank && std::holds_alternative<Gen>(at->node)) {
    names.push_back(std::get<Gen>(at->node).var);
    at = loop_body(at);
  }
  while (names.size() < rank)
    names.push_back(dimension_name(kernel, names.size()));
  return names;
}

std::optional<equality::Prophecy> prophecy_of(const Work &work, const std::string &tensor) {
  auto found = work.prophecies.find(tensor);
  return found == work.prophecies.end() ? std::nullopt : std::optional(found->second);
}

std::string names_of(const TypedKernel &kernel, const std::vector<Path> &loops) {
  std::string names;
  for (const Path &loop : loops)
    names += (names.empty() ? "the loop " : " and ") + loop_head(at(kernel, loop))->var;
  return names;
}

// The expression with its loops called by their number, so that their names do not matter.
ExprPtr with_numbered_loops(const ExprPtr &e, int &count) {
  ExprPtr same = e;
  if (auto loop = loop_head(e)) {
    std::string number = fmt::format("#{}", count++);
    ExprPtr body = substitute(loop_body(e), {{loop->var, variable(number)}});
    loop->var = number;
    same = loop_of(*loop, body);
  }
  std::vector<ExprPtr> kids = children(*same);
  for (ExprPtr &kid : kids)
    kid = with_numbered_loops(kid, count);
  return rebuild(*same, std::move(kids));
}

bool equal_but_for_names(const ExprPtr &a, const ExprPtr &b) {
  int loops_of_a = 0, loops_of_b = 0;
  return equal(with_numbered_loops(a, loops_of_a), with_numbered_loops(b, loops_of_b));
}

// The places that read a tensor.
std::vector<Path> readers(const TypedKernel &kernel, const std::string &tensor) {
  std::vector<Path> paths;
  for_each_node(kernel, [&](const Path &path, const ExprPtr &e) {
    const Access *a = std::get_if<Access>(&e->node);
    if (a && a->tensor == tensor)
      paths.push_back(path);
  });
  return paths;
}

void remove_let(TypedKernel &kernel, const std::string &name) {
  auto let = find_let(kernel, name);
  if (let->outermost)
    kernel.lets.erase(kernel.lets.begin() + static_cast<std::ptrdiff_t>(let->index));
  else
    replace(kernel, let->path, std::get<Let>(at(kernel, let->path)->node).body);
}

// The names of the kernel outside the value of a temporary.
std::set<std::string> names_outside(TypedKernel kernel, const std::string &tensor) {
  remove_let(kernel, tensor);
  return names_in(kernel);
}

} // namespace

bool binds_prophecy(const ExprPtr &e, const equality::Prophecies &prophecies) {
  const Let *let = std::get_if<Let>(&e->node);
  if (let && prophecies.contains(let->names.at(0)))
    return true;
  std::vector<ExprPtr> kids = children(*e);
  return std::any_of(kids.begin(), kids.end(),
                     [&](const ExprPtr &k) { return binds_prophecy(k, prophecies); });
}

Refused inline_let(Work &work, const std::string &tensor) {
  auto let = find_let(work.kernel, tensor);
  if (!let)
    return unknown_temporary(work.kernel, tensor);
  if (binds_prophecy(let->bound, work.prophecies))
    return Refusal{tensor + " has temporaries of its own; inline those first"};
  bool fails = false;
  std::set<std::string> taken = names_outside(work.kernel, tensor);
  auto inlined = [&](const ExprPtr &root) {
    return retyped(replace_accesses(root, tensor, [&](const Access &a, const ExprPtr &e) {
      auto cell = cell_of(let->bound, a.indices, taken);
      fails = fails || !cell;
      return cell.value_or(e);
    }));
  };
  TypedKernel result = work.kernel;
  for (Binding &other : result.lets)
    if (other.name != tensor)
      other.value = inlined(other.value);
  for (ExprPtr &root : result.results)
    root = inlined(root);
  if (fails)
    return Refusal{tensor + " is a concat; its cells have no single expression"};
  const bool same = same_gaps(work.kernel, result, readers(work.kernel, tensor));
  remove_let(result, tensor);
  std::swap(work.kernel, result);
  work.prophecies.erase(tensor);
  if (!same)
    require_unseen_gaps(work, result);
  return {};
}

Refused sink_let(Work &work, const std::string &tensor, const std::vector<Path> &loops) {
  auto let = find_let(work.kernel, tensor);
  if (!let)
    return unknown_temporary(work.kernel, tensor);
  auto is_in = [](const Path &inner, const Path &loop) { return inner.is_inside(loop.child(0)); };
  for (const Path &reader : readers(work.kernel, tensor))
    if (std::none_of(loops.begin(), loops.end(), [&](const Path &loop) { return is_in(reader, loop); }))
      return Refusal{
          fmt::format("{} is also read outside {}", tensor, names_of(work.kernel, loops)),
          {{std::nullopt, fmt::format("name all loops that read it, as in `compute {} at LOOP, LOOP`, "
                                      "or copy what one of them reads with stage",
                                      tensor)}}};
  for (const Path &loop : loops) {
    if (!let->outermost && !loop.is_inside(let->path.child(1)))
      return Refusal{"the loop is not inside the part of the program where " + tensor + " is known"};
    if (std::any_of(loops.begin(), loops.end(), [&](const Path &other) { return is_in(loop, other); }))
      return Refusal{"one of the loops is inside another"};
  }
  if (binds_prophecy(let->bound, work.prophecies))
    return Refusal{tensor +
                   " has temporaries of its own, which were moved there; compute it at the loop first"};
  std::set<std::string> taken = names_outside(work.kernel, tensor);
  ExprPtr bound = let->bound;
  std::size_t rank = bound->type->shape.size();
  auto cell = [&](const std::vector<Index> &indices) -> std::optional<ExprPtr> {
    std::set<std::string> around = taken;
    for (const Index &i : indices)
      collect_variables(i, around);
    return cell_of(bound, indices, around);
  };
  std::string name;
  for (std::size_t i = loops.size(); i-- > 0;) { // the first keeps the name
    name = work.fresh(tensor);
    WindowLet window{tensor, name, dimension_names(work.kernel, bound, rank), cell,
                     prophecy_of(work, tensor)};
    if (Refused refused = insert_window(work, loops[i], window))
      return refused;
  }
  remove_let(work.kernel, tensor);
  work.prophecies.erase(tensor);
  auto prophecy = work.prophecies.extract(name);
  if (!prophecy.empty()) {
    prophecy.key() = tensor;
    work.prophecies.insert(std::move(prophecy));
  }
  rename_let(work.kernel, name, tensor);
  return {};
}

Refused merge_lets(Work &work, const std::string &kept, const std::string &dropped) {
  auto a = find_let(work.kernel, kept), b = find_let(work.kernel, dropped);
  for (const auto &[let, name] : {std::pair(a, kept), std::pair(b, dropped)})
    if (!let)
      return unknown_temporary(work.kernel, name);
  bool in_scope = a->outermost ? !b->outermost || a->index < b->index
                               : !b->outermost && b->path.is_inside(a->path.child(1));
  if (!in_scope)
    return Refusal{kept + " is not known where " + dropped + " is computed"};
  if (!equal_but_for_names(a->bound, b->bound))
    return Refusal{kept + " and " + dropped + " are not the same expression"};
  remove_let(work.kernel, dropped);
  auto renamed = [&](const ExprPtr &e) {
    return replace_accesses(e, dropped, [&](const Access &access, const ExprPtr &old) {
      return access_of(kept, access.indices, old->type->elem, old->span);
    });
  };
  for (Binding &let : work.kernel.lets)
    let.value = renamed(let.value);
  for (ExprPtr &result : work.kernel.results)
    result = renamed(result);
  work.prophecies.erase(dropped);
  return {};
}

std::vector<std::string> loops_of_copy(const TypedKernel &kernel, const std::string &tensor,
                                       std::size_t rank) {
  if (auto let = find_let(kernel, tensor))
    return dimension_names(kernel, let->bound, rank);
  std::vector<std::string> names;
  for (std::size_t d = 0; d < rank; ++d)
    names.push_back(dimension_name(kernel, d));
  return names;
}

Refused stage_window(Work &work, const std::string &tensor, const Path &loop, const std::string &copy) {
  const Shape *shape = shape_of(work.kernel, tensor);
  if (!shape)
    return unknown_tensor(work.kernel, tensor);
  auto prophecy = prophecy_of(work, tensor);
  Elem elem = Elem::f32;
  if (auto let = find_let(work.kernel, tensor)) {
    if (!let->outermost && !loop.is_inside(let->path.child(1)))
      return Refusal{tensor + " is computed inside that loop; a copy of it belongs further in"};
    elem = let->bound->type->elem;
  } else {
    prophecy = equality::itself(tensor, shape->size());
    for (const Param &param : work.kernel.params)
      if (param.name == tensor)
        elem = param.type.elem;
  }
  Span span = at(work.kernel, loop)->span;
  return insert_window(work, loop,
                       {tensor, copy, loops_of_copy(work.kernel, tensor, shape->size()),
                        [&](const std::vector<Index> &cell) -> std::optional<ExprPtr> {
                          return access_of(tensor, cell, elem, span);
                        },
                        prophecy});
}

} // namespace atl::rewrites
