// What the stages make of one kernel under one schedule. Each field is made by one stage and not changed
// after it.
#pragma once
#include "accel/describe/target.h"
#include "atl/equality/equality.h"
#include "atl/equality/laws.h"
#include "atl/schedule/run.h"
#include "lowering/copies/versions.h"
#include "padtypes/padtypes.h"
#include "proofs/discharge.h"

#include <optional>
#include <string>
#include <vector>

namespace atl::driver {

struct Decided {
  Obligation obligation;
  proofs::Verdict verdict;
};

// A kernel as it is written, or under one of its schedules.
struct Compiled {
  std::string name, schedule;                            // as in the text; no schedule: as it is written
  bool is_private = false, has_private_schedule = false; // libraries leave it out, unless it is named
  TypedKernel algorithm;
  Valuation example; // sizes that satisfy the assumptions of the algorithm: all that is proved speaks of some

  // schedule. Without one the algorithm is the only version.
  std::vector<schedule::Done> steps;       // as far as they succeeded
  std::vector<schedule::Version> versions; // once all steps succeeded
  std::vector<schedule::Chosen> chosen;    // by its steps `auto`
  TypedKernel program;                     // the version for all sizes that no other one takes

  // equality
  std::vector<equality::Equality> equalities; // of each version
  std::vector<std::string> laws;              // that floats do not obey; none: the same bits
  equality::Laws used;                        // of all scalars

  std::vector<padtypes::CheckedKernel> checked; // pad check: each version
  std::vector<lowering::Version> lowered;       // in normal form
  std::optional<lowering::LoopKernel> loops; // lower; then with instructions, if the schedule asks for them

  std::vector<Decided> decided; // in the order of the stages
  bool proved = false;          // all obligations of all stages
};

} // namespace atl::driver
