// Running another program: no shell, standard input empty, what it prints is kept.
#pragma once
#include "atl/base/result.h"

#include <functional>
#include <string>
#include <vector>

namespace atl::cbackend {

struct Outcome {
  int status;         // exit status; 128 + signal if a signal ended it
  std::string output; // standard output and standard error
};

// From here on `tell` is called with the words of every program before it runs. Called once, before there are
// other threads.
void announce_programs(std::function<void(const std::vector<std::string> &)> tell);

// argv[0] is looked up in PATH. An error only if the program could not be started (E8007).
Result<Outcome> run_program(const std::vector<std::string> &argv);
// Like run_program; a status other than 0 is an error too (E8008) with the program's output as a note.
Result<Outcome> run_successfully(const std::vector<std::string> &argv);

} // namespace atl::cbackend
