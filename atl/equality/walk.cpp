#include "atl/equality/walk.h"

#include "atl/syntax/path.h"

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

Walk Walk::below(const Expr &e, std::size_t i) const {
  return {known_below(known, e, i), scope};
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
