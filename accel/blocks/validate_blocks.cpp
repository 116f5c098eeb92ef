#include "accel/blocks/validate_blocks.h"

#include "atl/base/check.h"
#include "atl/syntax/same.h"
#include "lowering/verify/called.h"

#include <fmt/format.h>

namespace atl::accel {

using namespace lowering;

namespace {

// An instruction in the place of a nest.
struct Replaced {
  const LoopKernel &kernel;
  const BlockNest &nest;
  const BlockMatch &match;
  const Known &around;
  const Buffers &buffers;

  const BlockPattern &pattern() const { return *match.pattern; }
  const std::string &instruction() const { return pattern().source->meaning.name; }
  // The iteration of the block.
  const For &loop_of(std::size_t p) const { return nest.loop(match.loops[p]); }
  Index loop(std::size_t p) const { return sub(variable(loop_of(p).var), match.starts[p]); }
  bool is_summed(std::size_t p) const { return match.loops[p] >= nest.loops.size(); }
  const BlockOperand &operand(const std::string &name) const {
    for (const auto &[operand, value] : match.call.operands)
      if (operand == name)
        return value;
    ATL_CHECK(false, "an operand without a value: " + name);
  }
};

enum class Loops { around_store, all };

// In an iteration of the nest, where `more` holds.
Obligation in_iteration(const Replaced &r, Loops loops, std::string what, const std::vector<Pred> &more) {
  Obligation o = obligation_at(r.around, r.nest.store->span, std::move(what));
  for (std::size_t n = 0; n < (loops == Loops::all ? r.nest.depth() : r.nest.loops.size()); ++n) {
    const For &l = r.nest.loop(n);
    o.variables.push_back(l.var);
    o.hypotheses.push_back(in_range(l.lo, variable(l.var), l.hi));
  }
  o.hypotheses.insert(o.hypotheses.end(), more.begin(), more.end());
  return o;
}

void state(Obligation o, const std::vector<Pred> &claims, const Template &otherwise,
           std::vector<Obligation> &into) {
  for (const Pred &claim : claims)
    if (claim->op != PredOp::truth || !claim->value)
      o.claims.push_back({claim, otherwise});
  if (!o.claims.empty())
    into.push_back(std::move(o));
}

std::vector<Pred> inside_block(const Replaced &r, Loops loops) {
  std::vector<Pred> all{r.match.call.condition};
  for (std::size_t p = 0; p < r.match.extents.size(); ++p)
    if (loops == Loops::all || !r.is_summed(p))
      all.push_back(in_range(constant(0), r.loop(p), r.match.extents[p]));
  return all;
}

// A sum of the nest has the terms of the block: as many, from the first one on.
std::vector<Pred> same_terms(const Replaced &r) {
  std::vector<Pred> all;
  for (std::size_t p = 0; p < r.match.extents.size(); ++p)
    if (const For &loop = r.loop_of(p); r.is_summed(p)) {
      all.push_back(compare(PredOp::eq, loop.lo, r.match.starts[p]));
      all.push_back(compare(PredOp::eq, sub(loop.hi, loop.lo), r.match.extents[p]));
    }
  return all;
}

void same_iterations(const Replaced &r, std::vector<Obligation> &into) {
  std::string what = r.instruction() + " works on the iterations that store";
  const std::vector<Pred> inside = inside_block(r, Loops::around_store);
  state(in_iteration(r, Loops::around_store, what, r.nest.guards), inside,
        {"an iteration that stores is not in the block"}, into);
  state(in_iteration(r, Loops::around_store, what, inside), r.nest.guards,
        {"the block has an iteration that does not store"}, into);
  state(in_iteration(r, Loops::around_store, r.instruction() + " adds up the terms of the loops", inside),
        same_terms(r), {"the loops have other terms"}, into);
}

MemoryOperand as_called(const Replaced &r, const std::string &operand) {
  for (MemoryOperand &one : called(r.match.call, r.match.needs).operands)
    if (one.name == operand)
      return std::move(one);
  ATL_CHECK(false, "an operand that is not in memory: " + operand);
}

// From a row to the next, or from a block of columns to the next: as the instruction is told it.
Index distance_of(const Replaced &r, const std::string &operand) {
  const MemoryOperand one = as_called(r, operand);
  return one.distance ? one.distance : constant(0);
}

// How many bytes the row at these indices lies behind the first: groups of rows follow each other.
Index bytes_to_row(const Replaced &r, const std::string &operand, const std::vector<Index> &at) {
  const Shape shape = as_called(r, operand).shape;
  Index row = constant(0);
  for (std::size_t d = 0; d + 1 < at.size(); ++d)
    row = d == 0 ? at[d] : add(mul(row, shape[d]), at[d]);
  return mul(row, distance_of(r, operand));
}

// Where the element at these indices of the operand lies, and where the nest has it.
void same_place(const Replaced &r, const std::string &operand, const std::vector<Index> &at,
                const Access &there_in_nest, const Pred &under, std::vector<Obligation> &into) {
  const auto &[buffer, indices] = there_in_nest;
  const Placed &tensor = r.buffers.at(buffer);
  const Index row = at.size() == 2 ? at[0] : constant(0);
  const Index &column = at.back();
  std::vector<Pred> claims;
  const BlockOperand &bound = r.operand(operand);
  if (const FirstElement *first = std::get_if<FirstElement>(&bound)) {
    ATL_CHECK(first->buffer == buffer && !tensor.memory, "another tensor than that of the nest: " + buffer);
    const Index bytes = constant(static_cast<std::int64_t>(byte_size(tensor.buffer.elem)));
    Index cells = sub(
        sub(row_major(tensor.buffer.dims, indices), row_major(tensor.buffer.dims, first->indices)), column);
    claims = {compare(PredOp::eq, mul(cells, bytes), bytes_to_row(r, operand, at))};
  } else {
    const RowBlock &block = std::get<RowBlock>(bound);
    ATL_CHECK(block.buffer == buffer && tensor.memory, "another tensor than that of the nest: " + buffer);
    Index width = constant(tensor.memory->rows->width);
    Index there = add(add(block.address, row), mul(floor_div(column, width), distance_of(r, operand)));
    claims = {compare(PredOp::eq, add(tensor.address, row_number(tensor, indices)), there),
              compare(PredOp::eq, column_number(tensor, indices), modulo(column, width))};
  }
  const Loops loops = operand == "out" ? Loops::around_store : Loops::all;
  std::vector<Pred> inside = inside_block(r, loops);
  if (under->op != PredOp::truth)
    inside.push_back(under);
  state(in_iteration(r, loops, fmt::format("{} of {} is {}", operand, r.instruction(), buffer), inside),
        claims, {fmt::format("{} is not the element that the nest has there", operand)}, into);
}

// What is to be compared besides the form: reads of the meaning and of the nest, and the conditions of terms.
struct Compared {
  struct Read {
    const Access *operand, *element;
    Pred under; // in the nest
  };
  struct Condition {
    Pred meaning, nest;
  };
  std::vector<Read> reads = {};
  std::vector<Condition> conditions = {};
  Pred under = truth(true);
};

bool same_value(const Replaced &r, const ExprPtr &meaning, const ExprPtr &e, Compared &compared);

bool same_values(const Replaced &r, const std::vector<ExprPtr> &parts, const std::vector<ExprPtr> &others,
                 Compared &compared) {
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (!same_value(r, parts[i], others[i], compared))
      return false;
  return true;
}

bool is_operand(const Replaced &r, const Access &operand, const ExprPtr &e, Compared &compared) {
  const BlockOperand &bound = r.operand(operand.tensor);
  if (const ExprPtr *scalar = std::get_if<ExprPtr>(&bound))
    return equal(*scalar, e);
  const Access *read = std::get_if<Access>(&e->node);
  const FirstElement *first = std::get_if<FirstElement>(&bound);
  if (!read || read->tensor != (first ? first->buffer : std::get<RowBlock>(bound).buffer))
    return false;
  compared.reads.push_back({&operand, read, compared.under});
  return true;
}

// A term that has a condition, where that of the nest has one or none.
bool same_term(const Replaced &r, const Guard &meaning, const ExprPtr &e, Compared &compared) {
  const Guard *guard = std::get_if<Guard>(&e->node);
  const Pred outside = compared.under;
  compared.under = guard ? guard->pred : outside;
  compared.conditions.push_back({meaning.pred, guard ? guard->pred : truth(true)});
  const bool same = same_value(r, meaning.body, guard ? guard->body : e, compared);
  compared.under = outside;
  return same;
}

bool is_sum(const ExprPtr &e) {
  const Reduce *reduce = std::get_if<Reduce>(&e->node);
  return reduce && reduce->reduction == Reduction::sum;
}

// The meaning with its operands put in, up to the order of sums and products.
bool same_value(const Replaced &r, const ExprPtr &meaning, const ExprPtr &e, Compared &compared) {
  if (const Access *operand = std::get_if<Access>(&meaning->node))
    return is_operand(r, *operand, e, compared);
  if (const Guard *guard = std::get_if<Guard>(&meaning->node))
    return same_term(r, *guard, e, compared);
  const bool are_sums = is_sum(meaning) && is_sum(e); // of the same loops: same_terms
  if (!are_sums && !same_form(meaning, e))
    return false;
  std::vector<ExprPtr> parts = children(*meaning), others = children(*e);
  const Compared before = compared;
  if (same_values(r, parts, others, compared))
    return true;
  const Op *op = std::get_if<Op>(&meaning->node);
  if (!op || parts.size() != 2 || (op->op->name != "+" && op->op->name != "*"))
    return false;
  compared = before;
  std::swap(others[0], others[1]);
  return same_values(r, parts, others, compared);
}

// What the loops and the sizes of the meaning are in the nest.
Subst in_nest(const Replaced &r) {
  Subst all = called(r.match.call, r.match.needs).sizes;
  for (std::size_t p = 0; p < r.pattern().loops.size(); ++p)
    all[r.pattern().loops[p].var] = r.loop(p);
  return all;
}

std::vector<Index> placed(const std::vector<Index> &indices, const Subst &by) {
  std::vector<Index> all;
  for (const Index &index : indices)
    all.push_back(substitute(index, by));
  return all;
}

// In the iterations of the block, a term of one of them is a term of the other.
void same_condition(const Replaced &r, const Compared::Condition &condition, std::vector<Obligation> &into) {
  const std::string what = r.instruction() + " leaves out the terms that the loops do";
  const Pred meaning = substitute(condition.meaning, in_nest(r));
  auto one_way = [&](const Pred &from, const Pred &to, const char *otherwise) {
    std::vector<Pred> inside = inside_block(r, Loops::all);
    inside.push_back(from);
    state(in_iteration(r, Loops::all, what, inside), {to}, {otherwise}, into);
  };
  one_way(condition.nest, meaning, "it leaves out a term");
  one_way(meaning, condition.nest, "it has a term too many");
}

void same_elements(const Replaced &r, std::vector<Obligation> &into) {
  std::vector<Index> at;
  for (std::size_t p = 0; p < r.pattern().kept; ++p)
    at.push_back(r.loop(p));
  const Store &store = *r.nest.store;
  same_place(r, "out", at, {store.buffer, store.indices}, truth(true), into);
  Compared compared;
  ATL_CHECK(same_value(r, r.pattern().value, r.nest.value, compared),
            "another expression than that of the nest");
  for (const Compared::Condition &condition : compared.conditions)
    same_condition(r, condition, into);
  const Subst by = in_nest(r);
  for (const auto &[operand, element, under] : compared.reads)
    same_place(r, operand->tensor, placed(operand->indices, by), *element, under, into);
}

} // namespace

std::vector<Obligation> block_obligations(const LoopKernel &kernel, const BlockNest &nest,
                                          const BlockMatch &match, const Known &around,
                                          const Buffers &buffers) {
  const Replaced replaced{kernel, nest, match, around, buffers};
  std::vector<Obligation> obligations;
  same_iterations(replaced, obligations);
  same_elements(replaced, obligations);
  return obligations;
}

} // namespace atl::accel
