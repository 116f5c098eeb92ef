#include "accel/blocks/map_blocks.h"

#include "accel/blocks/configure.h"
#include "accel/blocks/cpu_nests.h"
#include "accel/blocks/drain.h"
#include "accel/blocks/fences.h"
#include "accel/blocks/first_sum.h"
#include "accel/blocks/first_use.h"
#include "accel/blocks/match_block.h"
#include "accel/blocks/pipeline.h"
#include "accel/blocks/row_memory.h"
#include "accel/blocks/setting.h"
#include "accel/blocks/validate_blocks.h"
#include "accel/blocks/validate_fences.h"
#include "accel/blocks/validate_settings.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace atl::accel {

using namespace lowering;

namespace {

class BlockMapper {
public:
  BlockMapper(LoopKernel &kernel, const Target &target, const Copies &copies)
      : kernel_(kernel), target_(target), copies_(copies) {}

  Diagnostics errors;
  const Buffers &buffers() const { return buffers_; }

  void run() {
    for (const std::vector<Buffer> *all : {&kernel_.inputs, &kernel_.outputs})
      for (const Buffer &buffer : *all)
        buffers_[buffer.name] = {buffer, buffer.dims, nullptr, nullptr};
    Block body = std::move(kernel_.body);
    block(body, around_body(kernel_));
    kernel_.body = std::move(body);
  }

private:
  void block(Block &body, const Surroundings &around) {
    walk(
        body, around, [&](For &loop, const Surroundings &there) { for_loop(loop, there); },
        [&](Alloc &alloc, const Surroundings &there) { allocate(alloc, there); },
        [&](const Store &store) { refuse(store, "it is in no nest of loops of its own"); });
  }

  void allocate(Alloc &alloc, const Surroundings &around) {
    const Buffer &buffer = alloc.buffer;
    const Memory *memory = buffer.memory.empty() ? nullptr : target_.hardware->find_memory(buffer.memory);
    if (!memory) {
      buffers_[buffer.name] = {buffer, buffer.dims, nullptr, nullptr};
      return block(alloc.body, around);
    }
    Placed placed{buffer, row_layout(alloc, *memory, around.facts).value(), memory, nullptr};
    std::int64_t &used = used_[memory->name], before = used, rows = placed.rows();
    placed.address = constant(memory->rows->first + used);
    Index turn = turn_of(around, first_counted(buffer.name)); // iterations take turns with the copies
    const std::int64_t copies = around.variables.empty() ? 1 : copies_.at(buffer.name);
    if (copies > 1 && around.facts.proves_nonnegative(turn))
      placed.address = add(placed.address, mul(modulo(turn, constant(copies)), constant(rows)));
    used += rows * copies;
    buffers_[buffer.name] = placed;
    drop_unused_start(alloc, around, buffers_);
    if (!replace_start(alloc, around))
      block(alloc.body, around);
    used = before;
  }

  std::string first_counted(const std::string &tensor) const {
    for (const MappedTo::Pipelined &asked : kernel_.mapped_to->pipelined)
      if (asked.tensor == tensor)
        return asked.from;
    return "";
  }

  // Maps all but the start; true if that is not needed.
  bool replace_start(Alloc &alloc, const Surroundings &around) {
    For *start = alloc.body.empty() ? nullptr : std::get_if<For>(&alloc.body[0].node);
    const Store *fills = start ? innermost(alloc.body[0]) : nullptr;
    if (!fills || !fills->initializes || fills->buffer != alloc.buffer.name || start->block)
      return false;
    start->block = std::make_shared<const BlockCode>(BlockCode{false, {}, true});
    block(alloc.body, around);
    auto first = first_sum(alloc, around, buffers_);
    if (first && choose_adding(alloc.body, *first))
      return true;
    start->block = nullptr;
    for_loop(*start, around);
    return true;
  }

  // The call of the nest gets its hole {adds} filled, if it has one.
  static bool choose_adding(Block &body, const FirstSum &first) {
    for (Stmt &stmt : body) {
      For *loop = std::get_if<For>(&stmt.node);
      if (loop && loop == first.nest)
        return set_adding(*loop, first.adds);
      Alloc *alloc = std::get_if<Alloc>(&stmt.node);
      If *branch = std::get_if<If>(&stmt.node);
      if ((loop && choose_adding(loop->body, first)) || (alloc && choose_adding(alloc->body, first)) ||
          (branch && choose_adding(branch->body, first)))
        return true;
    }
    return false;
  }

  static bool set_adding(For &loop, const Index &adds) {
    BlockCode code = *loop.block;
    for (auto &[name, operand] : code.call->operands)
      if (name == "adds") {
        operand = adds;
        loop.block = std::make_shared<const BlockCode>(std::move(code));
        return true;
      }
    return false;
  }

  void for_loop(For &loop, const Surroundings &around) {
    if (loop.block && loop.block->replaces)
      return; // nobody reads what it stores
    if (runs_on_cpu(loop, *kernel_.mapped_to))
      return;
    auto nest = nest_of(loop);
    if (nest && map(loop, *nest, around, Conditions::known))
      return;
    const std::size_t mistakes = errors.size(), obligations = kernel_.obligations.size();
    if (nest && nest->loops.size() <= smallest_pattern())
      refuse(*nest->store, std::exchange(closest_, {}).why);
    else
      block(loop.body, around.inside(loop));
    if (!nest || errors.size() == mistakes)
      return;
    // Nothing fits; is it only for a condition, then the prover says for which sizes it does not hold.
    shorten(kernel_.obligations, obligations);
    BlockRefusal closest = closest_;
    if (map(loop, *nest, around, Conditions::proved_later))
      shorten(errors, mistakes);
    else
      closest_ = std::move(closest);
  }

  template <class T>
  static void shorten(std::vector<T> &list, std::size_t length) {
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(length), list.end());
  }

  std::size_t smallest_pattern() const {
    std::size_t least = std::string::npos;
    for (const BlockPattern &pattern : target_.blocks)
      least = std::min(least, pattern.loops.size());
    return least;
  }

  // The first instruction that fits and whose configurations were not used with other values last; else the
  // first.
  bool map(For &loop, const BlockNest &nest, const Surroundings &around, Conditions conditions) {
    std::optional<BlockMatch> best;
    bool best_is_free = false;
    for (const BlockPattern &pattern : target_.blocks) {
      auto result = match_block(pattern, *target_.hardware, nest, around.facts, buffers_, conditions);
      if (const BlockRefusal *refusal = std::get_if<BlockRefusal>(&result)) {
        if (closest_.why.empty() || refusal->progress > closest_.progress)
          closest_ = {refusal->progress, pattern.source->meaning.name + ": " + refusal->why};
        continue;
      }
      BlockMatch &found = std::get<BlockMatch>(result);
      bool is_free =
          std::all_of(found.needs.begin(), found.needs.end(), [&](const Setting &s) { return agrees(s); });
      if (!best || (is_free && !best_is_free)) {
        best = std::move(found);
        best_is_free = is_free;
      }
    }
    if (!best)
      return false;
    closest_ = {};
    for (const Setting &setting : best->needs)
      settings_.insert_or_assign(setting.configuration->name, setting);
    auto obligations = block_obligations(kernel_, nest, *best, around, buffers_);
    kernel_.obligations.insert(kernel_.obligations.end(), obligations.begin(), obligations.end());
    loop.block = std::make_shared<const BlockCode>(BlockCode{false, {}, true, best->call, best->needs});
    return true;
  }

  bool agrees(const Setting &setting) const {
    auto there = settings_.find(setting.configuration->name);
    return there == settings_.end() || same(there->second, setting);
  }

  void refuse(const Store &store, const std::string &why) {
    bool told = std::any_of(errors.begin(), errors.end(), [&](const Diagnostic &d) {
      return d.span->file == store.span.file && d.span->begin == store.span.begin;
    });
    if (!told)
      errors.push_back({Code::no_instruction,
                        store.span,
                        fmt::format("no instruction of {} does what the loops around a store to {} do",
                                    target_.hardware->name, store.buffer),
                        {{std::nullopt, why}}});
  }

  LoopKernel &kernel_;
  const Target &target_;
  const Copies &copies_;
  Buffers buffers_;
  std::map<std::string, std::int64_t> used_; // rows, by memory
  std::map<std::string, Setting> settings_;  // the last values of each configuration
  BlockRefusal closest_;                     // since the last nest that was mapped
};

} // namespace

Result<LoopKernel> map_blocks(LoopKernel kernel, const Target &target) {
  if (Diagnostics problems = cpu_problems(kernel); !problems.empty())
    return problems;
  auto copies = copies_that_fit(kernel, *target.hardware);
  if (!copies)
    return copies.errors();
  BlockMapper mapper(kernel, target, *copies);
  mapper.run();
  if (!mapper.errors.empty())
    return mapper.errors;
  auto ahead = pipeline(kernel, *copies, mapper.buffers());
  if (!ahead)
    return ahead.errors();
  if (auto drained = drain(kernel); !drained)
    return drained.errors();
  insert_settings(kernel);
  kernel.hardware = target.hardware;
  auto stated = setting_obligations(kernel);
  kernel.obligations.insert(kernel.obligations.end(), stated.begin(), stated.end());
  if (!target.hardware->finish.empty()) {
    insert_fences(kernel);
    auto kept_apart = fence_obligations(kernel);
    kernel.obligations.insert(kernel.obligations.end(), kept_apart.begin(), kept_apart.end());
  }
  return kernel;
}

} // namespace atl::accel
