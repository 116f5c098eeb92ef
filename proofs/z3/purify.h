// Divisions, remainders, minima and maxima out of a formula: each is replaced by a fresh variable with its
// defining constraints. What remains has only + - * and comparisons.
//
// e / d and e % d become q and r with  d > 0  =>  e == q * d + r  and  0 <= r < d,  one pair for both.
//
// What a number divides is taken out first: (k * 8 + e) / 8 becomes k and the quotient of e.
//
// cdiv(e, d) becomes the quotient of (e + d - 1) / d.
//
// min(a, b) becomes m with  m <= a  and  m <= b  and  (m == a or m == b);  max alike.
//
// A valuation of the variables extends to the fresh ones in exactly one way where every divisor is positive;
// where one is not, its quotient and remainder are arbitrary (that divisors are positive is an obligation of
// its own).
#pragma once
#include "atl/index/index.h"
#include "atl/index/poly.h"

#include <string>
#include <vector>

namespace atl::proofs {

struct StandIn {
  std::string name; // contains '!', so it is no name of a program
  IndexOp op;       // div, mod, min or max
  Index a, b;       // pure: may mention the stand-ins before this one
};

inline bool is_stand_in(const std::string &name) {
  return name.find('!') != std::string::npos;
}

struct Quotient {
  Index numerator, divisor, quotient, remainder; // all pure; the last two are fresh variables
};

class Purifier {
public:
  Pred pure(const Pred &p);
  Index pure(const Index &e);

  const std::vector<Pred> &definitions() const { return definitions_; }
  const std::vector<Quotient> &quotients() const { return quotients_; }
  const std::vector<StandIn> &stand_ins() const { return stand_ins_; }

private:
  Index quotient(const Index &numerator, const Index &divisor);
  Index remainder(const Index &numerator, const Index &divisor);
  const Quotient &divide(const Index &numerator, const Index &divisor);
  void compare_quotients(const Quotient &finer, const Quotient &coarser);
  Index extremum(IndexOp op, const Index &a, const Index &b);
  Index fresh(char prefix, IndexOp op, const Index &a, const Index &b);

  std::vector<Pred> definitions_;
  std::vector<Quotient> quotients_;
  std::map<std::string, std::size_t> known_quotients_; // by normal form
  std::map<std::string, Index> known_extrema_;
  std::vector<StandIn> stand_ins_;
};

// hypotheses and not claim, purified.
struct Formula {
  std::vector<Pred> parts;
  std::vector<Pred> definitions;
  std::vector<StandIn> stand_ins;
  std::vector<Quotient> quotients;
  bool linear;
};
bool is_linear(const std::vector<Pred> &parts); // no product of two variables
Formula counterexample_formula(const std::vector<Pred> &hypotheses, const Pred &claim);

} // namespace atl::proofs
