// A text through the whole compiler, as the commands would take it.
#pragma once
#include <filesystem>
#include <string>

namespace atl::fuzz {

struct Driven {
  enum class Reached { refused, typed, open, proved } reached = Reached::refused;
  std::string problem; // of the compiler itself: a broken invariant, C that is not read back
};

// Compiles it in the file, prints all that can be printed of it, and reads the C of what is proved back.
Driven drive(const std::string &text, const std::filesystem::path &file);

} // namespace atl::fuzz
