// Inputs in processes of their own, so that a crash is known by its input.
#pragma once
#include "fuzz/hostile_drive.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace atl::fuzz {

struct Tally {
  std::array<std::uint64_t, 4> reached{}; // by Driven::Reached
  std::vector<std::uint64_t> slow;        // stopped
  std::map<std::uint64_t, std::string> failures;
};

struct Isolation {
  std::filesystem::path folder; // for files
  int seconds = 30;             // of processor time for an input
};

// One process for as many inputs as it survives, then the next. `input` makes the text of a number.
void drive_all(std::uint64_t first, std::uint64_t end, const std::function<std::string(std::uint64_t)> &input,
               const Isolation &isolation, Tally &tally);

// How one input fails; nothing if it does not.
std::optional<std::string> failure_of(const std::string &text, const Isolation &isolation);

} // namespace atl::fuzz
