// Types and shapes of the tensor forms.
#include "atl/check/checker.h"
#include "atl/check/conversions.h"
#include "atl/index/facts.h"

#include <algorithm>

namespace atl::check {

ExprPtr Checker::check(const ExprPtr &e, const Env &env, std::optional<Elem> expected) {
  return match(
      e, [&](const Gen &g) { return check_gen(g, *e, env, expected); },
      [&](const Reduce &r) { return check_reduce(r, *e, env, expected); },
      [&](const Guard &g) { return check_guard(g, *e, env, expected); },
      [&](const Let &l) { return check_let(l, *e, env, expected); },
      [&](const Concat &c) { return check_concat(c, *e, env, expected); },
      [&](const Reshape &r) { return check_reshape(r, *e, env, expected); },
      [&](const Tuple &) {
        fail(Code::wrong_output_count, e->span, "several results are only allowed as the result of a kernel");
        return ExprPtr();
      },
      [&](const Access &a) { return check_access(a, *e, env); },
      [&](const Literal &l) { return check_literal(l, *e, expected); },
      [&](const Op &o) { return check_op(o, *e, env, expected); },
      [&](const Convert &c) { return check_convert(c, *e, env); },
      [&](const Select &s) { return check_select(s, *e, env, expected); },
      [&](const FromIndex &f) { return check_from_index(f, *e, env); },
      [&](const Test &t) {
        return make(Test{resolve(t.pred, env, e->span)}, e->span, Type{Elem::boolean, {}});
      },
      [&](const Call &c) { return check_call(c, *e, env); });
}

// The shape, if it does not depend on `var`; shapes are rectangular.
std::optional<Shape> Checker::independent_of(const std::string &var, const Shape &shape, Span span) {
  Shape result;
  for (const Index &extent : shape) {
    Index simple = mentions(extent, var) ? Facts().simplify(extent) : extent;
    if (mentions(simple, var)) {
      fail(
          Code::shape_depends_on_loop, span,
          fmt::format("the extent {} of this tensor depends on the loop variable {}", to_string(extent), var),
          {{std::nullopt,
            "give it its largest extent and guard the cells beyond: gen j < N { [j < i] ... }"}});
      return std::nullopt;
    }
    result.push_back(simple);
  }
  return result;
}

ExprPtr Checker::check_gen(const Gen &gen, const Expr &e, const Env &env, std::optional<Elem> expected) {
  Index lo = resolve(gen.lo, env, e.span), hi = resolve(gen.hi, env, e.span);
  Index extent = sub(hi, lo);
  require_extent(extent, e.span, fmt::format("the length of the range of {}", gen.var));
  Scope scope(*this);
  std::string var = scope.loop(gen.var, lo, hi);
  Env inner = env;
  inner.indices[gen.var] = variable(var);
  ExprPtr body = check(gen.body, inner, expected);
  if (!body)
    return nullptr;
  auto rest = independent_of(var, body->type->shape, gen.body->span);
  if (!rest)
    return nullptr;
  rest->insert(rest->begin(), extent);
  return make(Gen{var, lo, hi, body, gen.mode}, e.span, Type{body->type->elem, *rest});
}

ExprPtr Checker::check_reduce(const Reduce &reduce, const Expr &e, const Env &env,
                              std::optional<Elem> expected) {
  Index lo = resolve(reduce.lo, env, e.span), hi = resolve(reduce.hi, env, e.span);
  Scope scope(*this);
  std::string var = scope.loop(reduce.var, lo, hi);
  Env inner = env;
  inner.indices[reduce.var] = variable(var);
  ExprPtr body = check(reduce.body, inner, expected);
  if (!body)
    return nullptr;
  if (body->type->elem == Elem::boolean) {
    fail(Code::operand_type, e.span, fmt::format("{} is not defined for bool", name(reduce.reduction)),
         {{std::nullopt, "convert to a number first: i32(...)"}},
         {converted(reduce.body->span, expected.value_or(Elem::i32))});
    return nullptr;
  }
  auto shape = independent_of(var, body->type->shape, reduce.body->span);
  if (!shape)
    return nullptr;
  return make(Reduce{reduce.reduction, var, lo, hi, body, reduce.mode}, e.span,
              Type{body->type->elem, *shape});
}

ExprPtr Checker::check_guard(const Guard &guard, const Expr &e, const Env &env,
                             std::optional<Elem> expected) {
  Pred pred = resolve(guard.pred, env, e.span);
  Scope scope(*this);
  assume(pred);
  ExprPtr body = check(guard.body, env, expected);
  return body ? make(Guard{pred, body}, e.span, body->type) : nullptr;
}

// Adds to `into` what the let binds and to `env` the names. False if the bound expression is wrong; the names
// are then bound as well as they can be, so that one mistake gives one message.
bool Checker::bind_let(const Let &let, const Expr &e, Env &env, std::vector<Binding> &into) {
  std::vector<ExprPtr> values;
  std::vector<std::string> names;
  const Call *call = std::get_if<Call>(&let.bound->node);
  auto kernel = call ? callables_.kernels.find(call->callee) : callables_.kernels.end();
  if (kernel != callables_.kernels.end() && let.names.size() > 1) {
    for (const std::string &name : let.names) // taken now: the second result is in the scope of the first
      names.push_back(fresh(name));
    auto inlined = inline_kernel(*kernel->second, *call, *let.bound, env);
    if (!inlined)
      return false;
    into.insert(into.end(), inlined->lets.begin(), inlined->lets.end());
    values = inlined->results;
  } else {
    ExprPtr bound = check(let.bound, env, std::nullopt);
    if (!bound)
      return false;
    values = {bound};
  }
  if (values.size() != let.names.size()) {
    fail(Code::wrong_output_count, e.span,
         kernel == callables_.kernels.end()
             ? fmt::format("{} names are bound to one value", let.names.size())
             : fmt::format("{} gives {}, but {} names are bound", kernel->second->name,
                           results_in_words(*kernel->second), let.names.size()));
    return false;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (names.size() == i)
      names.push_back(fresh(let.names[i]));
    env.tensors[let.names[i]] = {names[i], *values[i]->type};
    into.push_back({names[i], values[i], let.memory});
  }
  return true;
}

ExprPtr Checker::wrap_lets(const std::vector<Binding> &lets, ExprPtr body) {
  for (auto let = lets.rbegin(); let != lets.rend(); ++let)
    body = make(Let{{let->name}, let->value, body, let->memory}, body->span, body->type);
  return body;
}

ExprPtr Checker::check_let(const Let &let, const Expr &e, const Env &env, std::optional<Elem> expected) {
  Scope scope(*this);
  Env inner = env;
  std::vector<Binding> lets;
  if (!bind_let(let, e, inner, lets))
    return nullptr;
  ExprPtr body = check(let.body, inner, expected);
  return body ? wrap_lets(lets, body) : nullptr;
}

ExprPtr Checker::check_concat(const Concat &concat, const Expr &e, const Env &env,
                              std::optional<Elem> expected) {
  if (!expected)
    expected = operand_elem({concat.left, concat.right}, env);
  ExprPtr left = check(concat.left, env, expected), right = check(concat.right, env, expected);
  if (!left || !right)
    return nullptr;
  const Type &a = *left->type, &b = *right->type;
  if (a.elem != b.elem) {
    fail(Code::type_mismatch, e.span, fmt::format("concat of {} and {}", name(a.elem), name(b.elem)));
    return nullptr;
  }
  if (a.shape.empty() || a.shape.size() != b.shape.size()) {
    fail(Code::rank_mismatch, e.span,
         fmt::format("concat needs two tensors with the same number of dimensions, not {} and {}",
                     a.shape.size(), b.shape.size()));
    return nullptr;
  }
  for (std::size_t i = 1; i < a.shape.size(); ++i)
    require_equal(a.shape[i], b.shape[i], e.span,
                  fmt::format("dimension {} of the two sides of concat", i + 1), ObligationKind::shape,
                  Code::shape_mismatch);
  Shape shape = a.shape;
  shape[0] = add(a.shape[0], b.shape[0]);
  return make(Concat{left, right}, e.span, Type{a.elem, shape});
}

// "M - N is -1, which is not at least 0": the value of a side is told where it is not plain to see.
static Template describe_failure(const Pred &comparison) {
  auto side = [](const Index &e, const std::string &between) {
    return as_constant(e) ? Template{to_string(e)} : Template{to_string(e) + between, e};
  };
  Template text = side(comparison->lhs, " is ");
  text.emplace_back(std::string(as_constant(comparison->lhs) ? " is" : ", which is") +
                    (comparison->op == PredOp::ge ? " not at least " : " not at most "));
  Template right = side(comparison->rhs, " = ");
  text.insert(text.end(), right.begin(), right.end());
  return text;
}

ExprPtr Checker::check_reshape(const Reshape &reshape, const Expr &e, const Env &env,
                               std::optional<Elem> expected) {
  const ReshapeOp &op = *reshape.op;
  Args args;
  for (const Index &arg : reshape.args)
    args.push_back(resolve(arg, env, e.span));
  ExprPtr child = check(reshape.child, env, expected);
  if (!child)
    return nullptr;
  const Shape &shape = child->type->shape;
  if (shape.size() < static_cast<std::size_t>(op.min_rank)) {
    fail(Code::rank_mismatch, e.span,
         fmt::format("{} needs a tensor with at least {} dimension{}, this one has {}", op.name, op.min_rank,
                     op.min_rank == 1 ? "" : "s", shape.size()));
    return nullptr;
  }
  for (const Requirement &r : op.requirements(args, shape)) {
    if (r.kind == Requirement::Kind::rank) {
      fail(Code::rank_mismatch, e.span, r.text);
      return nullptr;
    }
    bool divisor = r.kind == Requirement::Kind::divisor;
    require(ObligationKind::shape, divisor ? Code::nonpositive_divisor : Code::negative_extent, e.span,
            r.text, {{r.pred, describe_failure(r.pred)}});
  }
  return make(Reshape{&op, args, child}, e.span, Type{child->type->elem, op.shape(args, shape)});
}

} // namespace atl::check
