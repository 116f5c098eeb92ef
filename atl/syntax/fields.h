// The fields of every form, one row each, in the order of the text. Equality, children, rebuilding,
// substitution and the names that an expression mentions follow from these rows.
#pragma once
#include "atl/syntax/expr.h"

#include <concepts>
#include <tuple>
#include <type_traits>

namespace atl {

template <class T, class Node>
concept Form = std::same_as<std::remove_const_t<T>, Node>;

auto fields(Form<Gen> auto &g) {
  return std::tie(g.var, g.mode, g.lo, g.hi, g.body);
}
auto fields(Form<Reduce> auto &r) {
  return std::tie(r.reduction, r.var, r.mode, r.lo, r.hi, r.body);
}
auto fields(Form<Guard> auto &g) {
  return std::tie(g.pred, g.body);
}
auto fields(Form<Let> auto &l) {
  return std::tie(l.names, l.memory, l.bound, l.body);
}
auto fields(Form<Concat> auto &c) {
  return std::tie(c.left, c.right);
}
auto fields(Form<Reshape> auto &r) {
  return std::tie(r.op, r.args, r.child);
}
auto fields(Form<Tuple> auto &t) {
  return std::tie(t.elements);
}
auto fields(Form<Access> auto &a) {
  return std::tie(a.tensor, a.indices);
}
auto fields(Form<Literal> auto &l) {
  return std::tie(l.is_float, l.integer, l.real, l.suffix);
}
auto fields(Form<Op> auto &o) {
  return std::tie(o.op, o.args);
}
auto fields(Form<Convert> auto &c) {
  return std::tie(c.mode, c.to, c.arg);
}
auto fields(Form<Select> auto &s) {
  return std::tie(s.cond, s.then, s.otherwise);
}
auto fields(Form<FromIndex> auto &f) {
  return std::tie(f.to, f.value);
}
auto fields(Form<Test> auto &t) {
  return std::tie(t.pred);
}
auto fields(Form<Call> auto &c) {
  return std::tie(c.callee, c.args);
}

namespace detail {

template <class Field, class Visit>
void visit_parts(Field &field, const Visit &visit) {
  visit(field);
}
template <class Element, class Visit>
void visit_parts(std::vector<Element> &list, const Visit &visit) {
  for (Element &element : list)
    visit_parts(element, visit);
}
template <class Element, class Visit>
void visit_parts(const std::vector<Element> &list, const Visit &visit) {
  for (const Element &element : list)
    visit_parts(element, visit);
}
template <class... Parts, class Visit>
void visit_parts(std::variant<Parts...> &part, const Visit &visit) {
  std::visit([&](auto &one) { visit(one); }, part);
}
template <class... Parts, class Visit>
void visit_parts(const std::variant<Parts...> &part, const Visit &visit) {
  std::visit([&](const auto &one) { visit(one); }, part);
}

} // namespace detail

// Calls the function of `cases` for the type of each part of the form itself: each field, of lists each
// element. Parts of other types are passed over. Children are parts (ExprPtr), what is below them is not.
template <class E, class... Cases>
requires Form<E, Expr>
void for_each_part(E &e, Cases &&...cases) {
  const Overloaded visit{std::forward<Cases>(cases)..., [](const auto &) {}};
  std::visit(
      [&](auto &form) {
        std::apply([&](auto &...field) { (detail::visit_parts(field, visit), ...); }, fields(form));
      },
      e.node);
}

} // namespace atl
