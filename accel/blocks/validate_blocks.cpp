#include "accel/blocks/validate_blocks.h"

#include "atl/base/check.h"
#include "atl/syntax/print.h"
#include "atl/syntax/same.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::accel {

using namespace lowering;

namespace {

class Validator {
public:
  Validator(const LoopKernel &kernel, const BlockNest &nest, const BlockMatch &match,
            const Surroundings &around, const Buffers &buffers)
      : kernel_(kernel), nest_(nest), match_(match), around_(around), buffers_(buffers) {}

  std::vector<Obligation> run() {
    same_iterations();
    same_elements();
    conditions();
    return std::move(obligations_);
  }

private:
  const std::string &instruction() const { return match_.pattern->source->meaning.name; }
  // The iteration of the block.
  Index loop(std::size_t p) const {
    return sub(variable(nest_.loops[match_.loops[p]]->var), match_.starts[p]);
  }

  Obligation obligation(std::string what, std::vector<Pred> more) const {
    Obligation o = obligation_at(kernel_, around_, nest_.store->span, std::move(what));
    for (const For *l : nest_.loops) {
      o.variables.push_back(l->var);
      o.hypotheses.push_back(in_range(l->lo, variable(l->var), l->hi));
    }
    o.hypotheses.insert(o.hypotheses.end(), more.begin(), more.end());
    return o;
  }

  void state(Obligation o, const std::vector<Pred> &claims, const Template &otherwise) {
    for (const Pred &claim : claims)
      if (claim->op != PredOp::truth || !claim->value)
        o.claims.push_back({claim, otherwise});
    if (!o.claims.empty())
      obligations_.push_back(std::move(o));
  }

  std::vector<Pred> inside_block() const {
    std::vector<Pred> all{match_.call.condition};
    for (std::size_t p = 0; p < match_.extents.size(); ++p)
      all.push_back(in_range(constant(0), loop(p), match_.extents[p]));
    return all;
  }

  void same_iterations() {
    std::string what = instruction() + " works on the iterations that store";
    state(obligation(what, nest_.guards), inside_block(), {"an iteration that stores is not in the block"});
    state(obligation(what, inside_block()), nest_.guards, {"the block has an iteration that does not store"});
  }

  // Where the element at the loops `at` of the pattern lies, and where the nest has it.
  void same_place(const std::string &operand, const std::vector<std::size_t> &at, const std::string &buffer,
                  const std::vector<Index> &indices) {
    const Placed &tensor = buffers_.at(buffer);
    Index row = at.size() == 2 ? loop(at[0]) : constant(0), column = loop(at.back());
    std::string what = fmt::format("{} of {} is {}", operand, instruction(), buffer);
    std::vector<Pred> claims;
    const BlockOperand &bound = value_of(operand);
    if (const FirstElement *first = std::get_if<FirstElement>(&bound)) {
      ATL_CHECK(first->buffer == buffer && !tensor.memory, "another tensor than that of the nest: " + buffer);
      auto stride = match_.strides.find(operand);
      Index down = stride == match_.strides.end() ? constant(0) : mul(row, stride->second);
      Index there = add(add(row_major(tensor.buffer.dims, first->indices), down), column);
      claims = {compare(PredOp::eq, row_major(tensor.buffer.dims, indices), there)};
    } else {
      const RowBlock &block = std::get<RowBlock>(bound);
      ATL_CHECK(block.buffer == buffer && tensor.memory, "another tensor than that of the nest: " + buffer);
      Index width = constant(tensor.memory->rows->width);
      Index there = add(add(block.address, row), mul(floor_div(column, width), constant(tensor.block())));
      claims = {compare(PredOp::eq, add(tensor.address, row_number(tensor, indices)), there),
                compare(PredOp::eq, column_number(tensor, indices), modulo(column, width))};
    }
    state(obligation(what, inside_block()), claims,
          {fmt::format("{} is not the element that the nest has there", operand)});
  }

  const BlockOperand &value_of(const std::string &name) const {
    for (const auto &[operand, value] : match_.call.operands)
      if (operand == name)
        return value;
    ATL_CHECK(false, "an operand without a value: " + name);
  }

  void same_elements() {
    std::vector<std::size_t> at;
    for (std::size_t p = 0; p < match_.pattern->kept; ++p)
      at.push_back(p);
    same_place("out", at, nest_.store->buffer, nest_.store->indices);
    std::vector<std::pair<const Access *, const Access *>> reads;
    ATL_CHECK(same_value(match_.pattern->value, nest_.value, reads),
              "another expression than that of the nest");
    for (const auto &[operand, read] : reads)
      same_place(operand->tensor, loops_of(*operand), read->tensor, read->indices);
  }

  std::vector<std::size_t> loops_of(const Access &operand) const {
    std::vector<std::size_t> at;
    for (const Index &index : operand.indices)
      for (std::size_t p = 0; p < match_.pattern->loops.size(); ++p)
        if (index->op == IndexOp::variable && index->name == match_.pattern->loops[p].var)
          at.push_back(p);
    ATL_CHECK(at.size() == operand.indices.size(), "an index of an operand is no loop");
    return at;
  }

  // The meaning with its operands put in, up to the order of sums and products.
  bool same_value(const ExprPtr &meaning, const ExprPtr &e,
                  std::vector<std::pair<const Access *, const Access *>> &reads) const {
    if (const Access *operand = std::get_if<Access>(&meaning->node)) {
      const BlockOperand &bound = value_of(operand->tensor);
      if (const ExprPtr *scalar = std::get_if<ExprPtr>(&bound))
        return equal(*scalar, e);
      const Access *read = std::get_if<Access>(&e->node);
      const FirstElement *first = std::get_if<FirstElement>(&bound);
      if (!read || read->tensor != (first ? first->buffer : std::get<RowBlock>(bound).buffer))
        return false;
      reads.emplace_back(operand, read);
      return true;
    }
    if (!same_form(meaning, e))
      return false;
    std::vector<ExprPtr> parts = children(*meaning), others = children(*e);
    auto before = reads;
    auto all = [&] {
      for (std::size_t i = 0; i < parts.size(); ++i)
        if (!same_value(parts[i], others[i], reads))
          return false;
      return true;
    };
    if (all())
      return true;
    const Op *op = std::get_if<Op>(&meaning->node);
    if (!op || parts.size() != 2 || (op->op->name != "+" && op->op->name != "*"))
      return false;
    reads = before;
    std::swap(others[0], others[1]);
    return all();
  }

  void conditions() {
    Subst sizes(match_.sizes.begin(), match_.sizes.end());
    for (const Where &where : match_.pattern->source->meaning.where) {
      std::string what = fmt::format("{} needs {}", instruction(), to_string(where.pred));
      Template otherwise{what};
      for (const auto &[size, value] : match_.sizes)
        if (mentions(where.pred, size))
          otherwise.insert(otherwise.end(), {fmt::format(", and {} is ", size), value});
      state(obligation(what, {match_.call.condition}), {substitute(where.pred, sizes)}, otherwise);
    }
  }

  const LoopKernel &kernel_;
  const BlockNest &nest_;
  const BlockMatch &match_;
  const Surroundings &around_;
  const Buffers &buffers_;
  std::vector<Obligation> obligations_;
};

} // namespace

std::vector<Obligation> block_obligations(const LoopKernel &kernel, const BlockNest &nest,
                                          const BlockMatch &match, const Surroundings &around,
                                          const Buffers &buffers) {
  return Validator(kernel, nest, match, around, buffers).run();
}

} // namespace atl::accel
