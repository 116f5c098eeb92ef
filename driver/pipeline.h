// A file through all stages: text -> Program -> typed kernels, then each kernel and each of its schedules
// through the stages of driver/stages.h. What fails is said in diagnostics.
#pragma once
#include "atl/base/source.h"
#include "driver/stages.h"

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace atl::driver {

inline const std::string standard_input = "<stdin>"; // the name of a program that is read from there

struct Compilation {
  Sources sources;                 // [0] is the file given; imports follow
  std::optional<Program> program;  // once it parses
  std::vector<Compiled> functions; // as they are written, each as a kernel of its own
  std::vector<Compiled> kernels;
  std::string added;                  // to the text of the file, behind it: schedules, and what they import
  std::set<std::string> automatic;    // the kernels whose only schedules are those that atlc added
  std::vector<accel::Target> targets; // the hardware described, once it is checked
  Diagnostics diagnostics;
  double front_ms = 0, total_ms = 0;                      // reading to pad types; everything
  std::vector<std::filesystem::path> import_folders = {}; // besides that of an importing file

  bool ok() const { return diagnostics.empty(); }
};

// written: all obligations of the kernels as they are written; proved: of their schedules too
enum class Until { parsed, typed, written, proved };

bool lists(const std::string &names, const std::string &name); // among those with commas between them

// Which kernels, and under which schedule. Nothing given: all of them, with all their schedules.
struct Choice {
  std::vector<std::string> kernels;
  std::string schedule;                           // "none": as they are written
  bool look = false;                              // go on where obligations are open
  bool exported = false;                          // without what is private, unless it is named
  std::string hardware = {};                      // schedules for these are added (driver/automatic_text.h)
  std::map<std::string, std::int64_t> costs = {}; // instead of those in descriptions of hardware
  bool by_default = false; // nobody asked for these: only kernels without a schedule get them

  bool names(const std::string &kernel) const;
  bool wants(const std::string &applied) const; // empty: as it is written
};

// All kernels are checked as they are written; of schedules, those chosen. Imported files are looked for in
// `import_folders`, too (driver/io/imports.h).
Compilation compile(const std::filesystem::path &file, proofs::Prover &prover, Until until = Until::proved,
                    const Choice &choice = {}, const std::vector<std::string> &import_folders = {});

std::string own_text(const Compilation &c); // of the file, without what was added

// The same file with another text behind it. What is wrong is said without a way to mend it.
Compilation compile_again(const Compilation &before, const std::filesystem::path &file,
                          const std::string &added, proofs::Prover &prover, const Choice &choice);

} // namespace atl::driver
