#include "proofs/reader/limits.h"

#include <algorithm>

namespace atl::proofs::reader {

namespace {

void split(const Pred &p, std::vector<Pred> &into) {
  if (p->op != PredOp::conj)
    return into.push_back(p);
  split(p->a, into);
  split(p->b, into);
}

struct Limit {
  std::string size;
  PredOp op; // size op value
  std::int64_t value;
};

std::optional<Limit> limit_in(const Pred &p) {
  if (!p->lhs || !p->rhs)
    return std::nullopt;
  auto left = evaluate(p->lhs, {}), right = evaluate(p->rhs, {});
  if (right && p->lhs->op == IndexOp::variable)
    return Limit{p->lhs->name, p->op, *right};
  if (left && p->rhs->op == IndexOp::variable)
    return Limit{p->rhs->name, comparison(p->op).mirrored, *left};
  return std::nullopt;
}

Span64 allowed(const Limit &limit) {
  std::int64_t v = limit.value;
  switch (limit.op) {
  case PredOp::lt: return {least_number, v == least_number ? least_number : v - 1};
  case PredOp::le: return {least_number, v};
  case PredOp::gt: return {v == greatest_number ? greatest_number : v + 1, greatest_number};
  case PredOp::ge: return {v, greatest_number};
  case PredOp::eq: return {v, v};
  default: return {least_number, greatest_number};
  }
}

PredOp opposite(PredOp op) {
  switch (op) {
  case PredOp::lt: return PredOp::ge;
  case PredOp::le: return PredOp::gt;
  case PredOp::gt: return PredOp::le;
  case PredOp::ge: return PredOp::lt;
  case PredOp::eq: return PredOp::ne;
  default: return PredOp::eq;
  }
}

// p, or its negation, with `not` moved into the comparisons.
Pred without_not(const Pred &p, bool negated) {
  switch (p->op) {
  case PredOp::truth: return truth(p->value != negated);
  case PredOp::neg: return without_not(p->a, !negated);
  case PredOp::conj:
  case PredOp::disj: {
    Pred a = without_not(p->a, negated), b = without_not(p->b, negated);
    return (p->op == PredOp::conj) != negated ? conj(a, b) : disj(a, b);
  }
  default: return compare(negated ? opposite(p->op) : p->op, p->lhs, p->rhs);
  }
}

} // namespace

std::vector<Pred> clauses(const lowering::LoopKernel &kernel) {
  std::vector<Pred> all;
  for (const Pred &assumption : kernel.assumptions)
    split(assumption, all);
  return all;
}

bool narrow(Spans &spans, const Pred &p) {
  auto limit = limit_in(p);
  auto known = limit ? spans.find(limit->size) : spans.end();
  if (known == spans.end() || limit->op == PredOp::ne)
    return false;
  Span64 only = allowed(*limit), &now = known->second;
  bool said = only.least <= now.least && now.greatest <= only.greatest;
  Span64 both{std::max(now.least, only.least), std::min(now.greatest, only.greatest)};
  if (both.least <= both.greatest)
    now = both;
  return said;
}

Spans limits(const lowering::LoopKernel &kernel) {
  Spans spans;
  for (const Param &p : kernel.params)
    if (p.kind == Param::Kind::size)
      spans[p.name] = {0, greatest_number};
  for (const Pred &p : clauses(kernel))
    if (auto limit = limit_in(p); limit && (limit->op == PredOp::lt || limit->op == PredOp::le))
      narrow(spans, p);
  return spans;
}

bool negates(const Pred &q, const Pred &p) {
  return canonical(without_not(q, false)) == canonical(without_not(p, true));
}

} // namespace atl::proofs::reader
