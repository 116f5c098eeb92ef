// The kernels and schedules that a command is about.
#pragma once
#include "driver/commands/commands.h"
#include "driver/pipeline.h"

#include <string>
#include <vector>

namespace atl::driver {

// The diagnostic for a name that is none of `available`.
Diagnostic unknown_kernel(const std::string &name, const std::string &file,
                          const std::vector<std::string> &available);

// Of the options: the schedule named; else, with --for, those that atlc makes.
Choice choice_of(const ProgramOptions &options, const std::vector<std::string> &kernels,
                 const std::string &schedule);

// The same; if neither is given, kernels without a schedule get those that atlc makes for all CPUs.
Choice choice_by_default(const ProgramOptions &options, const std::vector<std::string> &kernels,
                         const std::string &schedule);

// The kernels chosen; of none named, those that the file itself defines. Under several schedules: in their
// order. A diagnostic if a kernel is not in the file, or has no such schedule.
Result<std::vector<const Compiled *>> choose(const Compilation &c, const Choice &choice);

struct Selection {
  Compilation c;
  std::vector<const Compiled *> kernels; // of `c`
  int exit_code = exit_fine;
};

// Compiles, proves and chooses. What is wrong is printed.
Selection select_kernels(const std::string &file, const Choice &choice, const ProgramOptions &options,
                         proofs::Prover &prover);

} // namespace atl::driver
