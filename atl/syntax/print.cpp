// Programs back to text: the fewest parentheses that the grammar (docs/language.md) allows, lines of at most
// 100 columns.
#include "atl/syntax/print.h"

#include "atl/base/check.h"
#include "atl/index/value_text.h"
#include "atl/syntax/layout.h"
#include "atl/syntax/ops/reshape_op.h"
#include "atl/syntax/print_schedule.h"
#include "atl/syntax/requests.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl {

namespace {

using layout::cat, layout::gap, layout::group, layout::hard_line, layout::line, layout::list, layout::nest,
    layout::text;
using layout::Doc;

constexpr int width = 100, nesting = 2;

Doc parenthesized_if(bool needed, const Doc &content) {
  return needed ? cat({text("("), content, text(")")}) : content;
}

int precedence_of(const Pred &p) {
  switch (p->op) {
  case PredOp::truth: return precedence::atom;
  case PredOp::conj: return precedence::conjunction;
  case PredOp::disj: return precedence::disjunction;
  case PredOp::neg: return precedence::negation;
  default: return precedence::comparison;
  }
}

bool is_negative(const Literal &literal) {
  return literal.integer < 0 || std::signbit(literal.real);
}

// How tightly the text of an expression holds together.
int precedence_of(const ExprPtr &e) {
  auto atom = [](const auto &) { return precedence::atom; };
  return match(
      e, [](const Guard &) { return precedence::product; },
      [](const Reshape &) { return precedence::prefix; },
      [](const Op &op) { return op.op->precedence == 0 ? precedence::atom : op.op->precedence; },
      [](const Test &test) { return precedence_of(test.pred); },
      [](const Literal &literal) { return is_negative(literal) ? precedence::prefix : precedence::atom; },
      [&](const Gen &g) { return atom(g); }, [&](const Reduce &r) { return atom(r); },
      [&](const Let &l) { return atom(l); }, [&](const Concat &c) { return atom(c); },
      [&](const Tuple &t) { return atom(t); }, [&](const Access &a) { return atom(a); },
      [&](const Convert &c) { return atom(c); }, [&](const Select &s) { return atom(s); },
      [&](const FromIndex &f) { return atom(f); }, [&](const Call &c) { return atom(c); });
}

std::string digits(const Literal &literal, std::optional<Elem> type) {
  if (literal.is_float)
    return to_string(Scalar{type.value_or(Elem::f64), literal.real, 0});
  return to_string(Scalar{type.value_or(Elem::i64), 0, literal.integer});
}

Doc print_literal(const Literal &literal, const Expr &e) {
  std::optional<Elem> type = literal.suffix;
  if (!type && e.type)
    type = e.type->elem;
  bool has_suffix = type && *type != Elem::boolean;
  return text(digits(literal, type) + std::string(has_suffix ? name(*type) : ""));
}

Doc range(const std::string &var, const Index &lo, const Index &hi) {
  constexpr int side = precedence::comparison + 1;
  std::string upper = fmt::format("{} < {}", var, to_string(hi, side));
  if (lo->op == IndexOp::constant && lo->value == 0)
    return text(upper);
  std::string lower = to_string(lo, side);
  bool looks_like_a_mode = loop_mode_named(lower.substr(0, lower.find(' '))).has_value();
  return text(fmt::format("{} <= {}", looks_like_a_mode ? "(" + lower + ")" : lower, upper));
}

Doc print_at(const ExprPtr &e, int min_precedence);

// What stands between braces: lets, one a line, and the result.
Doc contents(const ExprPtr &e) {
  std::vector<Doc> parts;
  const Expr *rest = e.get();
  ExprPtr result = e;
  while (const Let *let = std::get_if<Let>(&rest->node)) {
    std::string names = fmt::format("{}", fmt::join(let->names, ", "));
    if (!let->memory.empty())
      names += " @ " + let->memory;
    parts.push_back(text(let->names.size() > 1 ? "let (" + names + ") = " : "let " + names + " = "));
    parts.push_back(print_at(let->bound, 0));
    parts.push_back(text(";"));
    parts.push_back(hard_line());
    result = let->body;
    rest = result.get();
  }
  parts.push_back(print_at(result, 0));
  return cat(std::move(parts));
}

Doc braces(const ExprPtr &e) {
  return group(cat({text("{"), nest(nesting, cat({line(), contents(e)})), line(), text("}")}));
}

// Items in brackets; broken, each has its line.
Doc bracketed(const std::string &open, const std::vector<Doc> &items, const std::string &close) {
  return group(cat({text(open), nest(nesting, cat({gap(), list(items, ",", line())})), gap(), text(close)}));
}

Doc call(const std::string &name, const std::vector<Doc> &items) {
  return bracketed(name + "(", items, ")");
}

std::vector<Doc> print_all(const std::vector<ExprPtr> &all) {
  std::vector<Doc> docs;
  for (const ExprPtr &e : all)
    docs.push_back(print_at(e, 0));
  return docs;
}

Doc loops(std::string_view word, const std::vector<Doc> &ranges, const ExprPtr &body) {
  return group(cat({text(std::string(word) + " "), nest(2 * nesting, group(list(ranges, ",", line()))),
                    text(" {"), nest(nesting, cat({line(), contents(body)})), line(), text("}")}));
}

std::string with_mode(std::string_view word, LoopMode mode) {
  return mode == LoopMode::sequential ? std::string(word) : fmt::format("{} {}", word, name(mode));
}

// Nested loops of one kind share their braces. A mode is that of the first loop.
Doc print_gen(const Gen &g) {
  std::vector<Doc> ranges{range(g.var, g.lo, g.hi)};
  const Gen *inner = &g;
  const Gen *next = std::get_if<Gen>(&inner->body->node);
  for (; next && next->mode == LoopMode::sequential; next = std::get_if<Gen>(&inner->body->node)) {
    inner = next;
    ranges.push_back(range(inner->var, inner->lo, inner->hi));
  }
  return loops(with_mode("gen", g.mode), ranges, inner->body);
}

Doc print_reduce(const Reduce &r) {
  auto joins = [&](const Reduce *next) {
    return next && next->reduction == r.reduction && next->mode == LoopMode::sequential;
  };
  std::vector<Doc> ranges{range(r.var, r.lo, r.hi)};
  const Reduce *inner = &r;
  const Reduce *next = std::get_if<Reduce>(&inner->body->node);
  for (; joins(next); next = std::get_if<Reduce>(&inner->body->node)) {
    inner = next;
    ranges.push_back(range(inner->var, inner->lo, inner->hi));
  }
  return loops(with_mode(name(r.reduction), r.mode), ranges, inner->body);
}

Doc print_access(const Access &a) {
  std::vector<Doc> indices;
  for (const Index &index : a.indices)
    indices.push_back(text(to_string(index)));
  return indices.empty() ? text(a.tensor) : bracketed(a.tensor + "[", indices, "]");
}

Doc print_concat(const Concat &c) {
  std::vector<Doc> parts{print_at(c.left, 0)};
  const Concat *rest = &c;
  while (const Concat *next = std::get_if<Concat>(&rest->right->node)) {
    rest = next;
    parts.push_back(print_at(rest->left, 0));
  }
  parts.push_back(print_at(rest->right, 0));
  return call("concat", parts);
}

Doc print_reshape(const Reshape &r) {
  std::string head(r.op->name);
  for (const Index &arg : r.args) {
    bool is_atom = arg->op == IndexOp::variable || (arg->op == IndexOp::constant && arg->value >= 0);
    head += is_atom ? " " + to_string(arg) : " (" + to_string(arg) + ")";
  }
  bool is_reshape = std::holds_alternative<Reshape>(r.child->node);
  return cat({text(head + " "), print_at(r.child, is_reshape ? precedence::prefix : precedence::atom)});
}

const Op *binary_op(const ExprPtr &e, int precedence) {
  const Op *op = std::get_if<Op>(&e->node);
  return op && op->op->arity == 2 && op->op->precedence == precedence ? op : nullptr;
}

// Does the text end with a brace, after which there is no need for a new line?
bool has_braces(const ExprPtr &e) {
  return std::holds_alternative<Gen>(e->node) || std::holds_alternative<Reduce>(e->node) ||
         std::holds_alternative<Let>(e->node);
}

// a + b - c: operators of one precedence, from the left, break together.
Doc print_infix(const Op &op) {
  int binding = op.op->precedence;
  bool associates = binding != precedence::comparison;
  std::vector<const Op *> chain{&op}; // the last operator first
  while (const Op *left = associates ? binary_op(chain.back()->args[0], binding) : nullptr)
    chain.push_back(left);
  const ExprPtr &first = chain.back()->args[0];
  // A guard reaches to the end of the product that it begins, so it needs parentheses to be just the first
  // operand.
  bool is_guard = std::holds_alternative<Guard>(first->node) && binding == precedence::product;
  std::vector<Doc> links;
  for (auto link = chain.rbegin(); link != chain.rend(); ++link) {
    bool after_brace = link == chain.rbegin() && has_braces(first);
    links.push_back(after_brace ? text(" ") : line());
    links.push_back(text(std::string((*link)->op->name) + " "));
    links.push_back(print_at((*link)->args[1], binding + 1));
  }
  return group(cat({print_at(first, is_guard || !associates ? binding + 1 : binding),
                    nest(nesting, cat(std::move(links)))}));
}

// A condition breaks at the conjunctions that are not in parentheses.
Doc print_condition(const Pred &p) {
  std::vector<Doc> links; // last first
  Pred first = p;
  for (; first->op == PredOp::conj; first = first->a)
    links.push_back(cat({line(), text("and " + to_string(first->b, precedence::conjunction + 1))}));
  bool is_conjunction = !links.empty();
  links.push_back(text(to_string(first, is_conjunction ? precedence::conjunction : 0)));
  std::reverse(links.begin(), links.end());
  return group(nest(nesting, cat(std::move(links))));
}

Doc print_guard(const Guard &g) {
  Doc body = print_at(g.body, precedence::product);
  bool breaks_inside = has_braces(g.body) || std::holds_alternative<Guard>(g.body->node);
  return group(cat({text("["), print_condition(g.pred), text("]"),
                    nest(nesting, cat({breaks_inside ? text(" ") : line(), body}))}));
}

Doc print_prefix(const Op &op) {
  const ExprPtr &arg = op.args[0];
  if (op.op->precedence == precedence::negation)
    return cat({text(std::string(op.op->name) + " "), print_at(arg, precedence::negation)});
  // A literal would take the sign as its own, and two signs in a row are hard to read.
  const Op *inner = std::get_if<Op>(&arg->node);
  bool needs_parentheses = std::holds_alternative<Literal>(arg->node) || (inner && inner->op == op.op);
  return cat(
      {text(std::string(op.op->name)),
       parenthesized_if(needs_parentheses, print_at(arg, needs_parentheses ? 0 : precedence::prefix))});
}

Doc print_op(const Op &op) {
  if (op.op->precedence == 0)
    return call(std::string(op.op->name), print_all(op.args));
  return op.op->arity == 1 ? print_prefix(op) : print_infix(op);
}

Doc print_call(const Call &c) {
  std::vector<Doc> args;
  for (const auto &arg : c.args)
    args.push_back(std::holds_alternative<Index>(arg) ? text(to_string(std::get<Index>(arg)))
                                                      : print_at(std::get<ExprPtr>(arg), 0));
  return call(c.callee, args);
}

Doc print_plain(const ExprPtr &e) {
  return match(
      e, [](const Gen &g) { return print_gen(g); }, [](const Reduce &r) { return print_reduce(r); },
      [](const Guard &g) { return print_guard(g); }, [&](const Let &) { return braces(e); },
      [](const Concat &c) { return print_concat(c); }, [](const Reshape &r) { return print_reshape(r); },
      [](const Tuple &t) { return call("", print_all(t.elements)); },
      [](const Access &a) { return print_access(a); }, [&](const Literal &l) { return print_literal(l, *e); },
      [](const Op &op) { return print_op(op); },
      [](const Convert &c) {
        return call((c.mode == ConvertMode::saturate ? "sat_" : "") + std::string(name(c.to)),
                    {print_at(c.arg, 0)});
      },
      [](const Select &s) {
        return call("select", print_all({s.cond, s.then, s.otherwise}));
      },
      [](const FromIndex &f) { return text(fmt::format("{}({})", name(f.to), to_string(f.value))); },
      [](const Test &t) { return text(to_string(t.pred)); }, [](const Call &c) { return print_call(c); });
}

Doc print_at(const ExprPtr &e, int min_precedence) {
  return parenthesized_if(precedence_of(e) < min_precedence, print_plain(e));
}

std::string render(const Doc &doc) {
  return layout::render(doc, width, 0) + "\n";
}

Doc print_param(const Param &param) {
  return text(param.name + ": " + (param.kind == Param::Kind::size ? "size" : print(param.type)));
}

Doc print_outputs(const std::vector<Output> &outputs) {
  if (outputs.size() == 1 && outputs[0].name == "out")
    return text(print(outputs[0].type));
  std::vector<Doc> docs;
  for (const Output &output : outputs)
    docs.push_back(text(output.name + ": " + print(output.type)));
  return call("", docs);
}

std::string print(const RoundingClause &rounding) {
  std::string words;
  for (Rounding allowed : rounding.allowed)
    words += fmt::format("{}{}", words.empty() ? "rounding " : ", ", word_of(allowed));
  return words;
}

Doc print_kernel(const Kernel &kernel) {
  std::vector<Doc> params, conditions, sizes;
  std::transform(kernel.params.begin(), kernel.params.end(), std::back_inserter(params), print_param);
  for (const Where &where : kernel.where)
    conditions.push_back(print_condition(where.pred));
  for (const SizeValue &size : kernel.such_as)
    sizes.push_back(text(value_text(size.name, size.value)));
  const std::string word = kernel.is_private ? "private kernel " : "kernel ";
  std::vector<Doc> parts{call(word + kernel.name, params), text(" -> "), print_outputs(kernel.outputs)};
  std::vector<Doc> where;
  if (!conditions.empty())
    where = {hard_line(), group(cat({text("where "), nest(nesting, list(conditions, ",", line()))}))};
  if (!sizes.empty())
    where.insert(where.end(),
                 {hard_line(), group(cat({text("such as "), nest(nesting, list(sizes, ",", line()))}))});
  if (!kernel.rounding.allowed.empty())
    where.insert(where.end(), {hard_line(), text(print(kernel.rounding))});
  if (where.empty())
    parts.push_back(text(" {"));
  else
    parts.push_back(cat({nest(nesting, cat(std::move(where))), hard_line(), text("{")}));
  parts.push_back(nest(nesting, cat({hard_line(), contents(kernel.body)})));
  parts.push_back(hard_line());
  parts.push_back(text("}"));
  return cat(std::move(parts));
}

Doc print_function(const Function &function) {
  std::vector<Doc> params;
  for (const Function::Arg &param : function.params)
    params.push_back(text(fmt::format("{}: {}", param.name, name(param.elem))));
  return group(cat({call("fn " + function.name, params), text(fmt::format(" -> {} =", name(function.result))),
                    nest(nesting, cat({line(), print_at(function.body, 0)})), text(";")}));
}

Doc print_constant(const Constant &constant) {
  if (!constant.elem)
    return text(fmt::format("const {} = {};", constant.name, to_string(std::get<Index>(constant.value))));
  const ExprPtr &value = std::get<ExprPtr>(constant.value);
  const Literal *literal = std::get_if<Literal>(&value->node);
  ATL_CHECK(literal != nullptr, "a data constant that is no literal");
  return text(fmt::format("const {}: {} = {};", constant.name, name(*constant.elem),
                          digits(*literal, constant.elem)));
}

// Is it nothing but a use of another schedule?
bool is_another(const Schedule &schedule, const Program &program) {
  const std::vector<Step> &steps = schedule.steps;
  return steps.size() == 1 && is_use(steps[0]) &&
         std::any_of(program.schedules.begin(), program.schedules.end(),
                     [&](const Schedule &other) { return other.name == steps[0].name; });
}

} // namespace

std::string print(const Program &program) {
  std::string out;
  for (const Constant &constant : program.constants)
    out += render(print_constant(constant));
  for (const Function &function : program.functions)
    out += (out.empty() ? "" : "\n") + render(print_function(function));
  for (const Kernel &kernel : program.kernels)
    out += (out.empty() ? "" : "\n") + print(kernel);
  for (const StepDefinition &definition : program.steps)
    out += (out.empty() ? "" : "\n") + print(definition);
  for (const Schedule &schedule : program.schedules)
    out += (out.empty() ? "" : "\n") +
           (is_another(schedule, program) ? print_as_other(schedule) : print(schedule));
  return out;
}

std::string print(const Kernel &kernel) {
  return render(print_kernel(kernel));
}

std::string print(const Requests &requests) {
  std::string text = "// mapped to " + requests.hardware + (requests.contracts ? ", contracted" : "") + "\n";
  for (const Requests::Taken &taken : requests.taken)
    text += fmt::format("// {} {} what is added to it\n", taken.tensor,
                        taken.term == Requests::Term::first ? "starts from" : "ends with");
  for (const Requests::Pipelined &pipeline : requests.pipelined)
    text += fmt::format("// {} is filled one iteration ahead{}{}\n", pipeline.tensor,
                        pipeline.loop.empty() ? "" : ", at " + pipeline.loop,
                        pipeline.from.empty() ? "" : ", from " + pipeline.from);
  for (const Requests::Drained &drain : requests.drained)
    text += fmt::format("// {} is stored as it is completed, at {}\n", drain.tensor, drain.loop);
  for (const Requests::Prefetch &prefetch : requests.prefetches)
    text += fmt::format("// {} is fetched into the caches at {} by {}\n", prefetch.tensor, prefetch.loop,
                        prefetch.ahead);
  for (const Requests::Last &last : requests.last)
    text += fmt::format("// {} ends with {}\n", last.loop, last.instruction);
  return text;
}

std::string print(const TypedKernel &kernel) {
  ExprPtr body = kernel.results.size() == 1 ? kernel.results[0] : make(Tuple{kernel.results}, kernel.span);
  for (auto let = kernel.lets.rbegin(); let != kernel.lets.rend(); ++let)
    body = make(Let{{let->name}, let->value, body, let->memory}, let->value->span);
  return print(Kernel{kernel.name, kernel.span, kernel.params, kernel.outputs, kernel.where, body,
                      kernel.such_as, kernel.rounding});
}

std::string print(const ExprPtr &e, int indent) {
  return layout::render(print_at(e, 0), width, indent);
}

std::string print(const Type &type) {
  std::vector<std::string> extents;
  for (const Index &extent : type.shape)
    extents.push_back(to_string(extent));
  std::string elem(name(type.elem));
  return extents.empty() ? elem : fmt::format("{}[{}]", elem, fmt::join(extents, ", "));
}

} // namespace atl
