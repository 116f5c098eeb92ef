#include "atl/rewrites/rewrites.h"

namespace atl::rewrites {

void Work::require(const Context &context, const Pred &holds, const std::string &what, Template otherwise,
                   const std::string &fix) {
  Obligation o{ObligationKind::rewrite, Code::step_condition, kernel.span,        kernel.name, what,
               kernel.size_names(),     context.variables,    context.hypotheses, {},          {}};
  o.claims.push_back({holds, std::move(otherwise)});
  if (!fix.empty())
    o.notes.push_back({std::nullopt, fix});
  conditions.push_back(std::move(o));
}

void Work::reindex(const std::string &var, const Index &value) {
  for (auto &[name, old] : reindexing)
    old = substitute(old, {{var, value}});
  reindexing.try_emplace(var, value);
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

} // namespace atl::rewrites
