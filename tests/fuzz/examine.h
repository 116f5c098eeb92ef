// One program through the whole pipeline, up to native code: parse, print, check, prove, both interpreters.
#pragma once
#include "atl/meaning/eval.h"
#include "fuzz/random.h"
#include "lowering/nest/loop_ir.h"
#include "proofs/discharge.h"

#include <optional>
#include <string>
#include <vector>

namespace atl::fuzz {

// One run: what goes in and what the reference interpreter says comes out.
struct Run {
  Valuation sizes;
  Tensors inputs, outputs;
};

struct Examined {
  enum class Status {
    accepted, // everything agrees
    refused,  // an obligation is refuted, and its counterexample is genuine; or no bound for a temporary
    unknown,  // an obligation could not be decided
    failed    // a bug
  } status = Status::accepted;
  std::string reason;
  bool proved = false; // all obligations, for all sizes
  std::optional<lowering::LoopKernel> loops;
  std::vector<Run> runs;
};

struct Options {
  bool prove = false; // all obligations by the prover, not only on suspicion
  int runs = 3;
};

// `full` is the same program with all parentheses.
Examined examine(const std::string &minimal, const std::string &full, const std::string &kernel,
                 Random random, proofs::Prover &prover, const Options &options);

std::string describe(const Run &run); // "N = 3, M = 0"

} // namespace atl::fuzz
