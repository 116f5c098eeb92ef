// Element types of the scalar forms.
#include "atl/check/checker.h"
#include "atl/check/conversions.h"
#include "atl/syntax/tree.h"

#include <algorithm>
#include <limits>

namespace atl::check {

std::string describe(const Type &type) {
  std::string text(name(type.elem));
  for (std::size_t i = 0; i < type.shape.size(); ++i)
    text += (i == 0 ? "[" : ", ") + to_string(type.shape[i]);
  return type.shape.empty() ? text : text + "]";
}

// A tensor with fewer indices than dimensions: one gen for each that is missing.
ExprPtr Checker::expand(const TensorRef &ref, Span span) {
  const Shape &rest = ref.type.shape;
  std::vector<Index> indices = ref.leading;
  Scope scope(*this);
  std::vector<std::string> vars;
  for (const Index &extent : rest) {
    vars.push_back(scope.loop(fmt::format("i{}", indices.size()), constant(0), extent));
    indices.push_back(variable(vars.back()));
  }
  ExprPtr e = make(Access{ref.name, std::move(indices)}, span, Type{ref.type.elem, {}});
  for (std::size_t d = rest.size(); d-- > 0;) {
    Shape shape = e->type->shape;
    shape.insert(shape.begin(), rest[d]);
    e = make(Gen{vars[d], constant(0), rest[d], e}, span, Type{ref.type.elem, shape});
  }
  return e;
}

// What is left of a tensor after the indices that are given; they must be in range.
std::optional<TensorRef> Checker::slice(const Access &access, Span span, const Env &env) {
  auto found = env.tensors.find(access.tensor);
  if (found == env.tensors.end())
    return std::nullopt; // its definition is wrong, and said so
  TensorRef ref = found->second;
  std::size_t rank = ref.type.shape.size(), given = access.indices.size();
  if (given > rank) {
    fail(Code::rank_mismatch, span,
         fmt::format("{} has {} dimension{}, but {} indices are given", access.tensor, rank,
                     rank == 1 ? "" : "s", given));
    return std::nullopt;
  }
  Access resolved{ref.name, {}};
  std::string as_written = access.tensor;
  for (const Index &index : access.indices) {
    as_written += (resolved.indices.empty() ? "[" : ", ") + to_string(index);
    resolved.indices.push_back(resolve(index, env, span));
  }
  require_access(resolved, ref.type, span, as_written + (given == 0 ? "" : "]"));
  ref.leading.insert(ref.leading.end(), resolved.indices.begin(), resolved.indices.end());
  ref.type.shape.erase(ref.type.shape.begin(), ref.type.shape.begin() + static_cast<std::ptrdiff_t>(given));
  return ref;
}

ExprPtr Checker::check_access(const Access &access, const Expr &e, const Env &env) {
  auto ref = slice(access, e.span, env);
  return ref ? expand(*ref, e.span) : nullptr;
}

static bool fits(std::int64_t value, Elem elem) {
  return make_integer(elem, value).integer == value;
}

ExprPtr Checker::check_literal(const Literal &literal, const Expr &e, std::optional<Elem> expected) {
  Literal typed = literal;
  if (!typed.suffix) {
    bool usable = expected && (literal.is_float ? is_float(*expected) : is_integer(*expected));
    typed.suffix = usable ? *expected : literal.is_float ? Elem::f32 : Elem::i32;
  }
  if (!literal.is_float && is_float(*typed.suffix) && literal.suffix) { // 3f32 is the float 3.0
    typed.is_float = true;
    typed.real = static_cast<double>(literal.integer);
    typed.integer = 0;
  }
  if (typed.is_float)
    typed.real = make_real(*typed.suffix, typed.real).real;
  if (!typed.is_float && is_integer(*typed.suffix) && !fits(typed.integer, *typed.suffix)) {
    fail(Code::number_too_large, e.span,
         fmt::format("{} does not fit {}", typed.integer, name(*typed.suffix)));
    return nullptr;
  }
  return make(typed, e.span, Type{*typed.suffix, {}});
}

static bool has_float_literal(const ExprPtr &e) {
  if (const Literal *literal = std::get_if<Literal>(&e->node))
    return literal->is_float;
  std::vector<ExprPtr> kids = children(*e);
  return std::any_of(kids.begin(), kids.end(), has_float_literal);
}

// The element type an expression has whatever its context; none for literals without suffix and what is made
// of them.
std::optional<Elem> Checker::natural_elem(const ExprPtr &e, const Env &env) {
  using Found = std::optional<Elem>;
  return match(
      e, [&](const Gen &g) { return natural_elem(g.body, env); },
      [&](const Reduce &r) { return natural_elem(r.body, env); },
      [&](const Guard &g) { return natural_elem(g.body, env); },
      [&](const Let &l) { return natural_elem(l.body, with_elems(l, env)); },
      [&](const Concat &c) {
        return operand_elem({c.left, c.right}, env);
      },
      [&](const Reshape &r) { return natural_elem(r.child, env); }, [&](const Tuple &) { return Found(); },
      [&](const Access &a) {
        auto found = env.tensors.find(a.tensor);
        return found == env.tensors.end() ? Found() : Found(found->second.type.elem);
      },
      [&](const Literal &l) { return l.suffix; },
      [&](const Op &o) {
        return o.op->result == ResultRule::boolean ? Found(Elem::boolean) : operand_elem(o.args, env);
      },
      [&](const Convert &c) { return Found(c.to); },
      [&](const Select &s) {
        return operand_elem({s.then, s.otherwise}, env);
      },
      [&](const FromIndex &f) { return Found(f.to); }, [&](const Test &) { return Found(Elem::boolean); },
      [&](const Call &c) {
        if (auto f = callables_.functions.find(c.callee); f != callables_.functions.end())
          return Found(f->second->result);
        auto k = callables_.kernels.find(c.callee);
        return k == callables_.kernels.end() ? Found() : Found(k->second->outputs[0].type.elem);
      });
}

// The environment of the body of a let, as far as element types go.
Env Checker::with_elems(const Let &let, const Env &env) {
  const Call *call = std::get_if<Call>(&let.bound->node);
  auto kernel = call ? callables_.kernels.find(call->callee) : callables_.kernels.end();
  Env inner = env;
  for (std::size_t i = 0; i < let.names.size(); ++i) {
    std::optional<Elem> elem = natural_elem(let.bound, env);
    if (kernel != callables_.kernels.end() && i < kernel->second->outputs.size())
      elem = kernel->second->outputs[i].type.elem;
    Elem without_context = has_float_literal(let.bound) ? Elem::f32 : Elem::i32;
    inner.tensors[let.names[i]] = {let.names[i], Type{elem.value_or(without_context), {}}};
  }
  return inner;
}

std::optional<Elem> Checker::operand_elem(const std::vector<ExprPtr> &args, const Env &env) {
  for (const ExprPtr &arg : args)
    if (auto elem = natural_elem(arg, env))
      return elem;
  return std::nullopt;
}

ExprPtr Checker::check_scalar(const ExprPtr &e, const Env &env, std::optional<Elem> expected) {
  ExprPtr typed = check(e, env, expected);
  if (!typed || typed->type->shape.empty())
    return typed;
  fail(Code::scalar_expected, e->span,
       fmt::format("a scalar is needed here, this is {}", describe(*typed->type)),
       {{std::nullopt, "use gen to compute a tensor cell by cell"}});
  return nullptr;
}

ExprPtr Checker::expect_elem(ExprPtr typed, Elem expected, const std::string &role,
                             std::optional<Span> other) {
  if (!typed || typed->type->elem == expected)
    return typed;
  std::vector<Note> notes;
  if (other)
    notes.push_back({other, fmt::format("{} is needed because of this", name(expected))});
  fail(Code::type_mismatch, typed->span,
       fmt::format("{} is {}, but {} is needed", role, name(typed->type->elem), name(expected)),
       std::move(notes), conversions(*typed, expected));
  return nullptr;
}

// Neither of two operands is the wrong one.
ExprPtr Checker::expect_alike(ExprPtr typed, Elem expected, const std::string &of, Span other) {
  if (!typed || typed->type->elem == expected)
    return typed;
  fail(Code::type_mismatch, typed->span,
       fmt::format("{} are {} and {}", of, name(expected), name(typed->type->elem)),
       {{other, fmt::format("this one is {}", name(expected))}}, conversions(*typed, expected, other));
  return nullptr;
}

// -(128) is a literal of i8, as -128 is; -(5u8) is none, because no u8 is negative: an operation that wraps.
static std::optional<Literal> as_negative_literal(const Op &op, std::optional<Elem> expected) {
  const bool is_minus = op.op->name == "-" && op.args.size() == 1;
  const Literal *literal = is_minus ? std::get_if<Literal>(&op.args[0]->node) : nullptr;
  if (!literal || (!literal->is_float && literal->integer <= 0))
    return std::nullopt;
  const Elem type = literal->suffix.value_or(expected.value_or(Elem::i32));
  if (!literal->is_float && is_integer(type) && !fits(-literal->integer, type) &&
      fits(literal->integer, type))
    return std::nullopt;
  return Literal{literal->is_float, -literal->integer, -literal->real, literal->suffix};
}

ExprPtr Checker::check_op(const Op &op, const Expr &e, const Env &env, std::optional<Elem> expected) {
  if (const std::optional<Literal> negative = as_negative_literal(op, expected))
    return check_literal(*negative, e, expected);
  std::optional<Elem> elem = operand_elem(op.args, env);
  if (!elem && op.op->operands == OperandRule::boolean)
    elem = Elem::boolean;
  if (!elem && op.op->result == ResultRule::same)
    elem = expected;
  if (!elem)
    elem = std::any_of(op.args.begin(), op.args.end(), has_float_literal) ? Elem::f32 : Elem::i32;
  std::vector<ExprPtr> args;
  Scope scope(*this);
  const auto asks = std::find_if(op.args.begin(), op.args.end(),
                                 [&](const ExprPtr &arg) { return natural_elem(arg, env) == elem; });
  for (const ExprPtr &arg : op.args) {
    const bool alone = asks == op.args.end() || *asks == arg || std::holds_alternative<Literal>(arg->node);
    ExprPtr typed = check_scalar(arg, env, elem);
    if (!typed && !errors.empty() && errors.back().code == Code::scalar_expected)
      return nullptr; // the other operand is one more tensor
    typed = alone ? expect_elem(typed, *elem, fmt::format("this operand of {}", op.op->name))
                  : expect_alike(typed, *elem, fmt::format("the operands of {}", op.op->name), (*asks)->span);
    args.push_back(typed);
    if (typed && op.op->right_where)
      assume(known_when(typed, *op.op->right_where));
  }
  if (std::find(args.begin(), args.end(), nullptr) != args.end())
    return nullptr;
  if (!accepts(op.op->operands, *elem)) {
    fail(Code::operand_type, e.span, fmt::format("{} is not defined for {}", op.op->name, name(*elem)));
    return nullptr;
  }
  return make(Op{op.op, args}, e.span,
              Type{op.op->result == ResultRule::boolean ? Elem::boolean : *elem, {}});
}

ExprPtr Checker::check_convert(const Convert &convert, const Expr &e, const Env &env) {
  ExprPtr arg = check_scalar(convert.arg, env, std::nullopt);
  return arg ? make(Convert{convert.mode, convert.to, arg}, e.span, Type{convert.to, {}}) : nullptr;
}

ExprPtr Checker::check_select(const Select &select, const Expr &e, const Env &env,
                              std::optional<Elem> expected) {
  ExprPtr cond =
      expect_elem(check_scalar(select.cond, env, Elem::boolean), Elem::boolean, "the condition of select");
  std::optional<Elem> elem = operand_elem({select.then, select.otherwise}, env);
  if (!elem)
    elem = expected;
  auto branch = [&](const ExprPtr &arm, bool value) {
    Scope scope(*this);
    if (cond)
      assume(known_when(cond, value));
    return check_scalar(arm, env, elem);
  };
  ExprPtr then = branch(select.then, true), otherwise = branch(select.otherwise, false);
  if (!cond || !then || !otherwise)
    return nullptr;
  otherwise = std::holds_alternative<Literal>(otherwise->node)
                  ? expect_elem(otherwise, then->type->elem, "the second branch of select")
                  : expect_alike(otherwise, then->type->elem, "the branches of select", then->span);
  return otherwise ? make(Select{cond, then, otherwise}, e.span, then->type) : nullptr;
}

ExprPtr Checker::check_from_index(const FromIndex &from, const Expr &e, const Env &env) {
  if (from.to == Elem::boolean) {
    fail(Code::operand_type, e.span, "an index does not convert to bool",
         {{std::nullopt, "compare it: i > 0"}});
    return nullptr;
  }
  return make(FromIndex{from.to, resolve(from.value, env, e.span)}, e.span, Type{from.to, {}});
}

} // namespace atl::check
