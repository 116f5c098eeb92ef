#include "accel/lanes/cover.h"

#include "atl/index/solve.h"
#include "atl/syntax/tree.h"

#include <algorithm>
#include <cmath>

namespace atl::accel {

using lowering::Buffer, lowering::FirstElement, lowering::LaneCall, lowering::LaneOperand, lowering::Register;

namespace {

bool is_op(const ExprPtr &e, std::string_view name, std::size_t arity) {
  const Op *op = std::get_if<Op>(&e->node);
  return op && op->op->name == name && op->args.size() == arity;
}

const ExprPtr &operand(const ExprPtr &e, std::size_t i) {
  return std::get<Op>(e->node).args[i];
}

ExprPtr apply(std::string_view name, std::vector<ExprPtr> args) {
  Span span = args[0]->span;
  std::optional<Type> type = args[0]->type;
  const ScalarOp *op = find_scalar_op(name, static_cast<int>(args.size()));
  return make(Op{op, std::move(args)}, span, type);
}

bool is_allowed(const Pattern &pattern, const std::string &last) {
  return last.empty() || pattern.source->meaning.name == last;
}

bool is_plain_zero(const ExprPtr &e) {
  const Literal *literal = std::get_if<Literal>(&e->node);
  return literal &&
         (literal->is_float ? literal->real == 0 && !std::signbit(literal->real) : literal->integer == 0);
}

} // namespace

std::optional<FirstElement> Cover::first_element(const std::string &buffer, const std::vector<Index> &indices,
                                                 const Index &at) const {
  FirstElement first{buffer, at_lane_0(indices)};
  const Facts facts = facts_of_lane();
  bool in_one_row = std::none_of(indices.begin(), indices.end() - 1,
                                 [&](const Index &index) { return mentions(index, lanes_.lane); });
  const Shape &dims = lanes_.buffers->at(buffer).dims;
  Index distance = in_one_row ? sub(indices.back(), first.indices.back())
                              : sub(row_major(dims, indices), row_major(dims, first.indices));
  Index expected = at ? at : variable(lanes_.lane);
  if (as_constant(facts.simplify(without_remainders(sub(distance, expected)))) != 0)
    return std::nullopt;
  return first;
}

std::optional<Cover::Rows> Cover::rows_of(const Access &access, const Index &row, const Index &column) const {
  const Buffer &buffer = lanes_.buffers->at(access.tensor);
  const std::vector<Index> first = at_lane_0(access.indices);
  const Facts facts = facts_of_lane();
  auto is_behind = [&](std::size_t dimension, const Index &expected) {
    Index distance = sub(access.indices[dimension], first[dimension]);
    return as_constant(facts.simplify(without_remainders(sub(distance, expected)))) == 0;
  };
  Index stride = constant(info(buffer.elem).bits / 8);
  const std::size_t last = first.size() - 1;
  for (std::size_t rows = last; rows-- > 0;) { // follow each other along this dimension
    stride = mul(stride, buffer.dims[rows + 1]);
    bool fits = is_behind(last, column);
    for (std::size_t d = 0; d < last && fits; ++d)
      fits = is_behind(d, d == rows ? row : constant(0));
    if (fits)
      return Rows{{access.tensor, first}, lanes_.facts.simplify(stride)};
  }
  return std::nullopt;
}

std::vector<Index> Cover::at_lane_0(const std::vector<Index> &indices) const {
  std::vector<Index> all;
  for (const Index &index : indices)
    all.push_back(lanes_.facts.simplify(substitute(index, {{lanes_.lane, constant(0)}})));
  return all;
}

Facts Cover::facts_of_lane() const {
  Facts facts = lanes_.facts;
  facts.assume(in_range(constant(0), variable(lanes_.lane), constant(lanes_.count)));
  return facts;
}

std::optional<Register> Cover::whole_register(const std::string &buffer,
                                              const std::vector<Index> &indices) const {
  if (lanes_.locals.contains(buffer))
    return Register{buffer, {}};
  auto first = first_element(buffer, indices);
  if (!first || as_constant(first->indices.back()) != 0)
    return std::nullopt;
  Register result{buffer, {}};
  for (std::size_t d = 0; d + 1 < indices.size(); ++d) {
    auto at = as_constant(first->indices[d]);
    if (!at)
      return std::nullopt;
    result.indices.push_back(*at);
  }
  return result;
}

bool Cover::is_same_in_all_lanes(const ExprPtr &e) const {
  bool same = !mentions_variable(e, lanes_.lane);
  for_each_access(e, [&](const Access &access) { same = same && !lanes_.memory.contains(access.tensor); });
  return same;
}

std::optional<LaneValue> Cover::value(const ExprPtr &e, const std::string &memory, const std::string &last) {
  failure_ = nullptr;
  auto choice = last.empty() ? best(e, memory) : find_best(e, memory, last);
  return choice ? std::optional(choice->value) : std::nullopt;
}

std::shared_ptr<const LaneCall> Cover::store(const ExprPtr &e, const FirstElement &out, const Index &active,
                                             const std::string &last) {
  failure_ = nullptr;
  std::optional<int> least;
  std::shared_ptr<const LaneCall> result;
  for (const Pattern &pattern : patterns_) {
    bool fits = pattern.stores() && pattern.elem == e->type->elem && pattern.lanes == lanes_.count &&
                pattern.active.empty() == !active && is_allowed(pattern, last);
    Match match;
    if (!fits || !unify(pattern, pattern.value, e, match) || (least && *least <= match.cost))
      continue;
    least = match.cost;
    match.operands["out"] = out;
    if (active)
      match.operands[pattern.active] = active;
    result = std::make_shared<LaneCall>(call(pattern, match));
  }
  return result;
}

std::shared_ptr<const LaneCall> Cover::total(const ExprPtr &e, Reduction reduction, const std::string &last) {
  failure_ = nullptr;
  for (const Pattern &pattern : patterns_) {
    Match match;
    if (pattern.total == reduction && pattern.elem == e->type->elem && pattern.lanes == lanes_.count &&
        is_allowed(pattern, last) && unify(pattern, pattern.value, e, match))
      return std::make_shared<LaneCall>(call(pattern, match));
  }
  return nullptr;
}

std::optional<Cover::Choice> Cover::best(const ExprPtr &e, const std::string &memory) {
  auto [place, is_new] = known_.try_emplace({e.get(), memory}, std::nullopt);
  if (is_new) {
    kept_.push_back(e);
    std::optional<Choice> found = find_best(e, memory);
    known_.insert_or_assign({e.get(), memory}, found);
    if (!found && !failure_)
      failure_ = e;
    return found;
  }
  return place->second;
}

std::optional<Cover::Choice> Cover::find_best(const ExprPtr &e, const std::string &memory,
                                              const std::string &last) {
  if (const Access *access = std::get_if<Access>(&e->node);
      access && lanes_.memory.contains(access->tensor) && last.empty()) {
    auto reg = whole_register(access->tensor, access->indices);
    if (!reg || lanes_.memory.at(access->tensor) != memory)
      return std::nullopt;
    return Choice{0, *reg};
  }
  std::optional<Choice> least;
  for (const ExprPtr &form : forms_of(e))
    for (const Pattern &pattern : patterns_) {
      bool fits = pattern.source->result_memory == memory && !pattern.stores() &&
                  pattern.elem == e->type->elem && pattern.lanes == lanes_.count && is_allowed(pattern, last);
      Match match;
      if (!fits || !unify(pattern, pattern.value, form, match) || (least && least->cost <= match.cost + 1))
        continue;
      int cost = match.cost + 1;
      least = Choice{cost, std::make_shared<const LaneCall>(call(pattern, match))};
    }
  return least;
}

// The expression, and what it may be rounded as.
std::vector<ExprPtr> Cover::forms_of(const ExprPtr &e) {
  std::vector<ExprPtr> forms{e};
  if (!lanes_.contracts || !is_float(e->type->elem))
    return forms;
  auto product = [](const ExprPtr &of) { return is_op(of, "*", 2); };
  auto fused = [&](const ExprPtr &a, const ExprPtr &b, const ExprPtr &c) {
    forms.push_back(apply("fma", {a, b, c}));
  };
  if (is_op(e, "+", 2) && product(operand(e, 1)))
    fused(operand(operand(e, 1), 0), operand(operand(e, 1), 1), operand(e, 0));
  if (is_op(e, "+", 2) && product(operand(e, 0)))
    fused(operand(operand(e, 0), 0), operand(operand(e, 0), 1), operand(e, 1));
  if (is_op(e, "-", 2) && product(operand(e, 1)))
    fused(apply("-", {operand(operand(e, 1), 0)}), operand(operand(e, 1), 1), operand(e, 0));
  if (is_op(e, "-", 2) && product(operand(e, 0)))
    fused(operand(operand(e, 0), 0), operand(operand(e, 0), 1), apply("-", {operand(e, 1)}));
  kept_.insert(kept_.end(), forms.begin() + 1, forms.end());
  return forms;
}

bool Cover::unify(const Pattern &pattern, const ExprPtr &p, const ExprPtr &e, Match &found) {
  if (const Access *access = std::get_if<Access>(&p->node))
    return unify_operand(pattern, *access, e, found);
  if (const Guard *guard = std::get_if<Guard>(&p->node)) {
    const ExprPtr masked = masked_form(e);
    const Guard *other = masked ? std::get_if<Guard>(&masked->node) : nullptr;
    return other && unify_active(pattern, guard->pred, other->pred, found) &&
           unify(pattern, guard->body, other->body, found);
  }
  if (const Test *test = std::get_if<Test>(&p->node)) {
    const Test *other = std::get_if<Test>(&e->node);
    return other && unify_active(pattern, test->pred, other->pred, found);
  }
  if (const Reduce *sum = std::get_if<Reduce>(&p->node))
    return unify_sum(pattern, *sum, e, found);
  if (!same_operation(p, e))
    return unify_rounded(pattern, p, e, found);
  std::vector<ExprPtr> ps = children(*p), es = children(*e);
  for (std::size_t i = 0; i < ps.size(); ++i)
    if (!unify(pattern, ps[i], es[i], found))
      return false;
  return true;
}

// A part of the pattern may be what the expression may be rounded as.
bool Cover::unify_rounded(const Pattern &pattern, const ExprPtr &p, const ExprPtr &e, Match &found) {
  const std::vector<ExprPtr> forms = forms_of(e);
  return std::any_of(forms.begin() + 1, forms.end(), [&](const ExprPtr &form) {
    Match tried = found;
    bool fits = same_operation(p, form) && unify(pattern, p, form, tried);
    if (fits)
      found = tried;
    return fits;
  });
}

// A guard; or a select with 0 in the lanes behind the first ones, which is what a guard on a part of an
// expression becomes.
ExprPtr Cover::masked_form(const ExprPtr &e) const {
  const Select *select = std::get_if<Select>(&e->node);
  const Test *test = select ? std::get_if<Test>(&select->cond->node) : nullptr;
  if (!test || !is_plain_zero(select->otherwise))
    return e;
  Index active = constant(lanes_.count);
  for (const Pred &part : conjuncts(test->pred)) {
    Index bound = upper_bound(part, lanes_.lane, lanes_.facts);
    if (!bound)
      return nullptr;
    active = binary(IndexOp::min, bound, active);
  }
  ExprPtr body = select->then;
  if (const Guard *inner = std::get_if<Guard>(&body->node)) { // of lanes that run at all
    Index bound = upper_bound(inner->pred, lanes_.lane, lanes_.facts);
    if (!bound)
      return nullptr;
    active = binary(IndexOp::min, bound, active);
    body = inner->body;
  }
  if (!lanes_.facts.proves_nonnegative(active))
    active = binary(IndexOp::max, active, constant(0));
  Pred runs = compare(PredOp::lt, variable(lanes_.lane), lanes_.facts.simplify(active));
  return make(Guard{runs, body}, e->span, e->type);
}

// A sum of as many terms, whose variable is the one of the pattern's.
bool Cover::unify_sum(const Pattern &pattern, const Reduce &p, const ExprPtr &e, Match &found) {
  const Reduce *sum = std::get_if<Reduce>(&e->node);
  auto count = as_constant(p.hi);
  bool alike = sum && sum->reduction == p.reduction && count && as_constant(p.lo) == 0 &&
               as_constant(sum->lo) == 0 && as_constant(sum->hi) == count && !found.terms;
  if (!alike)
    return false;
  found.terms = Terms{p.var, sum->var, *count};
  return unify(pattern, p.body, sum->body, found);
}

bool Cover::unify_operand(const Pattern &pattern, const Access &access, const ExprPtr &e, Match &found) {
  const Param *param = find_operand(*pattern.source, access.tensor);
  if (!param || param->type.elem != e->type->elem)
    return false;
  auto bound = found.covered.find(param->name);
  if (bound != found.covered.end())
    return equal(bound->second, e);
  found.covered[param->name] = e;
  if (param->type.shape.empty()) {
    found.operands[param->name] = e;
    return is_same_in_all_lanes(e) && !(found.terms && mentions_variable(e, found.terms->of));
  }
  if (!memory_of(*pattern.source, param->name).empty())
    return unify_register(pattern, access, e, found);
  return !found.terms && unify_memory(pattern, access, e, found);
}

// Each lane is an element of a vector in plain memory, or of a few rows of it.
bool Cover::unify_memory(const Pattern &pattern, const Access &access, const ExprPtr &e, Match &found) const {
  const Access *element = std::get_if<Access>(&e->node);
  if (!element || lanes_.memory.contains(element->tensor) || element->indices.empty())
    return false;
  auto place = [&](std::size_t dimension) {
    return without_remainders(substitute(access.indices[dimension], {{pattern.lane, variable(lanes_.lane)}}));
  };
  if (access.indices.size() == 2) {
    auto rows = rows_of(*element, place(0), place(1));
    if (!rows)
      return false;
    found.operands[access.tensor] = rows->first;
    found.operands[access.tensor + ".stride"] = rows->stride;
    return true;
  }
  auto first =
      access.indices.size() == 1 ? first_element(element->tensor, element->indices, place(0)) : std::nullopt;
  if (first)
    found.operands[access.tensor] = *first;
  return first.has_value();
}

// Each lane is an element of the register; or as many elements one after the other as the sum has terms.
bool Cover::unify_register(const Pattern &pattern, const Access &access, const ExprPtr &e, Match &found) {
  const std::string &memory = memory_of(*pattern.source, access.tensor);
  const Index &at = access.indices[0];
  const Index lane = variable(pattern.lane);
  std::optional<Choice> choice;
  if (equal(at, lane))
    choice = best(e, memory);
  else if (found.terms && as_constant(Facts().simplify(sub(at, add(mul(lane, constant(found.terms->count)),
                                                                   variable(found.terms->variable))))) == 0)
    choice = elements(*found.terms, e, memory);
  if (!choice)
    return false;
  found.cost += choice->cost;
  if (auto *inner = std::get_if<std::shared_ptr<const LaneCall>>(&choice->value))
    found.operands[access.tensor] = *inner;
  else
    found.operands[access.tensor] = std::get<Register>(choice->value);
  return true;
}

// A register that has every term of every lane: that of a loop with so many more lanes.
std::optional<Cover::Choice> Cover::elements(const Terms &terms, const ExprPtr &e,
                                             const std::string &memory) const {
  bool is_from_memory = true;
  for_each_access(e, [&](const Access &access) {
    is_from_memory = is_from_memory && !lanes_.memory.contains(access.tensor);
  });
  if (!is_from_memory)
    return std::nullopt;
  Lanes more = lanes_;
  more.lane = lanes_.lane + "." + terms.of;
  more.count = lanes_.count * terms.count;
  const Index element = variable(more.lane), count = constant(terms.count);
  ExprPtr of_element = substitute(
      e, {{lanes_.lane, floor_div(element, count)}, {terms.of, without_remainders(modulo(element, count))}});
  Cover cover(patterns_, more);
  return cover.best(of_element, memory);
}

// The same number of lanes in both: a condition on the lane, or on its place among the terms of a sum.
bool Cover::unify_active(const Pattern &pattern, const Pred &p, const Pred &e, Match &found) {
  bool alike = p->op == PredOp::lt && e->op == PredOp::lt && p->rhs->op == IndexOp::variable &&
               !mentions(e->rhs, lanes_.lane);
  if (!alike)
    return false;
  Subst own{{pattern.lane, variable(lanes_.lane)}};
  if (found.terms)
    own[found.terms->variable] = variable(found.terms->of);
  Index place = without_remainders(substitute(p->lhs, own));
  Index count = e->rhs;
  if (!equal(place, e->lhs) && as_constant(lanes_.facts.simplify(sub(place, e->lhs))) != 0)
    count = equal(place, variable(lanes_.lane)) ? upper_bound(e, lanes_.lane, lanes_.facts) : nullptr;
  if (count)
    found.operands[p->rhs->name] = count;
  return count != nullptr;
}

LaneCall Cover::call(const Pattern &pattern, const Match &match) {
  LaneCall result{pattern.source, {}};
  for (const auto &[name, bound] : match.operands)
    result.operands.emplace_back(name, bound);
  return result;
}

} // namespace atl::accel
