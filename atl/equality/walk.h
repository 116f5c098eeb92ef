// A place of a program, on the way down its tree: the loops around it and what is known there.
#pragma once
#include "atl/equality/denote.h"
#include "atl/index/known.h"

namespace atl::equality {

struct Walk {
  Known known;
  ScopePtr scope;

  Walk below(const Expr &e, std::size_t i) const; // of child number i of e, which stands here
};

std::set<std::string> names_of_loops(const TypedKernel &kernel);

} // namespace atl::equality
