// Programs from text for unit tests: parsed, checked, lowered; any diagnostic fails the test.
#pragma once
#include "atl/check/check.h"
#include "atl/parse/parse.h"
#include "lowering/copies/versions.h"
#include "lowering/nest/run_loops.h"

#include <doctest/doctest.h>

#include <string>

namespace atl::testing {

inline Result<std::vector<TypedKernel>> typed_or_errors(const std::string &text) {
  Sources sources;
  std::uint32_t file = sources.add({"test.atl", text});
  auto program = parse_program(sources, file);
  if (!program)
    return program.errors();
  auto typed = check_program(*program);
  if (!typed)
    return typed.errors();
  return typed->kernels;
}

inline std::vector<TypedKernel> typed_kernels(const std::string &text) {
  auto kernels = typed_or_errors(text);
  INFO("program: ", text);
  REQUIRE_MESSAGE(kernels, (kernels ? "" : kernels.errors().at(0).message));
  return *kernels;
}

inline TypedKernel typed(const std::string &text) {
  return typed_kernels(text).back();
}

inline lowering::LoopKernel lowered(const std::string &text) {
  auto loops = lowering::lower(padtypes::check_pads(typed(text)));
  INFO("program: ", text);
  REQUIRE_MESSAGE(loops, (loops ? "" : loops.errors().at(0).message));
  return *loops;
}

// The statements of the last kernel of the program, as print(LoopKernel) shows them.
inline std::string loops(const std::string &text) {
  std::string printed = print(lowered(text));
  std::size_t begin = printed.find("\n{\n") + 3;
  return printed.substr(begin, printed.size() - begin - 2);
}

} // namespace atl::testing
