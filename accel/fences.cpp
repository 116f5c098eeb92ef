#include "accel/fences.h"

#include <algorithm>
#include <set>

namespace atl::accel {

using namespace lowering;

namespace {

using Names = std::set<std::string>;

bool meet(const Names &a, const Names &b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string &name) { return b.contains(name); });
}

// Tensors in plain memory that instructions touch.
struct Traffic {
  Names loads, stores;
  bool ended = false; // some of the loads are of temporaries whose memory others may have now

  void merge(const Traffic &other) {
    loads.insert(other.loads.begin(), other.loads.end());
    stores.insert(other.stores.begin(), other.stores.end());
    ended = ended || other.ended;
  }
};

class Fences {
public:
  // What was asked for since the last fence, where the block ends; `pending` where it starts.
  Traffic insert(Block &body, Traffic pending) {
    for (Stmt &stmt : body)
      if (For *loop = std::get_if<For>(&stmt.node)) {
        pending = insert(*loop, std::move(pending));
      } else if (Alloc *alloc = std::get_if<Alloc>(&stmt.node)) {
        pending = insert(alloc->body, std::move(pending));
        end_life(*alloc, pending);
      } else if (If *branch = std::get_if<If>(&stmt.node)) {
        pending.merge(insert(branch->body, pending));
      }
    return pending;
  }

  void find_temporaries(const Block &body) {
    for (const Stmt &stmt : body)
      match(
          stmt, [&](const For &loop) { find_temporaries(loop.body); },
          [&](const If &branch) { find_temporaries(branch.body); },
          [&](const Alloc &alloc) {
            temporaries_.insert(alloc.buffer.name);
            find_temporaries(alloc.body);
          },
          [](const Store &) {});
  }

private:
  Traffic insert(For &loop, Traffic pending) {
    const Traffic own = traffic_of(loop);
    BlockCode code = loop.block ? *loop.block : BlockCode{};
    if (collide(pending, own)) {
      code.fence = true;
      pending = {};
    }
    pending = insert(code.before, std::move(pending));
    pending.merge(own); // its own, or of the iterations before
    if (!code.replaces)
      pending.merge(insert(code.at_end, insert(loop.body, insert(code.inside, pending))));
    if (loop.block || code.fence)
      loop.block = std::make_shared<const BlockCode>(std::move(code));
    return pending;
  }

  bool collide(const Traffic &before, const Traffic &next) const {
    bool reuses = before.ended && meet(next.stores, temporaries_);
    return reuses || meet(before.stores, next.loads) || meet(before.loads, next.stores);
  }

  static void end_life(const Alloc &alloc, Traffic &pending) {
    if (pending.loads.erase(alloc.buffer.name) > 0)
      pending.ended = true;
    pending.stores.erase(alloc.buffer.name);
  }

  static Traffic traffic_of(const For &loop) {
    Traffic all;
    if (loop.block && loop.block->call)
      all.merge(traffic_of(*loop.block->call));
    if (loop.block)
      all.merge(traffic_of(loop.block->before));
    if (loop.block && loop.block->replaces)
      return all;
    if (loop.block)
      all.merge(traffic_of(loop.block->inside));
    all.merge(traffic_of(loop.body));
    if (loop.block)
      all.merge(traffic_of(loop.block->at_end));
    return all;
  }

  static Traffic traffic_of(const Block &body) {
    Traffic all;
    for (const Stmt &stmt : body)
      match(
          stmt, [&](const For &loop) { all.merge(traffic_of(loop)); },
          [&](const If &branch) { all.merge(traffic_of(branch.body)); },
          [&](const Alloc &alloc) {
            Traffic inside = traffic_of(alloc.body);
            end_life(alloc, inside);
            all.merge(inside);
          },
          [](const Store &) {});
    return all;
  }

  static Traffic traffic_of(const BlockCall &call) {
    Traffic all;
    for (const auto &[name, operand] : call.operands)
      if (const FirstElement *first = std::get_if<FirstElement>(&operand)) {
        bool is_result = name == "out";
        if (is_result)
          all.stores.insert(first->buffer);
        if (!is_result || call.instruction->adds)
          all.loads.insert(first->buffer);
      }
    return all;
  }

  Names temporaries_;
};

} // namespace

void insert_fences(LoopKernel &kernel) {
  Fences fences;
  fences.find_temporaries(kernel.body);
  fences.insert(kernel.body, {});
}

} // namespace atl::accel
