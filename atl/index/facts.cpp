#include "atl/index/facts.h"

#include "atl/index/inequalities.h"
#include "atl/index/witnesses.h"

#include <algorithm>
#include <deque>
#include <unordered_set>
#include <utility>

namespace atl {

struct Facts::Memory {
  std::unordered_map<std::string, bool> answers; // whether a polynomial is >= 0
  std::unordered_set<std::string> open;          // goals that are being decided; none is its own proof
  bool met_open = false;                         // since a goal was opened
  int goals = 0;                                 // that were decided for the outermost one
  AtomDefinitions definitions;
  std::unordered_map<Index, MaybePoly> normal_forms; // by node: expressions share their parts
  Witnesses witnesses;                               // of the first so many facts
  std::size_t learned = 0;

  bool refutes(const Poly &goal, const Polys &known) {
    witnesses.learn(known, learned);
    learned = known.size();
    return witnesses.refute(goal);
  }
};

namespace {

// A goal that is being decided, also where deciding it ends with an exception.
struct Opened {
  std::unordered_set<std::string> &goals;
  const std::string &key;
  ~Opened() { goals.erase(key); }
};

constexpr std::size_t most_kept = 10'000;
constexpr int most_goals = 1000; // for one question; cases of cases would take exponentially many

MaybePoly difference(const Facts &facts, const Index &a, const Index &b, std::int64_t plus) {
  auto pa = facts.normal_form(a), pb = facts.normal_form(b);
  if (!pa || !pb)
    return std::nullopt;
  auto d = poly_add(*pa, *pb, -1);
  return d ? poly_add(*d, poly_constant(plus)) : d;
}

// The comparison as polynomials that are all >= 0; nothing for != and for overflow.
std::optional<Polys> as_nonnegative(const Facts &facts, const Pred &p) {
  auto single = [](MaybePoly poly) { return poly ? std::optional(Polys{*poly}) : std::nullopt; };
  switch (p->op) {
  case PredOp::lt: return single(difference(facts, p->rhs, p->lhs, -1));
  case PredOp::le: return single(difference(facts, p->rhs, p->lhs, 0));
  case PredOp::gt: return single(difference(facts, p->lhs, p->rhs, -1));
  case PredOp::ge: return single(difference(facts, p->lhs, p->rhs, 0));
  case PredOp::eq: {
    auto d = difference(facts, p->lhs, p->rhs, 0);
    auto opposite = d ? poly_add(poly_constant(0), *d, -1) : d;
    return opposite ? std::optional(Polys{*d, *opposite}) : std::nullopt;
  }
  default: return std::nullopt;
  }
}

bool contains(const Polys &known, const Polys &wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const Poly &p) {
    return std::any_of(known.begin(), known.end(), [&](const Poly &k) { return k.terms == p.terms; });
  });
}

std::string text_of(const Poly &p) {
  std::string text;
  for (const auto &[monomial, coefficient] : p.terms) {
    text += std::to_string(coefficient);
    for (const Atom &atom : monomial)
      (text += '*') += atom.text();
    text += '\n';
  }
  return text;
}

} // namespace

Facts::Facts() : memory_(std::make_shared<Memory>()) {}

void Facts::assume(const Pred &p) {
  if (p->op == PredOp::conj) {
    assume(p->a);
    assume(p->b);
    return;
  }
  if (p->op == PredOp::neg && p->a->op == PredOp::disj) {
    assume(neg(p->a->a));
    assume(neg(p->a->b));
    return;
  }
  if (p->op == PredOp::truth && p->value)
    return;
  const auto polys = as_nonnegative(*this, positive_form(p));
  if (polys && contains(known_, *polys)) // what was found out stays so
    return;
  facts_.push_back(p);
  if (!polys)
    return;
  known_.insert(known_.end(), polys->begin(), polys->end());
  auto fresh = std::make_shared<Memory>();
  fresh->witnesses = memory_->witnesses;
  fresh->learned = memory_->learned;
  memory_ = std::move(fresh);
}

Facts Facts::settled() const {
  Facts result = *this;
  for (const Pred &p : facts_)
    result.assume(p);
  return result;
}

MaybePoly Facts::normal_form(const Index &e) const {
  if (is_leaf(e))
    return as_written(e);
  auto &kept = memory_->normal_forms;
  if (auto known = kept.find(e); known != kept.end())
    return known->second;
  MaybePoly found = find_normal_form(e);
  if (kept.size() >= most_kept) // of facts that live long
    kept.clear();
  kept.emplace(e, found);
  return found;
}

bool Facts::proves(const Pred &raw) const {
  Pred p = positive_form(raw);
  switch (p->op) {
  case PredOp::truth: return p->value;
  case PredOp::conj: return proves(p->a) && proves(p->b);
  case PredOp::disj: return proves(p->a) || proves(p->b);
  case PredOp::ne:
    return proves(compare(PredOp::lt, p->lhs, p->rhs)) || proves(compare(PredOp::gt, p->lhs, p->rhs));
  default: break;
  }
  auto left = as_written(p->lhs), right = as_written(p->rhs);
  auto difference = left && right ? poly_add(*left, *right, -1) : std::nullopt;
  if (difference && difference->is_constant()) // decided without facts
    return *evaluate(compare(p->op, constant(difference->constant_term()), constant(0)), {});
  auto goals = as_nonnegative(*this, p);
  return goals && std::all_of(goals->begin(), goals->end(),
                              [&](const Poly &goal) { return proves_nonnegative(goal); });
}

bool Facts::proves_nonnegative(const Poly &goal) const {
  if (goal.is_constant())
    return goal.constant_term() >= 0;
  Memory &memory = *memory_;
  const std::string key = text_of(goal);
  if (auto known = memory.answers.find(key); known != memory.answers.end())
    return known->second;
  if (memory.refutes(goal, known_))
    return memory.answers[key] = false;
  if (memory.open.empty())
    memory.goals = 0;
  if (++memory.goals > most_goals || !memory.open.insert(key).second) {
    memory.met_open = true;
    return false;
  }
  const bool met_before = std::exchange(memory.met_open, false);
  const bool answer = decide_opened(goal, key);
  // "Not known" because a goal further out is open, or has taken too many, would be another answer if that
  // goal were not asked for.
  memory.met_open = memory.met_open && !memory.open.empty();
  if (answer || !memory.met_open)
    memory.answers.emplace(key, answer);
  memory.met_open = memory.met_open || met_before;
  return answer;
}

bool Facts::decide_opened(const Poly &goal, const std::string &key) const {
  const Opened until_it_is_decided{memory_->open, key};
  return decide_nonnegative(goal);
}

bool Facts::decide_nonnegative(const Poly &goal) const {
  auto negated = poly_add(poly_constant(-1), goal, -1); // goal <= -1
  if (!negated)
    return false;
  Borrowed system = relevant(known_, memory_->definitions, *negated);
  if (system.empty())
    return false;
  std::deque<Poly> products;
  add_products(system, goal, products);
  system.push_back(&*negated);
  return refutes(system) || proves_by_cases(goal) || proves_row_major(goal);
}

// A minimum is one of its operands, and so is a maximum.
bool Facts::proves_by_cases(const Poly &goal) const {
  for (const auto &[monomial, coefficient] : goal.terms)
    for (const Atom &atom : monomial) {
      const Index &extremum = atom.index();
      if (extremum->op != (coefficient > 0 ? IndexOp::min : IndexOp::max))
        continue;
      const Division division = *poly_divide(goal, poly_atom(atom));
      auto with = [&](const Index &operand) {
        auto value = as_written(operand);
        auto product = value ? poly_mul(division.quotient, *value) : value;
        auto whole = product ? poly_add(division.rest, *product) : product;
        return whole && proves_nonnegative(*whole);
      };
      return with(extremum->a) && with(extremum->b);
    }
  return false;
}

// goal = factor * q + r is not negative if the factor is not and q >= 0, r >= 0, or q >= 1, factor + r >= 0:
// the step from an index of rows to an index of cells.
bool Facts::proves_row_major(const Poly &goal) const {
  std::set<Atom> factors;
  for (const auto &[monomial, coefficient] : goal.terms)
    if (monomial.size() > 1)
      factors.insert(monomial.begin(), monomial.end());
  return std::any_of(factors.begin(), factors.end(), [&](const Atom &atom) {
    Poly factor = poly_atom(atom);
    auto [q, r] = *poly_divide(goal, factor);
    auto less_one = poly_add(q, poly_constant(-1)), with_factor = poly_add(r, factor);
    return proves_nonnegative(factor) &&
           ((proves_nonnegative(q) && proves_nonnegative(r)) ||
            (less_one && with_factor && proves_nonnegative(*less_one) && proves_nonnegative(*with_factor)));
  });
}

} // namespace atl
