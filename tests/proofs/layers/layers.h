// Who refuses a kernel, each layer asked alone: what the others say stops nobody. atlc itself ends at the
// first layer that refuses.
#pragma once
#include <filesystem>
#include <map>
#include <string>

namespace atl::layers {

struct Question {
  std::filesystem::path program;
  std::string kernel, schedule; // "none": as it is written
  std::filesystem::path coq_library, folder;
};

// Layer -> why it refuses; an empty text if it does not. A layer that has nothing to say of the kernel is
// left out. A runtime_error if there is no loop nest to ask about.
std::map<std::string, std::string> refusals(const Question &question);

} // namespace atl::layers
