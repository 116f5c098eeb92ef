// The stages as one readable function: text -> Program -> typed kernels -> pad-checked kernels -> loop nests,
// with every obligation decided on the way. What fails is said in diagnostics; a stage is reached only if the
// ones before it succeeded.
#pragma once
#include "accel/map_loops.h"
#include "atl/equality/laws.h"
#include "atl/schedule/run.h"
#include "atl/syntax/typed.h"
#include "lowering/nest/loop_ir.h"
#include "padtypes/padtypes.h"
#include "proofs/discharge.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace atl::driver {

struct Decided {
  Obligation obligation;
  proofs::Verdict verdict;
};

// A kernel as it is written, or under one of its schedules.
struct CompiledKernel {
  std::string name, schedule;                  // as in the text; no schedule: as it is written
  TypedKernel typed;                           // what is compiled: under a schedule, the scheduled program
  std::vector<Decided> decided;                // in the order of the stages
  std::optional<padtypes::CheckedKernel> pads; // once the types are right
  std::optional<lowering::LoopKernel> loops;   // once every obligation before is proved
  bool proved = false;                         // all obligations of all stages
  std::vector<schedule::Done> steps;           // of the schedule, as far as they succeeded
  std::vector<schedule::Version> versions;     // once all steps succeeded
  std::vector<std::string> laws;               // of the scalars that the schedule used; none: the same bits
  equality::Laws used = {};                    // the same, of all scalars
};

struct Compilation {
  Sources sources;                // [0] is the file given; imports follow
  std::optional<Program> program; // once it parses
  std::vector<CompiledKernel> kernels;
  std::vector<accel::Target> targets; // the hardware described, once it is checked
  Diagnostics diagnostics;
  double front_ms = 0, total_ms = 0; // reading to pad types; everything

  bool ok() const { return diagnostics.empty(); }
};

// written: all obligations of the kernels as they are written; proved: of their schedules too
enum class Until { parsed, typed, written, proved };

// Which kernels, and under which schedule. Nothing given: all of them, with all their schedules.
struct Choice {
  std::vector<std::string> kernels;
  std::string schedule; // "none": as they are written

  bool names(const std::string &kernel) const;
  bool wants(const std::string &applied) const; // empty: as it is written
};

// All kernels are checked as they are written; of schedules, those chosen.
Compilation compile(const std::filesystem::path &file, proofs::Prover &prover, Until until = Until::proved,
                    const Choice &choice = {});

} // namespace atl::driver
