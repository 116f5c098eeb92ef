#include "driver/missing_where.h"

#include <algorithm>

namespace atl::driver {

namespace {

void collect_constants(const Index &e, std::set<std::int64_t> &into) {
  for_each_subexpression(e, [&](const Index &part) {
    if (auto value = as_constant(part); value && *value >= 1 && *value <= 4096)
      into.insert(*value);
  });
}

void collect_constants(const Pred &p, std::set<std::int64_t> &into) {
  for (const Index &side : {p->lhs, p->rhs})
    if (side)
      collect_constants(side, into);
  for (const Pred &part : {p->a, p->b})
    if (part)
      collect_constants(part, into);
}

// N >= 1 and the like, for one size.
void of_one(const std::string &size, const std::set<std::int64_t> &constants, std::vector<Pred> &into) {
  const Index n = variable(size);
  for (std::int64_t least : {1, 2, 3, 4})
    into.push_back(compare(PredOp::ge, n, constant(least)));
  for (std::int64_t c : constants) {
    for (std::int64_t least : {c - 1, c, c + 1, 2 * c})
      into.push_back(compare(PredOp::ge, n, constant(least)));
    if (c > 1)
      into.push_back(compare(PredOp::eq, binary(IndexOp::mod, n, constant(c)), constant(0)));
  }
}

// N <= M and the like, for two.
void of_two(const std::string &a, const std::string &b, const std::set<std::int64_t> &constants,
            std::vector<Pred> &into) {
  const Index n = variable(a), m = variable(b);
  into.push_back(compare(PredOp::le, n, m));
  into.push_back(compare(PredOp::lt, n, m));
  if (a < b)
    into.push_back(compare(PredOp::eq, n, m));
  std::set<std::int64_t> offsets = constants;
  offsets.insert({1, 2});
  for (std::int64_t c : offsets) {
    into.push_back(compare(PredOp::le, n, binary(IndexOp::add, m, constant(c))));
    into.push_back(compare(PredOp::le, binary(IndexOp::add, n, constant(c)), m));
  }
  into.push_back(compare(PredOp::eq, binary(IndexOp::mod, n, m), constant(0)));
}

bool is_on(const Pred &p, const std::vector<std::string> &sizes) {
  std::set<std::string> names;
  collect_variables(p, names);
  return !names.empty() && std::all_of(names.begin(), names.end(), [&](const std::string &name) {
    return std::find(sizes.begin(), sizes.end(), name) != sizes.end();
  });
}

std::vector<Pred> candidates(const Obligation &obligation, const std::vector<std::string> &sizes) {
  std::set<std::string> mentioned;
  std::set<std::int64_t> constants;
  for (const Claim &claim : obligation.claims) {
    collect_variables(claim.holds, mentioned);
    collect_constants(claim.holds, constants);
  }
  for (const Pred &hypothesis : obligation.hypotheses) // that bound the variables of the claims
    for (const std::string &variable : obligation.variables)
      if (mentions(hypothesis, variable)) {
        collect_variables(hypothesis, mentioned);
        collect_constants(hypothesis, constants);
      }
  while (constants.size() > 6)
    constants.erase(std::prev(constants.end()));
  std::vector<std::string> meant;
  std::copy_if(sizes.begin(), sizes.end(), std::back_inserter(meant),
               [&](const std::string &size) { return mentioned.contains(size); });
  std::vector<Pred> all;
  for (const std::string &size : meant)
    of_one(size, constants, all);
  for (const std::string &a : meant)
    for (const std::string &b : meant)
      if (a != b)
        of_two(a, b, constants, all);
  for (const Claim &claim : obligation.claims)
    if (is_on(claim.holds, sizes))
      all.push_back(claim.holds);
  return all;
}

class Search {
public:
  Search(const Obligation &obligation, const std::vector<std::string> &sizes, proofs::Prover &prover)
      : obligation_(obligation), sizes_(sizes), prover_(prover) {
    for (const Pred &hypothesis : obligation.hypotheses)
      if (is_on(hypothesis, sizes))
        known_.push_back(hypothesis);
  }

  Pred weakest() {
    std::vector<Pred> enough;
    for (const Pred &candidate : candidates(obligation_, sizes_))
      if (suffices(candidate) && leaves_large_sizes(candidate))
        enough.push_back(candidate);
    Pred best;
    for (const Pred &candidate : enough)
      if (!best || (implies(best, candidate) && !implies(candidate, best)))
        best = candidate;
    return best;
  }

private:
  bool suffices(const Pred &candidate) {
    Obligation with = obligation_;
    with.hypotheses.push_back(candidate);
    return prover_.proves(with);
  }

  // Not only the sizes for which there is nothing to compute.
  bool leaves_large_sizes(const Pred &candidate) {
    std::vector<Pred> all = known_;
    all.push_back(candidate);
    for (const std::string &size : sizes_)
      all.push_back(compare(PredOp::ge, variable(size), constant(5)));
    return prover_.satisfiable(all, sizes_).answer == proofs::Satisfiability::Answer::yes;
  }

  bool implies(const Pred &a, const Pred &b) {
    Obligation question = obligation_;
    question.variables.clear();
    question.hypotheses = known_;
    question.hypotheses.push_back(a);
    question.claims = {{b, {}}};
    return prover_.proves(question);
  }

  const Obligation &obligation_;
  const std::vector<std::string> &sizes_;
  proofs::Prover &prover_;
  std::vector<Pred> known_;
};

} // namespace

Pred missing_where(const Obligation &obligation, const std::vector<std::string> &sizes,
                   proofs::Prover &prover) {
  return Search(obligation, sizes, prover).weakest();
}

} // namespace atl::driver
