#include "atl/rewrites/gaps.h"

#include "atl/equality/equality.h"
#include "atl/syntax/ops/reshape_op.h"
#include "atl/syntax/print.h"

#include <algorithm>

namespace atl::rewrites {

namespace {

// A tensor as a whole: a root, what a temporary is bound to, or an operand of arithmetic.
struct Whole {
  Path path;
  bool is_operand;
};
Whole whole_around(const TypedKernel &kernel, const Path &place) {
  Whole whole{{place.in_let, place.root, {}}, false};
  Path at = whole.path;
  for (std::size_t step : place.steps) {
    const ExprPtr e = atl::at(kernel, at);
    const bool is_bound = std::holds_alternative<Let>(e->node) && step == 0;
    at = at.child(step);
    if (is_bound || is_scalar_form(*e))
      whole = {at, !is_bound};
  }
  return whole;
}

bool pads(const Reshape &r, const ExprPtr &e) {
  std::vector<Index> cell;
  for (std::size_t d = 0; d < e->type->shape.size(); ++d)
    cell.push_back(variable("cell" + std::to_string(d)));
  return r.op->pull(r.args, r.child->type->shape, cell).inside->op != PredOp::truth;
}

bool has_gaps(const ExprPtr &e) {
  return match(
      e, [](const Gen &g) { return has_gaps(g.body); }, [](const Reduce &r) { return has_gaps(r.body); },
      [](const Guard &) { return true; }, [](const Let &l) { return has_gaps(l.body); },
      [](const Concat &c) { return has_gaps(c.left) || has_gaps(c.right); },
      [&](const Reshape &r) { return pads(r, e) || has_gaps(r.child); }, [](const auto &) { return false; });
}

// What the gaps of a tensor read as. Inside arithmetic that is 0; elsewhere it is the neutral value of the
// reduction around, or of the one that fills the tensor.
class Gaps {
public:
  explicit Gaps(const TypedKernel &kernel) : kernel_(kernel) {}

  // Nothing if the tensor is at another place now.
  std::optional<std::set<std::string>> values(const Whole &whole) {
    const ExprPtr e = find(kernel_, whole.path);
    if (!e)
      return std::nullopt;
    visit(e, whole.is_operand ? std::nullopt : filling_reduction(e));
    return values_;
  }

private:
  void add(const ExprPtr &value) { values_.insert(print(value)); }

  void visit(const ExprPtr &e, std::optional<Reduction> filling) {
    match(
        e, [&](const Gen &g) { visit(g.body, filling); },
        [&](const Reduce &r) { visit(r.body, r.reduction); },
        [&](const Guard &g) {
          add(equality::unwritten_value(e, filling));
          visit(g.body, filling);
        },
        [&](const Let &l) { visit(l.body, filling); },
        [&](const Concat &c) {
          visit(c.left, filling);
          visit(c.right, filling);
        },
        [&](const Reshape &r) {
          if (pads(r, e))
            add(equality::unwritten_value(e, filling));
          visit(r.child, filling);
        },
        [&](const Access &a) { // of a temporary with gaps, which are values here
          auto let = find_let(kernel_, a.tensor);
          if (let && has_gaps(let->bound))
            add(equality::unwritten_value(let->bound));
        },
        [](const auto &) {});
  }

  const TypedKernel &kernel_;
  std::set<std::string> values_;
};

} // namespace

bool same_gaps(const TypedKernel &before, const TypedKernel &now, const std::vector<Path> &places) {
  std::vector<Path> seen;
  return std::all_of(places.begin(), places.end(), [&](const Path &place) {
    const Whole whole = whole_around(before, place);
    if (std::find(seen.begin(), seen.end(), whole.path) != seen.end())
      return true;
    seen.push_back(whole.path);
    const auto values = Gaps(now).values(whole);
    return values && (values->empty() || values == Gaps(before).values(whole));
  });
}

void require_same_gaps(Work &work, const TypedKernel &before, const Path &place) {
  if (!same_gaps(before, work.kernel, {place}))
    require_unseen_gaps(work, before);
}

void require_unseen_gaps(Work &work, const TypedKernel &before) {
  auto proof = equality::equal_obligations(before, work.kernel, equality::themselves(before), before.span);
  for (Obligation &o : proof.obligations) {
    o.kind = ObligationKind::rewrite;
    o.code = Code::step_condition;
    o.what = "cells that hold nothing read as before";
    o.notes.push_back({std::nullopt, "a cell that holds nothing reads as the neutral value of the reduction "
                                     "around it, or as 0: this step changes which"});
    work.equalities.push_back(std::move(o));
  }
}

} // namespace atl::rewrites
