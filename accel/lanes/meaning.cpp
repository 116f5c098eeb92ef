#include "accel/lanes/meaning.h"

#include "atl/base/check.h"
#include "atl/syntax/tree.h"

#include <fmt/format.h>

namespace atl::accel {

using namespace lowering;

namespace {

// How many elements a row lies behind the one before.
Index stride(const LaneCall &call, const std::string &operand, Elem elem) {
  for (const auto &[name, value] : call.operands)
    if (name == operand + ".stride")
      return floor_div(std::get<Index>(value), constant(info(elem).bits / 8));
  ATL_CHECK(false, "rows without a stride: " + operand);
}

} // namespace

Subst sizes_of(const LaneCall &call) {
  return sizes_among(call.operands);
}

ExprPtr Meaning::of(const LaneCall &call, const Index &at) const {
  const Gen *gen = std::get_if<Gen>(&call.instruction->meaning.body->node);
  ATL_CHECK(gen, "the meaning of an instruction is a gen");
  Subst known = sizes_of(call);
  known[gen->var] = at;
  return put_in(substitute(with_own_variables(gen->body), known), call);
}

// Variables of sums under names that no operand has.
ExprPtr Meaning::with_own_variables(const ExprPtr &e) const {
  std::vector<ExprPtr> kids = children(*e);
  for (ExprPtr &kid : kids)
    kid = with_own_variables(kid);
  const Reduce *sum = std::get_if<Reduce>(&e->node);
  if (!sum)
    return rebuild(*e, std::move(kids));
  Reduce own = *sum;
  own.var = fmt::format("{}'{}", sum->var, variables_++);
  own.body = substitute(kids.at(0), {{sum->var, variable(own.var)}});
  return make(std::move(own), e->span, e->type);
}

ExprPtr Meaning::of(const Register &r, const Index &at, const std::optional<Type> &type, Span span) const {
  std::vector<Index> indices;
  for (std::int64_t number : r.indices)
    indices.push_back(constant(number));
  if (!locals_.contains(r.buffer))
    indices.push_back(at);
  return make(Access{r.buffer, std::move(indices)}, span, type);
}

ExprPtr Meaning::put_in(const ExprPtr &part, const LaneCall &call) const {
  if (const Access *access = std::get_if<Access>(&part->node)) {
    for (const auto &[name, operand] : call.operands)
      if (name == access->tensor)
        return value(call, operand, *access, part);
    ATL_CHECK(false, "an operand without a value: " + access->tensor);
  }
  std::vector<ExprPtr> kids = children(*part);
  for (ExprPtr &kid : kids)
    kid = put_in(kid, call);
  return rebuild(*part, std::move(kids));
}

ExprPtr Meaning::value(const LaneCall &call, const LaneOperand &operand, const Access &read,
                       const ExprPtr &e) const {
  const Index &at = read.indices.empty() ? constant(0) : read.indices.back(); // of an operand with lanes
  return std::visit(Overloaded{
                        [&](const std::shared_ptr<const LaneCall> &inner) { return of(*inner, at); },
                        [&](const Register &r) { return of(r, at, e->type, e->span); },
                        [&](const FirstElement &first) {
                          Access access{first.buffer, first.indices};
                          access.indices.back() = add(access.indices.back(), at);
                          if (read.indices.size() == 2)
                            access.indices.back() =
                                add(access.indices.back(),
                                    mul(read.indices[0], stride(call, read.tensor, e->type->elem)));
                          return make(std::move(access), e->span, e->type);
                        },
                        [&](const ExprPtr &scalar) { return scalar; },
                        [&](const Index &) -> ExprPtr { ATL_CHECK(false, "a size is no value"); },
                    },
                    operand);
}

} // namespace atl::accel
