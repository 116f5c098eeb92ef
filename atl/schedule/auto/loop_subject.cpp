#include "atl/schedule/auto/loop_subject.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace atl::schedule {

constexpr std::int64_t longest_step = 4;

static std::optional<std::string> allowed_combiner(const LoopSubject &s) {
  const bool reorders = !is_float(s.nest.elem) || s.kernel().rounding.allowed.contains(Rounding::reorder);
  const bool is_one_sum = s.sums.size() == 1 || (s.nest.loops.empty() && !s.sums.empty());
  if (!s.vectors || !s.vectors->masks || !s.work.requests || !reorders || !is_one_sum)
    return std::nullopt;
  return combiner_of(*s.work.hardware, *s.vectors, s.nest.elem, *s.nest.sums[0].reduction);
}

LoopSubject subject_of(const Nest &nest, const rewrites::Work &work, Span span) {
  LoopSubject subject{nest, work, span, roles_of(nest), std::nullopt, std::nullopt, {}};
  if (work.hardware)
    subject.vectors = vectors_for(nest, *work.hardware);
  for (const LoopHead &loop : nest.sums)
    subject.sums.push_back(loop.var);
  subject.combiner = allowed_combiner(subject);
  return subject;
}

bool fits_vectors(const LoopSubject &s, const Access &read, const std::string &loop) {
  if (reads_along(read, loop) != Along::otherwise)
    return true;
  const Shape *shape = rewrites::shape_of(s.kernel(), read.tensor);
  if (!shape)
    return false;
  const std::int64_t step = stride_along(row_major(*shape, read.indices), loop).value_or(0);
  return step != 0 && step >= -1 && step <= longest_step;
}

bool is_read_along_sum(const LoopSubject &s) {
  return std::all_of(s.nest.reads.begin(), s.nest.reads.end(),
                     [&](const Access &read) { return fits_vectors(s, read, s.sums.back()); });
}

Index extent_of(const LoopHead &loop) {
  return sub(loop.hi, loop.lo);
}

Pred decided(const Pred &pred) {
  const std::optional<bool> known = evaluate(pred, {});
  return known ? truth(*known) : pred;
}

Pred less_than(const LoopHead &loop, std::int64_t count) {
  return decided(compare(PredOp::lt, extent_of(loop), constant(count)));
}

bool is_of_sizes(const Pred &pred, const TypedKernel &kernel) {
  std::set<std::string> names;
  collect_variables(pred, names);
  const std::vector<std::string> sizes = kernel.size_names();
  return std::all_of(names.begin(), names.end(), [&](const std::string &name) {
    return std::find(sizes.begin(), sizes.end(), name) != sizes.end();
  });
}

std::vector<Step> with_row(const LoopSubject &subject, std::size_t row, Step step) {
  const std::vector<LoopHead> &loops = subject.nest.loops;
  if (row + 2 == loops.size())
    return {std::move(step)};
  std::vector<std::string> order;
  for (std::size_t i = 0; i + 1 < loops.size(); ++i)
    if (i != row)
      order.push_back(loops[i].var);
  order.push_back(loops[row].var);
  order.push_back(loops.back().var);
  return {reorder_step(order, subject.span), std::move(step)};
}

std::string reductions_in_words(const LoopSubject &subject) {
  const Roles &roles = *subject.roles;
  return fmt::format("reductions over {}, with {} read {} {}", fmt::join(subject.sums, ", "),
                     roles.panel.tensor, roles.turned ? "across" : "along", subject.loop(roles.column));
}

} // namespace atl::schedule
