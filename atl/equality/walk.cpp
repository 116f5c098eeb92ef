#include "atl/equality/walk.h"

namespace atl::equality {

namespace {

void collect_names(const ExprPtr &e, std::set<std::string> &into) {
  if (const Gen *g = std::get_if<Gen>(&e->node))
    into.insert(g->var);
  if (const Reduce *r = std::get_if<Reduce>(&e->node))
    into.insert(r->var);
  for (const ExprPtr &child : children(*e))
    collect_names(child, into);
}

} // namespace

Walk Walk::below(const ExprPtr &e) const {
  Walk inner = *this;
  auto loop = [&](const std::string &var, const Index &lo, const Index &hi) {
    inner.variables.push_back(var);
    inner.hypotheses.push_back(in_range(lo, variable(var), hi));
  };
  if (const Gen *g = std::get_if<Gen>(&e->node))
    loop(g->var, g->lo, g->hi);
  if (const Reduce *r = std::get_if<Reduce>(&e->node))
    loop(r->var, r->lo, r->hi);
  if (const Guard *g = std::get_if<Guard>(&e->node))
    inner.hypotheses.push_back(g->pred);
  return inner;
}

std::set<std::string> names_of_loops(const TypedKernel &kernel) {
  std::set<std::string> names;
  for (const Binding &let : kernel.lets)
    collect_names(let.value, names);
  for (const ExprPtr &result : kernel.results)
    collect_names(result, names);
  return names;
}

} // namespace atl::equality
