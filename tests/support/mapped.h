// Kernels mapped to hardware that is described in the same text.
#pragma once
#include "accel/map_loops.h"
#include "tests/support/from_text.h"

namespace atl::testing {

inline Requests asked(std::vector<Requests::Pipelined> pipelined, std::vector<Requests::Drained> drained = {},
                      std::vector<Requests::OnCpu> on_cpu = {}) {
  Requests wanted;
  wanted.pipelined = std::move(pipelined);
  wanted.drained = std::move(drained);
  wanted.on_cpu = std::move(on_cpu);
  return wanted;
}

// The last kernel of the program. `wanted` is what a schedule would ask of its first hardware.
inline Result<lowering::LoopKernel> mapped_or_errors(const std::string &text, Requests wanted = {}) {
  Sources sources;
  std::uint32_t file = sources.add({"test.atl", text});
  auto program = parse_program(sources, file);
  REQUIRE_MESSAGE(program, (program ? "" : program.errors().at(0).message));
  auto target = accel::make_target(program->hardware.at(0), *program);
  REQUIRE_MESSAGE(target, (target ? "" : target.errors().at(0).message));
  lowering::LoopKernel loops = lowered(text);
  wanted.hardware = program->hardware.at(0).name;
  loops.requests = std::move(wanted);
  return accel::map_loops(loops, *target);
}

inline lowering::LoopKernel mapped(const std::string &text, Requests wanted = {}) {
  auto result = mapped_or_errors(text, std::move(wanted));
  REQUIRE_MESSAGE(result, (result ? "" : result.errors().at(0).message));
  return *result;
}

// Its statements, as `atlc show --stage mapped` prints them.
inline std::string instructions(const lowering::LoopKernel &kernel) {
  std::string printed = print_mapped(kernel);
  return printed.substr(printed.find("\n{\n") + 3);
}

} // namespace atl::testing
