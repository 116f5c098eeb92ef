#include "lowering/normal/normalize.h"

#include "atl/base/check.h"
#include "atl/check/checker.h"
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

class LetRenamer {
public:
  explicit LetRenamer(std::set<std::string> taken) : taken_(std::move(taken)) {}

  std::string rename(const std::string &name) {
    std::string candidate = name;
    for (int n = 2; !taken_.insert(candidate).second; ++n)
      candidate = name + "_" + std::to_string(n);
    return candidate;
  }

  ExprPtr apply(const ExprPtr &e, const Renaming &renaming) {
    if (const Access *access = std::get_if<Access>(&e->node)) {
      auto found = renaming.find(access->tensor);
      return found == renaming.end() ? e : make(Access{found->second, access->indices}, e->span, e->type);
    }
    const Let *let = std::get_if<Let>(&e->node);
    if (!let) {
      std::vector<ExprPtr> kids = children(*e);
      for (ExprPtr &child : kids)
        child = apply(child, renaming);
      return rebuild(*e, std::move(kids));
    }
    if (!reads(let->body, let->names[0]))
      return apply(let->body, renaming);
    ExprPtr bound = apply(let->bound, renaming);
    Renaming inner = renaming;
    inner[let->names[0]] = rename(let->names[0]);
    return make(Let{{inner[let->names[0]]}, bound, apply(let->body, inner), let->memory}, e->span, e->type);
  }

private:
  std::set<std::string> taken_;
};

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
  LetRenamer renamer(fixed_names(kernel));
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
    let.value = renamer.apply(let.value, renaming);
    renaming[let.name] = renamer.rename(let.name);
    let.name = renaming[let.name];
  }
  for (ExprPtr &result : kernel.results)
    result = renamer.apply(result, renaming);
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
  std::string candidate = name;
  for (int n = 2; !used_.insert(candidate).second; ++n)
    candidate = name + "_" + std::to_string(n);
  return candidate;
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
          ExprPtr then = under(check::known_when(s.cond, true), s.then);
          ExprPtr otherwise = under(check::known_when(s.cond, false), s.otherwise);
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
    bool lazy = op.op->name == "and" || op.op->name == "or";
    std::vector<ExprPtr> args{purify(op.args[0])};
    for (std::size_t i = 1; i < op.args.size(); ++i)
      args.push_back(lazy ? under(check::known_when(op.args[0], op.op->name == "and"), op.args[i])
                          : purify(op.args[i]));
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
