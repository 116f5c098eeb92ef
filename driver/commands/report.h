// What the commands share: diagnostics on stderr, kernels chosen by name, decided obligations as rows and as
// JSON.
#pragma once
#include "driver/commands/commands.h"
#include "driver/pipeline.h"
#include "proofs/report.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace atl::driver {

void print_diagnostics(const Diagnostics &diagnostics, const Sources &sources);
int fail(const Diagnostic &diagnostic); // prints it; the exit code: 1, or 2 if it is about the command line

std::vector<proofs::ObligationRow> rows_of(const Compiled &kernel, const Sources &sources);
nlohmann::ordered_json to_json(const Compiled &kernel, const std::vector<proofs::ObligationRow> &rows);
nlohmann::ordered_json to_json(const Diagnostics &diagnostics, const Sources &sources); // an array
nlohmann::ordered_json to_json(const Compilation &c, const std::string &file); // the object of `check --json`

// The diagnostic for a name that is none of `available`.
Diagnostic unknown_kernel(const std::string &name, const std::string &file,
                          const std::vector<std::string> &available);

// Of the options: the schedule named; else, with --for, those that atlc makes.
Choice choice_of(const ProgramOptions &options, const std::vector<std::string> &kernels,
                 const std::string &schedule);

// The kernels chosen; of none named, those that the file itself defines. Under several schedules: in their
// order. A diagnostic if a kernel is not in the file, or has no such schedule.
Result<std::vector<const Compiled *>> choose(const Compilation &c, const Choice &choice);

} // namespace atl::driver
