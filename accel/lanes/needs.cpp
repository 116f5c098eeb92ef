#include "accel/lanes/needs.h"

#include "accel/lanes/alignment.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::accel {

using namespace lowering;

namespace {

void add_condition(const std::string &instruction, const Pred &condition, const Subst &sizes,
                   const CallPlace &place, LaneNeeds &into) {
  std::string what = fmt::format("{} needs {}", instruction, to_string(condition));
  Template otherwise{what};
  for (const auto &[name, size] : sizes) {
    otherwise.emplace_back(fmt::format(", and {} is ", name));
    otherwise.emplace_back(size);
  }
  Obligation o = obligation_at(place.around, place.span, what);
  o.claims.push_back({substitute(condition, sizes), otherwise});
  into.obligations.push_back(std::move(o));
}

void add_aligned(const std::string &instruction, const FirstElement &at, std::int64_t bytes,
                 const CallPlace &place, LaneNeeds &into) {
  std::int64_t &needed = into.aligned[at.buffer];
  needed = std::max(needed, bytes);
  Obligation o =
      obligation_at(place.around, place.span,
                    fmt::format("{} needs an address that is a multiple of {}", instruction, bytes));
  o.claims = aligned_claims(instruction, at, place.buffers.at(at.buffer), bytes, place.around.facts());
  into.obligations.push_back(std::move(o));
}

} // namespace

void add_needs(const LaneCall &call, const CallPlace &place, LaneNeeds &into) {
  const Kernel &meaning = call.instruction->meaning;
  Subst sizes;
  for (const auto &[name, operand] : call.operands) {
    if (const Index *size = std::get_if<Index>(&operand))
      sizes[name] = *size;
    if (auto *inner = std::get_if<std::shared_ptr<const LaneCall>>(&operand))
      add_needs(**inner, place, into);
    if (auto bytes = call.instruction->aligned.find(name); bytes != call.instruction->aligned.end())
      add_aligned(meaning.name, std::get<FirstElement>(operand), bytes->second, place, into);
  }
  for (const auto &[name, size] : sizes)
    add_condition(meaning.name, compare(PredOp::ge, variable(name), constant(0)), sizes, place, into);
  for (const Where &where : meaning.where)
    add_condition(meaning.name, where.pred, sizes, place, into);
}

} // namespace atl::accel
