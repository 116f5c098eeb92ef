#include "cbackend/term/c_scalar.h"

#include "atl/base/check.h"
#include "atl/syntax/literal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace atl::cbackend {

namespace {

// The shortest decimal digits that read back as the same value.
std::string float_digits(const Scalar &value) {
  bool single = value.elem == Elem::f32;
  std::string digits =
      single ? fmt::format("{}", static_cast<float>(value.real)) : fmt::format("{}", value.real);
  if (digits.find_first_of(".e") == std::string::npos)
    digits += ".0";
  return single ? digits + "f" : digits;
}

std::string float_literal(const Scalar &value, Prelude &prelude) {
  if (std::isfinite(value.real))
    return float_digits(value);
  prelude.use_header("math.h");
  if (std::isnan(value.real))
    return "NAN";
  return value.real < 0 ? "-INFINITY" : "INFINITY";
}

std::string integer_literal(const Scalar &value) {
  if (value.elem == Elem::boolean)
    return value.integer != 0 ? "true" : "false";
  if (value.elem == Elem::u32)
    return fmt::format("{}u", value.integer);
  if (value.elem == Elem::i32 && value.integer == least_integer(Elem::i32))
    return "INT32_MIN";
  return c_integer(value.integer);
}

// C's operators by how they bind.
struct Operator {
  std::string_view symbol;
  Binds binds;
};
constexpr std::array infix_operators{
    Operator{"||", Binds::disjunction}, Operator{"&&", Binds::conjunction}, Operator{"==", Binds::equality},
    Operator{"!=", Binds::equality},    Operator{"<", Binds::relation},     Operator{"<=", Binds::relation},
    Operator{">", Binds::relation},     Operator{">=", Binds::relation},    Operator{"+", Binds::sum},
    Operator{"-", Binds::sum},          Operator{"*", Binds::product},      Operator{"/", Binds::product}};

Binds binding_of(std::string_view symbol) {
  for (const Operator &op : infix_operators)
    if (op.symbol == symbol)
      return op.binds;
  ATL_CHECK(false, "an operator that C does not have: " + std::string(symbol));
}

// Parentheses where C needs them, and where compilers ask for them: a comparison in a comparison, && within
// ||.
CText infix(std::string_view symbol, const CText &a, const CText &b) {
  Binds binds = binding_of(symbol);
  Binds left = binds, right = Binds(static_cast<int>(binds) + 1);
  if (binds == Binds::equality || binds == Binds::relation)
    left = right = Binds::sum;
  if (binds == Binds::disjunction) {
    left = a.binds == Binds::disjunction ? Binds::disjunction : Binds::equality;
    right = Binds::equality;
  }
  return {fmt::format("{} {} {}", parenthesized(a, left), symbol, parenthesized(b, right)), binds};
}

// gcc and clang warn of integer comparisons of equal operands and of comparisons with the least and the
// greatest value.
bool has_obvious_result(const Op &op) {
  Elem elem = op.args[0]->type->elem;
  if (op.op->precedence != precedence::comparison || !is_integer(elem))
    return false;
  auto is_limit = [&](const ExprPtr &e) {
    const auto *literal = std::get_if<Literal>(&e->node);
    return literal && (literal->integer == least_integer(elem) || literal->integer == greatest_integer(elem));
  };
  return equal(op.args[0], op.args[1]) || is_limit(op.args[0]) || is_limit(op.args[1]);
}

std::string comparison_function(std::string_view symbol) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> names{
      {{"==", "eq"}, {"!=", "ne"}, {"<", "lt"}, {"<=", "le"}, {">", "gt"}, {">=", "ge"}}};
  for (auto [c, name] : names)
    if (c == symbol)
      return std::string(name);
  ATL_CHECK(false, "a comparison without a function");
}

bool is_float_product(const Expr &e) {
  const Op *op = std::get_if<Op>(&e.node);
  return op && op->op->name == "*" && is_float(e.type->elem);
}

class ScalarPrinter {
public:
  ScalarPrinter(const Scope &scope, Prelude &prelude) : scope_(scope), prelude_(prelude) {}

  CText print(const ExprPtr &e) {
    ATL_CHECK(e->type.has_value(), "a scalar without a type reached the C backend");
    Elem elem = e->type->elem;
    return match(
        e,
        [&](const Access &access) {
          return CText{c_element(access.tensor, access.indices, scope_, prelude_), Binds::postfix};
        },
        [&](const Literal &literal) { return print_literal(literal, elem); },
        [&](const Op &op) { return print_op(op); },
        [&](const Convert &convert) { return print_convert(convert); },
        [&](const Select &select) { return print_select(select); },
        [&](const FromIndex &from) {
          return cast(from.to, Elem::i64, ConvertMode::wrap, c_index(from.value, scope_, prelude_));
        },
        [&](const Test &test) { return c_pred(test.pred, scope_, prelude_); },
        [&](const auto &) -> CText {
          ATL_CHECK(false, "a tensor form inside a scalar reached the C backend");
        });
  }

  // What is added, subtracted or stored: a product is rounded first.
  CText print_rounded(const ExprPtr &e) {
    const CText text = print(e);
    return scope_.subtracts && is_float_product(*e) ? call(prelude_.index_function("rounded"), text) : text;
  }

private:
  CText print_literal(const Literal &literal, Elem elem) {
    std::string text = c_literal(value_of(literal, elem), prelude_);
    return {text, text.starts_with('-') ? Binds::prefix : Binds::postfix};
  }

  CText print_op(const Op &op) {
    Elem elem = op.args[0]->type->elem;
    if (has_obvious_result(op)) {
      std::string function = prelude_.scalar_function(comparison_function(op.op->name), elem);
      return {fmt::format("{}({}, {})", function, print(op.args[0]).text, print(op.args[1]).text),
              Binds::postfix};
    }
    const bool is_sum = op.op->name == "+" || op.op->name == "-";
    std::vector<CText> operands;
    for (const ExprPtr &arg : op.args)
      operands.push_back(is_sum ? print_rounded(arg) : print(arg));
    return c_op(*op.op, elem, operands, prelude_);
  }

  CText print_convert(const Convert &convert) {
    return cast(convert.to, convert.arg->type->elem, convert.mode, print(convert.arg));
  }

  CText cast(Elem to, Elem from, ConvertMode mode, const CText &value) {
    if (to == from)
      return value;
    if (to == Elem::boolean)
      return {parenthesized(value, Binds::sum) + " != 0", Binds::equality};
    if (is_float(from) && !is_float(to))
      return call(prelude_.from_float(to, from), value);
    bool saturates = mode == ConvertMode::saturate && !is_float(to) && !contains_range(to, from);
    if (saturates)
      return call(prelude_.saturate(to), value);
    return {fmt::format("({}){}", info(to).c_type, parenthesized(value, Binds::postfix)), Binds::prefix};
  }

  static bool contains_range(Elem to, Elem from) {
    return least_integer(to) <= least_integer(from) && greatest_integer(from) <= greatest_integer(to);
  }

  static CText call(const std::string &function, const CText &value) {
    return {fmt::format("{}({})", function, value.text), Binds::postfix};
  }

  CText print_select(const Select &select) {
    Scope chosen = scope_, other = scope_;
    if (const auto *test = std::get_if<Test>(&select.cond->node)) {
      chosen.known.assume(test->pred);
      other.known.assume(neg(test->pred));
    }
    std::string cond = parenthesized(print(select.cond), Binds::disjunction);
    std::string then = parenthesized(c_scalar(select.then, chosen, prelude_), Binds::disjunction);
    std::string otherwise = parenthesized(c_scalar(select.otherwise, other, prelude_), Binds::conditional);
    return {fmt::format("{} ? {} : {}", cond, then, otherwise), Binds::conditional};
  }

  const Scope &scope_;
  Prelude &prelude_;
};

} // namespace

std::string c_literal(const Scalar &value, Prelude &prelude) {
  return is_float(value.elem) ? float_literal(value, prelude) : integer_literal(value);
}

bool subtracts_floats(const ExprPtr &e) {
  if (const Op *op = std::get_if<Op>(&e->node); op && op->op->name == "-" && is_float(e->type->elem))
    return true;
  const std::vector<ExprPtr> parts = children(*e);
  return std::any_of(parts.begin(), parts.end(), subtracts_floats);
}

CText c_scalar(const ExprPtr &e, const Scope &scope, Prelude &prelude) {
  return ScalarPrinter(scope, prelude).print(e);
}

CText c_stored(const ExprPtr &e, const Scope &scope, Prelude &prelude) {
  return ScalarPrinter(scope, prelude).print_rounded(e);
}

// The C of an operation is "{0} + {1}", "-{0}" or "@name", a function of the prelude.
CText c_op(const ScalarOp &op, Elem elem, const std::vector<CText> &operands, Prelude &prelude) {
  std::string_view c = is_float(elem) && !op.c_float.empty() ? op.c_float : op.c;
  if (c.starts_with('@')) {
    std::string arguments = operands[0].text;
    for (std::size_t i = 1; i < operands.size(); ++i)
      arguments += ", " + operands[i].text;
    return {fmt::format("{}({})", prelude.scalar_function(c.substr(1), elem), arguments), Binds::postfix};
  }
  if (op.arity == 1)
    return {fmt::format("{}{}", c.substr(0, c.find('{')), parenthesized(operands[0], Binds::postfix)),
            Binds::prefix};
  std::size_t begin = c.find(' ') + 1;
  return infix(c.substr(begin, c.rfind(' ') - begin), operands[0], operands[1]);
}

std::string c_element(const std::string &buffer, const std::vector<Index> &indices, const Scope &scope,
                      Prelude &prelude) {
  const CBuffer &b = scope.buffers.at(buffer);
  if (b.is_variable)
    return b.name;
  const Index offset =
      scope.evaluation().offset(b.dims, indices, static_cast<std::int64_t>(byte_size(b.elem)), scope.apart);
  return fmt::format("{}[{}]", b.name, c_evaluated(offset, scope, prelude).text);
}

} // namespace atl::cbackend
