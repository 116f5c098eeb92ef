// What all strategies for a nest of loops start from, and the words that their steps share.
#pragma once
#include "atl/rewrites/rewrites.h"
#include "atl/schedule/auto/candidate.h"
#include "atl/schedule/auto/machine.h"
#include "atl/schedule/auto/nest.h"
#include "atl/schedule/auto/roles.h"
#include "atl/schedule/auto/uses.h"

#include <optional>
#include <string>
#include <vector>

namespace atl::schedule {

struct LoopSubject {
  const Nest &nest;
  const rewrites::Work &work;
  Span span;
  std::optional<Roles> roles;          // of the loops of a reduction
  std::optional<Vectors> vectors;      // if there is hardware, and it has some
  std::optional<std::string> combiner; // of partial results, if that is allowed
  std::vector<std::string> sums;       // the loops of the reduction

  const TypedKernel &kernel() const { return work.kernel; }
  const std::string &loop(std::size_t i) const { return nest.loops[i].var; }
  std::vector<std::string> other_sums() const { return {sums.begin() + 1, sums.end()}; }

  Use use(const std::string &strategy) const { return {strategy, span}; }
  Use in_vectors(const char *strategy) const { return use(strategy_for(*vectors, strategy)); }
  Step of_tensor(std::vector<Step> steps) const { return within_step(nest.tensor, std::move(steps), span); }
  Candidate candidate(std::string reason, std::vector<Step> steps, std::string estimate = {}) const {
    return {std::move(reason), {of_tensor(std::move(steps))}, std::move(estimate)};
  }
};
LoopSubject subject_of(const Nest &nest, const rewrites::Work &work, Span span);

// As the loop runs, a tensor is read not at all, cell by cell, or in small steps or backwards, for which
// hardware may have loads.
bool fits_vectors(const LoopSubject &subject, const Access &read, const std::string &loop);
bool is_read_along_sum(const LoopSubject &subject); // all that depends on its last loop fits vectors

Index extent_of(const LoopHead &loop);

Pred decided(const Pred &pred);                           // true or false, if that follows from its constants
Pred less_than(const LoopHead &loop, std::int64_t count); // decided

bool is_of_sizes(const Pred &pred, const TypedKernel &kernel); // and of nothing else

// The step, where the row is directly around the column, inside the other loops.
std::vector<Step> with_row(const LoopSubject &subject, std::size_t row, Step step);

// reductions over k, with B read along j
std::string reductions_in_words(const LoopSubject &subject);

} // namespace atl::schedule
