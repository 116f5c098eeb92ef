#include "cbackend/term/c_index.h"

#include "atl/base/check.h"

#include <fmt/format.h>
#include <limits>

namespace atl::cbackend {

std::string parenthesized(const CText &c, Binds at_least) {
  return c.binds < at_least ? "(" + c.text + ")" : c.text;
}

std::string c_integer(std::int64_t value) {
  return value == std::numeric_limits<std::int64_t>::min() ? "INT64_MIN" : std::to_string(value);
}

namespace {

class IndexPrinter {
public:
  IndexPrinter(const IndexScope &scope, Prelude &prelude) : scope_(scope), prelude_(prelude) {}

  CText print(const Index &e) {
    // Constants are folded here for good: C would compute 65536 * 65536 in int.
    if (auto value = evaluate(e, {}))
      return {c_integer(*value), *value < 0 ? Binds::prefix : Binds::postfix};
    switch (e->op) {
    case IndexOp::constant: break; // always has a value
    case IndexOp::variable: return {scope_.variables.at(e->name), Binds::postfix};
    case IndexOp::add: return sum(e);
    case IndexOp::sub: return difference(e);
    case IndexOp::mul: return product(e);
    case IndexOp::div: return division(e, "/", "floor_div");
    case IndexOp::mod: return division(e, "%", "floor_mod");
    case IndexOp::cdiv: return call("cdiv", e);
    case IndexOp::min: return call("min", e);
    case IndexOp::max: return call("max", e);
    }
    ATL_CHECK(false, "an index operation without C");
  }

private:
  std::string operand(const Index &e, Binds at_least) { return parenthesized(print(e), at_least); }

  // a + b, with `a - 3` for `a + -3` and `a - 2*b` for `a + -2*b`. Never two constants beside each other: C
  // would add them in int.
  CText sum(const Index &e) {
    bool is_number = evaluate(e->a, {}).has_value();
    std::string left = operand(e->a, Binds::sum);
    std::string right = operand(e->b, is_number ? Binds::division : Binds::sum);
    bool negative = right.starts_with('-');
    return {fmt::format("{} {} {}", left, negative ? '-' : '+', negative ? right.substr(1) : right),
            Binds::sum};
  }

  CText difference(const Index &e) {
    return {operand(e->a, Binds::sum) + " - " + operand(e->b, Binds::division), Binds::sum};
  }

  CText product(const Index &e) {
    bool number_last = evaluate(e->b, {}).value_or(0) < 0;
    const Index &left = number_last ? e->b : e->a, &right = number_last ? e->a : e->b;
    return {operand(left, Binds::product) + "*" + operand(right, Binds::prefix), Binds::product};
  }

  // A constant divisor that is not positive is in code that never runs; a compiler would warn of `0 % 0`.
  CText division(const Index &e, std::string_view c_operator, std::string_view function) {
    if (!scope_.known.facts().proves_nonnegative(e->a) || evaluate(e->b, {}).value_or(1) < 1)
      return call(function, e);
    return {fmt::format("{}{}{}", operand(e->a, Binds::prefix), c_operator, operand(e->b, Binds::prefix)),
            Binds::division};
  }

  CText call(std::string_view function, const Index &e) {
    return {fmt::format("{}({}, {})", prelude_.index_function(function), print(e->a).text, print(e->b).text),
            Binds::postfix};
  }

  const IndexScope &scope_;
  Prelude &prelude_;
};

IndexScope assuming(const IndexScope &scope, const Pred &p) {
  IndexScope result = scope;
  result.known.assume(p);
  return result;
}

CText c_comparison(const Pred &p, const IndexScope &scope, Prelude &prelude) {
  std::string left = parenthesized(c_index(p->lhs, scope, prelude), Binds::sum);
  std::string right = parenthesized(c_index(p->rhs, scope, prelude), Binds::sum);
  bool equality = p->op == PredOp::eq || p->op == PredOp::ne;
  return {fmt::format("{} {} {}", left, comparison(p->op).text, right),
          equality ? Binds::equality : Binds::relation};
}

} // namespace

CText c_index(const Index &e, const IndexScope &scope, Prelude &prelude) {
  return IndexPrinter(scope, prelude).print(e);
}

CText c_pred(const Pred &p, const IndexScope &scope, Prelude &prelude) {
  switch (p->op) {
  case PredOp::truth: return {p->value ? "true" : "false", Binds::postfix};
  case PredOp::conj: {
    // A disjunction within a conjunction, and the other way round, is put in parentheses: compilers warn
    // otherwise.
    std::string left = parenthesized(c_pred(p->a, scope, prelude), Binds::conjunction);
    std::string right = parenthesized(c_pred(p->b, assuming(scope, p->a), prelude), Binds::conjunction);
    return {left + " && " + right, Binds::conjunction};
  }
  case PredOp::disj: {
    auto operand = [](const CText &c) {
      return parenthesized(c, c.binds == Binds::disjunction ? Binds::disjunction : Binds::equality);
    };
    std::string left = operand(c_pred(p->a, scope, prelude));
    std::string right = operand(c_pred(p->b, assuming(scope, neg(p->a)), prelude));
    return {left + " || " + right, Binds::disjunction};
  }
  case PredOp::neg: return {"!" + parenthesized(c_pred(p->a, scope, prelude), Binds::postfix), Binds::prefix};
  default: return c_comparison(p, scope, prelude);
  }
}

} // namespace atl::cbackend
