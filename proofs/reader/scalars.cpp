#include "proofs/reader/scalars.h"

#include "atl/syntax/literal.h"
#include "lowering/nest/walk.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

namespace atl::proofs::reader {

using lowering::Buffer;
using Kind = CExpr::Kind;

namespace {

[[noreturn]] void differs(const CExpr &c, const std::string &expected) {
  throw Difference(c.at, fmt::format("the loop nest has {} here", expected));
}

struct Word {
  std::string_view op;
  int arity;
  std::string_view word;
};
// The operations whose C is a function with another name than theirs, and C's operators by their names.
constexpr std::array words{
    Word{"+", 2, "add"}, Word{"-", 2, "sub"}, Word{"*", 2, "mul"},  Word{"/", 2, "div"}, Word{"%", 2, "mod"},
    Word{"-", 1, "neg"}, Word{"==", 2, "eq"}, Word{"!=", 2, "ne"},  Word{"<", 2, "lt"},  Word{"<=", 2, "le"},
    Word{">", 2, "gt"},  Word{">=", 2, "ge"}, Word{"and", 2, "&&"}, Word{"or", 2, "||"}, Word{"not", 1, "!"}};

std::string_view word_of(const ScalarOp &op) {
  for (const Word &w : words)
    if (w.op == op.name && w.arity == op.arity)
      return w.word;
  return op.name;
}

bool is_relation(const ScalarOp &op) {
  return op.result == ResultRule::boolean;
}

bool is_logical(const ScalarOp &op) {
  return op.name == "and" || op.name == "or" || op.name == "not";
}

// + - * / and the minus sign of floats are C's own.
bool is_plain_float(const ScalarOp &op, Elem elem) {
  return is_float(elem) && std::string_view("+-*/").find(op.name) != std::string_view::npos;
}

std::optional<Scalar> float_value(const CExpr &c, Elem elem) {
  bool negative = c.kind == Kind::prefix && c.text == "-";
  const CExpr &part = negative ? c.args[0] : c;
  double sign = negative ? -1 : 1;
  if (is_name(part, "INFINITY"))
    return make_real(elem, sign * std::numeric_limits<double>::infinity());
  if (is_name(part, "NAN") && !negative)
    return make_real(elem, std::numeric_limits<double>::quiet_NaN());
  std::string digits = part.text;
  bool single = digits.ends_with('f');
  if (part.kind != Kind::number || single != (elem == Elem::f32) || digits.starts_with("0x") ||
      digits.find_first_of(".e") == std::string::npos)
    return std::nullopt;
  digits.resize(digits.size() - (single ? 1 : 0));
  char *end = nullptr;
  double value =
      single ? static_cast<double>(std::strtof(digits.c_str(), &end)) : std::strtod(digits.c_str(), &end);
  if (*end != '\0')
    return std::nullopt;
  return Scalar{elem, sign * value, 0};
}

std::optional<Scalar> integer_value(const CExpr &c, Elem elem) {
  if (elem == Elem::boolean)
    return is_name(c, "true")    ? std::optional(make_bool(true))
           : is_name(c, "false") ? std::optional(make_bool(false))
                                 : std::nullopt;
  if (elem == Elem::i32 && is_name(c, "INT32_MIN"))
    return make_integer(elem, least_integer(elem));
  CExpr digits = c;
  if (elem == Elem::u32) {
    if (c.kind != Kind::number || !c.text.ends_with('u'))
      return std::nullopt;
    digits.text.pop_back();
  }
  auto value = read_integer(digits);
  if (!value || *value < least_integer(elem) || *value > greatest_integer(elem))
    return std::nullopt;
  return make_integer(elem, *value);
}

bool holds_all(Elem to, Elem from) {
  return least_integer(to) <= least_integer(from) && greatest_integer(from) <= greatest_integer(to);
}

} // namespace

static bool subtracts(const ExprPtr &e) {
  const Op *op = std::get_if<Op>(&e->node);
  const std::vector<ExprPtr> parts = children(*e);
  return (op && op->op->name == "-" && is_float(e->type->elem)) ||
         std::any_of(parts.begin(), parts.end(), subtracts);
}

Scalars::Scalars(const lowering::LoopKernel &kernel, Scope &scope, Surroundings &around, std::uint32_t file,
                 std::vector<Obligation> &conditions)
    : kernel_(kernel), scope_(scope), around_(around), file_(file), conditions_(conditions),
      subtracts_(lowering::any_of<lowering::Store>(
          kernel.body, [](const lowering::Store &store) { return subtracts(store.value); })) {}

bool calls(const CExpr &c, const std::string &function, std::size_t arguments) {
  return c.kind == Kind::call && c.text == function && c.args.size() == arguments;
}

bool is_name(const CExpr &c, std::string_view name) {
  return c.kind == Kind::name && c.text == name;
}

static Obligation condition(const lowering::LoopKernel &kernel, Span span, std::string what,
                            const std::vector<std::string> &loops, const std::vector<Pred> &known,
                            const std::vector<Pred> &under, std::vector<Claim> claims) {
  Obligation o{ObligationKind::width,
               Code::c_text_differs,
               span,
               kernel.name,
               std::move(what),
               {},
               loops,
               known,
               std::move(claims),
               {}};
  for (const Param &p : kernel.params)
    if (p.kind == Param::Kind::size)
      o.sizes.push_back(p.name);
  o.hypotheses.insert(o.hypotheses.end(), under.begin(), under.end());
  return o;
}

Obligation nonnegative(const lowering::LoopKernel &kernel, std::uint32_t file, const Truncated &division,
                       const std::vector<std::string> &loops, const std::vector<Pred> &known) {
  return condition(kernel, {file, division.at, division.at + 1},
                   "the dividend " + to_string(division.dividend) + " of C's own division is not negative",
                   loops, known, division.under,
                   {{compare(PredOp::ge, division.dividend, constant(0)),
                     {"C rounds the quotient of ", division.dividend, " towards zero"}}});
}

CNames Scalars::names() {
  CNames names{[this](const CExpr &c) {
                 const Variable &v = scope_.at(c.text, c.at);
                 if (v.kind != Variable::Kind::index)
                   throw Difference(c.at, fmt::format("{} is no index", c.text));
                 return v.name;
               },
               [this](const Truncated &division) { require_nonnegative(division); }};
  names.computes = [this](const Index &computed, std::uint32_t at, const std::vector<Pred> &under) {
    require_fitting(computed, at, under);
  };
  return names;
}

bool Scalars::is_nonnegative(const Index &e) const {
  switch (e->op) {
  case IndexOp::constant: return e->value >= 0;
  case IndexOp::variable: return around_.nonnegative.contains(e->name);
  case IndexOp::sub: return false;
  case IndexOp::mod: return true; // divisors are positive
  case IndexOp::div:
  case IndexOp::cdiv: return is_nonnegative(e->a);
  case IndexOp::max: return is_nonnegative(e->a) || is_nonnegative(e->b);
  default: return is_nonnegative(e->a) && is_nonnegative(e->b);
  }
}

void Scalars::require_nonnegative(const Truncated &division) {
  if (is_nonnegative(division.dividend))
    return;
  std::vector<Pred> known = kernel_.assumptions;
  known.insert(known.end(), around_.known.begin(), around_.known.end());
  conditions_.push_back(nonnegative(kernel_, file_, division, around_.loops, known));
}

void Scalars::require(std::uint32_t at, std::string what, const std::vector<Pred> &under,
                      std::vector<Claim> claims) {
  if (claims.empty())
    return;
  std::vector<Pred> known = kernel_.assumptions;
  known.insert(known.end(), around_.known.begin(), around_.known.end());
  conditions_.push_back(condition(kernel_, {file_, at, at + 1}, std::move(what), around_.loops, known, under,
                                  std::move(claims)));
}

void Scalars::require_fitting(const Index &computed, std::uint32_t at, const std::vector<Pred> &under) {
  require(at, "what C computes for " + to_string(computed) + " fits 64 bits", under,
          fitting(open_steps(computed, around_.spans)));
}

Index Scalars::index_of(const CExpr &c) {
  CNames by = names();
  Index computed = read_index(c, by);
  require_fitting(computed, c.at, {});
  return computed;
}

void Scalars::same(const CExpr &c, const Index &e) {
  if (canonical(index_of(c)) != canonical(e))
    differs(c, to_string(e));
}

void Scalars::same(const CExpr &c, const Pred &p) {
  CNames by = names();
  if (canonical(read_pred(c, by)) != canonical(p))
    differs(c, to_string(p));
}

void Scalars::same_offset(const CExpr &c, const Buffer &buffer, const std::vector<Index> &indices,
                          bool is_inside) {
  CNames by = names();
  const Index computed = read_index(c, by), expected = row_major_offset(buffer.dims, indices);
  if (canonical(computed) != canonical(expected))
    differs(c, to_string(expected));
  if (open_steps(computed, around_.spans).empty())
    return;
  std::vector<Claim> claims;
  for (std::size_t d = 0; !is_inside && d < indices.size(); ++d) { // of a pointer, maybe just behind the end
    const PredOp before = d + 1 == indices.size() ? PredOp::le : PredOp::lt;
    claims.push_back(
        {conj(compare(PredOp::ge, indices[d], constant(0)), compare(before, indices[d], buffer.dims[d])),
         {"the first lane is at index ", indices[d], " of ", buffer.dims[d]}});
  }
  if (!is_inside)
    claims.push_back({compare(PredOp::ge, buffer.dims.back(), constant(1)), {buffer.name + " is empty"}});
  require(c.at, "the first lane of " + buffer.name + " is in it", {}, std::move(claims));
  const CellSteps steps(buffer, indices);
  require(c.at, "the offset " + to_string(computed) + " fits 64 bits", steps.known,
          fitting(open_steps(computed, around_.spans, steps)));
}

void Scalars::same_cell(const CExpr &c, const std::string &buffer, const std::vector<Index> &indices,
                        bool is_inside) {
  auto known = around_.buffers.find(buffer);
  if (known == around_.buffers.end())
    differs(c, buffer);
  const CExpr &base = c.kind == Kind::subscript ? c.args[0] : c;
  if (base.kind != Kind::name)
    differs(c, buffer);
  Variable &v = scope_.at(base.text, base.at);
  bool is_memory = v.kind == Variable::Kind::memory;
  if ((!is_memory && v.kind != Variable::Kind::value) || is_memory != (c.kind == Kind::subscript))
    differs(c, buffer);
  if (is_memory && v.buffer == nullptr)
    bind(v, *known->second, base);
  if (v.buffer != known->second)
    differs(c, buffer);
  if (is_memory)
    same_offset(c.args[1], *known->second, indices, is_inside);
}

void Scalars::same(const CExpr &c, const ExprPtr &e) {
  match(
      e, [&](const Access &a) { same_cell(c, a.tensor, a.indices); },
      [&](const Literal &l) { same_literal(c, l, e->type->elem); }, [&](const Op &op) { same_op(c, op); },
      [&](const Convert &convert) { same_convert(c, convert); },
      [&](const Select &select) { same_select(c, select); },
      [&](const FromIndex &from) { same_from_index(c, from); }, [&](const Test &test) { same(c, test.pred); },
      [&](const auto &) { differs(c, "what is no scalar"); });
}

// gcc rounds some products together with what is added to them, in spite of all flags, unless the text
// forbids it.
void Scalars::same_summand(const CExpr &c, const ExprPtr &e) {
  const Op *op = std::get_if<Op>(&e->node);
  if (!subtracts_ || !op || op->op->name != "*" || !is_float(e->type->elem))
    return same(c, e);
  if (!calls(c, "atl_rounded", 1))
    differs(c, "a product that is rounded by itself");
  same(c.args[0], e);
}

void Scalars::same_literal(const CExpr &c, const Literal &literal, Elem elem) {
  const Scalar value = value_of(literal, elem);
  auto read = is_float(elem) ? float_value(c, elem) : integer_value(c, elem);
  if (!read || !same_bits(*read, value))
    differs(c, fmt::format("the {} {}", name(elem), to_string(value)));
}

void Scalars::same_operation(const CExpr &c, const ScalarOp &op, Elem elem) {
  std::string function = fmt::format("atl_{}_{}", word_of(op), name(elem));
  std::size_t arity = static_cast<std::size_t>(op.arity);
  bool plain = is_plain_float(op, elem) || is_relation(op) || is_logical(op);
  std::string symbol(is_logical(op) ? word_of(op) : op.name);
  if (plain && c.kind == (op.arity == 2 ? Kind::infix : Kind::prefix) && c.text == symbol)
    return;
  bool is_function = (!plain || (is_relation(op) && is_integer(elem))) && calls(c, function, arity);
  if (!is_function)
    differs(c, fmt::format("'{}' of {}", op.name, name(elem)));
}

void Scalars::same_op(const CExpr &c, const Op &op) {
  same_operation(c, *op.op, op.args[0]->type->elem);
  const bool is_sum = op.op->name == "+" || op.op->name == "-";
  for (std::size_t i = 0; i < op.args.size(); ++i)
    is_sum ? same_summand(c.args[i], op.args[i]) : same(c.args[i], op.args[i]);
}

void Scalars::same_convert(const CExpr &c, const Convert &convert) {
  Elem to = convert.to, from = convert.arg->type->elem;
  if (to == from)
    return same(c, convert.arg);
  std::string what = fmt::format("a conversion to {}", name(to));
  if (to == Elem::boolean) {
    if (c.kind != Kind::infix || c.text != "!=" || read_integer(c.args[1]) != 0)
      differs(c, what);
    return same(c.args[0], convert.arg);
  }
  if (is_float(from) && !is_float(to)) {
    if (!calls(c, fmt::format("atl_{}_from_{}", name(to), name(from)), 1))
      differs(c, what);
  } else if (convert.mode == ConvertMode::saturate && !is_float(to) && !holds_all(to, from)) {
    if (!calls(c, fmt::format("atl_sat_{}", name(to)), 1))
      differs(c, what);
  } else if (c.kind != Kind::cast || c.text != info(to).c_type) {
    differs(c, what);
  }
  same(c.args[0], convert.arg);
}

void Scalars::same_select(const CExpr &c, const Select &select) {
  if (c.kind != Kind::choice)
    differs(c, "a choice of two values");
  same(c.args[0], select.cond);
  const Test *test = std::get_if<Test>(&select.cond->node);
  auto under = [&](const Pred &p, const CExpr &value, const ExprPtr &e) {
    around_.known.push_back(p);
    same(value, e);
    around_.known.pop_back();
  };
  under(test ? test->pred : truth(true), c.args[1], select.then);
  under(test ? neg(test->pred) : truth(true), c.args[2], select.otherwise);
}

void Scalars::same_from_index(const CExpr &c, const FromIndex &from) {
  if (from.to == Elem::i64)
    return same(c, from.value);
  bool is_bool = from.to == Elem::boolean;
  bool fits = is_bool ? c.kind == Kind::infix && c.text == "!=" && read_integer(c.args[1]) == 0
                      : c.kind == Kind::cast && c.text == info(from.to).c_type;
  if (!fits)
    differs(c, fmt::format("a conversion of an index to {}", name(from.to)));
  same(c.args[0], from.value);
}

} // namespace atl::proofs::reader
