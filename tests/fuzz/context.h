// What is in scope at a place of a program being made: names, and sample values of the index variables that
// can occur there. The samples decide, almost always rightly, what is in range: a program made with them is
// nearly always one that the prover accepts.
#pragma once
#include "atl/syntax/expr.h"
#include "fuzz/random.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace atl::fuzz {

struct Variable {
  std::string name;
  Index lo, hi; // null for sizes and constants
};

struct TensorInScope {
  std::string name;
  Type type;
};

struct Context {
  std::vector<Variable> variables; // sizes, constants, loop variables
  std::vector<TensorInScope> tensors;
  std::set<std::string> names; // all names in scope
  std::vector<Valuation> samples;
  std::int64_t volume = 1; // iterations of the loops around, at most
  int lets = 0;            // around, in scalars

  bool always(const Pred &p) const; // in every sample
  std::int64_t greatest(const Index &e) const;
  bool is_positive(const Index &e) const { return always(compare(PredOp::gt, e, constant(0))); }
  bool is_nonnegative(const Index &e) const { return always(compare(PredOp::ge, e, constant(0))); }

  void add_size(const std::string &name);
  void add_constant(const std::string &name, std::int64_t value);
  void add_loop(const std::string &name, const Index &lo, const Index &hi, Random &random);
  void add_tensor(const std::string &name, Type type);
  Context where(const Pred &p) const;

  std::string fresh_name(Random &random) const;
};

constexpr std::int64_t most_iterations = 4000; // of all loops around a scalar

// The values sizes are drawn from, to run a program.
inline const std::vector<std::int64_t> size_values{0, 1, 2, 3, 4, 5, 7, 8};

} // namespace atl::fuzz
