#include "atl/syntax/tree.h"

#include "atl/syntax/fields.h"

#include <algorithm>

namespace atl {

std::optional<LoopHead> loop_head(const ExprPtr &e) {
  if (const Gen *g = std::get_if<Gen>(&e->node))
    return LoopHead{std::nullopt, g->var, g->lo, g->hi, g->mode};
  if (const Reduce *r = std::get_if<Reduce>(&e->node))
    return LoopHead{r->reduction, r->var, r->lo, r->hi, r->mode};
  return std::nullopt;
}

ExprPtr loop_body(const ExprPtr &loop) {
  return children(*loop).at(0);
}

ExprPtr substitute(const ExprPtr &e, const Subst &by) {
  take_step();
  Expr result = *e;
  for_each_part(
      result, [&](ExprPtr &child) { child = substitute(child, by); },
      [&](Index &index) { index = substitute(index, by); }, [&](Pred &pred) { pred = substitute(pred, by); });
  for (Index &extent : result.type.value().shape)
    extent = substitute(extent, by);
  return std::make_shared<const Expr>(std::move(result));
}

ExprPtr replace_accesses(const ExprPtr &e, const std::string &tensor, const AccessMap &by) {
  if (const Access *a = std::get_if<Access>(&e->node))
    return a->tensor == tensor ? by(*a, e) : e;
  std::vector<ExprPtr> kids;
  bool changed = false;
  for (const ExprPtr &child : children(*e)) {
    kids.push_back(replace_accesses(child, tensor, by));
    changed = changed || kids.back() != child;
  }
  return changed ? rebuild(*e, std::move(kids)) : e;
}

ExprPtr rename_accesses(const ExprPtr &e, const std::map<std::string, std::string> &names) {
  if (const Access *access = std::get_if<Access>(&e->node)) {
    auto found = names.find(access->tensor);
    return found == names.end() ? e : make(Access{found->second, access->indices}, e->span, e->type);
  }
  std::vector<ExprPtr> kids = children(*e);
  for (ExprPtr &child : kids)
    child = rename_accesses(child, names);
  return rebuild(*e, std::move(kids));
}

ExprPtr read_as(const ExprPtr &e, const std::string &from, const std::string &to) {
  return rename_accesses(e, {{from, to}});
}

void for_each_access(const ExprPtr &e, const std::function<void(const Access &)> &visit) {
  if (const Access *access = std::get_if<Access>(&e->node))
    visit(*access);
  for (const ExprPtr &child : children(*e))
    for_each_access(child, visit);
}

static void collect_bound_names(const ExprPtr &e, std::set<std::string> &into) {
  if (auto head = loop_head(e))
    into.insert(head->var);
  if (const Let *let = std::get_if<Let>(&e->node))
    into.insert(let->names.begin(), let->names.end());
  for (const ExprPtr &child : children(*e))
    collect_bound_names(child, into);
}

std::set<std::string> names_in(const ExprPtr &e) {
  std::set<std::string> names;
  collect_bound_names(e, names);
  return names;
}

void collect_own_variables(const Expr &e, std::set<std::string> &into) {
  for_each_part(
      e, [&](const Index &index) { collect_variables(index, into); },
      [&](const Pred &pred) { collect_variables(pred, into); });
}

bool mentions_variable(const ExprPtr &e, const std::string &var) {
  bool found = false;
  for_each_part(
      *e, [&](const Index &index) { found = found || mentions(index, var); },
      [&](const Pred &pred) { found = found || mentions(pred, var); },
      [&](const ExprPtr &child) { found = found || mentions_variable(child, var); });
  return found;
}

bool reads(const ExprPtr &e, const std::string &tensor) {
  if (const Access *a = std::get_if<Access>(&e->node))
    return a->tensor == tensor;
  std::vector<ExprPtr> kids = children(*e);
  return std::any_of(kids.begin(), kids.end(), [&](const ExprPtr &k) { return reads(k, tensor); });
}

Pred known_when(const ExprPtr &cond, bool value) {
  if (const Test *test = std::get_if<Test>(&cond->node))
    return value ? test->pred : neg(test->pred);
  if (const Literal *literal = std::get_if<Literal>(&cond->node))
    return truth((literal->integer != 0) == value); // such as a test that was simplified
  const Op *op = std::get_if<Op>(&cond->node);
  if (op && op->op->name == "not")
    return known_when(op->args[0], !value);
  if (!op || !op->op->right_where)
    return truth(true);
  const Pred left = known_when(op->args[0], value), right = known_when(op->args[1], value);
  return op->op->right_where == value ? conj(left, right) : disj(left, right);
}

Pred known_at_child(const Expr &e, std::size_t i) {
  if (const Guard *guard = std::get_if<Guard>(&e.node))
    return guard->pred;
  if (const Select *select = std::get_if<Select>(&e.node); select && i > 0)
    return known_when(select->cond, i == 1);
  if (const Op *op = std::get_if<Op>(&e.node); op && op->op->right_where && i > 0)
    return known_when(op->args[0], *op->op->right_where);
  return truth(true);
}

} // namespace atl
