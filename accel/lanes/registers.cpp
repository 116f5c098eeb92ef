#include "accel/lanes/registers.h"

#include "atl/base/check.h"
#include "atl/syntax/tree.h"

#include <fmt/format.h>

namespace atl::accel {

using namespace lowering;

Result<std::int64_t> registers_of(const Buffer &buffer, const Hardware &hardware, Span asked) {
  const Memory *memory = hardware.find_memory(buffer.memory);
  ATL_CHECK(memory && memory->c_types.contains(buffer.elem),
            "the step `store` let pass a memory for " + buffer.name);
  std::int64_t count = 1;
  for (std::size_t d = 0; d + 1 < buffer.dims.size(); ++d) {
    auto extent = as_constant(buffer.dims[d]);
    if (!extent || *extent > memory->registers)
      return Diagnostic{Code::too_many_registers,
                        asked,
                        fmt::format("{} has {} rows of registers; {} has {}", buffer.name,
                                    to_string(buffer.dims[d]), memory->name, memory->registers),
                        {}};
    count *= *extent;
  }
  return count;
}

std::string touched_register(const Store &store, const std::map<std::string, Buffer> &buffers) {
  std::string touched = buffers.at(store.buffer).memory.empty() ? "" : store.buffer;
  for (const auto &[name, buffer] : buffers)
    if (!buffer.memory.empty() && reads(store.value, name))
      touched = name;
  return touched;
}

} // namespace atl::accel
