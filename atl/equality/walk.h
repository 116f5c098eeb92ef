// A place of a program, on the way down its tree: the loops around it and what is known there.
#pragma once
#include "atl/equality/denote.h"

namespace atl::equality {

struct Walk {
  std::vector<std::string> variables;
  std::vector<Pred> hypotheses;
  ScopePtr scope;

  // The place of the children of e, which stands here.
  Walk below(const ExprPtr &e) const;
};

std::set<std::string> names_of_loops(const TypedKernel &kernel);

} // namespace atl::equality
