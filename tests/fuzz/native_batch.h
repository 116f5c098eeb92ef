// Many kernels as one C program in a process of its own: a crash there is a result, not our end.
#pragma once
#include "fuzz/examine.h"

#include <string>
#include <vector>

namespace atl::fuzz {

struct NativeJob {
  std::string program; // what to call it in a report
  lowering::LoopKernel loops;
  std::vector<Run> runs;
  double tolerance = 0; // of the results, as a part of the largest; 0: the same bits
};

struct NativeProblem {
  std::string program, what;
};

struct NativeOptions {
  std::vector<std::string> compiler{"cc", "-O1", "-w"}; // with flags
  bool sanitize = false;                                // address and undefined behaviour
  bool read_back = true;                                // by the reader, before anything is run
};

// Compiles all kernels together and runs every run; says what differs from the expected outputs. The names of
// the kernels must differ.
std::vector<NativeProblem> run_native(const std::vector<NativeJob> &jobs, const NativeOptions &options);

} // namespace atl::fuzz
