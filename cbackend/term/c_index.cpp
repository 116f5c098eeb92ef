#include "cbackend/term/c_index.h"

#include "atl/base/check.h"
#include "atl/base/deadline.h"

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
    take_step();
    switch (e->op) {
    case IndexOp::constant: return {c_integer(e->value), e->value < 0 ? Binds::prefix : Binds::postfix};
    case IndexOp::variable: return {scope_.variables.at(e->name), Binds::postfix};
    case IndexOp::add: return infix(e, " + ", Binds::sum, Binds::division);
    case IndexOp::sub: return infix(e, " - ", Binds::sum, Binds::division);
    case IndexOp::mul: return infix(e, "*", Binds::product, Binds::prefix);
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

  // What stands on the right keeps the parentheses that say what is computed first.
  CText infix(const Index &e, std::string_view symbol, Binds binds, Binds right) {
    return {fmt::format("{}{}{}", operand(e->a, binds), symbol, operand(e->b, right)), binds};
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
  return c_evaluated(scope.evaluation().of(e), scope, prelude);
}

CText c_evaluated(const Index &tree, const IndexScope &scope, Prelude &prelude) {
  return IndexPrinter(scope, prelude).print(tree);
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
