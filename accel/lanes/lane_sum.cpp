#include "accel/lanes/lane_sum.h"

#include "atl/index/solve.h"
#include "atl/syntax/tree.h"

#include <algorithm>

namespace atl::accel {

using namespace lowering;

namespace {

// The only store in a block, with the guards around it.
const Store *only_store(const Block &body, Pred &guards) {
  if (body.size() != 1)
    return nullptr;
  if (const If *branch = std::get_if<If>(&body[0].node)) {
    guards = conj(guards, branch->pred);
    return only_store(branch->body, guards);
  }
  return std::get_if<Store>(&body[0].node);
}

class Factors {
public:
  Factors(Pred counts, Facts facts, const std::map<std::string, Buffer> &buffers)
      : counts_(std::move(counts)), facts_(std::move(facts)), buffers_(buffers) {}

  // The product with the guard on its factors; null if it is none.
  ExprPtr guarded(const ExprPtr &e) const {
    const Op *product = std::get_if<Op>(&e->node);
    if (!product || product->op->name != "*")
      return nullptr;
    std::vector<ExprPtr> factors = product->args;
    std::vector<ExprPtr *> to_guard;
    for (ExprPtr &factor : factors)
      if (!can_be_read(factor))
        to_guard.push_back(&factor);
    if (to_guard.empty())
      to_guard.push_back(&factors[0]);
    for (ExprPtr *factor : to_guard) {
      *factor = guarded_factor(*factor);
      if (!*factor)
        return nullptr;
    }
    return rebuild(*e, std::move(factors));
  }

private:
  bool can_be_read(const ExprPtr &e) const {
    if (const Access *access = std::get_if<Access>(&e->node))
      return is_inside(*access, buffers_.at(access->tensor).dims, facts_);
    const std::vector<ExprPtr> kids = children(*e);
    return std::all_of(kids.begin(), kids.end(), [&](const ExprPtr &kid) { return can_be_read(kid); });
  }

  // An element, or one that is widened: 0 where it does not count.
  ExprPtr guarded_factor(const ExprPtr &e) const {
    if (std::holds_alternative<Access>(e->node))
      return make(Guard{counts_, e}, e->span, e->type);
    if (!std::holds_alternative<Convert>(e->node) || is_float(children(*e)[0]->type->elem))
      return nullptr;
    ExprPtr inner = guarded_factor(children(*e)[0]);
    return inner ? rebuild(*e, {inner}) : nullptr;
  }

  Pred counts_;
  Facts facts_;
  const std::map<std::string, Buffer> &buffers_;
};

} // namespace

bool is_inside(const Access &access, const Shape &dims, const Facts &facts) {
  for (std::size_t d = 0; d < dims.size(); ++d)
    if (!facts.proves(in_range(constant(0), access.indices[d], dims[d])))
      return false;
  return true;
}

std::optional<LaneSum> lane_sum(const For &loop, Facts facts, const std::map<std::string, Buffer> &buffers) {
  Pred guards = truth(true);
  const Store *store = only_store(loop.body, guards);
  auto count = as_constant(loop.hi);
  bool adds = store && store->combine == Reduction::sum && !is_float(store->value->type->elem) &&
              !reads(store->value, store->buffer) && as_constant(loop.lo) == 0 && count &&
              std::none_of(store->indices.begin(), store->indices.end(),
                           [&](const Index &index) { return mentions(index, loop.var); });
  if (!adds)
    return std::nullopt;
  LaneSum sum{truth(true), *store};
  Index terms;
  for (const Pred &part : conjuncts(guards)) {
    if (!mentions(part, loop.var)) {
      sum.runs = conj(sum.runs, part);
      continue;
    }
    Index bound = upper_bound(part, loop.var, facts);
    if (!bound || terms)
      return std::nullopt;
    terms = bound;
  }
  ExprPtr term = store->value;
  facts.assume(sum.runs);
  facts.assume(in_range(loop.lo, variable(loop.var), loop.hi));
  if (terms && !facts.proves(compare(PredOp::ge, terms, loop.hi))) {
    // as the size of an instruction: from 0 to the number of terms
    Index some = facts.simplify(binary(IndexOp::max, binary(IndexOp::min, terms, loop.hi), constant(0)));
    term = Factors(compare(PredOp::lt, variable(loop.var), some), facts, buffers).guarded(term);
  }
  if (!term)
    return std::nullopt;
  sum.store.value =
      make(Reduce{Reduction::sum, loop.var, loop.lo, loop.hi, term}, store->value->span, store->value->type);
  return sum;
}

} // namespace atl::accel
