#include "accel/lanes/map_lanes.h"

#include "accel/lanes/alignment.h"
#include "accel/lanes/cover.h"
#include "accel/lanes/lane_sum.h"
#include "atl/base/check.h"
#include "atl/index/solve.h"
#include "atl/syntax/build.h"
#include "atl/syntax/print.h"
#include "atl/syntax/tree.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::accel {

using namespace lowering;

namespace {

// As the user wrote it: without the guards that say which lanes load.
ExprPtr without_guards(const ExprPtr &e) {
  if (const Guard *guard = std::get_if<Guard>(&e->node))
    return without_guards(guard->body);
  std::vector<ExprPtr> kids = children(*e);
  for (ExprPtr &kid : kids)
    kid = without_guards(kid);
  return rebuild(*e, std::move(kids));
}

// Maps one vectorized loop.
class LoopMapper {
public:
  LoopMapper(const LoopKernel &kernel, const Target &target, const std::map<std::string, Buffer> &buffers,
             const Surroundings &place)
      : kernel_(kernel), target_(target), buffers_(buffers), place_(place) {}

  Diagnostics errors;
  std::vector<Obligation> obligations;
  std::map<std::string, std::int64_t> aligned;

  std::shared_ptr<const LaneCode> map(const For &loop) {
    if (!begin(loop))
      return nullptr;
    block(loop.body, truth(true), nullptr);
    return errors.empty() ? std::make_shared<const LaneCode>(std::move(code_)) : nullptr;
  }

  // Of a loop that does nothing but combine its values with one cell.
  std::shared_ptr<const LaneTotal> map_total(const For &loop) {
    const Store &store = std::get<Store>(loop.body.at(0).node);
    if (!begin(loop))
      return nullptr;
    if (lanes_.memory.contains(store.buffer)) {
      fail(store.span, fmt::format("the value of all lanes of {} is a scalar, and {} is kept in registers",
                                   loop.var, store.buffer));
      return nullptr;
    }
    const ExprPtr value = substitute(store.value, shift_);
    auto call = cover_->total(value, *store.combine, last());
    if (!call) {
      no_instruction(store, value);
      return nullptr;
    }
    require_conditions(*call, nullptr);
    const Elem elem = value->type->elem;
    LaneTotal total{{loop.var + ".total", elem, {}, Buffer::Role::temporary}, call, store};
    total.store.value = access_of(total.scalar.name, {}, elem, value->span);
    return std::make_shared<const LaneTotal>(std::move(total));
  }

private:
  bool begin(const For &loop) {
    auto count = as_constant(place_.facts.simplify(sub(loop.hi, loop.lo)));
    if (!count) {
      fail(loop.span, fmt::format("the {} {} has {} iterations; instructions have a constant number of lanes",
                                  loop.mode == LoopMode::vectorized ? "vectorized loop" : "reduction",
                                  loop.var, to_string(place_.facts.simplify(sub(loop.hi, loop.lo)))));
      return false;
    }
    loop_ = &loop;
    lanes_ = {loop.var, *count, place_.facts, {}, {}, kernel_.mapped_to->contracts, &buffers_};
    for (const auto &[name, buffer] : buffers_)
      if (!buffer.memory.empty())
        lanes_.memory[name] = buffer.memory;
    shift_ = {{loop.var, add(loop.lo, variable(loop.var))}};
    cover_.emplace(target_.patterns, lanes_);
    return true;
  }

  // `active`: how many lanes run, if not all.
  void block(const Block &body, const Pred &condition, const Index &active) {
    for (const Stmt &stmt : body)
      match(
          stmt, [&](const For &inner) { inner_loop(inner, condition, active); },
          [&](const If &branch) { guarded(branch, condition, active); },
          [&](const Alloc &alloc) { local(alloc, condition, active); },
          [&](const Store &store) { statement(store, condition, active); });
  }

  // A few terms that are added to what a lane has are one expression; there are instructions for that.
  void inner_loop(const For &inner, const Pred &condition, const Index &active) {
    Facts facts = place_.inside(*loop_).facts;
    facts.assume(condition);
    auto sum = lane_sum(inner, facts, buffers_);
    if (!sum)
      return fail(inner.span,
                  fmt::format("the vectorized loop {} contains the loop {}; unroll it, or vectorize "
                              "it instead",
                              loop_->var, inner.var));
    guarded({sum->runs, {{sum->store}}}, condition, active);
  }

  void guarded(const If &branch, Pred condition, Index active) {
    for (const Pred &part : conjuncts(substitute(branch.pred, shift_))) {
      if (!mentions(part, loop_->var)) {
        condition = conj(condition, part);
        continue;
      }
      Index count = upper_bound(part, loop_->var, place_.facts);
      if (!count)
        return fail(loop_->span, fmt::format("the lanes of {} in which {} are not the first ones", loop_->var,
                                             to_string(part)));
      active = active ? binary(IndexOp::min, active, count) : count;
    }
    if (active && place_.facts.proves(compare(PredOp::ge, active, constant(lanes_.count))))
      active = nullptr;
    block(branch.body, condition, active);
  }

  // A scalar of the body becomes a register, in the memory that serves it.
  void local(const Alloc &alloc, const Pred &condition, const Index &active) {
    const Buffer &buffer = alloc.buffer;
    if (alloc.storage != Alloc::Storage::scalar)
      return fail(loop_->span,
                  fmt::format("{} is a tensor inside the vectorized loop {}", buffer.name, loop_->var));
    for (const Memory &memory : target_.hardware->memories) {
      auto c_type = memory.c_types.find(buffer.elem);
      bool serves =
          c_type != memory.c_types.end() &&
          std::any_of(target_.patterns.begin(), target_.patterns.end(), [&](const Pattern &p) {
            return p.source->result_memory == memory.name && p.elem == buffer.elem && p.lanes == lanes_.count;
          });
      if (!serves)
        continue;
      lanes_.memory[buffer.name] = memory.name;
      lanes_.locals.insert(buffer.name);
      code_.locals.push_back({buffer.name, c_type->second});
      return block(alloc.body, condition, active);
    }
    fail(loop_->span, fmt::format("no memory of {} holds {} lanes of {}", target_.hardware->name,
                                  lanes_.count, name(buffer.elem)));
  }

  void statement(const Store &store, const Pred &condition, const Index &active) {
    std::vector<Index> indices;
    for (const Index &index : store.indices)
      indices.push_back(substitute(index, shift_));
    ExprPtr value = substitute(store.value, shift_);
    if (store.combine) {
      ExprPtr before = access_of(store.buffer, indices, value->type->elem, value->span);
      value = make(Op{&combiner(*store.combine), {before, value}}, value->span, value->type);
    }
    Index count = active ? active_lanes(active) : nullptr;
    if (count)
      value = guard_loads(value, count);
    Pred runs = active && reads_unguarded(value, place_.facts)
                    ? conj(condition, compare(PredOp::ge, active, constant(1)))
                    : condition;
    if (lanes_.memory.contains(store.buffer))
      return into_register(store, indices, value, runs, count);
    auto first = cover_->first_element(store.buffer, indices);
    if (!first)
      return fail(store.span,
                  fmt::format("the cells of {} that the lanes of {} store to do not lie one after the "
                              "other",
                              store.buffer, loop_->var));
    auto call = cover_->store(value, *first, count, last());
    if (!call)
      return no_instruction(store, value);
    require_conditions(*call, active);
    code_.statements.push_back({runs, std::nullopt, call});
  }

  void into_register(const Store &store, const std::vector<Index> &indices, ExprPtr value, const Pred &runs,
                     const Index &count) {
    auto target = cover_->whole_register(store.buffer, indices);
    if (!target)
      return errors.push_back(
          {Code::register_access,
           store.span,
           fmt::format("the lanes of {} are not one register of {}", loop_->var, store.buffer),
           {{std::nullopt, "the other indices are constants once loops are unrolled"}}});
    if (count) {
      ExprPtr kept = access_of(store.buffer, indices, value->type->elem, value->span);
      ExprPtr test =
          make(Test{compare(PredOp::lt, variable(loop_->var), count)}, value->span, Type{Elem::boolean, {}});
      value = make(Select{test, value, kept}, value->span, value->type);
    }
    auto covered = cover_->value(value, lanes_.memory.at(store.buffer),
                                 lanes_.locals.contains(store.buffer) ? "" : last());
    if (!covered)
      return no_instruction(store, value);
    if (auto *call = std::get_if<std::shared_ptr<const LaneCall>>(&*covered))
      require_conditions(**call, count);
    code_.statements.push_back({runs, target, *covered});
  }

  // As the size of an instruction: from 0 to the number of lanes.
  Index active_lanes(const Index &active) const {
    Index count = binary(IndexOp::min, active, constant(lanes_.count));
    if (!place_.facts.proves_nonnegative(active))
      count = binary(IndexOp::max, count, constant(0));
    return place_.facts.simplify(count);
  }

  // Lanes that do not run must not touch memory; terms of a sum may, where that is inside for all lanes.
  ExprPtr guard_loads(const ExprPtr &e, const Index &count) const {
    Facts all_lanes = place_.facts;
    all_lanes.assume(in_range(constant(0), variable(loop_->var), constant(lanes_.count)));
    return guard_loads(e, compare(PredOp::lt, variable(loop_->var), count), all_lanes, false);
  }

  ExprPtr guard_loads(const ExprPtr &e, const Pred &runs, const Facts &facts, bool is_term) const {
    if (const Access *access = std::get_if<Access>(&e->node)) {
      bool is_load = !lanes_.memory.contains(access->tensor) && mentions_variable(e, loop_->var) &&
                     !(is_term && is_inside(*access, facts));
      return is_load ? make(Guard{runs, e}, e->span, e->type) : e;
    }
    if (const Reduce *sum = std::get_if<Reduce>(&e->node))
      return rebuild(*e, {guard_loads(sum->body, runs, with_terms(*sum, facts), true)});
    std::vector<ExprPtr> kids = children(*e);
    for (ExprPtr &kid : kids)
      kid = guard_loads(kid, runs, facts, is_term);
    return rebuild(*e, std::move(kids));
  }

  static Facts with_terms(const Reduce &sum, Facts facts) {
    facts.assume(in_range(sum.lo, variable(sum.var), sum.hi));
    return facts;
  }

  // Something that all lanes share is read, which may not be there if no lane runs.
  bool reads_unguarded(const ExprPtr &e, const Facts &facts) const {
    if (const Access *access = std::get_if<Access>(&e->node))
      return !lanes_.memory.contains(access->tensor) && !is_inside(*access, facts);
    if (const Guard *guard = std::get_if<Guard>(&e->node))
      return !mentions(guard->pred, loop_->var) && reads_unguarded(guard->body, facts);
    if (const Reduce *sum = std::get_if<Reduce>(&e->node))
      return reads_unguarded(sum->body, with_terms(*sum, facts));
    std::vector<ExprPtr> kids = children(*e);
    return std::any_of(kids.begin(), kids.end(),
                       [&](const ExprPtr &kid) { return reads_unguarded(kid, facts); });
  }

  bool is_inside(const Access &access, const Facts &facts) const {
    return accel::is_inside(access, buffers_.at(access.tensor).dims, facts);
  }

  // The where clauses of an instruction and of those inside it.
  void require_conditions(const LaneCall &call, const Index &active) {
    Subst sizes;
    for (const auto &[name, operand] : call.operands) {
      if (const Index *size = std::get_if<Index>(&operand))
        sizes[name] = *size;
      if (auto *inner = std::get_if<std::shared_ptr<const LaneCall>>(&operand))
        require_conditions(**inner, active);
      if (auto bytes = call.instruction->aligned.find(name); bytes != call.instruction->aligned.end())
        require_aligned(call, std::get<FirstElement>(operand), bytes->second);
    }
    const Kernel &meaning = call.instruction->meaning;
    for (const auto &[name, size] : sizes)
      require(meaning.name, compare(PredOp::ge, variable(name), constant(0)), sizes);
    for (const Where &where : meaning.where)
      require(meaning.name, where.pred, sizes);
  }

  void require(const std::string &instruction, const Pred &condition, const Subst &sizes) {
    std::string what = fmt::format("{} needs {}", instruction, to_string(condition));
    Template otherwise{what};
    for (const auto &[name, size] : sizes) {
      otherwise.emplace_back(fmt::format(", and {} is ", name));
      otherwise.emplace_back(size);
    }
    Obligation o = obligation_at(kernel_, place_, loop_->span, what);
    o.claims.push_back({substitute(condition, sizes), otherwise});
    obligations.push_back(std::move(o));
  }

  void require_aligned(const LaneCall &call, const FirstElement &at, std::int64_t bytes) {
    const std::string &name = call.instruction->meaning.name;
    std::int64_t &needed = aligned[at.buffer];
    needed = std::max(needed, bytes);
    Obligation o = obligation_at(kernel_, place_, loop_->span,
                                 fmt::format("{} needs an address that is a multiple of {}", name, bytes));
    o.claims = aligned_claims(name, at, buffers_.at(at.buffer), bytes, place_.facts);
    obligations.push_back(std::move(o));
  }

  // Empty: any.
  std::string last() const { return loop_->last ? loop_->last->instruction : ""; }

  void not_with(const MappedTo::Last &last, const Store &store) {
    const std::vector<Instruction> &all = target_.hardware->instructions;
    bool exists = std::any_of(all.begin(), all.end(),
                              [&](const Instruction &i) { return i.meaning.name == last.instruction; });
    std::string lanes = fmt::format("the {} lanes of {} store to {}", lanes_.count, loop_->var, store.buffer);
    errors.push_back({Code::no_instruction,
                      last.span,
                      exists
                          ? fmt::format("{} is not the last instruction for what {}", last.instruction, lanes)
                          : fmt::format("{} has no instruction {}", target_.hardware->name, last.instruction),
                      {{store.span, lanes}}});
  }

  void no_instruction(const Store &store, const ExprPtr &value) {
    if (loop_->last && !lanes_.locals.contains(store.buffer))
      return not_with(*loop_->last, store);
    const ExprPtr &part = cover_->smallest_failure() ? cover_->smallest_failure() : value;
    errors.push_back(
        {Code::no_instruction,
         store.span,
         fmt::format("{} has no instructions for {} lanes of {}, which is {}", target_.hardware->name,
                     lanes_.count, atl::print(without_guards(part)), name(part->type->elem)),
         {{std::nullopt, "it is stored to " + store.buffer + ", in lanes of the loop " + loop_->var}}});
  }

  void fail(Span span, std::string message) {
    errors.push_back({Code::no_instruction, span, std::move(message), {}});
  }

  const LoopKernel &kernel_;
  const Target &target_;
  const std::map<std::string, Buffer> &buffers_;
  const Surroundings &place_;
  const For *loop_ = nullptr;
  Lanes lanes_;
  Subst shift_; // lanes count from 0
  std::optional<Cover> cover_;
  LaneCode code_;
};

} // namespace

MappedLanes map_lanes(const LoopKernel &kernel, const Target &target,
                      const std::map<std::string, Buffer> &buffers, const Surroundings &place,
                      const For &loop) {
  LoopMapper mapper(kernel, target, buffers, place);
  MappedLanes result;
  if (loop.mode == LoopMode::vectorized)
    result.code = mapper.map(loop);
  else
    result.total = mapper.map_total(loop);
  result.errors = std::move(mapper.errors);
  result.obligations = std::move(mapper.obligations);
  result.aligned = std::move(mapper.aligned);
  return result;
}

} // namespace atl::accel
