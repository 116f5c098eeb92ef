#include "accel/blocks/match_block.h"

#include "accel/blocks/fit.h"
#include "accel/match/unify.h"
#include "atl/syntax/print.h"
#include "atl/syntax/tree.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace atl::accel {

using namespace lowering;

namespace {

bool is_commutative(const ExprPtr &e) {
  const Op *op = std::get_if<Op>(&e->node);
  return op && op->args.size() == 2 && (op->op->name == "+" || op->op->name == "*");
}

class BlockQuestions : public Questions<Attempt> {
public:
  explicit BlockQuestions(Fitting &fitting) : fitting_(fitting) {}

  bool is_element(const Param &operand, const Access &read, const ExprPtr &e, Attempt &attempt) override {
    const Access *element = std::get_if<Access>(&e->node);
    auto at = indices_of(fitting_.pattern, read.indices);
    if (!element || !at)
      return refuse(fitting_, attempt, atl::print(e) + " is no element of a tensor");
    return place(fitting_, attempt, operand.name, *at, element->tensor, element->indices);
  }

  bool is_scalar(const Param &operand, const ExprPtr &e, Attempt &attempt) override {
    for (std::size_t n = 0; n < fitting_.nest.depth(); ++n)
      if (mentions_variable(e, fitting_.nest.loop(n).var))
        return refuse(fitting_, attempt, atl::print(e) + " is not the same for all elements");
    for (const auto &[buffer, placed] : fitting_.buffers)
      if (placed.buffer.role != Buffer::Role::input && reads(e, buffer))
        return refuse(
            fitting_, attempt,
            fmt::format("the CPU reads {}, and {} is computed by instructions", atl::print(e), buffer));
    return bind_operand(fitting_, attempt, operand.name, e);
  }

  // Sums and products of two are the same in the other order.
  std::vector<ExprPtr> forms_of(const ExprPtr &, const ExprPtr &e) override {
    if (!is_commutative(e))
      return {e};
    const std::vector<ExprPtr> sides = children(*e);
    return {e, rebuild(*e, {sides[1], sides[0]})};
  }

  // Sums in the same order: which loops are which is known. So is what conditions of terms have to say; where
  // there are none, they hold.
  ExprPtr inside(const ExprPtr &p, const ExprPtr &e, Attempt &) override {
    if (std::holds_alternative<Guard>(p->node))
      return std::holds_alternative<Guard>(e->node) ? children(*e)[0] : e;
    return std::holds_alternative<Reduce>(p->node) && std::holds_alternative<Reduce>(e->node)
               ? children(*e)[0]
               : nullptr;
  }

  bool differ(const ExprPtr &p, const ExprPtr &e, const Attempt &attempt) override {
    const bool is_operand = std::holds_alternative<Access>(p->node);
    return refuse(
        fitting_, attempt,
        is_operand ? fmt::format("{} is {}, not {}", atl::print(e), name(e->type->elem), name(p->type->elem))
                   : fmt::format("{} is not {}", atl::print(e), atl::print(p)));
  }

private:
  Fitting &fitting_;
};

// The first loops of the pattern, which are not summed up, are the dimensions of the result.
bool place_result(Fitting &fitting, Attempt &attempt) {
  std::vector<BlockIndex> at;
  for (std::size_t p = 0; p < fitting.pattern.kept; ++p)
    at.push_back({{p}});
  const Elem elem = fitting.instruction().meaning.outputs[0].type.elem,
             stored = fitting.nest.value->type->elem;
  if (stored != elem)
    return refuse(fitting, attempt, fmt::format("the result is {}, not {}", name(stored), name(elem)));
  return place(fitting, attempt, "out", at, fitting.nest.store->buffer, fitting.nest.store->indices);
}

bool unify_values(Fitting &fitting, Attempt &attempt) {
  BlockQuestions questions(fitting);
  return unify(fitting.instruction(), fitting.pattern.value, fitting.nest.value, attempt, questions);
}

// Sizes, and whether it adds; then every operand has a value.
bool complete_operands(Fitting &fitting, Attempt &attempt) {
  auto &operands = attempt.match.call.operands;
  const Instruction &instruction = fitting.instruction();
  if (instruction.adds && instruction.c.find("{adds}") != std::string::npos)
    operands.emplace_back("adds", constant(1));
  for (const auto &[size, value] : attempt.match.sizes)
    operands.emplace_back(size, value);
  for (const auto &[operand, stride] : attempt.match.strides)
    if (instruction.c.find("{" + operand + ".stride}") != std::string::npos)
      operands.emplace_back(operand + ".stride", bytes_of_row(fitting, operand, stride));
  for (const Param &param : instruction.meaning.params)
    if (std::none_of(operands.begin(), operands.end(),
                     [&](const auto &operand) { return operand.first == param.name; }))
      return refuse(fitting, attempt, "nothing says what " + param.name + " is");
  return true;
}

// What conditions may mention: sizes, and distances between rows in plain memory.
Subst values_of(const Fitting &fitting, const Attempt &attempt) {
  Subst values(attempt.match.sizes.begin(), attempt.match.sizes.end());
  for (const auto &[operand, stride] : attempt.match.strides)
    if (memory_of(fitting.instruction(), operand).empty())
      values[operand + ".stride"] = bytes_of_row(fitting, operand, stride);
  return values;
}

bool meets_conditions(Fitting &fitting, Attempt &attempt) {
  const Subst values = values_of(fitting, attempt);
  for (const Where &where : fitting.instruction().meaning.where) {
    const Pred condition = substitute(where.pred, values);
    if (fitting.conditions == Conditions::known && !fitting.outside.proves(condition))
      return refuse(fitting, attempt,
                    fmt::format("it needs {}, and that is not known of {}", to_string(where.pred),
                                to_string(condition)));
  }
  return true;
}

// With the loops of the nest in this order as those of the pattern.
std::optional<BlockMatch> with_loops(const std::vector<std::size_t> &order, Fitting &fitting) {
  Attempt attempt{
      {&fitting.pattern, order, {}, {}, {}, {}, {fitting.pattern.source, {}, truth(true)}, {}}, {}, 1};
  auto step = [&](bool (*fits)(Fitting &, Attempt &)) {
    const bool done = fits(fitting, attempt);
    ++attempt.stage;
    return done;
  };
  bool fits = step(find_extents) && step(bind_sizes) && step(bind_windows) && step(place_result) &&
              step(unify_values) && step(complete_operands) && step(meets_conditions) && step(find_needs);
  return fits ? std::optional(attempt.match) : std::nullopt;
}

// Why the instruction cannot be one that replaces the nest, in whatever order.
std::optional<std::string> excluded(const BlockPattern &pattern, const BlockNest &nest) {
  const bool adds = pattern.source->adds;
  if (nest.depth() != pattern.loops.size())
    return fmt::format("it has {} loops, the nest has {}", pattern.loops.size(), nest.depth());
  if (pattern.has_whole_sum() != !nest.sums.empty())
    return pattern.has_whole_sum() ? "it has a sum in its result" : "the nest has a sum in its result";
  if (pattern.has_whole_sum() && pattern.kept != nest.loops.size())
    return fmt::format("its result has {} loops, that of the nest {}", pattern.kept, nest.loops.size());
  if (nest.store->combine != (adds ? std::optional(Reduction::sum) : std::nullopt))
    return adds ? "it adds to the result" : "it does not add to the result";
  if (reads(nest.value, nest.store->buffer))
    return "the nest reads what it stores";
  return std::nullopt;
}

} // namespace

bool refuse(Fitting &fitting, const Attempt &attempt, std::string why) {
  int progress = 100 * attempt.stage + static_cast<int>(attempt.match.call.operands.size());
  if (progress > fitting.farthest.progress)
    fitting.farthest = {progress, std::move(why)};
  return false;
}

const For &loop_of(const Fitting &fitting, const Attempt &attempt, std::size_t p) {
  return fitting.nest.loop(attempt.match.loops[p]);
}

BlockMatchResult match_block(const BlockPattern &pattern, const Hardware &hardware, const BlockNest &nest,
                             const Facts &facts, const Buffers &buffers, Conditions conditions) {
  if (auto why = excluded(pattern, nest))
    return BlockRefusal{0, *why};
  Fitting fitting{pattern, hardware, nest, facts, facts, buffers, conditions};
  for (std::size_t n = 0; n < nest.depth(); ++n)
    fitting.inside.assume(in_range(nest.loop(n).lo, variable(nest.loop(n).var), nest.loop(n).hi));
  std::vector<std::size_t> order(nest.depth());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto around = order.begin() + static_cast<std::ptrdiff_t>(nest.loops.size()); // sums keep their order
  do {
    if (auto found = with_loops(order, fitting))
      return *found;
  } while (std::next_permutation(order.begin(), around));
  return fitting.farthest;
}

} // namespace atl::accel
