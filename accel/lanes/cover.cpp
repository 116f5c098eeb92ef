#include "accel/lanes/cover.h"

#include "accel/lanes/forms.h"
#include "accel/lanes/match_lane.h"

namespace atl::accel {

using lowering::FirstElement, lowering::LaneCall;

namespace {

// On so many lanes of such elements; the last instruction, if one is asked for.
bool can_be_last(const Pattern &pattern, const ExprPtr &e, const std::string &last, const Cover &cover) {
  return pattern.elem == e->type->elem && pattern.lanes == cover.lanes.count &&
         (last.empty() || pattern.source->meaning.name == last);
}

std::shared_ptr<const LaneCall> call_of(const Pattern &pattern, const LaneMatch &match) {
  LaneCall result{pattern.source, {}};
  for (const auto &[name, bound] : match.operands)
    result.operands.emplace_back(name, bound);
  return std::make_shared<const LaneCall>(std::move(result));
}

// What an access to a register gives: without an instruction, if it is one register of this memory.
std::optional<Choice> own_register(const Access &access, const std::string &memory, const Lanes &lanes) {
  auto reg = whole_register(access.tensor, access.indices, lanes);
  if (!reg || lanes.memory.at(access.tensor) != memory)
    return std::nullopt;
  return Choice{0, *reg};
}

std::optional<Choice> cheapest_call(const ExprPtr &e, const std::string &memory, const std::string &last,
                                    Cover &cover) {
  std::optional<Choice> least;
  for (const ExprPtr &form : allowed_forms(e, cover))
    for (const Pattern &pattern : cover.patterns) {
      bool fits = pattern.source->result_memory == memory && !pattern.stores() &&
                  can_be_last(pattern, e, last, cover);
      auto match = fits ? match_lane(pattern, form, cover) : std::nullopt;
      if (match && !(least && least->cost <= match->cost + 1))
        least = Choice{match->cost + 1, call_of(pattern, *match)};
    }
  return least;
}

} // namespace

std::vector<ExprPtr> allowed_forms(const ExprPtr &e, Cover &cover) {
  std::vector<ExprPtr> forms{e};
  if (cover.lanes.contracts)
    for (ExprPtr &form : rounded_once(e)) {
      cover.kept.push_back(form);
      forms.push_back(std::move(form));
    }
  return forms;
}

std::optional<Choice> cheapest(const ExprPtr &e, const std::string &memory, Cover &cover) {
  auto [place, is_new] = cover.known.try_emplace({e.get(), memory}, std::nullopt);
  if (!is_new)
    return place->second;
  cover.kept.push_back(e);
  const Access *access = std::get_if<Access>(&e->node);
  std::optional<Choice> found = access && cover.lanes.memory.contains(access->tensor)
                                    ? own_register(*access, memory, cover.lanes)
                                    : cheapest_call(e, memory, {}, cover);
  cover.known.insert_or_assign({e.get(), memory}, found);
  if (!found && !cover.failure)
    cover.failure = e;
  return found;
}

std::optional<LaneValue> cover_value(const ExprPtr &e, const std::string &memory, const std::string &last,
                                     Cover &cover) {
  cover.failure = nullptr;
  auto choice = last.empty() ? cheapest(e, memory, cover) : cheapest_call(e, memory, last, cover);
  return choice ? std::optional(choice->value) : std::nullopt;
}

std::shared_ptr<const LaneCall> cover_store(const ExprPtr &e, const FirstElement &out, const Index &active,
                                            const std::string &last, Cover &cover) {
  cover.failure = nullptr;
  std::optional<int> least;
  std::shared_ptr<const LaneCall> result;
  for (const Pattern &pattern : cover.patterns) {
    bool fits = pattern.stores() && pattern.active.empty() == !active && can_be_last(pattern, e, last, cover);
    auto match = fits ? match_lane(pattern, e, cover) : std::nullopt;
    if (!match || (least && *least <= match->cost))
      continue;
    if (active &&
        !match->operands.emplace(pattern.active, active).second) // its mask has a condition on it, too
      continue;
    least = match->cost;
    match->operands["out"] = out;
    result = call_of(pattern, *match);
  }
  return result;
}

std::shared_ptr<const LaneCall> cover_total(const ExprPtr &e, Reduction reduction, const std::string &last,
                                            Cover &cover) {
  cover.failure = nullptr;
  for (const Pattern &pattern : cover.patterns)
    if (pattern.total == reduction && can_be_last(pattern, e, last, cover))
      if (auto match = match_lane(pattern, e, cover))
        return call_of(pattern, *match);
  return nullptr;
}

} // namespace atl::accel
