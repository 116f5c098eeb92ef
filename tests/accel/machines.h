// Where instructions are run: on this CPU, in portable C (SIMDe), or on an emulated CPU of another kind.
#pragma once
#include "atl/syntax/hardware.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace atl::tests {

struct Machine {
  std::string name; // cpu, simde or aarch64
  std::vector<std::string> compiler, emulator;
  bool in_portable_c = false; // the C of instructions is that of SIMDe
};

std::vector<std::string> machine_names();
Machine machine_named(const std::string &name);

// The program that runs the instructions there; nothing, with the reason on standard output, if they cannot
// be run there.
std::optional<std::vector<std::string>> build_runner(const Hardware &hardware, const Machine &machine,
                                                     const std::filesystem::path &folder);

} // namespace atl::tests
