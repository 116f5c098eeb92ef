#include "accel/lanes/same_value.h"

#include "atl/syntax/same.h"
#include "atl/syntax/tree.h"

#include <algorithm>
#include <string_view>

namespace atl::accel {

namespace {

using Around = LoopSurroundings;

ExprPtr op(std::string_view name, std::vector<ExprPtr> args) {
  Span span = args[0]->span;
  std::optional<Type> type = args[0]->type;
  const ScalarOp *row = find_scalar_op(name, static_cast<int>(args.size()));
  return make(Op{row, std::move(args)}, span, type);
}

const Op *as_op(const ExprPtr &e, std::string_view name, std::size_t arity) {
  const Op *o = std::get_if<Op>(&e->node);
  return o && o->op->name == name && o->args.size() == arity ? o : nullptr;
}

// a * b + c, rounded as often as it says.
ExprPtr unfused(const Op &fma) {
  const ExprPtr &a = fma.args[0], &b = fma.args[1], &c = fma.args[2];
  if (const Op *negation = as_op(a, "-", 1))
    return op("-", {c, op("*", {negation->args[0], b})});
  if (const Op *negation = as_op(c, "-", 1))
    return op("-", {op("*", {a, b}), negation->args[0]});
  return op("+", {c, op("*", {a, b})});
}

// Conditions on the lane are decided by what is known of it; a rounding that is allowed is undone.
ExprPtr simple(const ExprPtr &e, const Around &around) {
  if (const Guard *guard = std::get_if<Guard>(&e->node)) {
    if (around.proves(guard->pred))
      return simple(guard->body, around);
    if (around.proves(neg(guard->pred)))
      return make(Literal{is_float(e->type->elem), 0, 0.0, std::nullopt}, e->span, e->type);
  }
  if (const Select *select = std::get_if<Select>(&e->node))
    if (const Test *test = std::get_if<Test>(&select->cond->node)) {
      if (around.proves(test->pred))
        return simple(select->then, around);
      if (around.proves(neg(test->pred)))
        return simple(select->otherwise, around);
    }
  const Op *fma = around.contracts ? as_op(e, "fma", 3) : nullptr;
  return fma ? unfused(*fma) : e;
}

// An integer that is 0 because of a guard: by itself, converted, or as a factor.
bool is_zero(const ExprPtr &e, const Around &around) {
  if (is_float(e->type->elem))
    return false;
  auto zero = [&](const ExprPtr &part) { return is_zero(part, around); };
  return match(
      e, [&](const Guard &guard) { return around.proves(neg(guard.pred)) || zero(guard.body); },
      [&](const Literal &literal) { return literal.integer == 0; },
      [&](const Convert &convert) { return zero(convert.arg); },
      [&](const Op &o) { return o.op->name == "*" && std::any_of(o.args.begin(), o.args.end(), zero); },
      [](const auto &) { return false; });
}

bool same_index(const Index &a, const Index &b, const Around &around) {
  return around.premises.are_equal(a, b, around.known);
}

bool same_indices(const std::vector<Index> &a, const std::vector<Index> &b, const Around &around) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](const Index &x, const Index &y) { return same_index(x, y, around); });
}

// A guard that nothing decides: an integer that is 0 where it is false.
bool same_in_both_cases(const Guard &guard, const ExprPtr &b, const Around &around) {
  return same_value(guard.body, b, around.where(guard.pred)) && is_zero(b, around.where(neg(guard.pred)));
}

bool same_in_both_cases(const Select &select, const ExprPtr &b, const Around &around) {
  const Test *test = std::get_if<Test>(&select.cond->node);
  return test && same_value(select.then, b, around.where(test->pred)) &&
         same_value(select.otherwise, b, around.where(neg(test->pred)));
}

// What is selected by another condition on the lane, or not selected, is compared in each case.
bool selects_alike(const Select &a, const ExprPtr &b) {
  const Select *other = std::get_if<Select>(&b->node);
  const Test *ours = std::get_if<Test>(&a.cond->node);
  const Test *theirs = other ? std::get_if<Test>(&other->cond->node) : nullptr;
  return other && !(ours && theirs && !equal(ours->pred, theirs->pred));
}

bool same_sum(const Reduce &a, const Reduce &b, const Around &around) {
  if (a.reduction != b.reduction || !same_index(a.lo, b.lo, around) || !same_index(a.hi, b.hi, around))
    return false;
  const ExprPtr renamed = substitute(b.body, {{b.var, variable(a.var)}});
  return same_value(a.body, renamed, around.inside({a.var, a.lo, a.hi}));
}

// 0.0 of an instruction is the literal of the loop.
bool same_literal(const Literal &a, const Literal &b) {
  return a.is_float == b.is_float && a.integer == b.integer &&
         same_bits(make_real(Elem::f64, a.real), make_real(Elem::f64, b.real));
}

// The same, if their children are.
bool same_node(const ExprPtr &a, const ExprPtr &b, const Around &around) {
  return match(
      a,
      [&](const Access &x) {
        const Access &y = std::get<Access>(b->node);
        return x.tensor == y.tensor && same_place(x, y, around);
      },
      [&](const Literal &x) { return same_literal(x, std::get<Literal>(b->node)); },
      [&](const FromIndex &x) {
        const FromIndex &y = std::get<FromIndex>(b->node);
        return x.to == y.to && same_index(x.value, y.value, around);
      },
      [&](const auto &) { return is_scalar_form(*a) && same_form(a, b); });
}

bool same_children(const ExprPtr &a, const ExprPtr &b, const Around &around) {
  const std::vector<ExprPtr> as = children(*a), bs = children(*b);
  return std::equal(as.begin(), as.end(), bs.begin(), bs.end(),
                    [&](const ExprPtr &x, const ExprPtr &y) { return same_value(x, y, around); });
}

bool same_simple_value(const ExprPtr &given_a, const ExprPtr &given_b, const Around &around) {
  const ExprPtr a = simple(given_a, around), b = simple(given_b, around);
  const Op *sum_a = as_op(a, "+", 2), *sum_b = as_op(b, "+", 2);
  if (around.contracts && sum_a && sum_b) { // which of the two a product was added to is not known
    auto same = [&](std::size_t i, std::size_t j) {
      return same_value(sum_a->args[i], sum_b->args[j], around);
    };
    return around.premises.attempt([&] { return same(0, 0) && same(1, 1); }) || (same(0, 1) && same(1, 0));
  }
  if (around.premises.attempt([&] { return is_zero(a, around) && is_zero(b, around); }))
    return true;
  if (const Guard *guard = std::get_if<Guard>(&a->node))
    return same_in_both_cases(*guard, b, around);
  const Select *select = std::get_if<Select>(&a->node);
  if (select && !selects_alike(*select, b))
    return same_in_both_cases(*select, b, around);
  if (a->node.index() != b->node.index())
    return false;
  if (const Reduce *sum = std::get_if<Reduce>(&a->node))
    return same_sum(*sum, std::get<Reduce>(b->node), around);
  return same_node(a, b, around) && same_children(a, b, around);
}

} // namespace

bool same_place(const Access &a, const Access &b, const LoopSurroundings &around) {
  if (around.premises.attempt([&] { return same_indices(a.indices, b.indices, around); }))
    return true;
  auto buffer = around.buffers.find(a.tensor);
  if (buffer == around.buffers.end() || !buffer->second.memory.empty())
    return false;
  const Shape &dims = buffer->second.dims;
  return same_index(row_major(dims, a.indices), row_major(dims, b.indices), around);
}

bool same_value(const ExprPtr &a, const ExprPtr &b, const LoopSurroundings &around) {
  return around.premises.attempt([&] { return same_simple_value(a, b, around); });
}

} // namespace atl::accel
