// A proof obligation: for all integer values of the variables that satisfy the hypotheses, every claim holds.
// Made by the checker, the pad checker and the lowering; decided by proofs/.
#pragma once
#include "atl/base/diagnostic.h"
#include "atl/index/index.h"

#include <string>
#include <variant>
#include <vector>

namespace atl {

enum class ObligationKind { bounds, shape, pad, once, race, width, rewrite, equal, instr };
std::string_view name(ObligationKind kind);

// Text with values filled in from a counterexample: "reads column " + (x + 2) + " of " + M.
using Template = std::vector<std::variant<std::string, Index>>;

struct Claim {
  Pred holds;
  Template otherwise; // what goes wrong where it does not hold
};

struct Obligation {
  ObligationKind kind;
  Code code; // of the diagnostic when it is refuted
  Span span;
  std::string kernel;
  std::string what;                   // the claim in plain words: "img[y, x + 2] is inside img"
  std::vector<std::string> sizes;     // universally quantified: first the sizes, then ...
  std::vector<std::string> variables; // ... the loop variables, outermost first
  std::vector<Pred> hypotheses;
  std::vector<Claim> claims;
  std::vector<Note> notes; // further places for the diagnostic, such as the truncation that cuts a store
};

} // namespace atl
