#include "accel/lanes/map_loop.h"

#include "accel/lanes/addresses.h"
#include "accel/lanes/cover.h"
#include "accel/lanes/lane_sum.h"
#include "accel/lanes/masks.h"
#include "accel/lanes/no_instruction.h"
#include "atl/index/solve.h"
#include "atl/syntax/build.h"
#include "atl/syntax/tree.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::accel {

using namespace lowering;

namespace {

// One loop, while it is mapped.
struct LoopMapping {
  const LoopKernel &kernel;
  const Target &target;
  const std::map<std::string, RegisterReads> &reads;
  const Known &around;
  const For &loop;
  Lanes lanes;
  Subst shift = {{loop.var, add(loop.lo, variable(loop.var))}}; // lanes count from 0
  Cover cover = {target.patterns, lanes};
  LaneCode code = {};
  MappedLoop result = {};

  // The last instruction, if the schedule asks for one.
  std::string last() const { return loop.last ? loop.last->instruction : ""; }
};

// When a statement of the loop runs.
struct Runs {
  Pred condition; // the same for all lanes
  Index active;   // so many lanes, if not all
};

Diagnostic failed(Span span, std::string message) {
  return {Code::no_instruction, span, std::move(message), {}};
}

void fail(LoopMapping &m, Span span, std::string message) {
  m.result.errors.push_back(failed(span, std::move(message)));
}

void no_instruction(LoopMapping &m, const Store &store, const ExprPtr &value) {
  const ExprPtr &part = m.cover.failure ? m.cover.failure : value;
  m.result.errors.push_back(no_instruction(m.target, m.loop, store, part, m.lanes));
}

// Tensors that have to begin at a multiple of so many bytes, for the call and those of its operands.
void align(LoopMapping &m, const LaneCall &call) {
  for (const auto &[name, operand] : call.operands) {
    if (auto *inner = std::get_if<std::shared_ptr<const LaneCall>>(&operand))
      align(m, **inner);
    auto bytes = call.instruction->aligned.find(name);
    if (bytes == call.instruction->aligned.end())
      continue;
    std::int64_t &needed = m.result.aligned[std::get<FirstElement>(operand).buffer];
    needed = std::max(needed, bytes->second);
  }
}

// What the call does, where this holds.
std::shared_ptr<const LaneCall> finished(LoopMapping &m, const LaneCall &call, const Pred &runs) {
  align(m, call);
  Facts facts = m.lanes.facts;
  facts.assume(runs);
  return with_addresses_inside(call, facts, *m.lanes.buffers);
}

// What the other lanes leave in the register matters to nobody.
bool idle_lanes_are_unread(const LoopMapping &m, const Store &store, const std::vector<Index> &indices,
                           const Index &count) {
  Premises premises; // of which the validator takes down its own
  auto reads = m.reads.find(store.buffer);
  return reads != m.reads.end() && reads->second.only_where(compare(PredOp::lt, variable(m.loop.var), count),
                                                            m.loop.var, indices, premises);
}

void store_to_register(LoopMapping &m, const Store &store, const std::vector<Index> &indices, ExprPtr value,
                       const Pred &runs, const Index &count) {
  auto target = whole_register(store.buffer, indices, m.lanes);
  if (!target)
    return m.result.errors.push_back(
        {Code::register_access,
         store.span,
         fmt::format("the lanes of {} are not one register of {}", m.loop.var, store.buffer),
         {{std::nullopt,
           "lanes lie along its last dimension; its other indices are constants once loops are unrolled"}}});
  if (count && !idle_lanes_are_unread(m, store, indices, count)) {
    ExprPtr kept = access_of(store.buffer, indices, value->type->elem, value->span);
    ExprPtr test =
        make(Test{compare(PredOp::lt, variable(m.loop.var), count)}, value->span, Type{Elem::boolean, {}});
    value = make(Select{test, value, kept}, value->span, value->type);
  }
  auto covered = cover_value(value, m.lanes.memory.at(store.buffer),
                             m.lanes.locals.contains(store.buffer) ? "" : m.last(), m.cover);
  if (!covered)
    return no_instruction(m, store, value);
  if (auto *call = std::get_if<std::shared_ptr<const LaneCall>>(&*covered))
    *call = finished(m, **call, runs);
  m.code.statements.push_back({runs, target, *covered});
}

// Instructions combine lanes only where a schedule asks for it.
Diagnostic one_cell_for_all(const LoopMapping &m, const Store &store) {
  return {Code::no_instruction,
          store.span,
          fmt::format("the lanes of {} are combined in one cell of {}", m.loop.var, store.buffer),
          {{std::nullopt,
            fmt::format("give each lane a result of its own: write `rfactor {0} as part; reorder OUTER, "
                        "part.{0} in part; vectorize part.{0} in part`, where OUTER is the loop around {0}",
                        m.loop.var)}}};
}

void store_to_memory(LoopMapping &m, const Store &store, const std::vector<Index> &indices,
                     const ExprPtr &value, const Pred &runs, const Index &count) {
  const bool one_cell =
      std::none_of(indices.begin(), indices.end(), [&](const Index &i) { return mentions(i, m.lanes.lane); });
  if (store.combine && one_cell) {
    m.result.errors.push_back(one_cell_for_all(m, store));
    return;
  }
  auto first = first_element(store.buffer, indices, m.lanes);
  if (!first)
    return fail(m, store.span,
                fmt::format("the cells of {} that the lanes of {} store to do not lie one after the other",
                            store.buffer, m.loop.var));
  auto call = cover_store(value, *first, count, m.last(), m.cover);
  if (!call)
    return no_instruction(m, store, value);
  m.code.statements.push_back({runs, std::nullopt, finished(m, *call, runs)});
}

// Addresses of masked vectors are kept inside of tensors by minima, which C compilers move out of loops in
// which they stay the same. Where they do not, a branch around the vector costs less.
bool changes_each_time(const Index &active, const Known &around) {
  return !around.loops.empty() && mentions(active, around.loops.back().var);
}

void map_store(LoopMapping &m, const Store &store, const Runs &runs) {
  std::vector<Index> indices;
  for (const Index &index : store.indices)
    indices.push_back(substitute(index, m.shift));
  ExprPtr value = substitute(store.value, m.shift);
  if (store.combine) {
    ExprPtr before = access_of(store.buffer, indices, value->type->elem, value->span);
    value = make(Op{&combiner(*store.combine), {before, value}}, value->span, value->type);
  }
  Index count = runs.active ? active_lanes(runs.active, m.lanes) : nullptr;
  if (count)
    value = guard_loads(value, count, m.lanes);
  Pred condition = runs.condition;
  if (runs.active && (changes_each_time(runs.active, m.around) || reads_unguarded(value, m.lanes))) {
    const Pred some = compare(PredOp::ge, runs.active, constant(1));
    if (!m.lanes.facts.proves(some))
      condition = conj(condition, some);
  }
  if (m.lanes.memory.contains(store.buffer))
    store_to_register(m, store, indices, value, condition, count);
  else
    store_to_memory(m, store, indices, value, condition, count);
}

void map_block(LoopMapping &m, const Block &body, const Runs &runs);

// A condition on the lane says how many lanes run, the others are the same for all.
void map_guarded(LoopMapping &m, const If &branch, Runs runs) {
  for (const Pred &part : conjuncts(substitute(branch.pred, m.shift))) {
    if (!mentions(part, m.loop.var)) {
      runs.condition = conj(runs.condition, part);
      continue;
    }
    Index count = upper_bound(part, m.loop.var, m.around.facts());
    if (!count)
      return fail(
          m, m.loop.span,
          fmt::format("the lanes of {} in which {} are not the first ones", m.loop.var, to_string(part)));
    runs.active = runs.active ? binary(IndexOp::min, runs.active, count) : count;
  }
  if (runs.active && m.around.facts().proves(compare(PredOp::ge, runs.active, constant(m.lanes.count))))
    runs.active = nullptr;
  map_block(m, branch.body, runs);
}

// A few terms that are added to what a lane has are one expression; there are instructions for that.
void map_inner_loop(LoopMapping &m, const For &inner, const Runs &runs) {
  Facts facts = m.around.inside(m.loop.range()).facts();
  facts.assume(runs.condition);
  auto sum = lane_sum(inner, facts, *m.lanes.buffers);
  if (!sum)
    return fail(m, inner.span,
                fmt::format("the vectorized loop {} contains the loop {}; unroll it, or vectorize it instead",
                            m.loop.var, inner.var));
  map_guarded(m, {sum->runs, {{sum->store}}}, runs);
}

// The memory whose registers hold as many lanes of this type; null: none.
const Memory *memory_for(Elem elem, const LoopMapping &m) {
  auto serves = [&](const Memory &memory) {
    return memory.c_types.contains(elem) &&
           std::any_of(m.target.patterns.begin(), m.target.patterns.end(), [&](const Pattern &p) {
             return p.source->result_memory == memory.name && p.elem == elem && p.lanes == m.lanes.count;
           });
  };
  const std::vector<Memory> &all = m.target.hardware->memories;
  auto found = std::find_if(all.begin(), all.end(), serves);
  return found == all.end() ? nullptr : &*found;
}

// A scalar of the body becomes a register.
void map_local(LoopMapping &m, const Alloc &alloc, const Runs &runs) {
  const Buffer &buffer = alloc.buffer;
  if (alloc.storage != Alloc::Storage::scalar)
    return fail(m, m.loop.span,
                fmt::format("{} is a tensor inside the vectorized loop {}", buffer.name, m.loop.var));
  const Memory *memory = memory_for(buffer.elem, m);
  if (!memory)
    return fail(m, m.loop.span,
                fmt::format("no memory of {} holds {} lanes of {}", m.target.hardware->name, m.lanes.count,
                            name(buffer.elem)));
  m.lanes.memory[buffer.name] = memory->name;
  m.lanes.locals.insert(buffer.name);
  m.code.locals.push_back({buffer.name, memory->c_types.at(buffer.elem)});
  map_block(m, alloc.body, runs);
}

void map_block(LoopMapping &m, const Block &body, const Runs &runs) {
  for (const Stmt &stmt : body)
    match(
        stmt, [&](const For &inner) { map_inner_loop(m, inner, runs); },
        [&](const If &branch) { map_guarded(m, branch, runs); },
        [&](const Alloc &alloc) { map_local(m, alloc, runs); },
        [&](const Store &store) { map_store(m, store, runs); });
}

void map_code(LoopMapping &m) {
  map_block(m, m.loop.body, {truth(true), nullptr});
  if (m.result.errors.empty())
    m.result.code = std::make_shared<const LaneCode>(std::move(m.code));
}

// Of a loop that does nothing but combine its values with one cell.
void map_total(LoopMapping &m) {
  const Store &store = std::get<Store>(m.loop.body.at(0).node);
  if (m.lanes.memory.contains(store.buffer))
    return fail(m, store.span,
                fmt::format("the value of all lanes of {} is a scalar, and {} is kept in registers",
                            m.loop.var, store.buffer));
  const ExprPtr value = substitute(store.value, m.shift);
  auto call = cover_total(value, *store.combine, m.last(), m.cover);
  if (!call)
    return no_instruction(m, store, value);
  const Elem elem = value->type->elem;
  LaneTotal total{
      {m.loop.var + ".total", elem, {}, Buffer::Role::temporary}, finished(m, *call, truth(true)), store};
  total.store.value = access_of(total.scalar.name, {}, elem, value->span);
  m.result.total = std::make_shared<const LaneTotal>(std::move(total));
}

} // namespace

MappedLoop map_loop(const LoopKernel &kernel, const Target &target,
                    const std::map<std::string, Buffer> &buffers,
                    const std::map<std::string, RegisterReads> &reads, const Known &around, const For &loop) {
  const bool is_vectorized = loop.mode == LoopMode::vectorized;
  const Index iterations = around.facts().simplify(sub(loop.hi, loop.lo));
  auto count = as_constant(iterations);
  if (!count)
    return {nullptr,
            nullptr,
            {failed(loop.span,
                    fmt::format("the {} {} has {} iterations; instructions have a constant number of lanes",
                                is_vectorized ? "vectorized loop" : "reduction", loop.var,
                                to_string(iterations)))},
            {}};
  Lanes lanes{loop.var, *count, around.facts(), {}, {}, kernel.requests->contracts, &buffers};
  for (const auto &[name, buffer] : buffers)
    if (!buffer.memory.empty())
      lanes.memory[name] = buffer.memory;
  LoopMapping mapping{kernel, target, reads, around, loop, std::move(lanes)};
  if (is_vectorized)
    map_code(mapping);
  else
    map_total(mapping);
  return std::move(mapping.result);
}

} // namespace atl::accel
