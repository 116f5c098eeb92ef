// Divisions, remainders, minima and maxima out of a formula: each is replaced by a fresh variable with its
// defining constraints. What remains has only + - * and comparisons.
//
// e / d and e % d become q and r with  d > 0  =>  e == q * d + r  and  0 <= r < d,  one pair for both.
//
// What a number divides is taken out first: (k * 8 + e) / 8 becomes k and the quotient of e. For Z3, so is
// the quotient of a remainder by a multiple of the number, if what is left was divided by the number before.
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

#include <map>
#include <string>
#include <unordered_map>
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

// Who is to prove that a formula cannot hold. Z3 is faster with consequences of the definitions; the hints in
// a theorem are for who has the definitions alone.
enum class Decider { z3, coq };

class Purifier {
public:
  explicit Purifier(Decider by = Decider::z3) : by_(by) {}

  Pred pure(const Pred &p);
  Index pure(const Index &e);

  const std::vector<Pred> &definitions() const { return definitions_; }
  const std::vector<Quotient> &quotients() const { return quotients_; }
  const std::vector<StandIn> &stand_ins() const { return stand_ins_; }

private:
  Index pure_operation(const Index &e);
  Index quotient(const Index &numerator, const Index &divisor);
  Index remainder(const Index &numerator, const Index &divisor);
  const Quotient &divide(const Index &numerator, const Index &divisor);
  void compare_quotients(const Quotient &finer, const Quotient &coarser);
  void compare_with_shifted(const Quotient &added);
  MaybePoly with_quotients(Poly p, std::int64_t number) const;
  std::optional<Division> divided_terms(const Index &e, const Index &divisor) const;
  Index extremum(IndexOp op, const Index &a, const Index &b);
  Index fresh(char prefix, IndexOp op, const Index &a, const Index &b);

  Decider by_;
  std::vector<Pred> definitions_;
  std::vector<Quotient> quotients_;
  std::map<std::string, std::size_t> known_quotients_;         // by normal form
  using Shifted = std::vector<std::pair<std::int64_t, Index>>; // constants of numerators, and quotients
  std::map<std::string, Shifted> shifted_;                     // by the rest of the numerator
  std::map<std::string, Index> known_extrema_;
  std::unordered_map<Index, Index> known_; // by node: expressions share their parts
  std::vector<StandIn> stand_ins_;
};

// hypotheses and not claim, purified.
struct Formula {
  std::vector<Pred> parts;
  std::vector<Pred> definitions;
  std::vector<StandIn> stand_ins;
  std::vector<Quotient> quotients;
  bool linear;
  Decider by;
};
bool is_linear(const std::vector<Pred> &parts); // no product of two variables
Formula counterexample_formula(const std::vector<Pred> &hypotheses, const Pred &claim,
                               Decider by = Decider::z3);

} // namespace atl::proofs
