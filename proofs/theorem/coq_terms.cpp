#include "proofs/theorem/coq_terms.h"

#include "atl/base/check.h"
#include "atl/base/deadline.h"
#include "atl/equality/denote.h"
#include "atl/syntax/literal.h"
#include "atl/syntax/ops/reshape_op.h"

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace atl::proofs::coq {

namespace {

std::string binary_term(const char *constructor, const Index &a, const Index &b) {
  return fmt::format("({} {} {})", constructor, term(a), term(b));
}

std::string number(std::int64_t value) {
  return value < 0 ? fmt::format("({})", value) : fmt::format("{}", value);
}

// The limits have names in proofs/coq/tactics/Obligations.v.
std::string limit_or_number(std::int64_t value) {
  return value == INT64_MIN ? "int64_min" : value == INT64_MAX ? "int64_max" : number(value);
}

std::string line(int indent) {
  return "\n" + std::string(static_cast<std::size_t>(indent), ' ');
}

const char *mode_name(LoopMode mode) {
  switch (mode) {
  case LoopMode::sequential: return "Sequential";
  case LoopMode::parallel: return "Parallel";
  case LoopMode::unrolled: return "Unrolled";
  case LoopMode::vectorized: return "Vectorized";
  }
  ATL_CHECK(false, "a loop without a mode");
}

// The operation on values of a type: "+.f32".
std::string operation(std::string_view name, Elem elem) {
  return quoted(fmt::format("{}.{}", name, atl::name(elem)));
}

// The operator and its arguments.
std::string reshape_terms(const Reshape &r) {
  std::string name(r.op->name);
  switch (r.op->coq) {
  case CoqRecord::plain: return fmt::format("{} {}", name, terms(r.args));
  case CoqRecord::numbered: return fmt::format("({} {}%nat) []", name, as_constant(r.args.at(0)).value());
  }
  ATL_CHECK(false, "an operator without a word about Coq");
}

std::string applied(const std::string &operation, const std::vector<std::string> &args) {
  return fmt::format("(Op {} [{}])", operation, fmt::join(args, "; "));
}

} // namespace

std::string quoted(const std::string &name) {
  return '"' + name + '"';
}

std::string term(const Index &e) {
  take_step();
  switch (e->op) {
  case IndexOp::constant: return fmt::format("(Lit {})", number(e->value));
  case IndexOp::variable: return fmt::format("(Var {})", quoted(e->name));
  case IndexOp::add: return binary_term("Add", e->a, e->b);
  case IndexOp::sub: return binary_term("Sub", e->a, e->b);
  case IndexOp::mul: return binary_term("Mul", e->a, e->b);
  case IndexOp::div: return binary_term("Div", e->a, e->b);
  case IndexOp::cdiv: return binary_term("Cdiv", e->a, e->b);
  case IndexOp::mod: return binary_term("Mod", e->a, e->b);
  case IndexOp::min: return binary_term("Min", e->a, e->b);
  case IndexOp::max: return binary_term("Max", e->a, e->b);
  }
  ATL_CHECK(false, "an index without a term");
}

std::string term(const Pred &p) {
  switch (p->op) {
  case PredOp::truth: return p->value ? "(Truth true)" : "(Truth false)";
  case PredOp::lt: return binary_term("Lt", p->lhs, p->rhs);
  case PredOp::le: return binary_term("Le", p->lhs, p->rhs);
  case PredOp::gt: return binary_term("Gt", p->lhs, p->rhs);
  case PredOp::ge: return binary_term("Ge", p->lhs, p->rhs);
  case PredOp::eq: return binary_term("Eq", p->lhs, p->rhs);
  case PredOp::ne: return binary_term("Ne", p->lhs, p->rhs);
  case PredOp::conj: return fmt::format("(And {} {})", term(p->a), term(p->b));
  case PredOp::disj: return fmt::format("(Or {} {})", term(p->a), term(p->b));
  case PredOp::neg: return fmt::format("(Not {})", term(p->a));
  }
  ATL_CHECK(false, "a predicate without a term");
}

std::string terms(const std::vector<Index> &list) {
  std::vector<std::string> all;
  for (const Index &e : list)
    all.push_back(term(e));
  return fmt::format("[{}]", fmt::join(all, "; "));
}

std::string size_name(const std::string &name) {
  // Words of Coq, and names that the files or the notations of integers use.
  static const std::set<std::string> taken{
      "as",     "at",     "cofix",     "else", "end",   "exists",  "fix",       "for",       "fun",
      "if",     "in",     "let",       "mod",  "match", "Set",     "Prop",      "Type",      "then",
      "using",  "where",  "with",      "S",    "V",     "Z",       "by",        "return",    "forall",
      "sizes",  "inputs", "outputs",   "alg",  "sched", "nest",    "block",     "compiled",  "Some",
      "env",    "dims",   "cdiv",      "True", "False", "Scalars", "int64_min", "int64_max", "satisfied",
      "ranges", "widths", "addresses", "first"}; // begins a notation of the library
  std::string result = taken.contains(name) ? name + "_" : name;
  std::replace(result.begin(), result.end(), '.', '\''); // no other name has that
  return result;
}

std::string integer(const Index &e) {
  auto of = [&](const char *format) {
    return fmt::format(fmt::runtime(format), integer(e->a), integer(e->b));
  };
  switch (e->op) {
  case IndexOp::constant: return limit_or_number(e->value);
  case IndexOp::variable: return size_name(e->name);
  case IndexOp::add: return of("({} + {})");
  case IndexOp::sub: return of("({} - {})");
  case IndexOp::mul: return of("({} * {})");
  case IndexOp::div: return of("({} / {})");
  case IndexOp::cdiv: return of("(cdiv {} {})");
  case IndexOp::mod: return of("({} mod {})");
  case IndexOp::min: return of("(Z.min {} {})");
  case IndexOp::max: return of("(Z.max {} {})");
  }
  ATL_CHECK(false, "an index without an integer");
}

std::string proposition(const Pred &p) {
  auto relation = [&](const char *symbol) {
    return fmt::format("{} {} {}", integer(p->lhs), symbol, integer(p->rhs));
  };
  switch (p->op) {
  case PredOp::truth: return p->value ? "True" : "False";
  case PredOp::lt: return relation("<");
  case PredOp::le: return relation("<=");
  case PredOp::gt: return relation(">");
  case PredOp::ge: return relation(">=");
  case PredOp::eq: return relation("=");
  case PredOp::ne: return relation("<>");
  case PredOp::conj: return fmt::format("({} /\\ {})", proposition(p->a), proposition(p->b));
  case PredOp::disj: return fmt::format("({} \\/ {})", proposition(p->a), proposition(p->b));
  case PredOp::neg: return fmt::format("(~ {})", proposition(p->a));
  }
  ATL_CHECK(false, "a predicate without a proposition");
}

std::string constant_name(const ExprPtr &literal) {
  Elem elem = literal->type->elem;
  const Scalar value = value_of(std::get<Literal>(literal->node), elem);
  return quoted(fmt::format("{}:{}", name(elem), to_string(value)));
}

std::string combiner_name(Reduction reduction, Elem elem) {
  return operation(combiner(reduction).name, elem);
}

std::string term(const std::optional<ExprPtr> &literal) {
  return literal ? fmt::format("(Some {})", constant_name(*literal)) : "None";
}

namespace {

class Printer {
public:
  Printer(const FilledWith &filled, const TensorPrinter &inner) : filled_(filled), inner_(inner) {}

  std::string scalar(const ExprPtr &e, int indent) const {
    auto inner = [&](const ExprPtr &part) { return scalar(part, indent); };
    return match(
        e, [&](const Access &a) { return fmt::format("(Get {} {})", quoted(a.tensor), terms(a.indices)); },
        [&](const Literal &) { return constant_term(e); },
        [&](const atl::Op &o) {
          std::vector<std::string> args;
          for (const ExprPtr &arg : o.args)
            args.push_back(inner(arg));
          return applied(operation(o.op->name, o.args[0]->type->elem), args);
        },
        [&](const Convert &c) {
          const char *mode = c.mode == ConvertMode::wrap ? "wrap" : "saturate";
          return applied(quoted(fmt::format("{}.{}.{}", mode, name(c.to), name(c.arg->type->elem))),
                         {inner(c.arg)});
        },
        [&](const Select &s) {
          if (const Test *test = std::get_if<Test>(&s.cond->node))
            return fmt::format("(If {} {} {})", term(test->pred), inner(s.then), inner(s.otherwise));
          return applied(operation("select", e->type->elem),
                         {inner(s.cond), inner(s.then), inner(s.otherwise)});
        },
        [&](const FromIndex &f) {
          return fmt::format("(OfZ {} {})", quoted(std::string(name(f.to))), term(f.value));
        },
        [&](const Test &t) { return fmt::format("(OfB {})", term(t.pred)); },
        [&](const Guard &g) { // a value inside arithmetic: 0 where it is false
          return fmt::format("(If {} {} {})", term(g.pred), inner(g.body),
                             constant_term(equality::unwritten_value(e)));
        },
        [&](const auto &) { return cell(e, indent); });
  }

  // `around`: the reduction that fills the tensor around.
  std::string tensor(const ExprPtr &e, std::optional<Reduction> around, int indent) const {
    std::string next = line(indent + 2);
    auto below = [&](const ExprPtr &part) { return next + tensor(part, around, indent + 2); };
    if (is_scalar_form(*e))
      return fmt::format("(Scalar {})", scalar(e, indent));
    return match(
        e,
        [&](const Gen &g) {
          return fmt::format("(Gen {} {} {} {}{})", mode_name(g.mode), quoted(g.var), term(g.lo), term(g.hi),
                             below(g.body));
        },
        [&](const Reduce &r) {
          if (around.value_or(r.reduction) != r.reduction)
            return separate(e, indent);
          return fmt::format("(Sum {} {} {} {}{})", combiner_name(r.reduction, e->type->elem), quoted(r.var),
                             term(r.lo), term(r.hi), next + tensor(r.body, r.reduction, indent + 2));
        },
        [&](const Guard &g) { return fmt::format("(Guard {}{})", term(g.pred), below(g.body)); },
        [&](const Let &l) {
          bool is_small = l.bound->type->shape.empty();
          std::string bound =
              is_small ? next + tensor(l.bound, std::nullopt, indent + 2) : " " + inner_(l.names[0], l.bound);
          return fmt::format("(Let {} {}{}{})", quoted(l.names[0]), coq::term(filled_(l.names[0], l.bound)),
                             bound, below(l.body));
        },
        [&](const Concat &c) { return fmt::format("(Concat{}{})", below(c.left), below(c.right)); },
        [&](const Reshape &r) { return fmt::format("(Reshape {}{})", reshape_terms(r), below(r.child)); },
        [&](const auto &) -> std::string { ATL_CHECK(false, "not a tensor form of a typed tree"); });
  }

private:
  static std::string constant_term(const ExprPtr &literal) {
    return fmt::format("(Op {} [])", constant_name(literal));
  }

  // A reduction or a let as a value: the cell of a tensor without dimensions.
  std::string cell(const ExprPtr &e, int indent) const {
    return fmt::format("(Cell {} {})", constant_name(equality::unwritten_value(e)),
                       tensor(e, std::nullopt, indent + 2));
  }

  // A reduction of another kind than the one around has its own accumulator.
  std::string separate(const ExprPtr &e, int indent) const {
    if (!e->type->shape.empty())
      throw Unsupported{e->span, "a reduction of tensors inside a reduction of another kind"};
    return fmt::format("(Scalar {})", cell(e, indent));
  }

  const FilledWith &filled_;
  const TensorPrinter &inner_;
};

} // namespace

std::string term(const ExprPtr &tensor, const FilledWith &filled, const TensorPrinter &inner, int indent) {
  return Printer(filled, inner).tensor(tensor, std::nullopt, indent);
}

std::string term(const lowering::Block &block, int indent) {
  std::vector<std::string> all;
  std::string next = line(indent + 2);
  for (const lowering::Stmt &stmt : block)
    all.push_back(next + match(
                             stmt,
                             [&](const lowering::For &f) {
                               return fmt::format("SFor {} {} {} {} {}", mode_name(f.mode), quoted(f.var),
                                                  term(f.lo), term(f.hi), term(f.body, indent + 2));
                             },
                             [&](const lowering::If &i) {
                               return fmt::format("SIf {} {}", term(i.pred), term(i.body, indent + 2));
                             },
                             [&](const lowering::Alloc &a) {
                               return fmt::format("SAlloc {} {} {}", quoted(a.buffer.name),
                                                  terms(a.buffer.dims), term(a.body, indent + 2));
                             },
                             [&](const lowering::Store &s) {
                               std::string combine =
                                   s.combine ? fmt::format("(Some {})",
                                                           combiner_name(*s.combine, s.value->type->elem))
                                             : "None";
                               return fmt::format("SStore {} {} {} {}", quoted(s.buffer), terms(s.indices),
                                                  combine, Printer({}, {}).scalar(s.value, indent + 2));
                             }));
  return fmt::format("(block [{}])", fmt::join(all, ";"));
}

} // namespace atl::proofs::coq
