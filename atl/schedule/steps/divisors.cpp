#include "atl/schedule/steps/divisors.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::schedule {

namespace {

class Divisors {
public:
  explicit Divisors(rewrites::Work &work) : work_(work), sizes_(work.kernel.size_names()) {}

  void require(const Index &e, const Known &known) {
    for_each_subexpression(e, [&](const Index &part) {
      if (!divides(part->op) || as_constant(part->b).value_or(0) > 0 || !is_of_sizes(part->b))
        return;
      work_.require(known, compare(PredOp::ge, part->b, constant(1)),
                    fmt::format("the divisor {} is positive", to_string(part->b)),
                    {fmt::format("the divisor of {} is ", to_string(part)), part->b});
    });
  }

  void require(const Pred &p, Known known) {
    if (p->op == PredOp::conj || p->op == PredOp::disj) { // the right side where the left does not decide
      require(p->a, known);
      known.assume(p->op == PredOp::conj ? p->a : neg(p->a));
      require(p->b, known);
    } else if (p->op == PredOp::neg) {
      require(p->a, known);
    } else if (p->lhs) {
      require(p->lhs, known);
      require(p->rhs, known);
    }
  }

private:
  // What depends on loops is seen in the program that the step leaves.
  bool is_of_sizes(const Index &e) const {
    std::set<std::string> names;
    collect_variables(e, names);
    return std::all_of(names.begin(), names.end(), [&](const std::string &name) {
      return std::find(sizes_.begin(), sizes_.end(), name) != sizes_.end();
    });
  }

  rewrites::Work &work_;
  std::vector<std::string> sizes_;
};

} // namespace

void require_positive_divisors(const Step &step, rewrites::Work &work) {
  Divisors divisors(work);
  const Known known = known_in(work.kernel);
  for (const StepItem &item : step.items) {
    if (item.kind == StepItem::Kind::index)
      divisors.require(item.index, known);
    if (item.kind == StepItem::Kind::pred)
      divisors.require(item.pred, known);
  }
}

} // namespace atl::schedule
