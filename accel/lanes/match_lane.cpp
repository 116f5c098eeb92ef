#include "accel/lanes/match_lane.h"

#include "accel/lanes/forms.h"
#include "accel/lanes/masks.h"
#include "accel/lanes/meaning.h"
#include "accel/match/unify.h"
#include "atl/index/solve.h"
#include "atl/syntax/tree.h"

namespace atl::accel {

using lowering::LaneCall, lowering::Register;

namespace {

// Each lane is an element of a vector in plain memory, or of a few rows of it.
bool is_memory_operand(const Pattern &pattern, const Access &read, const ExprPtr &e, const Lanes &lanes,
                       LaneMatch &found) {
  const Access *element = std::get_if<Access>(&e->node);
  if (!element || lanes.memory.contains(element->tensor) || element->indices.empty())
    return false;
  Subst of_call = sizes_among(found.operands); // what conditions have said of them
  of_call[pattern.lane] = variable(lanes.lane);
  auto place = [&](std::size_t dimension) {
    return without_remainders(substitute(read.indices[dimension], of_call));
  };
  if (read.indices.size() == 2) {
    auto rows = rows_of(*element, place(0), place(1), lanes);
    if (!rows)
      return false;
    found.operands[read.tensor] = rows->first;
    found.operands[read.tensor + ".stride"] = rows->stride;
    return true;
  }
  auto first = read.indices.size() == 1 ? first_element(element->tensor, element->indices, lanes, place(0))
                                        : std::nullopt;
  if (first)
    found.operands[read.tensor] = *first;
  return first.has_value();
}

// A register that has every term of every lane: that of a loop with so many more lanes.
std::optional<Choice> all_terms(const Terms &terms, const ExprPtr &e, const std::string &memory,
                                const Cover &cover) {
  const Lanes &lanes = cover.lanes;
  bool is_from_memory = true;
  for_each_access(e, [&](const Access &access) {
    is_from_memory = is_from_memory && !lanes.memory.contains(access.tensor);
  });
  if (!is_from_memory)
    return std::nullopt;
  Lanes more = lanes;
  more.lane = lanes.lane + "." + terms.of;
  more.count = lanes.count * terms.count;
  const Index element = variable(more.lane), count = constant(terms.count);
  ExprPtr of_element = substitute(
      e, {{lanes.lane, floor_div(element, count)}, {terms.of, without_remainders(modulo(element, count))}});
  Cover of_terms{cover.patterns, more};
  return cheapest(of_element, memory, of_terms);
}

// The index is that of the lane's first term, with as many behind it as the sum has.
bool is_term(const Index &at, const std::string &lane, const Terms &terms) {
  const Index term = add(mul(variable(lane), constant(terms.count)), variable(terms.variable));
  return as_constant(Facts().simplify(sub(at, term))) == 0;
}

// Each lane is an element of a register; or as many elements one after the other as the sum has terms.
bool is_in_register(const Pattern &pattern, const Access &read, const ExprPtr &e, Cover &cover,
                    LaneMatch &found) {
  const std::string &memory = memory_of(*pattern.source, read.tensor);
  const Index &at = read.indices[0];
  std::optional<Choice> choice;
  if (equal(at, variable(pattern.lane)))
    choice = cheapest(e, memory, cover);
  else if (found.terms && is_term(at, pattern.lane, *found.terms))
    choice = all_terms(*found.terms, e, memory, cover);
  if (!choice)
    return false;
  found.cost += choice->cost;
  if (auto *inner = std::get_if<std::shared_ptr<const LaneCall>>(&choice->value))
    found.operands[read.tensor] = *inner;
  else
    found.operands[read.tensor] = std::get<Register>(choice->value);
  return true;
}

// A sum of as many terms, whose variable is the one of the meaning's.
ExprPtr term_of(const Reduce &p, const ExprPtr &e, LaneMatch &found) {
  const Reduce *sum = std::get_if<Reduce>(&e->node);
  auto count = as_constant(p.hi);
  bool alike = sum && sum->reduction == p.reduction && count && as_constant(p.lo) == 0 &&
               as_constant(sum->lo) == 0 && as_constant(sum->hi) == count && !found.terms;
  if (!alike)
    return nullptr;
  found.terms = Terms{p.var, sum->var, *count};
  return sum->body;
}

// How many lanes are active in both: a condition on the lane, or on its place among the terms of a sum, and
// in the meaning a size of the instruction. Null: none.
Index active_in_both(const Pattern &pattern, const Pred &p, const Pred &e, const Lanes &lanes,
                     const LaneMatch &found) {
  const bool is_count = p->op == PredOp::lt && p->rhs->op == IndexOp::variable &&
                        p->rhs->name != pattern.lane && find_operand(*pattern.source, p->rhs->name);
  if (!is_count || e->op != PredOp::lt || mentions(e->rhs, lanes.lane))
    return nullptr;
  Subst own{{pattern.lane, variable(lanes.lane)}};
  if (found.terms)
    own[found.terms->variable] = variable(found.terms->of);
  Index place = without_remainders(substitute(p->lhs, own));
  if (equal(place, e->lhs) || as_constant(lanes.facts.simplify(sub(place, e->lhs))) == 0)
    return e->rhs;
  return equal(place, variable(lanes.lane)) ? upper_bound(e, lanes.lane, lanes.facts) : nullptr;
}

// What a condition asks for may be more lanes than there are, or fewer than none.
Index limited(const Index &count, const Lanes &lanes) {
  const Pred fits =
      conj(compare(PredOp::ge, count, constant(0)), compare(PredOp::le, count, constant(lanes.count)));
  return lanes.facts.proves(fits) ? count : active_lanes(count, lanes);
}

// An instruction may use one of its sizes in several conditions.
bool is_size(const std::string &size, const Index &count, LaneMatch &found) {
  auto [known, is_new] = found.operands.emplace(size, count);
  const Index *other = std::get_if<Index>(&known->second);
  return is_new || (other && equal(*other, count));
}

class LaneQuestions : public Questions<LaneMatch> {
public:
  LaneQuestions(const Pattern &pattern, Cover &cover) : pattern_(pattern), cover_(cover) {}

  bool is_element(const Param &operand, const Access &read, const ExprPtr &e, LaneMatch &found) override {
    auto [known, is_new] = found.covered.emplace(operand.name, e);
    if (!is_new)
      return equal(known->second, e);
    if (!memory_of(*pattern_.source, operand.name).empty())
      return is_in_register(pattern_, read, e, cover_, found);
    return !found.terms && is_memory_operand(pattern_, read, e, cover_.lanes, found);
  }

  bool is_scalar(const Param &operand, const ExprPtr &e, LaneMatch &found) override {
    auto [known, is_new] = found.covered.emplace(operand.name, e);
    if (!is_new)
      return equal(known->second, e);
    found.operands[operand.name] = e;
    return is_same_in_all_lanes(e, cover_.lanes) && !(found.terms && mentions_variable(e, found.terms->of));
  }

  std::vector<ExprPtr> forms_of(const ExprPtr &p, const ExprPtr &e) override {
    return same_operation(p, e) ? std::vector{e} : allowed_forms(e, cover_);
  }

  ExprPtr inside(const ExprPtr &p, const ExprPtr &e, LaneMatch &found) override {
    if (const Reduce *sum = std::get_if<Reduce>(&p->node))
      return term_of(*sum, e, found);
    const ExprPtr masked = masked_form(e, cover_.lanes);
    const Guard *guard = masked ? std::get_if<Guard>(&masked->node) : nullptr;
    if (!guard)
      return nullptr;
    const Pred &runs = std::get<Guard>(p->node).pred;
    const Index count = active_in_both(pattern_, runs, guard->pred, cover_.lanes, found);
    return count && is_size(runs->rhs->name, count, found) ? guard->body : nullptr;
  }

  bool is_condition(const Test &p, const ExprPtr &e, LaneMatch &found) override {
    const Test *test = std::get_if<Test>(&e->node);
    const Index count = test ? active_in_both(pattern_, p.pred, test->pred, cover_.lanes, found) : nullptr;
    return count && is_size(p.pred->rhs->name, found.terms ? count : limited(count, cover_.lanes), found);
  }

private:
  const Pattern &pattern_;
  Cover &cover_;
};

} // namespace

std::optional<LaneMatch> match_lane(const Pattern &pattern, const ExprPtr &e, Cover &cover) {
  LaneMatch found;
  LaneQuestions questions(pattern, cover);
  if (!unify(*pattern.source, pattern.value, e, found, questions))
    return std::nullopt;
  return found;
}

} // namespace atl::accel
