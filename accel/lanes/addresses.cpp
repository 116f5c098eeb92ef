#include "accel/lanes/addresses.h"

#include "accel/lanes/meaning.h"

namespace atl::accel {

using namespace lowering;

namespace {

const Shape &shape_of(const Instruction &instruction, const std::string &operand) {
  for (const Param &param : instruction.meaning.params)
    if (param.name == operand)
      return param.type.shape;
  return instruction.meaning.outputs.at(0).type.shape;
}

bool is_constant(const Index &e, std::int64_t least, std::int64_t most) {
  auto value = as_constant(e);
  return value && *value >= least && *value <= most;
}

// What follows if it is more than 0: quotients of it, minima and maxima with 0 tell nothing more.
void assume_positive(const Index &e, Facts &facts) {
  if (e->op == IndexOp::min) {
    assume_positive(e->a, facts);
    assume_positive(e->b, facts);
  } else if ((e->op == IndexOp::max && is_constant(e->b, least_index, 0)) ||
             (e->op == IndexOp::div && is_constant(e->b, 1, greatest_index))) {
    assume_positive(e->a, facts);
  } else {
    facts.assume(compare(PredOp::gt, e, constant(0)));
  }
}

// An index of the first element. Where an element is touched, it is found to be in these bounds, so that a
// minimum or a maximum with them changes nothing there.
struct FirstIndex {
  const Facts &in_general, &where_touched;

  Index within(Index index, const Index &most) const {
    const bool may_be_negative = is_needed(compare(PredOp::ge, index, constant(0)));
    if (is_needed(compare(PredOp::le, index, most)))
      index = binary(IndexOp::min, index, most);
    return may_be_negative ? binary(IndexOp::max, index, constant(0)) : index;
  }
  bool is_needed(const Pred &bound) const { return !in_general.proves(bound) && where_touched.proves(bound); }
};

FirstElement inside(FirstElement first, const Shape &dims, const FirstIndex &by) {
  const std::size_t last = dims.size() - 1;
  for (std::size_t d = 0; d < last; ++d)
    first.indices[d] = by.within(first.indices[d], sub(dims[d], constant(1)));
  first.indices[last] = by.within(first.indices[last], dims[last]);
  return first;
}

} // namespace

std::shared_ptr<const LaneCall> with_addresses_inside(const LaneCall &call, const Facts &facts,
                                                      const std::map<std::string, Buffer> &buffers) {
  LaneCall result = call;
  const Subst sizes = sizes_of(call);
  for (auto &[name, operand] : result.operands) {
    if (auto *inner = std::get_if<std::shared_ptr<const LaneCall>>(&operand))
      *inner = with_addresses_inside(**inner, facts, buffers);
    auto *first = std::get_if<FirstElement>(&operand);
    if (!first)
      continue;
    Facts where_touched = facts;
    for (const Index &extent : shape_of(*call.instruction, name))
      if (!as_constant(extent))
        assume_positive(substitute(extent, sizes), where_touched);
    *first = inside(*first, buffers.at(first->buffer).dims, {facts, where_touched});
  }
  return std::make_shared<const LaneCall>(std::move(result));
}

} // namespace atl::accel
