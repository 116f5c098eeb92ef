#include "proofs/reader/coq/values.h"

#include "atl/syntax/literal.h"
#include "atl/syntax/print.h"

#include <cstdlib>
#include <fmt/format.h>

namespace atl::proofs::reader::coq {

namespace {

[[noreturn]] void differs(const Term &term, const std::string &wanted) {
  throw Difference(term.at, wanted + " should stand here");
}

std::string_view constructor(IndexOp op) {
  switch (op) {
  case IndexOp::constant: return "Lit";
  case IndexOp::variable: return "Var";
  case IndexOp::add: return "Add";
  case IndexOp::sub: return "Sub";
  case IndexOp::mul: return "Mul";
  case IndexOp::div: return "Div";
  case IndexOp::cdiv: return "Cdiv";
  case IndexOp::mod: return "Mod";
  case IndexOp::min: return "Min";
  case IndexOp::max: return "Max";
  }
  return "";
}

std::string_view constructor(PredOp op) {
  switch (op) {
  case PredOp::truth: return "Truth";
  case PredOp::lt: return "Lt";
  case PredOp::le: return "Le";
  case PredOp::gt: return "Gt";
  case PredOp::ge: return "Ge";
  case PredOp::eq: return "Eq";
  case PredOp::ne: return "Ne";
  case PredOp::conj: return "And";
  case PredOp::disj: return "Or";
  case PredOp::neg: return "Not";
  }
  return "";
}

std::string_view constructor(LoopMode mode) {
  switch (mode) {
  case LoopMode::sequential: return "Sequential";
  case LoopMode::parallel: return "Parallel";
  case LoopMode::unrolled: return "Unrolled";
  case LoopMode::vectorized: return "Vectorized";
  }
  return "";
}

// In Coq's own arithmetic: between the operands, or in front of them.
std::string_view operation(IndexOp op) {
  switch (op) {
  case IndexOp::add: return "+";
  case IndexOp::sub: return "-";
  case IndexOp::mul: return "*";
  case IndexOp::div: return "/";
  case IndexOp::mod: return "mod";
  case IndexOp::cdiv: return "cdiv";
  case IndexOp::min: return "Z.min";
  case IndexOp::max: return "Z.max";
  case IndexOp::constant:
  case IndexOp::variable: break;
  }
  return "";
}

std::string_view relation(PredOp op) {
  switch (op) {
  case PredOp::lt: return "<";
  case PredOp::le: return "<=";
  case PredOp::gt: return ">";
  case PredOp::ge: return ">=";
  case PredOp::eq: return "=";
  case PredOp::ne: return "<>";
  case PredOp::conj: return "/\\";
  case PredOp::disj: return "\\/";
  case PredOp::truth:
  case PredOp::neg: break;
  }
  return "";
}

bool is_number(const Term &term, std::int64_t value) {
  return term.kind == Term::Kind::number && term.text == std::to_string(value);
}

bool is_text(const Term &term, std::string_view text) {
  return term.kind == Term::Kind::text && term.text == text;
}

// The value that a name such as f32:0.5 stands for is read from its digits.
bool is_value(const std::string &name, const Scalar &value) {
  const std::string type = fmt::format("{}:", atl::name(value.elem));
  if (!name.starts_with(type) || name.size() == type.size())
    return false;
  const char *begin = name.c_str() + type.size();
  char *end = nullptr;
  Scalar read = value;
  if (is_float(value.elem)) {
    read.real = value.elem == Elem::f64 ? std::strtod(begin, &end) : std::strtof(begin, &end);
  } else if (value.elem == Elem::boolean) {
    return std::string_view(begin) == (value.integer != 0 ? "true" : "false");
  } else {
    return std::string_view(begin) == std::to_string(value.integer);
  }
  return *end == '\0' && same_bits(read, value);
}

void same_constant(const Term &term, const Scalar &value) {
  if (!applies(term, "Op", 2) || term.args[1].kind != Term::Kind::text ||
      !is_value(term.args[1].text, value) || term.args[2].kind != Term::Kind::list ||
      !term.args[2].args.empty())
    differs(term, fmt::format("the constant {}", to_string(value)));
}

Scalar unwritten(const ExprPtr &tensor) {
  const Elem elem = tensor->type->elem;
  const std::optional<Reduction> filling = filling_reduction(tensor);
  return filling ? neutral(*filling, elem) : zero(elem);
}

class Scalars {
public:
  explicit Scalars(const ScalarForms &forms) : forms_(forms) {}

  void same(const Term &term, const ExprPtr &e) const {
    match(
        e, [&](const Access &a) { same_access(term, e, a); },
        [&](const Literal &l) { same_constant(term, value_of(l, e->type->elem)); },
        [&](const Op &o) {
          same_operation(term, fmt::format("{}.{}", o.op->name, name(o.args.at(0)->type->elem)), o.args);
        },
        [&](const Convert &c) {
          const char *mode = c.mode == ConvertMode::wrap ? "wrap" : "saturate";
          same_operation(term, fmt::format("{}.{}.{}", mode, name(c.to), name(c.arg->type->elem)), {c.arg});
        },
        [&](const Select &s) { same_selection(term, e, s); },
        [&](const FromIndex &f) {
          if (!applies(term, "OfZ", 2) || !is_text(term.args[1], name(f.to)))
            differs(term, print(e));
          coq::same(term.args[2], f.value);
        },
        [&](const Test &t) {
          if (!applies(term, "OfB", 1))
            differs(term, print(e));
          coq::same(term.args[1], t.pred);
        },
        [&](const Guard &g) {
          same_choice(term, g.pred, g.body);
          same_constant(term.args[3], unwritten(e));
        },
        [&](const auto &) { forms_.same_other(term, e); });
  }

private:
  void same_access(const Term &term, const ExprPtr &e, const Access &a) const {
    if (!applies(term, "Get", 2))
      differs(term, print(e));
    forms_.same_tensor(term.args[1], a.tensor);
    coq::same(term.args[2], a.indices);
  }

  // Op "name" [args]; the arguments are compared.
  void same_operation(const Term &term, const std::string &name, const std::vector<ExprPtr> &args) const {
    if (!applies(term, "Op", 2) || !is_text(term.args[1], name) || term.args[2].kind != Term::Kind::list ||
        term.args[2].args.size() != args.size())
      differs(term, fmt::format("the operation {}", name));
    for (std::size_t i = 0; i < args.size(); ++i)
      same(term.args[2].args[i], args[i]);
  }

  void same_selection(const Term &term, const ExprPtr &e, const Select &s) const {
    const Test *test = std::get_if<Test>(&s.cond->node);
    if (!test)
      return same_operation(term, fmt::format("select.{}", name(e->type->elem)),
                            {s.cond, s.then, s.otherwise});
    same_choice(term, test->pred, s.then);
    same(term.args[3], s.otherwise);
  }

  void same_choice(const Term &term, const Pred &p, const ExprPtr &then) const {
    if (!applies(term, "If", 3))
      differs(term, "a choice");
    coq::same(term.args[1], p);
    same(term.args[2], then);
  }

  const ScalarForms &forms_;
};

} // namespace

void same(const Term &term, const Index &e) {
  const std::string_view head = constructor(e->op);
  const bool leaf = is_leaf(e);
  if (!applies(term, head, leaf ? 1 : 2) ||
      (e->op == IndexOp::constant && !is_number(term.args[1], e->value)) ||
      (e->op == IndexOp::variable && !is_text(term.args[1], e->name)))
    differs(term, to_string(e));
  if (leaf)
    return;
  same(term.args[1], e->a);
  same(term.args[2], e->b);
}

void same(const Term &term, const Pred &p) {
  const bool single = p->op == PredOp::truth || p->op == PredOp::neg;
  if (!applies(term, constructor(p->op), single ? 1 : 2))
    differs(term, to_string(p));
  if (is_comparison(p->op)) {
    same(term.args[1], p->lhs);
    same(term.args[2], p->rhs);
  } else if (p->op == PredOp::truth) {
    if (!is_word(term.args[1], p->value ? "true" : "false"))
      differs(term, to_string(p));
  } else {
    same(term.args[1], p->a);
    if (p->op != PredOp::neg)
      same(term.args[2], p->b);
  }
}

void same(const Term &term, const std::vector<Index> &list) {
  if (term.kind != Term::Kind::list || term.args.size() != list.size())
    differs(term, fmt::format("{} indices", list.size()));
  for (std::size_t i = 0; i < list.size(); ++i)
    same(term.args[i], list[i]);
}

void same_name(const Term &term, const std::string &name) {
  if (!is_text(term, name))
    differs(term, fmt::format("the name {}", name));
}

void same_buffer(const Term &term, const std::string &name, const Buffers &buffers) {
  auto found = buffers.find(name);
  if (found == buffers.end() || !is_text(term, found->second))
    differs(term, fmt::format("the buffer {}", name));
}

void same_unwritten(const Term &term, const ExprPtr &tensor) {
  const Scalar value = unwritten(tensor);
  if (term.kind != Term::Kind::text || !is_value(term.text, value))
    differs(term, fmt::format("the constant {}", to_string(value)));
}

void same_mode(const Term &term, LoopMode mode) {
  if (!is_word(term, constructor(mode)))
    differs(term, std::string(constructor(mode)));
}

void same_scalar(const Term &term, const ExprPtr &e, const Buffers &buffers) {
  same_scalar(term, e,
              {[&](const Term &tensor, const std::string &name) { same_buffer(tensor, name, buffers); },
               [](const Term &other, const ExprPtr &) { differs(other, "what is not a scalar of a loop"); }});
}

void same_scalar(const Term &term, const ExprPtr &e, const ScalarForms &forms) {
  Scalars(forms).same(term, e);
}

void same_integer(const Term &term, const Index &e, const Sizes &sizes) {
  const std::string_view op = operation(e->op);
  if (e->op == IndexOp::constant) {
    const bool named = (e->value == INT64_MIN && is_word(term, "int64_min")) ||
                       (e->value == INT64_MAX && is_word(term, "int64_max"));
    if (!named && !is_number(term, e->value))
      differs(term, to_string(e));
  } else if (e->op == IndexOp::variable) {
    auto found = sizes.find(term.text);
    if (term.kind != Term::Kind::word || found == sizes.end() || found->second != e->name)
      differs(term, to_string(e));
  } else {
    const bool infix = term.kind == Term::Kind::infix && term.text == op;
    if (!infix && !applies(term, op, 2))
      differs(term, to_string(e));
    const std::size_t first = infix ? 0 : 1;
    same_integer(term.args[first], e->a, sizes);
    same_integer(term.args[first + 1], e->b, sizes);
  }
}

void same_proposition(const Term &term, const Pred &p, const Sizes &sizes) {
  if (p->op == PredOp::truth) {
    if (!is_word(term, p->value ? "True" : "False"))
      differs(term, to_string(p));
  } else if (p->op == PredOp::neg) {
    if (term.kind != Term::Kind::prefix)
      differs(term, to_string(p));
    same_proposition(term.args[0], p->a, sizes);
  } else {
    if (term.kind != Term::Kind::infix || term.text != relation(p->op))
      differs(term, to_string(p));
    if (is_comparison(p->op)) {
      same_integer(term.args[0], p->lhs, sizes);
      same_integer(term.args[1], p->rhs, sizes);
    } else {
      same_proposition(term.args[0], p->a, sizes);
      same_proposition(term.args[1], p->b, sizes);
    }
  }
}

} // namespace atl::proofs::reader::coq
