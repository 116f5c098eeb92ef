#include "atl/schedule/auto/around_the_end.h"

#include "atl/schedule/auto/loop_subject.h"
#include "atl/schedule/auto/wraps.h"
#include "atl/syntax/names.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace atl::schedule {

namespace {

// A nest, and what is known of it.
struct Wrapping {
  const Nest &nest;
  LoopSubject subject;
  Wraps wraps;

  const LoopHead &loop() const { return nest.loops.back(); }
};

bool fits_vectors_where_nothing_wraps(const Wrapping &w) {
  const std::optional<Vectors> &vectors = w.subject.vectors;
  return (!vectors || fills_lanes(w.nest, *vectors)) &&
         std::all_of(w.nest.reads.begin(), w.nest.reads.end(), [&](const Access &read) {
           return fits_vectors(w.subject, unwrapped(read), w.loop().var);
         });
}

// That not all cells wrap around.
Pred has_others(const Wrapping &w) {
  const Index apart = Facts().simplify(add(w.wraps.first, sub(w.loop().hi, w.wraps.end)));
  return decided(compare(PredOp::ge, w.loop().hi, apart));
}

// The first cells and the last ones, if these are few, stay as they are. Without a strategy, it is left to C
// compilers to make vectors.
Step apart(const Wrapping &w, const char *strategy, std::set<std::string> &taken) {
  const bool has_first = as_constant(w.wraps.first) != 0, has_last = !equal(w.wraps.end, w.loop().hi);
  const std::string first = take_name("first", taken), last = take_name("last", taken);
  const std::string middle = take_name("middle", taken);
  std::string others = w.loop().var;
  std::vector<Step> steps;
  auto in_two_parts = [&](const Index &at, const std::string &a, const std::string &b) {
    steps.push_back(w.subject.use("in_two_parts").name(others).index(at).name(a).name(b).step());
  };
  auto in_vectors = [&](const std::string &part) {
    steps.push_back(w.subject.use(strategy)
                        .name(w.nest.tensor)
                        .name(part)
                        .names(short_sums_of(w.nest))
                        .number(w.subject.vectors->lanes)
                        .step());
  };
  if (has_first) {
    const std::string behind = has_last ? take_name("others", taken) : middle;
    in_two_parts(w.wraps.first, first, behind);
    others = behind;
  }
  if (has_last)
    in_two_parts(w.wraps.end, middle, last);
  if (strategy)
    in_vectors(middle);
  if (strategy && !w.wraps.by_constants)
    in_vectors(has_first ? first : last);
  return w.subject.of_tensor(std::move(steps));
}

Candidate all_apart(const std::vector<Wrapping> &all, const Pred &when, const char *strategy, Span span) {
  std::set<std::string> taken = names_in(all[0].subject.kernel());
  std::vector<Step> steps;
  for (const Wrapping &w : all)
    steps.push_back(apart(w, strategy, taken));
  if (when->op != PredOp::truth)
    steps = {specialize_step(when, std::move(steps), span)};
  return {fmt::format("those cells apart whose indices wrap around{}", strategy ? ", others in vectors" : ""),
          std::move(steps)};
}

std::optional<Wrapping> wrapping(const Nest &nest, const rewrites::Work &work, Span span) {
  const auto wraps = wraps_of(nest);
  if (!wraps)
    return std::nullopt;
  Wrapping w{nest, subject_of(nest, work, span), *wraps};
  const Pred others = has_others(w);
  const bool may_be = others->op == PredOp::truth ? others->value : is_of_sizes(others, work.kernel);
  return may_be && fits_vectors_where_nothing_wraps(w) ? std::optional(std::move(w)) : std::nullopt;
}

} // namespace

bool is_around_the_end(const Nest &nest, const rewrites::Work &work, Span span) {
  return wrapping(nest, work, span).has_value();
}

std::optional<Decision> around_the_end(const std::vector<Nest> &nests, const rewrites::Work &work, Span span,
                                       std::set<std::string> &decided) {
  std::vector<Wrapping> all;
  std::vector<std::string> tensors;
  std::vector<Pred> when;
  for (const Nest &nest : nests)
    if (auto w = wrapping(nest, work, span); w && decided.insert(nest.tensor).second) {
      if (const Pred others = has_others(*w); !is_among(others, when))
        when.push_back(others);
      tensors.push_back(nest.tensor);
      all.push_back(std::move(*w));
    }
  if (all.empty())
    return std::nullopt;
  auto each_has = [&](auto what) {
    return std::all_of(all.begin(), all.end(),
                       [&](const Wrapping &w) { return w.subject.vectors && what(*w.subject.vectors); });
  };
  std::vector<Candidate> candidates;
  if (each_has([](const Vectors &vectors) { return vectors.masks; }))
    candidates.push_back(all_apart(all, conj(when), "cells_in_vectors", span));
  if (each_has([](const Vectors &) { return true; }))
    candidates.push_back(all_apart(all, conj(when), "cells_in_vectors_unmasked", span));
  candidates.push_back(all_apart(all, conj(when), nullptr, span));
  return Decision{fmt::format("{}", fmt::join(tensors, ", ")), std::move(candidates)};
}

} // namespace atl::schedule
