#include "accel/blocks/map_blocks.h"

#include "accel/blocks/bank_rows.h"
#include "accel/blocks/choose.h"
#include "accel/blocks/configure.h"
#include "accel/blocks/cpu_nests.h"
#include "accel/blocks/drain.h"
#include "accel/blocks/drain_later.h"
#include "accel/blocks/fences.h"
#include "accel/blocks/first_sum.h"
#include "accel/blocks/first_use.h"
#include "accel/blocks/pipeline.h"
#include "accel/blocks/row_memory.h"
#include "accel/blocks/unread_loads.h"
#include "accel/blocks/validate_blocks.h"
#include "accel/blocks/validate_clobbers.h"
#include "accel/blocks/validate_fences.h"
#include "accel/blocks/validate_order.h"
#include "accel/blocks/validate_settings.h"
#include "lowering/nest/walk.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <utility>

namespace atl::accel {

using namespace lowering;

namespace {

// A kernel, while its nests are mapped.
struct NestMapping {
  LoopKernel &kernel;
  const Target &target;
  const Copies &copies;
  Diagnostics errors = {};
  Buffers buffers = {};
  std::map<std::string, BankRows> used = {}; // by memory
  Settings settings = {};                    // as the instructions so far need them
  BlockRefusal closest = {};                 // since the last nest that was mapped
};

void map_block(NestMapping &m, Block &body, const Known &around);

void refuse(NestMapping &m, const Store &store, const std::string &why) {
  add_once(m.errors, {Code::no_instruction,
                      store.span,
                      fmt::format("no instruction of {} does what the loops around a store to {} do",
                                  m.target.hardware->name, store.buffer),
                      {{std::nullopt, why}}});
}

template <class T>
void shorten(std::vector<T> &list, std::size_t length) {
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(length), list.end());
}

// False: no instruction does what the nest does.
bool map_nest(NestMapping &m, For &loop, const BlockNest &nest, const Known &around, Conditions conditions) {
  auto chosen =
      choose_instruction(m.target, nest, around.facts(), m.buffers, conditions, m.settings, m.closest);
  if (!chosen)
    return false;
  m.closest = {};
  for (const Setting &setting : chosen->needs)
    m.settings.insert_or_assign(setting.configuration->name, setting);
  auto obligations = block_obligations(m.kernel, nest, *chosen, around, m.buffers);
  m.kernel.obligations.insert(m.kernel.obligations.end(), obligations.begin(), obligations.end());
  loop.block = std::make_shared<const BlockCode>(BlockCode{false, {}, true, chosen->call, chosen->needs});
  return true;
}

void map_for(NestMapping &m, For &loop, const Known &around) {
  if (loop.block && loop.block->replaces)
    return; // nobody reads what it stores
  if (runs_on_cpu(loop, *m.kernel.requests))
    return;
  auto nest = nest_of(loop);
  if (nest && map_nest(m, loop, *nest, around, Conditions::known))
    return;
  const std::size_t mistakes = m.errors.size(), obligations = m.kernel.obligations.size();
  if (nest && is_smallest(*nest, m.target))
    refuse(m, *nest->store, std::exchange(m.closest, {}).why);
  else
    map_block(m, loop.body, around.inside(loop.range()));
  if (!nest || m.errors.size() == mistakes)
    return;
  // Nothing fits; is it only for a condition, then the prover says for which sizes it does not hold.
  shorten(m.kernel.obligations, obligations);
  BlockRefusal closest = m.closest;
  if (map_nest(m, loop, *nest, around, Conditions::proved_later))
    shorten(m.errors, mistakes);
  else
    m.closest = std::move(closest);
}

// Maps all but the start of a temporary, where the first sum can replace what is there; true if that is done.
bool map_without_start(NestMapping &m, Alloc &alloc, const Known &around) {
  For *start = alloc.body.empty() ? nullptr : std::get_if<For>(&alloc.body[0].node);
  const Store *fills = start ? innermost(alloc.body[0]) : nullptr;
  if (!fills || !fills->initializes || fills->buffer != alloc.buffer.name || start->block)
    return false;
  start->block = std::make_shared<const BlockCode>(BlockCode{false, {}, true});
  map_block(m, alloc.body, around);
  auto first = first_sum(alloc, around, m.buffers);
  if (first && choose_adding(alloc.body, *first))
    return true;
  start->block = nullptr;
  map_for(m, *start, around);
  return true;
}

// The loop from which on iterations are counted to choose rows: as the schedule asks.
std::string first_counted(const std::string &tensor, const Requests &wanted) {
  for (const Requests::Pipelined &asked : wanted.pipelined)
    if (asked.tensor == tensor && !asked.from.empty())
      return asked.from;
  for (const Requests::Drained &asked : wanted.drained)
    if (asked.tensor == tensor)
      return asked.from;
  return "";
}

// In rows that are not used, as many as all copies need, with which iterations take turns.
Placed place_in_rows(const NestMapping &m, Alloc &alloc, const Memory &memory, BankRows &used,
                     const Known &around) {
  Placed placed{alloc.buffer, row_layout(alloc, memory, around.facts()).value(), &memory};
  const std::int64_t copies = around.variables.empty() ? 1 : m.copies.at(alloc.buffer.name);
  alloc.rows = used.take(placed.rows(), copies).value();
  const Index turn = turn_of(around, first_counted(alloc.buffer.name, *m.kernel.requests));
  const bool takes_turns = copies > 1 && around.facts().proves_nonnegative(turn);
  placed.address = place_of(*alloc.rows, placed.rows(), takes_turns ? turn : constant(0));
  return placed;
}

void map_alloc(NestMapping &m, Alloc &alloc, const Known &around) {
  const Buffer &buffer = alloc.buffer;
  const Memory *memory = buffer.memory.empty() ? nullptr : m.target.hardware->find_memory(buffer.memory);
  if (!memory) {
    m.buffers[buffer.name] = {buffer, buffer.dims, nullptr, nullptr};
    return map_block(m, alloc.body, around);
  }
  BankRows &used = m.used.try_emplace(memory->name, *memory).first->second;
  const BankRows before = used;
  m.buffers[buffer.name] = place_in_rows(m, alloc, *memory, used, around);
  drop_unused_start(alloc, around, m.buffers);
  if (!map_without_start(m, alloc, around))
    map_block(m, alloc.body, around);
  used = before;
}

void map_block(NestMapping &m, Block &body, const Known &around) {
  walk(
      body, around, [&](For &loop, const Known &there) { map_for(m, loop, there); },
      [&](Alloc &alloc, const Known &there) { map_alloc(m, alloc, there); },
      [&](const Store &store) { refuse(m, store, "it is in no nest of loops of its own"); });
}

void map_nests(NestMapping &m) {
  for (const std::vector<Buffer> *all : {&m.kernel.inputs, &m.kernel.outputs})
    for (const Buffer &buffer : *all)
      m.buffers[buffer.name] = {buffer, buffer.dims, nullptr, nullptr};
  Block body = std::move(m.kernel.body);
  map_block(m, body, known_in(m.kernel));
  m.kernel.body = std::move(body);
}

bool is_in_rows(const Alloc &alloc) {
  return !alloc.buffer.memory.empty();
}

// Where nothing is in a memory of the hardware, no loop can become an instruction, and one mistake says it.
Diagnostics mistakes_of(NestMapping &m) {
  if (any_of<Alloc>(m.kernel.body, is_in_rows))
    return m.errors;
  std::vector<std::string> memories;
  for (const Memory &memory : m.target.hardware->memories)
    memories.push_back(memory.name);
  Diagnostic first = m.errors.front();
  const bool may_be_whole = std::any_of(m.target.blocks.begin(), m.target.blocks.end(),
                                        [](const BlockPattern &p) { return p.has_whole_sum(); });
  if (!may_be_whole)
    first.notes.clear(); // why the closest one does not fit: they all need such a tensor
  first.notes.push_back(
      {std::nullopt,
       fmt::format("none of the kernel's tensors is in {}: the step `store` puts them there, and so does "
                   "`auto` where the hardware has a strategy for what the kernel computes",
                   fmt::join(memories, ", "))});
  return {first};
}

void append(std::vector<Obligation> &all, std::vector<Obligation> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

} // namespace

Result<LoopKernel> map_blocks(LoopKernel kernel, const Target &target) {
  if (Diagnostics problems = cpu_problems(kernel); !problems.empty())
    return problems;
  auto copies = copies_that_fit(kernel, *target.hardware);
  if (!copies)
    return copies.errors();
  NestMapping mapping{kernel, target, *copies};
  map_nests(mapping);
  if (!mapping.errors.empty())
    return mistakes_of(mapping);
  leave_out_unread_loads(kernel);
  append(kernel.obligations, order_obligations(kernel));
  append(kernel.obligations, clobber_obligations(kernel));
  if (auto ahead = pipeline(kernel, *copies, mapping.buffers); !ahead)
    return ahead.errors();
  if (auto drained = drain(kernel); !drained)
    return drained.errors();
  if (auto later = drain_later(kernel, *copies, mapping.buffers); !later)
    return later.errors();
  insert_settings(kernel);
  kernel.hardware = target.hardware;
  append(kernel.obligations, setting_obligations(kernel));
  if (!target.hardware->finish.empty()) {
    insert_fences(kernel);
    append(kernel.obligations, fence_obligations(kernel));
  }
  return kernel;
}

} // namespace atl::accel
