#include "lowering/normal/normalize.h"

#include "atl/base/check.h"
#include "atl/syntax/names.h"
#include "atl/syntax/tree.h"

#include <algorithm>
#include <map>

namespace atl::lowering {

namespace {

void collect_loop_variables(const ExprPtr &e, std::set<std::string> &into) {
  if (const Gen *gen = std::get_if<Gen>(&e->node))
    into.insert(gen->var);
  if (const Reduce *reduce = std::get_if<Reduce>(&e->node))
    into.insert(reduce->var);
  for (const ExprPtr &child : children(*e))
    collect_loop_variables(child, into);
}

void collect_let_names(const ExprPtr &e, std::set<std::string> &into) {
  if (const Let *let = std::get_if<Let>(&e->node))
    into.insert(let->names[0]);
  for (const ExprPtr &child : children(*e))
    collect_let_names(child, into);
}

using Renaming = std::map<std::string, std::string>;

// The expression with tensors under other names; its lets get names that are not taken, and those that
// nothing reads vanish.
ExprPtr with_own_lets(const ExprPtr &e, const Renaming &renaming, std::set<std::string> &taken) {
  if (std::holds_alternative<Access>(e->node))
    return rename_accesses(e, renaming);
  const Let *let = std::get_if<Let>(&e->node);
  if (!let) {
    std::vector<ExprPtr> kids = children(*e);
    for (ExprPtr &child : kids)
      child = with_own_lets(child, renaming, taken);
    return rebuild(*e, std::move(kids));
  }
  if (!reads(let->body, let->names[0]))
    return with_own_lets(let->body, renaming, taken);
  ExprPtr bound = with_own_lets(let->bound, renaming, taken);
  Renaming inner = renaming;
  const std::string name = inner[let->names[0]] = take_name(let->names[0], taken);
  return make(Let{{name}, bound, with_own_lets(let->body, inner, taken), let->memory}, e->span, e->type);
}

// Names of parameters, outputs and loop variables: no temporary takes one of them.
std::set<std::string> fixed_names(const TypedKernel &kernel) {
  std::set<std::string> names;
  for (const Param &param : kernel.params)
    names.insert(param.name);
  for (const Output &output : kernel.outputs)
    names.insert(output.name);
  for (const Binding &let : kernel.lets)
    collect_loop_variables(let.value, names);
  for (const ExprPtr &result : kernel.results)
    collect_loop_variables(result, names);
  return names;
}

} // namespace

std::optional<std::int64_t> constant_count(const Shape &shape) {
  std::int64_t count = 1;
  for (const Index &extent : shape) {
    auto n = as_constant(extent);
    if (!n || __builtin_mul_overflow(count, std::max<std::int64_t>(*n, 0), &count))
      return std::nullopt;
  }
  return count;
}

void rename_lets(TypedKernel &kernel) {
  std::set<std::string> taken = fixed_names(kernel);
  auto is_used = [&](std::size_t i) {
    auto in_value = [&](const Binding &later) { return reads(later.value, kernel.lets[i].name); };
    auto in_result = [&](const ExprPtr &result) { return reads(result, kernel.lets[i].name); };
    return std::any_of(kernel.lets.begin() + static_cast<std::ptrdiff_t>(i) + 1, kernel.lets.end(),
                       in_value) ||
           std::any_of(kernel.results.begin(), kernel.results.end(), in_result);
  };
  for (std::size_t i = kernel.lets.size(); i-- > 0;) // from the last: what only an unused let reads is unused
    if (!is_used(i))
      kernel.lets.erase(kernel.lets.begin() + static_cast<std::ptrdiff_t>(i));
  Renaming renaming;
  for (Binding &let : kernel.lets) {
    let.value = with_own_lets(let.value, renaming, taken);
    renaming[let.name] = take_name(let.name, taken);
    let.name = renaming[let.name];
  }
  for (ExprPtr &result : kernel.results)
    result = with_own_lets(result, renaming, taken);
}

Names::Names(const TypedKernel &kernel) : used_(fixed_names(kernel)) {
  for (const Binding &let : kernel.lets) {
    used_.insert(let.name);
    collect_let_names(let.value, used_);
  }
  for (const ExprPtr &result : kernel.results)
    collect_let_names(result, used_);
}

std::string Names::fresh(const std::string &name) {
  return take_name(name, used_);
}

namespace {

class Purifier {
public:
  explicit Purifier(Names &names) : names_(names) {}

  ExprPtr purify(const ExprPtr &e) {
    return match(
        e, [&](const Reduce &) { return bind(names_.fresh("acc"), e); },
        [&](const Let &let) {
          bind(let.names[0], let.bound);
          return purify(let.body);
        },
        [&](const Guard &guard) {
          ExprPtr cond = make(Test{guard.pred}, e->span, Type{Elem::boolean, {}});
          ExprPtr body = under(guard.pred, guard.body);
          return make(Select{cond, body, zero_literal(e)}, e->span, e->type);
        },
        [&](const Select &s) {
          ExprPtr cond = purify(s.cond);
          ExprPtr then = under(known_at_child(*e, 1), s.then);
          ExprPtr otherwise = under(known_at_child(*e, 2), s.otherwise);
          return make(Select{cond, then, otherwise}, e->span, e->type);
        },
        [&](const Op &op) { return purify_op(op, e); },
        [&](const Convert &c) {
          return make(Convert{c.mode, c.to, purify(c.arg)}, e->span, e->type);
        },
        [&](const Access &) { return e; }, [&](const Literal &) { return e; },
        [&](const FromIndex &) { return e; }, [&](const Test &) { return e; },
        [&](const Gen &) { return not_scalar(); }, [&](const Concat &) { return not_scalar(); },
        [&](const Reshape &) { return not_scalar(); }, [&](const Tuple &) { return not_scalar(); },
        [&](const Call &) { return not_scalar(); });
  }

  std::vector<Binding> lets;

private:
  static ExprPtr not_scalar() { ATL_CHECK(false, "a tensor inside a scalar expression"); }

  static ExprPtr zero_literal(const ExprPtr &like) {
    Elem elem = like->type->elem;
    return make(Literal{is_float(elem), 0, 0, elem}, like->span, Type{elem, {}});
  }

  ExprPtr purify_op(const Op &op, const ExprPtr &e) {
    std::vector<ExprPtr> args;
    for (std::size_t i = 0; i < op.args.size(); ++i)
      args.push_back(under(known_at_child(*e, i), op.args[i]));
    return make(Op{op.op, args}, e->span, e->type);
  }

  ExprPtr under(const Pred &pred, const ExprPtr &e) {
    Pred outer = condition_;
    condition_ = conj(condition_, pred);
    ExprPtr result = purify(e);
    condition_ = outer;
    return result;
  }

  ExprPtr bind(const std::string &name, const ExprPtr &value) {
    bool always = condition_->op == PredOp::truth && condition_->value;
    lets.push_back({name, always ? value : make(Guard{condition_, value}, value->span, value->type)});
    return make(Access{name, {}}, value->span, value->type);
  }

  Names &names_;
  Pred condition_ = truth(true);
};

} // namespace

PureScalar purify(const ExprPtr &scalar, Names &names) {
  Purifier purifier(names);
  ExprPtr value = purifier.purify(scalar);
  return {std::move(purifier.lets), value};
}

} // namespace atl::lowering
