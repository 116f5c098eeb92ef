#include "proofs/reader/arithmetic.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace atl::proofs::reader {

namespace {

__extension__ typedef __int128 Wide; // wide enough for constants of two factors
using Factors = std::vector<std::string>;

// constant + the sum of coefficient * factors, in the order written.
struct Sum {
  Wide constant = 0;
  std::vector<std::pair<Wide, Factors>> terms;
};

Wide checked(Wide a, Wide b, bool times) {
  Wide result = 0;
  if (times ? __builtin_mul_overflow(a, b, &result) : __builtin_add_overflow(a, b, &result))
    throw Difference(0, "the constants of an index are too large");
  return result;
}

std::string number(Wide value) {
  if (value >= least_number && value <= greatest_number)
    return std::to_string(static_cast<std::int64_t>(value));
  return number(value / 1000000) + "," + number(value % 1000000);
}

std::string text_of(const Sum &sum) {
  std::string text = number(sum.constant);
  for (const auto &[coefficient, factors] : sum.terms)
    text += fmt::format("+{}*{}", number(coefficient), fmt::join(factors, "*"));
  return text;
}

Sum scaled(Sum sum, Wide by) {
  sum.constant = checked(sum.constant, by, true);
  for (auto &[coefficient, factors] : sum.terms)
    coefficient = checked(coefficient, by, true);
  if (by == 0)
    sum.terms.clear();
  return sum;
}

Sum plus(Sum a, const Sum &b) {
  a.constant = checked(a.constant, b.constant, false);
  a.terms.insert(a.terms.end(), b.terms.begin(), b.terms.end());
  return a;
}

std::pair<Wide, Factors> as_factors(const Sum &sum) {
  if (sum.constant == 0 && sum.terms.size() == 1)
    return sum.terms[0];
  return {1, {"(" + text_of(sum) + ")"}};
}

Sum times(const Sum &a, const Sum &b) {
  if (a.terms.empty())
    return scaled(b, a.constant);
  if (b.terms.empty())
    return scaled(a, b.constant);
  auto [left, factors] = as_factors(a);
  auto [right, more] = as_factors(b);
  factors.insert(factors.end(), more.begin(), more.end());
  return {0, {{checked(left, right, true), factors}}};
}

const char *function_name(IndexOp op) {
  switch (op) {
  case IndexOp::div: return "div";
  case IndexOp::mod: return "mod";
  case IndexOp::cdiv: return "cdiv";
  case IndexOp::min: return "min";
  case IndexOp::max: return "max";
  default: return "?";
  }
}

Sum sum_of(const Index &e) {
  if (auto value = evaluate(e, {}))
    return {*value, {}};
  switch (e->op) {
  case IndexOp::constant: return {e->value, {}};
  case IndexOp::variable: return {0, {{1, {e->name}}}};
  case IndexOp::add: return plus(sum_of(e->a), sum_of(e->b));
  case IndexOp::sub: return plus(sum_of(e->a), scaled(sum_of(e->b), -1));
  case IndexOp::mul: return times(sum_of(e->a), sum_of(e->b));
  default:
    return {0, {{1, {fmt::format("{}[{};{}]", function_name(e->op), canonical(e->a), canonical(e->b))}}}};
  }
}

const char *relation(PredOp op) {
  switch (op) {
  case PredOp::lt: return "<";
  case PredOp::le: return "<=";
  case PredOp::gt: return ">";
  case PredOp::ge: return ">=";
  case PredOp::eq: return "==";
  default: return "!=";
  }
}

// The members of a conjunction, or of a disjunction, however they are grouped.
std::string members(const Pred &p, PredOp op) {
  return p->op == op ? members(p->a, op) + members(p->b, op) : "(" + canonical(p) + ")";
}

struct Call {
  std::string_view name;
  IndexOp op;
};
constexpr std::array operations{Call{"atl_floor_div", IndexOp::div}, Call{"atl_floor_mod", IndexOp::mod},
                                Call{"atl_cdiv", IndexOp::cdiv}, Call{"atl_min", IndexOp::min},
                                Call{"atl_max", IndexOp::max}};
constexpr std::array checked_calls{
    Call{"atl_checked_add", IndexOp::add},       Call{"atl_checked_sub", IndexOp::sub},
    Call{"atl_checked_mul", IndexOp::mul},       Call{"atl_checked_floor_div", IndexOp::div},
    Call{"atl_checked_floor_mod", IndexOp::mod}, Call{"atl_checked_cdiv", IndexOp::cdiv}};

Index read_call(const CExpr &c, CNames &names) {
  for (const Call &call : operations)
    if (call.name == c.text && c.args.size() == 2)
      return binary(call.op, read_index(c.args[0], names), read_index(c.args[1], names));
  for (const Call &call : checked_calls)
    if (call.name == c.text && c.args.size() == 3 && names.checked && c.args[2].kind == CExpr::Kind::prefix &&
        c.args[2].text == "&" && c.args[2].args[0].kind == CExpr::Kind::name) {
      names.flags.push_back(c.args[2].args[0].text);
      return binary(call.op, read_index(c.args[0], names), read_index(c.args[1], names));
    }
  throw Difference(c.at, fmt::format("{} is not a function of indices", c.text));
}

Index read_infix(const CExpr &c, CNames &names) {
  // C computes 65536 * 65536 in 32 bits.
  if (read_integer(c.args[0]) && read_integer(c.args[1]))
    throw Difference(c.at, "an operation on two constants");
  Index a = read_index(c.args[0], names), b = read_index(c.args[1], names);
  if (c.text == "+")
    return binary(IndexOp::add, a, b);
  if (c.text == "-")
    return binary(IndexOp::sub, a, b);
  if (c.text == "*")
    return binary(IndexOp::mul, a, b);
  if (c.text != "/" && c.text != "%")
    throw Difference(c.at, fmt::format("'{}' in an index", c.text));
  names.truncates({a, c.at, names.under});
  return binary(c.text == "/" ? IndexOp::div : IndexOp::mod, a, b);
}

std::optional<PredOp> relation_named(const std::string &symbol) {
  for (PredOp op : {PredOp::lt, PredOp::le, PredOp::gt, PredOp::ge, PredOp::eq, PredOp::ne})
    if (symbol == relation(op))
      return op;
  return std::nullopt;
}

Pred both(PredOp op, Pred a, Pred b) {
  return std::make_shared<const PredNode>(PredNode{op, true, nullptr, nullptr, std::move(a), std::move(b)});
}

std::optional<Span64> hull(std::initializer_list<Wide> values) {
  Wide lo = std::min(values), hi = std::max(values);
  if (lo < least_number || hi > greatest_number)
    return std::nullopt;
  return Span64{static_cast<std::int64_t>(lo), static_cast<std::int64_t>(hi)};
}

Wide quotient(Wide a, Wide b) { // b > 0
  return a / b - (a % b < 0 ? 1 : 0);
}

std::optional<Span64> combined(IndexOp op, Span64 a, Span64 b) {
  Wide al = a.least, ah = a.greatest, bl = b.least, bh = b.greatest;
  bool divides = op == IndexOp::div || op == IndexOp::mod || op == IndexOp::cdiv;
  if (divides && bl < 1)
    return std::nullopt;
  switch (op) {
  case IndexOp::add: return hull({al + bl, ah + bh});
  case IndexOp::sub: return hull({al - bh, ah - bl});
  case IndexOp::mul: return hull({al * bl, al * bh, ah * bl, ah * bh});
  case IndexOp::div: return hull({quotient(al, bl), quotient(al, bh), quotient(ah, bl), quotient(ah, bh)});
  case IndexOp::cdiv:
    return hull({-quotient(-al, bl), -quotient(-al, bh), -quotient(-ah, bl), -quotient(-ah, bh)});
  case IndexOp::mod: return hull({0, bh - 1});
  case IndexOp::min: return hull({std::min(al, bl), std::min(ah, bh)});
  case IndexOp::max: return hull({std::max(al, bl), std::max(ah, bh)});
  default: return std::nullopt;
  }
}

} // namespace

std::string canonical(const Index &e) {
  return text_of(sum_of(e));
}

std::string canonical(const Pred &p) {
  switch (p->op) {
  case PredOp::truth: return p->value ? "true" : "false";
  case PredOp::conj: return "and" + members(p, PredOp::conj);
  case PredOp::disj: return "or" + members(p, PredOp::disj);
  case PredOp::neg: return "not(" + canonical(p->a) + ")";
  default: return canonical(p->lhs) + relation(p->op) + canonical(p->rhs);
  }
}

std::optional<std::int64_t> read_integer(const CExpr &c) {
  if (c.kind == CExpr::Kind::name && c.text == "INT64_MIN")
    return least_number;
  bool negative = c.kind == CExpr::Kind::prefix && c.text == "-";
  const CExpr &digits = negative ? c.args[0] : c;
  if (digits.kind != CExpr::Kind::number || digits.text.size() > 19 ||
      digits.text.find_first_not_of("0123456789") != std::string::npos ||
      (digits.text.size() > 1 && digits.text[0] == '0'))
    return std::nullopt;
  Wide value = static_cast<Wide>(std::stoull(digits.text));
  if (value > greatest_number)
    return std::nullopt;
  return static_cast<std::int64_t>(negative ? -value : value);
}

Index read_index(const CExpr &c, CNames &names) {
  if (auto value = read_integer(c))
    return constant(*value);
  switch (c.kind) {
  case CExpr::Kind::name: return variable(names.variable(c));
  case CExpr::Kind::infix: return read_infix(c, names);
  case CExpr::Kind::call: return read_call(c, names);
  default: throw Difference(c.at, "this is no index");
  }
}

Pred read_pred(const CExpr &c, CNames &names) {
  if (c.kind == CExpr::Kind::name && (c.text == "true" || c.text == "false"))
    return truth(c.text == "true");
  if (c.kind == CExpr::Kind::prefix && c.text == "!")
    return both(PredOp::neg, read_pred(c.args[0], names), nullptr);
  if (c.kind != CExpr::Kind::infix)
    throw Difference(c.at, "this is no condition on indices");
  if (c.text == "&&" || c.text == "||") {
    bool conjunction = c.text == "&&";
    Pred first = read_pred(c.args[0], names);
    names.under.push_back(conjunction ? first : neg(first)); // or C does not get to the second
    Pred second = read_pred(c.args[1], names);
    names.under.pop_back();
    return both(conjunction ? PredOp::conj : PredOp::disj, first, second);
  }
  auto op = relation_named(c.text);
  if (!op)
    throw Difference(c.at, fmt::format("'{}' in a condition", c.text));
  std::vector<Index> sides;
  for (const CExpr &side : c.args) {
    sides.push_back(read_index(side, names));
    if (names.computes)
      names.computes(sides.back(), side.at, names.under);
  }
  return compare(*op, sides[0], sides[1]);
}

std::optional<Span64> span_of(const Index &e, const Spans &variables) {
  if (e->op == IndexOp::constant)
    return Span64{e->value, e->value};
  if (e->op == IndexOp::variable) {
    auto found = variables.find(e->name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  }
  auto a = span_of(e->a, variables), b = span_of(e->b, variables);
  return a && b ? combined(e->op, *a, *b) : std::nullopt;
}

bool fits(const Pred &p, const Spans &variables) {
  bool all = true;
  for_each_subexpression(p, [&](const Index &e) { all = all && span_of(e, variables); });
  return all;
}

} // namespace atl::proofs::reader
