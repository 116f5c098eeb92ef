#include "accel/blocks/fences.h"

#include "accel/blocks/block_nest.h"
#include "atl/syntax/tree.h"
#include "lowering/nest/walk.h"

#include <algorithm>
#include <set>

namespace atl::accel {

using namespace lowering;

namespace {

using Names = std::set<std::string>;

bool meet(const Names &a, const Names &b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string &name) { return b.contains(name); });
}

// Tensors in plain memory: what instructions load and store, what the CPU reads and writes.
struct Traffic {
  Names loads, stores, reads, writes;
  bool ended = false; // some were temporaries whose memory others may have now

  void merge(const Traffic &other) {
    loads.insert(other.loads.begin(), other.loads.end());
    stores.insert(other.stores.begin(), other.stores.end());
    reads.insert(other.reads.begin(), other.reads.end());
    writes.insert(other.writes.begin(), other.writes.end());
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
    for_each<Alloc>(body, [&](const Alloc &alloc) {
      if (alloc.storage != Alloc::Storage::scalar)
        temporaries_.insert(alloc.buffer.name);
    });
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
    bool reuses = before.ended && (meet(next.stores, temporaries_) || meet(next.writes, temporaries_));
    bool among_instructions = meet(before.stores, next.loads) || meet(before.loads, next.stores);
    bool behind_the_cpu = meet(before.writes, next.loads) || meet(before.writes, next.stores) ||
                          meet(before.reads, next.stores);
    bool before_the_cpu = meet(before.stores, next.reads) || meet(before.stores, next.writes) ||
                          meet(before.loads, next.writes);
    return reuses || among_instructions || behind_the_cpu || before_the_cpu;
  }

  static void end_life(const Alloc &alloc, Traffic &pending) {
    const std::string &name = alloc.buffer.name;
    const bool has_memory = alloc.storage != Alloc::Storage::scalar;
    const auto touched = pending.loads.erase(name) + pending.stores.erase(name) + pending.reads.erase(name) +
                         pending.writes.erase(name);
    pending.ended = pending.ended || (has_memory && touched > 0);
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
          [&](const Store &store) { // of the CPU: others are in nests that an instruction replaces
            for_each_access(store.value, [&](const Access &access) { all.reads.insert(access.tensor); });
            all.writes.insert(store.buffer);
          });
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
