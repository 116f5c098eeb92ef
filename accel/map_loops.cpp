#include "accel/map_loops.h"

#include "accel/blocks/fences.h"
#include "accel/blocks/map_blocks.h"
#include "accel/lanes/alignment.h"
#include "accel/lanes/fences.h"
#include "accel/lanes/map_lanes.h"
#include "accel/lanes/validate.h"
#include "atl/base/check.h"
#include "atl/syntax/tree.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace atl::accel {

using namespace lowering;

namespace {

class KernelMapper {
public:
  KernelMapper(LoopKernel &kernel, const Target &target) : kernel_(kernel), target_(target) {}

  Diagnostics errors;

  void run() {
    for (const std::vector<Buffer> *all : {&kernel_.inputs, &kernel_.outputs})
      for (const Buffer &buffer : *all)
        buffers_[buffer.name] = buffer;
    Block body = std::move(kernel_.body);
    block(body, around_body(kernel_));
    kernel_.body = std::move(body);
  }

private:
  void block(Block &body, const Surroundings &place) {
    walk(
        body, place, [&](For &loop, const Surroundings &there) { for_loop(loop, there); },
        [&](Alloc &alloc, const Surroundings &there) { allocate(alloc, there); },
        [&](const Store &store) { plain(store); });
  }

  void for_loop(For &loop, const Surroundings &place) {
    if (loop.mode != LoopMode::vectorized && !loop.last)
      return block(loop.body, place.inside(loop));
    MappedLanes mapped = map_lanes(kernel_, target_, buffers_, place, loop);
    loop.lanes = mapped.code;
    loop.total = mapped.total;
    if (loop.total)
      check_total(loop, place);
    if (loop.lanes) {
      auto problem =
          mapping_differs(loop, *loop.lanes, {place.facts, kernel_.mapped_to->contracts, buffers_});
      ATL_CHECK(!problem, problem.value_or(""));
    }
    for (Diagnostic &error : mapped.errors)
      tell_once(std::move(error));
    for (const auto &[tensor, bytes] : mapped.aligned)
      align(tensor, bytes, loop.span);
    kernel_.obligations.insert(kernel_.obligations.end(), mapped.obligations.begin(),
                               mapped.obligations.end());
  }

  void check_total(const For &loop, const Surroundings &place) {
    auto problem = total_differs(loop, {place.facts, kernel_.mapped_to->contracts, buffers_});
    ATL_CHECK(!problem, problem.value_or(""));
    const Reduction reduction = *loop.total->store.combine;
    kernel_.reorders = kernel_.reorders || (is_float(loop.total->scalar.elem) &&
                                            (reduction == Reduction::sum || reduction == Reduction::prod));
  }

  // A tensor has to begin at a multiple of so many bytes. One of the caller is asked for that when the kernel
  // is called.
  void align(const std::string &tensor, std::int64_t bytes, Span span) {
    if (buffers_.at(tensor).role != Buffer::Role::temporary) {
      std::int64_t &needed = kernel_.aligned[tensor];
      needed = std::max(needed, bytes);
      return;
    }
    kernel_.aligns_temporaries = true;
    if (!allocated_.contains(tensor))
      tell_once({Code::no_instruction,
                 span,
                 fmt::format("{} is on the stack, where nothing is aligned to {} bytes", tensor, bytes),
                 {}});
    else if (bytes > cache_line)
      tell_once({Code::no_instruction,
                 span,
                 fmt::format("{} begins at a multiple of {} bytes, not of {}", tensor, cache_line, bytes),
                 {}});
  }

  // The copies of an unrolled loop fail alike.
  void tell_once(Diagnostic error) {
    bool told = std::any_of(errors.begin(), errors.end(), [&](const Diagnostic &d) {
      return d.code == error.code && d.span->file == error.span->file && d.span->begin == error.span->begin;
    });
    if (!told)
      errors.push_back(std::move(error));
  }

  void allocate(Alloc &alloc, const Surroundings &place) {
    const Buffer &buffer = alloc.buffer;
    buffers_[buffer.name] = buffer;
    if (alloc.storage == Alloc::Storage::heap)
      allocated_.insert(buffer.name);
    if (buffer.memory.empty())
      return block(alloc.body, place);
    auto count = registers_of(buffer);
    if (!count)
      return;
    const Memory &memory = *target_.hardware->find_memory(buffer.memory);
    std::int64_t &used = used_[buffer.memory];
    used += *count;
    if (used > memory.registers)
      return problem(Code::too_many_registers,
                     fmt::format("{} and the tensors around it need {} registers of {}, which has {}",
                                 buffer.name, used, memory.name, memory.registers));
    block(alloc.body, place);
    used -= *count;
  }

  std::optional<std::int64_t> registers_of(const Buffer &buffer) {
    const Memory *memory = target_.hardware->find_memory(buffer.memory);
    if (!memory || !memory->c_types.contains(buffer.elem)) {
      problem(Code::unknown_memory, fmt::format("{} has no memory {} for {}", target_.hardware->name,
                                                buffer.memory, name(buffer.elem)));
      return std::nullopt;
    }
    std::int64_t count = 1;
    for (std::size_t d = 0; d + 1 < buffer.dims.size(); ++d) {
      auto extent = as_constant(buffer.dims[d]);
      if (!extent || *extent > memory->registers) {
        problem(Code::too_many_registers,
                fmt::format("{} has {} rows of registers; {} has {}", buffer.name, to_string(buffer.dims[d]),
                            memory->name, memory->registers));
        return std::nullopt;
      }
      count *= *extent;
    }
    return count;
  }

  void problem(Code code, const std::string &message) {
    errors.push_back({code, kernel_.mapped_to->span, message, {}});
  }

  // Outside vectorized loops registers cannot be touched.
  void plain(const Store &store) {
    auto touches = [&](const std::string &name) { return !buffers_.at(name).memory.empty(); };
    std::string touched = touches(store.buffer) ? store.buffer : "";
    for (const auto &[name, buffer] : buffers_)
      if (!buffer.memory.empty() && reads(store.value, name))
        touched = name;
    if (!touched.empty())
      errors.push_back({Code::register_access,
                        store.span,
                        fmt::format("{} is kept in {}, and touched outside a vectorized loop", touched,
                                    buffers_.at(touched).memory),
                        {{std::nullopt, "vectorize the loop over its last dimension"}}});
  }

  LoopKernel &kernel_;
  const Target &target_;
  std::map<std::string, Buffer> buffers_;
  std::set<std::string> allocated_;          // temporaries that are not on the stack
  std::map<std::string, std::int64_t> used_; // registers, by memory
};

} // namespace

Result<LoopKernel> map_loops(LoopKernel kernel, const Target &target) {
  ATL_CHECK(kernel.mapped_to.has_value(), "nothing asked for a mapping of " + kernel.name);
  const MappedTo &wanted = *kernel.mapped_to;
  if (target.hardware->has_rows() && !wanted.last.empty())
    return Diagnostic{
        Code::no_instruction, wanted.last[0].span, wanted.hardware + " has no instructions for lanes", {}};
  if (target.hardware->has_rows())
    return map_blocks(std::move(kernel), target);
  if (!wanted.prefetches.empty() && target.hardware->prefetch.empty())
    return Diagnostic{Code::no_instruction,
                      wanted.prefetches[0].span,
                      wanted.hardware + " has no instruction that prefetches",
                      {}};
  KernelMapper mapper(kernel, target);
  mapper.run();
  if (!mapper.errors.empty())
    return mapper.errors;
  if (!target.hardware->finish.empty())
    insert_lane_fences(kernel);
  kernel.hardware = target.hardware;
  return kernel;
}

} // namespace atl::accel
