#include "lowering/verify/widths.h"

#include "lowering/nest/ranges.h"

#include <algorithm>

namespace atl::lowering {

namespace {

std::vector<Index> sides(const Pred &p) {
  std::vector<Index> found;
  if (p->lhs)
    found = {p->lhs, p->rhs};
  for (const Pred &part : {p->a, p->b})
    if (part) {
      std::vector<Index> more = sides(part);
      found.insert(found.end(), more.begin(), more.end());
    }
  return found;
}

} // namespace

Widths::Widths(const LoopKernel &kernel, Steps steps, std::vector<Obligation> &into)
    : steps_(steps), into_(into) {
  std::vector<std::string> names;
  for (const Param &param : kernel.params)
    if (param.kind == Param::Kind::size)
      names.push_back(param.name);
  sizes_ = size_ranges(names, kernel.assumptions);
}

// Each said once. Variables and constants fit.
std::vector<Index> Widths::steps_of(const std::vector<Index> &trees, const Known &known) const {
  const Evaluation order = order_at(known);
  std::vector<Index> steps;
  for (const Index &tree : trees)
    for_each_subexpression(tree, [&](const Index &step) {
      const bool is_open = !is_leaf(step) && (steps_ == Steps::all || !order.fits(step));
      if (is_open && !is_among(step, steps))
        steps.push_back(step);
    });
  return steps;
}

void Widths::require(const std::vector<Index> &steps, Span span, const std::string &what,
                     const Known &known) {
  std::vector<Claim> claims;
  for (const Index &step : steps)
    claims.push_back({conj(compare(PredOp::ge, step, constant(least_index)),
                           compare(PredOp::le, step, constant(greatest_index))),
                      {to_string(step) + " is ", step, ", which does not fit 64 bits"}});
  if (!claims.empty())
    into_.push_back(known.obligation(ObligationKind::width, Code::index_overflow, span,
                                     what + " fits 64 bits", std::move(claims)));
}

void Widths::indices(const std::vector<Index> &all, Span span, const std::string &what, const Known &known) {
  const Evaluation order = order_at(known);
  std::vector<Index> trees;
  for (const Index &e : all)
    trees.push_back(order.of(e));
  require(steps_of(trees, known), span, what, known);
}

void Widths::condition(const Pred &p, Span span, const std::string &what, const Known &known) {
  const Evaluation order = order_at(known);
  condition(p, span, what, known, [&](const Index &e) { return order.of(e); });
}

void Widths::scalar(const Expr &e, const Known &known) {
  if (const FromIndex *from = std::get_if<FromIndex>(&e.node))
    indices({from->value}, e.span, "the value " + to_string(from->value), known);
  if (const Test *test = std::get_if<Test>(&e.node))
    condition(test->pred, e.span, "the condition " + to_string(test->pred), known);
}

void Widths::entry_condition(const Pred &p, Span span, const std::string &what, const Known &known) {
  condition(p, span, what, known, [](const Index &e) { return e; });
}

// The right side of `and` and `or` is evaluated only where the left does not decide. Where that may matter,
// because it divides, it is said under the left; but not that a left side is false which divides itself,
// perhaps by 0.
void Widths::condition(const Pred &p, Span span, const std::string &what, const Known &known,
                       const Order &order) {
  if (p->op == PredOp::neg)
    return condition(p->a, span, what, known, order);
  if (p->b && divides_by_a_variable(p)) {
    condition(p->a, span, what, known, order);
    const bool is_conjunction = p->op == PredOp::conj;
    const bool says_nothing =
        !divides_by_a_variable(p->b) || (!is_conjunction && divides_by_a_variable(p->a));
    const Pred left = is_conjunction ? p->a : neg(p->a);
    return condition(p->b, span, what, says_nothing ? known : known.where(left), order);
  }
  std::vector<Index> trees = sides(p);
  std::transform(trees.begin(), trees.end(), trees.begin(), order);
  require(steps_of(trees, known), span, what, known);
}

// The row-major lemma: where 0 <= i < N and 0 <= j <= R, i*R and i*R + j are from 0 to N*R. So they fit where
// all cells do, which is checked where a C function begins. What is left are the sums between i*R and
// i*R + j that C computes on its way, with i*R as a variable.
void Widths::partial_sums(const Buffer &buffer, const std::vector<Index> &indices, Span span,
                          const std::string &what, const Known &known) {
  const auto bytes = static_cast<std::int64_t>(byte_size(buffer.elem));
  const Evaluation order = order_at(known);
  const Index row = variable(buffer.name + ".row");
  for (std::size_t d = 1; d < indices.size(); ++d) {
    const auto to = static_cast<std::ptrdiff_t>(d);
    const Shape dims(buffer.dims.begin(), buffer.dims.begin() + to + 1);
    const Index rows =
        mul(order.offset(dims, {indices.begin(), indices.begin() + to}, bytes), order.of(dims[d]));
    const Index number = order.offset(dims, {indices.begin(), indices.begin() + to + 1}, bytes);
    std::vector<Index> steps;
    for (Index step = number; !equal(step, rows) && !is_leaf(step); step = step->a)
      if (step != number && !order.fits(step))
        steps.push_back(replaced(step, rows, row));
    if (steps.empty() || as_constant(rows))
      continue;
    Known inside = known;
    inside.variables.push_back(row->name);
    const Index sum = binary(IndexOp::add, row, indices[d]);
    inside.assume(compare(PredOp::ge, row, constant(0)));
    inside.assume(conj(compare(PredOp::ge, sum, constant(0)),
                       compare(PredOp::le, sum, constant(greatest_index / bytes))));
    require(steps, span, what, inside);
  }
}

void Widths::cell(const Buffer &buffer, const std::vector<Index> &indices, Span span, const std::string &text,
                  const Known &known) {
  partial_sums(buffer, indices, span, "the offset of " + text, known);
}

void Widths::first_lane(const Buffer &buffer, const std::vector<Index> &indices, Span span,
                        const Known &known) {
  this->indices(indices, span, "the index of the first lane of " + buffer.name, known);
  const auto bytes = static_cast<std::int64_t>(byte_size(buffer.elem));
  const Evaluation order = order_at(known);
  if (indices.empty() || order.fits(order.offset(buffer.dims, indices, bytes)))
    return;
  std::vector<Claim> claims{
      {compare(PredOp::ge, buffer.dims.back(), constant(1)), {buffer.name + " is empty"}}};
  for (std::size_t d = 0; d < indices.size(); ++d) {
    const PredOp before = d + 1 == indices.size() ? PredOp::le : PredOp::lt;
    claims.push_back(
        {conj(compare(PredOp::ge, indices[d], constant(0)), compare(before, indices[d], buffer.dims[d])),
         {"the first lane is at index ", indices[d], " of ", buffer.dims[d]}});
  }
  into_.push_back(known.obligation(ObligationKind::width, Code::index_overflow, span,
                                   "the first lane of " + buffer.name + " is in it", std::move(claims)));
  partial_sums(buffer, indices, span, "the offset of the first lane of " + buffer.name, known);
}

} // namespace atl::lowering
