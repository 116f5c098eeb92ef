#include "accel/blocks/validate_fences.h"

#include "accel/blocks/ways.h"
#include "atl/syntax/tree.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <tuple>

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

// All touches of the kernel, and the temporaries on the stack.
class Everything : public Ways<Touches> {
public:
  std::set<std::string> on_stack;

private:
  void merge(Touches &into, Touches others) override { into.merge(others); }
  void at_call(const For &nest, const Known &, Touches &now) override {
    now.merge(touches_of(*nest.block->call));
  }
  void at_store(const Store &store, const Known &, Touches &now) override { now.merge(touches_of(store)); }
  void end_life(const Alloc &alloc, Touches &) override {
    if (alloc.storage == Alloc::Storage::stack)
      on_stack.insert(alloc.buffer.name);
  }
};

class UnderWay : public Ways<Touches> {
public:
  UnderWay(Touches all, std::set<std::string> on_stack)
      : all_(std::move(all)), on_stack_(std::move(on_stack)) {}

  std::vector<Obligation> obligations;

private:
  void merge(Touches &into, Touches others) override { into.merge(others); }

  void enter(const For &loop, Touches &now) override {
    if (loop.block->fence)
      now.clear();
  }

  void at_call(const For &nest, const Known &around, Touches &now) override {
    const BlockCall &call = *nest.block->call;
    now_touch(touches_of(call), call.instruction->meaning.name, nest.span, around, now);
  }

  void at_store(const Store &store, const Known &around, Touches &now) override {
    now_touch(touches_of(store), "the CPU", store.span, around, now);
  }

  void end_life(const Alloc &alloc, Touches &now) override {
    if (alloc.storage == Alloc::Storage::heap)
      return; // it has this memory in all iterations, and no other has it
    Touches after;
    for (Touch touch : now) {
      const bool has_ended = touch.tensor == alloc.buffer.name;
      if (has_ended && alloc.storage == Alloc::Storage::scalar)
        continue;
      touch.given_back = touch.given_back || has_ended;
      after.insert(touch);
    }
    now = std::move(after);
  }

  void now_touch(const Touches &touches, const std::string &who, Span span, const Known &around,
                 Touches &now) {
    for (const Touch &touch : touches)
      if (is_stating() && (!is_free(touch, all_) || (touch.stores && on_stack_.contains(touch.tensor))))
        state(around, span,
              fmt::format("what touched the memory of {} before is done where {} {} it", touch.tensor, who,
                          touch.stores ? "stores to" : "reads"),
              is_free(touch, now));
    now.insert(touches.begin(), touches.end());
  }

  bool is_free(const Touch &now, const Touches &before) const {
    return std::none_of(before.begin(), before.end(), [&](const Touch &b) { return are_in_the_way(b, now); });
  }

  // Whether one must be done before the other begins: the CPU keeps its own order, and so do stores of
  // instructions.
  bool are_in_the_way(const Touch &before, const Touch &now) const {
    const bool in_order = before.who == now.who && (now.who == Who::cpu || (before.stores && now.stores));
    const bool reuses = before.given_back && now.stores && on_stack_.contains(now.tensor);
    return !in_order && (before.stores || now.stores) && (before.tensor == now.tensor || reuses);
  }

  void state(const Known &around, Span span, std::string what, bool holds) {
    Obligation o = obligation_at(around, span, std::move(what));
    o.claims.push_back({truth(holds), {"nothing waits for what was asked for before"}});
    obligations.push_back(std::move(o));
  }

  const Touches all_;
  const std::set<std::string> on_stack_;
};

} // namespace

std::vector<Obligation> fence_obligations(const LoopKernel &kernel) {
  Everything everything;
  Touches all = everything.follow(kernel, {});
  UnderWay under_way(std::move(all), std::move(everything.on_stack));
  under_way.follow(kernel, {});
  return std::move(under_way.obligations);
}

} // namespace atl::accel
