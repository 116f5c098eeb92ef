// Index expressions and predicates to Z3 integers. Only + - * and comparisons: see purify.h for the rest.
#pragma once
#include "atl/index/index.h"

#include <z3++.h>

#include <map>
#include <set>
#include <vector>

namespace atl::proofs {

class Encoder {
public:
  explicit Encoder(z3::context &context) : context_(context) {}

  z3::expr encode(const Index &e);
  z3::expr encode(const Pred &p);

private:
  z3::expr variable(const std::string &name);

  z3::context &context_;
  std::map<std::string, z3::expr> variables_;
};

// Forgets what products of variables mean: after distributing, each distinct product becomes a variable of
// its own. The result is linear and follows from less, so if it is unsatisfiable then so is the formula.
class Linearizer {
public:
  explicit Linearizer(z3::context &context);
  z3::expr linear(const z3::expr &formula);

private:
  void collect_products(const z3::expr &e);
  z3::expr stand_in(const z3::expr &product);

  z3::context &context_;
  z3::params distribute_;
  std::set<unsigned> seen_;
  std::map<unsigned, z3::expr> linear_;                  // by id: formulas have hypotheses in common
  std::map<std::vector<unsigned>, z3::expr> by_factors_; // ids of the factors, sorted
  z3::expr_vector products_, stand_ins_;
  z3::expr_vector alive_; // ids are only good for expressions that exist
};

} // namespace atl::proofs
