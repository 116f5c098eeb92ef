#include "accel/blocks/validate_fences.h"

#include "accel/blocks/block_nest.h"
#include "atl/syntax/tree.h"
#include "lowering/nest/walk.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <tuple>
#include <utility>

namespace atl::accel {

using namespace lowering;

namespace {

enum class Who { cpu, instruction };

// Some of a tensor in plain memory is read, or stored to.
struct Touch {
  std::string tensor;
  Who who;
  bool stores;
  bool given_back = false; // a block on the stack that has ended: its memory may be that of another tensor
  auto as_tuple() const { return std::tie(tensor, who, stores, given_back); }
  bool operator<(const Touch &other) const { return as_tuple() < other.as_tuple(); }
};
using Touches = std::set<Touch>; // all that may be under way

Touches touches_of(const Store &store) {
  Touches all{{store.buffer, Who::cpu, true}};
  for_each_access(store.value, [&](const Access &access) { all.insert({access.tensor, Who::cpu, false}); });
  return all;
}

Touches touches_of(const BlockCall &call) {
  Touches all;
  for (const auto &[name, operand] : call.operands)
    if (const FirstElement *first = std::get_if<FirstElement>(&operand)) {
      const bool is_result = name == "out";
      all.insert({first->buffer, Who::instruction, is_result});
      if (is_result && call.instruction->adds)
        all.insert({first->buffer, Who::instruction, false});
    }
  return all;
}

class Statements {
public:
  explicit Statements(const LoopKernel &kernel) : kernel_(kernel) {
    for (const Stmt &stmt : kernel.body)
      collect(stmt);
    behind(kernel.body, around_body(kernel), {});
  }

  std::vector<Obligation> obligations;

private:
  // All touches, and the temporaries on the stack.
  void collect(const Stmt &stmt) {
    match(
        stmt,
        [&](const For &loop) {
          if (loop.block && loop.block->call)
            all_.merge(touches_of(*loop.block->call));
          if (loop.block)
            collect(loop.block->before);
          if (loop.block && loop.block->replaces)
            return;
          if (loop.block)
            collect(loop.block->inside);
          collect(loop.body);
          if (loop.block)
            collect(loop.block->at_end);
        },
        [&](const If &branch) { collect(branch.body); },
        [&](const Alloc &alloc) {
          if (alloc.storage == Alloc::Storage::stack)
            on_stack_.insert(alloc.buffer.name);
          collect(alloc.body);
        },
        [&](const Store &store) { all_.merge(touches_of(store)); });
  }
  void collect(const Block &body) {
    for (const Stmt &stmt : body)
      collect(stmt);
  }

  // Whether one must be done before the other begins: the CPU keeps its own order, and so do stores of
  // instructions.
  bool are_in_the_way(const Touch &before, const Touch &now) const {
    const bool in_order = before.who == now.who && (now.who == Who::cpu || (before.stores && now.stores));
    const bool reuses = before.given_back && now.stores && on_stack_.contains(now.tensor);
    return !in_order && (before.stores || now.stores) && (before.tensor == now.tensor || reuses);
  }

  bool is_free(const Touch &now, const Touches &before) const {
    return std::none_of(before.begin(), before.end(), [&](const Touch &b) { return are_in_the_way(b, now); });
  }

  // What may be under way behind a block, of what may be before it.
  Touches behind(const Block &body, const Surroundings &around, Touches now) {
    for (const Stmt &stmt : body)
      match(
          stmt, [&](const For &loop) { now = behind(loop, around, std::move(now)); },
          [&](const If &branch) { now.merge(behind(branch.body, around.where(branch.pred), now)); },
          [&](const Alloc &alloc) { now = behind(alloc, around, std::move(now)); },
          [&](const Store &store) { now = behind(touches_of(store), "the CPU", store.span, around, now); });
    return now;
  }

  Touches behind(const For &loop, const Surroundings &around, Touches now) {
    if (loop.block) {
      if (loop.block->fence)
        now.clear();
      now = behind(loop.block->before, around, std::move(now));
      if (const auto &call = loop.block->call)
        now = behind(touches_of(*call), call->instruction->meaning.name, loop.span, around, now);
      if (loop.block->replaces)
        return now;
    }
    const bool is_stating = std::exchange(is_stating_, false);
    now.merge(behind_iteration(loop, around.inside(loop), now)); // of any iteration, and before any
    is_stating_ = is_stating;
    if (is_stating)
      behind_iteration(loop, around.inside(loop), now);
    return now;
  }

  Touches behind_iteration(const For &loop, const Surroundings &inside, Touches now) {
    if (loop.block)
      now = behind(loop.block->inside, inside, std::move(now));
    now = behind(loop.body, inside, std::move(now));
    return loop.block ? behind(loop.block->at_end, inside, std::move(now)) : now;
  }

  Touches behind(const Alloc &alloc, const Surroundings &around, Touches now) {
    now = behind(alloc.body, around, std::move(now));
    if (alloc.storage == Alloc::Storage::heap)
      return now; // it has this memory in all iterations, and no other has it
    Touches after;
    for (Touch touch : now) {
      const bool has_ended = touch.tensor == alloc.buffer.name;
      if (has_ended && alloc.storage == Alloc::Storage::scalar)
        continue;
      touch.given_back = touch.given_back || has_ended;
      after.insert(touch);
    }
    return after;
  }

  Touches behind(const Touches &touches, const std::string &who, Span span, const Surroundings &around,
                 Touches now) {
    for (const Touch &touch : touches)
      if (!is_free(touch, all_) || (touch.stores && on_stack_.contains(touch.tensor)))
        state(around, span,
              fmt::format("what touched the memory of {} before is done where {} {} it", touch.tensor, who,
                          touch.stores ? "stores to" : "reads"),
              is_free(touch, now));
    now.insert(touches.begin(), touches.end());
    return now;
  }

  void state(const Surroundings &around, Span span, std::string what, bool holds) {
    if (!is_stating_)
      return;
    Obligation o = obligation_at(kernel_, around, span, std::move(what));
    o.claims.push_back({truth(holds), {"nothing waits for what was asked for before"}});
    obligations.push_back(std::move(o));
  }

  const LoopKernel &kernel_;
  Touches all_;
  std::set<std::string> on_stack_;
  bool is_stating_ = true; // or only following what is under way
};

} // namespace

std::vector<Obligation> fence_obligations(const LoopKernel &kernel) {
  return Statements(kernel).obligations;
}

} // namespace atl::accel
