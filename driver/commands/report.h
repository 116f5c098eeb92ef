// What the commands share: diagnostics on stderr, decided obligations as rows and as
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

} // namespace atl::driver
