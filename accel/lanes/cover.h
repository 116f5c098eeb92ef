// Instruction selection: covers the expression that each lane computes with instructions, the cheapest way.
#pragma once
#include "accel/describe/pattern.h"
#include "accel/lanes/lanes.h"

namespace atl::accel {

using LaneValue = std::variant<std::shared_ptr<const lowering::LaneCall>, lowering::Register>;

struct Choice {
  int cost; // instructions
  LaneValue value;
};

// What covers the expressions of one loop, and what was found so far.
struct Cover {
  const std::vector<Pattern> &patterns;
  const Lanes &lanes;
  ExprPtr failure = nullptr; // the smallest part that nothing covers
  std::map<std::pair<const Expr *, std::string>, std::optional<Choice>> known = {};
  std::vector<ExprPtr> kept = {}; // whose addresses are in `known`
};

// The value in a register of `memory`; nothing if no instructions compute it. `last`: the instruction that
// gives it, if it is not to be chosen.
std::optional<LaneValue> cover_value(const ExprPtr &e, const std::string &memory, const std::string &last,
                                     Cover &cover);
// Stores the value at `out`, in the first `active` lanes if that is given.
std::shared_ptr<const lowering::LaneCall> cover_store(const ExprPtr &e, const lowering::FirstElement &out,
                                                      const Index &active, const std::string &last,
                                                      Cover &cover);
// The value of all lanes together.
std::shared_ptr<const lowering::LaneCall> cover_total(const ExprPtr &e, Reduction reduction,
                                                      const std::string &last, Cover &cover);

// The same of a part of an expression, for the operands of an instruction.
std::optional<Choice> cheapest(const ExprPtr &e, const std::string &memory, Cover &cover);

// The expression, and what it may be rounded as.
std::vector<ExprPtr> allowed_forms(const ExprPtr &e, Cover &cover);

} // namespace atl::accel
