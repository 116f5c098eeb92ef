#include "proofs/z3/alternatives.h"

#include <algorithm>
#include <set>
#include <string>

namespace atl::proofs {

namespace {

bool is_about(const Pred &p, const std::set<std::string> &names) {
  std::set<std::string> mentioned;
  collect_variables(p, mentioned);
  return std::includes(names.begin(), names.end(), mentioned.begin(), mentioned.end());
}

// Of what the names stand for, too.
void collect_what_they_stand_for(const Formula &formula, std::set<std::string> &names) {
  for (auto s = formula.stand_ins.rbegin(); s != formula.stand_ins.rend(); ++s)
    if (names.contains(s->name)) {
      collect_variables(s->a, names);
      collect_variables(s->b, names);
    }
}

} // namespace

bool is_alternative(const Pred &p) {
  return p->op == PredOp::disj || p->op == PredOp::ne;
}

std::size_t count_alternatives(const Formula &formula) {
  std::size_t count = 0;
  for (std::size_t i = 0; i + 1 < formula.parts.size(); ++i)
    for (const Pred &part : conjuncts(formula.parts[i]))
      count += is_alternative(part) ? 1 : 0;
  return count;
}

Formula about_the_claim(const Formula &formula) {
  std::set<std::string> names;
  collect_variables(formula.parts.back(), names);
  const bool about_all = names.empty();
  collect_what_they_stand_for(formula, names);
  for (const StandIn &s : formula.stand_ins)
    if (is_about(compare(PredOp::eq, s.a, s.b), names))
      names.insert(s.name);
  Formula part{{}, {}, formula.stand_ins, formula.quotients, formula.linear, formula.by};
  for (const Pred &all : formula.parts)
    for (const Pred &one : conjuncts(all))
      if (about_all ? !is_alternative(one) : is_about(one, names))
        part.parts.push_back(one);
  for (const Pred &definition : formula.definitions)
    if (about_all || is_about(definition, names))
      part.definitions.push_back(definition);
  return part;
}

// Without those hypotheses, and without what they alone need.
static Formula without(const Formula &formula, bool (*is_left_out)(const Pred &)) {
  Formula part{{}, {}, {}, {}, formula.linear, formula.by};
  for (std::size_t i = 0; i + 1 < formula.parts.size(); ++i)
    for (const Pred &one : conjuncts(formula.parts[i]))
      if (!is_left_out(one))
        part.parts.push_back(one);
  part.parts.push_back(formula.parts.back());
  std::set<std::string> names;
  for (const Pred &one : part.parts)
    collect_variables(one, names);
  collect_what_they_stand_for(formula, names);
  for (const Quotient &q : formula.quotients)
    if (names.contains(q.quotient->name) || names.contains(q.remainder->name)) {
      names.insert({q.quotient->name, q.remainder->name});
      part.quotients.push_back(q);
    }
  for (const Pred &definition : formula.definitions)
    if (is_about(definition, names))
      part.definitions.push_back(definition);
  for (const StandIn &s : formula.stand_ins)
    if (names.contains(s.name))
      part.stand_ins.push_back(s);
  part.linear = is_linear(part.parts) && is_linear(part.definitions);
  return part;
}

Formula without_alternatives(const Formula &formula) {
  return without(formula, is_alternative);
}

Formula without_products(const Formula &formula) {
  return without(formula, [](const Pred &p) { return !is_linear({p}); });
}

} // namespace atl::proofs
