// Positions in a kernel, and what holds there.
#include "atl/syntax/path.h"

#include "atl/base/check.h"
#include "atl/syntax/build.h"
#include "atl/syntax/names.h"

#include <algorithm>

namespace atl {

namespace {

ExprPtr &root_of(TypedKernel &kernel, const Path &path) {
  return path.in_let ? kernel.lets.at(path.root).value : kernel.results.at(path.root);
}

ExprPtr replaced(const ExprPtr &e, const std::vector<std::size_t> &steps, std::size_t next,
                 const ExprPtr &by) {
  if (next == steps.size())
    return by;
  std::vector<ExprPtr> kids = children(*e);
  ExprPtr &kid = kids.at(steps[next]);
  kid = replaced(kid, steps, next + 1, by);
  return rebuild(*e, std::move(kids));
}

void visit_below(const Path &path, const ExprPtr &e,
                 const std::function<void(const Path &, const ExprPtr &)> &visit) {
  visit(path, e);
  std::vector<ExprPtr> kids = children(*e);
  for (std::size_t i = 0; i < kids.size(); ++i)
    visit_below(path.child(i), kids[i], visit);
}

} // namespace

Path Path::parent() const {
  Path up = *this;
  up.steps.pop_back();
  return up;
}

Path Path::child(std::size_t i) const {
  Path down = *this;
  down.steps.push_back(i);
  return down;
}

bool Path::is_inside(const Path &outer) const {
  return in_let == outer.in_let && root == outer.root && steps.size() >= outer.steps.size() &&
         std::equal(outer.steps.begin(), outer.steps.end(), steps.begin());
}

ExprPtr find(const TypedKernel &kernel, const Path &path) {
  ExprPtr e = path.in_let ? kernel.lets.at(path.root).value : kernel.results.at(path.root);
  for (std::size_t step : path.steps) {
    const std::vector<ExprPtr> kids = children(*e);
    if (step >= kids.size())
      return nullptr;
    e = kids[step];
  }
  return e;
}

ExprPtr at(const TypedKernel &kernel, const Path &path) {
  ExprPtr e = find(kernel, path);
  ATL_CHECK(e, "nothing is at a path");
  return e;
}

void retype(TypedKernel &kernel) {
  for (Binding &let : kernel.lets)
    let.value = retyped(let.value);
  for (ExprPtr &result : kernel.results)
    result = retyped(result);
}

void replace(TypedKernel &kernel, const Path &path, const ExprPtr &e) {
  ExprPtr &root = root_of(kernel, path);
  root = retyped(replaced(root, path.steps, 0, e));
}

const std::string &root_name(const TypedKernel &kernel, const Path &path) {
  return path.in_let ? kernel.lets.at(path.root).name : kernel.outputs.at(path.root).name;
}

Known known_in(const TypedKernel &kernel) {
  return {kernel.name, kernel.size_names(), kernel.assumptions};
}

Known known_below(Known known, const Expr &e, std::size_t i) {
  if (const Gen *g = std::get_if<Gen>(&e.node))
    known.enter({g->var, g->lo, g->hi});
  if (const Reduce *r = std::get_if<Reduce>(&e.node))
    known.enter({r->var, r->lo, r->hi});
  if (const Guard *g = std::get_if<Guard>(&e.node))
    known.assume(g->pred);
  if (const Select *s = std::get_if<Select>(&e.node); s && i > 0)
    if (const Test *test = std::get_if<Test>(&s->cond->node))
      known.assume(i == 1 ? test->pred : positive_form(neg(test->pred)));
  return known;
}

Known known_at(const TypedKernel &kernel, const Path &path) {
  Known known = known_in(kernel);
  ExprPtr e = path.in_let ? kernel.lets.at(path.root).value : kernel.results.at(path.root);
  for (std::size_t step : path.steps) {
    known = known_below(std::move(known), *e, step);
    e = children(*e).at(step);
  }
  return known;
}

void for_each_node(const TypedKernel &kernel,
                   const std::function<void(const Path &, const ExprPtr &)> &visit) {
  for (std::size_t i = 0; i < kernel.lets.size(); ++i)
    visit_below({true, i, {}}, kernel.lets[i].value, visit);
  for (std::size_t i = 0; i < kernel.results.size(); ++i)
    visit_below({false, i, {}}, kernel.results[i], visit);
}

std::set<std::string> names_in(const TypedKernel &kernel) {
  std::set<std::string> names;
  for (const Param &param : kernel.params)
    names.insert(param.name);
  for (const Binding &let : kernel.lets) {
    names.insert(let.name);
    names.merge(names_in(let.value));
  }
  for (const ExprPtr &result : kernel.results)
    names.merge(names_in(result));
  return names;
}

static ExprPtr with_unique_lets(const ExprPtr &e, std::set<std::string> &taken) {
  if (const Let *let = std::get_if<Let>(&e->node)) {
    std::string name = take_name(let->names.at(0), taken);
    ExprPtr bound = with_unique_lets(let->bound, taken);
    ExprPtr body = name == let->names[0] ? let->body : read_as(let->body, let->names[0], name);
    return make(Let{{name}, bound, with_unique_lets(body, taken), let->memory}, e->span, e->type);
  }
  std::vector<ExprPtr> kids = children(*e);
  for (ExprPtr &kid : kids)
    kid = with_unique_lets(kid, taken);
  return rebuild(*e, std::move(kids));
}

void make_lets_unique(TypedKernel &kernel) {
  std::set<std::string> taken;
  for (const Param &param : kernel.params)
    taken.insert(param.name);
  for (const Binding &let : kernel.lets)
    taken.insert(let.name);
  for (Binding &let : kernel.lets)
    let.value = with_unique_lets(let.value, taken);
  for (ExprPtr &result : kernel.results)
    result = with_unique_lets(result, taken);
}

static ExprPtr renamed(const ExprPtr &e, const std::string &from, const std::string &to) {
  std::vector<ExprPtr> kids;
  for (const ExprPtr &child : children(*e))
    kids.push_back(renamed(child, from, to));
  ExprPtr same = rebuild(*e, std::move(kids));
  if (const Let *let = std::get_if<Let>(&same->node); let && let->names.at(0) == from)
    return make(Let{{to}, let->bound, let->body, let->memory}, e->span, e->type);
  if (const Access *a = std::get_if<Access>(&same->node); a && a->tensor == from)
    return make(Access{to, a->indices}, e->span, e->type);
  return same;
}

void rename_let(TypedKernel &kernel, const std::string &from, const std::string &to) {
  for (Binding &let : kernel.lets) {
    let.name = let.name == from ? to : let.name;
    let.value = renamed(let.value, from, to);
  }
  for (ExprPtr &result : kernel.results)
    result = renamed(result, from, to);
}

} // namespace atl
