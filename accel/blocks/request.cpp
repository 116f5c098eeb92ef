#include "accel/blocks/request.h"

#include <fmt/format.h>

namespace atl::accel {

using namespace lowering;

void Request::refuse(const std::string &why) {
  if (!problem_)
    problem_ = Diagnostic{Code::step_refused, span_, fmt::format("{} {}: {}", tensor_, refusal_, why), {}};
}

void Request::each_temporary(LoopKernel &kernel, bool in_rows, const Apply &apply) {
  Block body = std::move(kernel.body);
  visit(body, known_in(kernel), in_rows, apply);
  kernel.body = std::move(body);
  if (!found_)
    refuse(in_rows ? no_temporary_in_rows : "there is no such temporary");
}

void Request::visit(Block &body, const Known &around, bool in_rows, const Apply &apply) {
  walk(
      body, around,
      [&](For &loop, const Known &there) { visit(loop.body, there.inside(loop.range()), in_rows, apply); },
      [&](Alloc &alloc, const Known &there) {
        if (alloc.buffer.name == tensor_ && !(in_rows && alloc.buffer.memory.empty())) {
          found_ = true;
          apply(alloc, there);
        }
        visit(alloc.body, there, in_rows, apply);
      },
      [](const Store &) {});
}

} // namespace atl::accel
