#include "accel/blocks/validate_blocks.h"

#include "atl/base/check.h"
#include "atl/syntax/same.h"
#include "lowering/verify/called.h"

#include <fmt/format.h>
#include <numeric>

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

// From a row to the next, or from a block of columns to the next: as the instruction is told it.
Index distance_of(const Replaced &r, const std::string &operand) {
  for (const MemoryOperand &one : called(r.match.call, r.match.needs).operands)
    if (one.name == operand)
      return one.distance ? one.distance : constant(0);
  ATL_CHECK(false, "an operand that is not in memory: " + operand);
}

// Where the element at the loops `at` of the pattern lies, and where the nest has it.
void same_place(const Replaced &r, const std::string &operand, const std::vector<std::size_t> &at,
                const std::string &buffer, const std::vector<Index> &indices, std::vector<Obligation> &into) {
  const Placed &tensor = r.buffers.at(buffer);
  Index row = at.size() == 2 ? r.loop(at[0]) : constant(0), column = r.loop(at.back());
  std::vector<Pred> claims;
  const BlockOperand &bound = r.operand(operand);
  if (const FirstElement *first = std::get_if<FirstElement>(&bound)) {
    ATL_CHECK(first->buffer == buffer && !tensor.memory, "another tensor than that of the nest: " + buffer);
    const Index bytes = constant(static_cast<std::int64_t>(byte_size(tensor.buffer.elem)));
    Index cells = sub(
        sub(row_major(tensor.buffer.dims, indices), row_major(tensor.buffer.dims, first->indices)), column);
    claims = {compare(PredOp::eq, mul(cells, bytes), mul(row, distance_of(r, operand)))};
  } else {
    const RowBlock &block = std::get<RowBlock>(bound);
    ATL_CHECK(block.buffer == buffer && tensor.memory, "another tensor than that of the nest: " + buffer);
    Index width = constant(tensor.memory->rows->width);
    Index there = add(add(block.address, row), mul(floor_div(column, width), distance_of(r, operand)));
    claims = {compare(PredOp::eq, add(tensor.address, row_number(tensor, indices)), there),
              compare(PredOp::eq, column_number(tensor, indices), modulo(column, width))};
  }
  const Loops loops = operand == "out" ? Loops::around_store : Loops::all;
  state(in_iteration(r, loops, fmt::format("{} of {} is {}", operand, r.instruction(), buffer),
                     inside_block(r, loops)),
        claims, {fmt::format("{} is not the element that the nest has there", operand)}, into);
}

using Reads = std::vector<std::pair<const Access *, const Access *>>; // of the meaning, of the nest

bool same_value(const Replaced &r, const ExprPtr &meaning, const ExprPtr &e, Reads &reads);

bool same_values(const Replaced &r, const std::vector<ExprPtr> &parts, const std::vector<ExprPtr> &others,
                 Reads &reads) {
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (!same_value(r, parts[i], others[i], reads))
      return false;
  return true;
}

bool is_operand(const Replaced &r, const Access &operand, const ExprPtr &e, Reads &reads) {
  const BlockOperand &bound = r.operand(operand.tensor);
  if (const ExprPtr *scalar = std::get_if<ExprPtr>(&bound))
    return equal(*scalar, e);
  const Access *read = std::get_if<Access>(&e->node);
  const FirstElement *first = std::get_if<FirstElement>(&bound);
  if (!read || read->tensor != (first ? first->buffer : std::get<RowBlock>(bound).buffer))
    return false;
  reads.emplace_back(&operand, read);
  return true;
}

bool is_sum(const ExprPtr &e) {
  const Reduce *reduce = std::get_if<Reduce>(&e->node);
  return reduce && reduce->reduction == Reduction::sum;
}

// The meaning with its operands put in, up to the order of sums and products.
bool same_value(const Replaced &r, const ExprPtr &meaning, const ExprPtr &e, Reads &reads) {
  if (const Access *operand = std::get_if<Access>(&meaning->node))
    return is_operand(r, *operand, e, reads);
  const bool are_sums = is_sum(meaning) && is_sum(e); // of the same loops: same_terms
  if (!are_sums && !same_form(meaning, e))
    return false;
  std::vector<ExprPtr> parts = children(*meaning), others = children(*e);
  const Reads before = reads;
  if (same_values(r, parts, others, reads))
    return true;
  const Op *op = std::get_if<Op>(&meaning->node);
  if (!op || parts.size() != 2 || (op->op->name != "+" && op->op->name != "*"))
    return false;
  reads = before;
  std::swap(others[0], others[1]);
  return same_values(r, parts, others, reads);
}

std::vector<std::size_t> loops_of(const Replaced &r, const Access &operand) {
  std::vector<std::size_t> at;
  for (const Index &index : operand.indices)
    for (std::size_t p = 0; p < r.pattern().loops.size(); ++p)
      if (index->op == IndexOp::variable && index->name == r.pattern().loops[p].var)
        at.push_back(p);
  ATL_CHECK(at.size() == operand.indices.size(), "an index of an operand is no loop");
  return at;
}

void same_elements(const Replaced &r, std::vector<Obligation> &into) {
  std::vector<std::size_t> at(r.pattern().kept);
  std::iota(at.begin(), at.end(), std::size_t{0});
  same_place(r, "out", at, r.nest.store->buffer, r.nest.store->indices, into);
  Reads reads;
  ATL_CHECK(same_value(r, r.pattern().value, r.nest.value, reads),
            "another expression than that of the nest");
  for (const auto &[operand, read] : reads)
    same_place(r, operand->tensor, loops_of(r, *operand), read->tensor, read->indices, into);
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
