// The commands of atlc. Each returns the exit code: 0 fine, 1 the program (or a file) is wrong, 2 wrong
// usage. Results go to stdout, diagnostics to stderr.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace atl::driver {

inline constexpr int exit_fine = 0, exit_wrong = 1, exit_usage = 2, exit_internal = 70;

// What all commands share that compile programs.
struct ProgramOptions {
  std::vector<std::string> import_folders; // where imported files are looked for, too
  std::optional<unsigned> timeout_ms;      // of the solver, per obligation
  std::vector<std::string> costs;          // NAME=N: instead of those in descriptions of hardware
  std::string hardware;                    // descriptions that atlc makes schedules for, with commas between
};

struct CheckOptions : ProgramOptions {
  std::vector<std::string> files;
  bool json = false, steps = false; // steps: what each step of a schedule did
};
int check_command(const CheckOptions &options);

struct ShowOptions : ProgramOptions {
  std::string file, stage, schedule;
  std::vector<std::string> kernels; // empty: all of the file
  std::optional<std::size_t> step;  // of the stage `scheduled`: the program after so many steps
  bool diff = false;                // what that step changed
};
int show_command(const ShowOptions &options);
inline const std::vector<std::string> show_stages{"parsed", "typed", "scheduled",   "pads",   "loops",
                                                  "mapped", "c",     "obligations", "theorem"};

struct ScheduleOptions : ProgramOptions {
  bool explain = false; // what was estimated, too
  std::string file, schedule;
  std::vector<std::string> kernels; // empty: all of the file
};
int schedule_command(const ScheduleOptions &options); // what the steps `auto` of schedules do

struct RunOptions : ProgramOptions {
  std::string file, kernel, schedule, engine = "native";
  std::vector<std::string> arguments; // NAME=value, NAME=file.npy, NAME=file.png
  std::vector<std::string> outputs;   // FILE, or NAME=FILE for each output
};
int run_command(const RunOptions &options);

struct BuildOptions : ProgramOptions {
  std::string file, folder, schedule, name; // name of the library: by default that of the file
  std::string emit = "library";             // c: the sources only, no compiler is called
  std::string version, prefix;              // of the library, as 1.2.3; of the names of its functions
  std::vector<std::string> kernels;
  bool python = false; // a package for Python, too
};
int build_command(const BuildOptions &options);

struct TuneOptions : ProgramOptions {
  std::string file, kernel, schedule;
  std::vector<std::string> sizes; // NAME=VALUE, with commas between them, for each call to be tuned for
  double budget = 60;             // seconds
  std::optional<std::size_t> candidates; // at most so many schedules for each of the sizes
  std::string log, svg;                  // files; empty: none
  bool json = false;
};
int tune_command(const TuneOptions &options);

struct ProveOptions : ProgramOptions {
  std::string file, folder, schedule;
  std::vector<std::string> kernels;
  bool json = false, coq = false;      // coq: the theorem of each kernel, too, checked by coqc
  std::string coq_library;             // compiled; empty: atlc compiles it
  std::optional<std::string> cache;    // of theorems; empty: none
  std::optional<unsigned> coq_timeout; // seconds for one theorem
};
int prove_command(const ProveOptions &options);

struct EquivOptions : ProgramOptions {
  std::string file, first, second;
};
int equiv_command(const EquivOptions &options);

struct StepsOptions {
  std::string name; // empty: all
  bool json = false;
};
int steps_command(const StepsOptions &options); // what a schedule can be made of

struct ExplainOptions {
  std::string code; // of a diagnostic
};
int explain_command(const ExplainOptions &options);

} // namespace atl::driver
