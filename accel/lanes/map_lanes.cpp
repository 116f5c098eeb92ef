#include "accel/lanes/map_lanes.h"

#include "accel/lanes/fences.h"
#include "accel/lanes/map_loop.h"
#include "accel/lanes/registers.h"
#include "accel/lanes/validate.h"
#include "atl/base/check.h"
#include "lowering/verify/distinct.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace atl::accel {

using namespace lowering;

namespace {

// A kernel, while its loops are mapped.
struct KernelMapping {
  LoopKernel &kernel;
  const Target &target;
  Diagnostics errors = {};
  std::map<std::string, Buffer> buffers = {};
  std::map<std::string, RegisterReads> reads = {}; // of temporaries in registers
  std::set<std::string> allocated = {};            // temporaries that are not on the stack
  std::map<std::string, std::int64_t> used = {};   // registers, by memory
  Distinct compared = {};                          // what the comparisons of loops and instructions rest on
};

void map_block(KernelMapping &m, Block &body, const Known &around);

// A tensor has to begin at a multiple of so many bytes. One of the caller is asked for that when the kernel
// is called.
void align(KernelMapping &m, const std::string &tensor, std::int64_t bytes, Span span) {
  if (m.buffers.at(tensor).role != Buffer::Role::temporary) {
    std::int64_t &needed = m.kernel.aligned[tensor];
    needed = std::max(needed, bytes);
    return;
  }
  m.kernel.aligns_temporaries = true;
  if (!m.allocated.contains(tensor))
    add_once(m.errors,
             {Code::no_instruction,
              span,
              fmt::format("{} is on the stack, where nothing is aligned to {} bytes", tensor, bytes),
              {}});
  else if (bytes > cache_line)
    add_once(m.errors,
             {Code::no_instruction,
              span,
              fmt::format("{} begins at a multiple of {} bytes, not of {}", tensor, cache_line, bytes),
              {}});
}

// The validator puts together again what the instructions mean. What its comparison rests on is proved later.
void validate(KernelMapping &m, const For &loop, const Known &around) {
  Premises premises;
  const LoopSurroundings known{around, m.kernel.requests->contracts, m.buffers, premises, m.reads};
  std::optional<std::string> problem;
  if (loop.lanes)
    problem = mapping_differs(loop, *loop.lanes, known);
  if (loop.total)
    problem = total_differs(loop, known);
  ATL_CHECK(!problem, problem.value_or(""));
  const std::string what = fmt::format("the instructions for {} do what the loop does", loop.var);
  for (Obligation &o : premises.obligations(loop.span, what))
    m.compared.add(std::move(o));
}

// An instruction that combines lanes of floats does so in an order of its own.
bool reorders(const LaneTotal &total) {
  const Reduction reduction = *total.store.combine;
  return is_float(total.scalar.elem) && (reduction == Reduction::sum || reduction == Reduction::prod);
}

void map_for(KernelMapping &m, For &loop, const Known &around) {
  if (loop.mode != LoopMode::vectorized && !loop.last)
    return map_block(m, loop.body, around.inside(loop.range()));
  MappedLoop mapped = map_loop(m.kernel, m.target, m.buffers, m.reads, around, loop);
  loop.lanes = mapped.code;
  loop.total = mapped.total;
  validate(m, loop, around);
  m.kernel.reorders = m.kernel.reorders || (loop.total && reorders(*loop.total));
  for (Diagnostic &error : mapped.errors)
    add_once(m.errors, std::move(error));
  for (const auto &[tensor, bytes] : mapped.aligned)
    align(m, tensor, bytes, loop.span);
}

void map_alloc(KernelMapping &m, Alloc &alloc, const Known &around) {
  const Buffer &buffer = alloc.buffer;
  m.buffers[buffer.name] = buffer;
  if (alloc.storage == Alloc::Storage::heap)
    m.allocated.insert(buffer.name);
  if (buffer.memory.empty())
    return map_block(m, alloc.body, around);
  const Span asked = m.kernel.requests->span;
  auto count = registers_of(buffer, *m.target.hardware, asked);
  if (!count)
    return m.errors.push_back(count.errors()[0]);
  const Memory &memory = *m.target.hardware->find_memory(buffer.memory);
  std::int64_t &used = m.used[buffer.memory];
  used += *count;
  if (used > memory.registers)
    return m.errors.push_back(
        {Code::too_many_registers,
         asked,
         fmt::format("{} and the tensors around it need {} registers of {}, which has {}", buffer.name, used,
                     memory.name, memory.registers),
         {}});
  m.reads.insert_or_assign(buffer.name, RegisterReads(alloc, around));
  map_block(m, alloc.body, around);
  used -= *count;
}

void leave_as_it_is(KernelMapping &m, const Store &store) {
  const std::string touched = touched_register(store, m.buffers);
  if (!touched.empty())
    m.errors.push_back({Code::register_access,
                        store.span,
                        fmt::format("{} is kept in {}, and touched outside a vectorized loop", touched,
                                    m.buffers.at(touched).memory),
                        {{std::nullopt, "vectorize the loop over its last dimension"}}});
}

void map_block(KernelMapping &m, Block &body, const Known &around) {
  walk(
      body, around, [&](For &loop, const Known &there) { map_for(m, loop, there); },
      [&](Alloc &alloc, const Known &there) { map_alloc(m, alloc, there); },
      [&](const Store &store) { leave_as_it_is(m, store); });
}

} // namespace

Result<LoopKernel> map_lanes(LoopKernel kernel, const Target &target) {
  KernelMapping mapping{kernel, target};
  for (const std::vector<Buffer> *all : {&kernel.inputs, &kernel.outputs})
    for (const Buffer &buffer : *all)
      mapping.buffers[buffer.name] = buffer;
  const Known around = known_in(kernel);
  Block body = std::move(kernel.body);
  map_block(mapping, body, around);
  kernel.body = std::move(body);
  if (!mapping.errors.empty())
    return mapping.errors;
  for (Obligation &o : mapping.compared.take())
    kernel.obligations.push_back(std::move(o));
  if (!target.hardware->finish.empty())
    insert_lane_fences(kernel);
  kernel.hardware = target.hardware;
  return kernel;
}

} // namespace atl::accel
