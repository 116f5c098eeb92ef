#include "atl/schedule/auto/several_sums.h"

#include "atl/schedule/auto/loop_subject.h"
#include "atl/schedule/auto/loop_sums.h"
#include "atl/syntax/names.h"
#include "atl/syntax/path.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace atl::schedule {

namespace {

// Vectors of partial results, for one cell after the other: the rest of a cell follows while its row is in
// the cache. Other strategies need many cells.
bool is_for_each_cell(const LoopSubject &s) {
  return !s.nest.loops.empty() && s.nest.varies && s.combiner &&
         !(s.roles && (s.roles->row || !s.roles->turned)) && is_read_along_sum(s);
}

bool gains(const LoopSubject &s) {
  return !s.nest.varies || !candidates_for_sums(s).empty();
}

// By name, those that `every j` in the tensor can mean: others of that name have to wait until these are
// apart.
std::vector<Nest> with_names_of_their_own(std::vector<Nest> reductions, const TypedKernel &kernel) {
  std::map<std::string, int> own, all;
  for (const Nest &nest : reductions)
    ++own[nest.sums[0].var];
  for_each_node(kernel, [&](const Path &path, const ExprPtr &e) {
    if (const auto loop = loop_head(e); loop && root_name(kernel, path) == reductions[0].tensor)
      ++all[loop->var];
  });
  std::erase_if(reductions, [&](const Nest &nest) {
    const std::string &name = nest.sums[0].var;
    return own[name] != all[name];
  });
  std::stable_sort(reductions.begin(), reductions.end(),
                   [](const Nest &a, const Nest &b) { return a.sums[0].var < b.sums[0].var; });
  return reductions;
}

std::string loops_in_words(const std::vector<Nest> &reductions) {
  std::vector<std::string> loops;
  for (const Nest &nest : reductions)
    loops.push_back(nest.sums[0].var);
  return fmt::format("{}", fmt::join(loops, ", "));
}

std::string in_words(const std::vector<std::string> &of_all, const std::vector<std::string> &of_cell,
                     const std::vector<LoopHead> &loops) {
  std::string text = fmt::format("its reductions in temporaries: {}", fmt::join(of_all, ", "));
  if (!of_cell.empty())
    text += fmt::format("{}{} for each {}", of_all.empty() ? "" : ", ", fmt::join(of_cell, ", "),
                        loops.back().var);
  return text;
}

// Those of one name are side by side.
Candidate each_in_a_temporary(const std::vector<LoopSubject> &reductions, Span span) {
  const Nest &any = reductions[0].nest;
  std::set<std::string> taken = names_in(reductions[0].kernel());
  std::vector<Step> steps, places;
  std::vector<std::string> of_all, of_cell;
  std::string loop, first;
  for (const LoopSubject &s : reductions) {
    std::string name = take_name(s.sums[0] == loop ? first : "sums", taken);
    if (s.sums[0] != loop) {
      loop = s.sums[0];
      first = name;
      steps.push_back(plain_step("accumulate", {"every", loop, "in", any.tensor, "as", first}, span));
    }
    std::vector<std::string> place{name, "at", "root"};
    if (is_for_each_cell(s))
      place = {name, "at", any.loops.back().var, "in", any.tensor};
    places.push_back(plain_step("compute", place, span));
    (is_for_each_cell(s) ? of_cell : of_all).push_back(std::move(name));
  }
  steps.insert(steps.end(), places.begin(), places.end());
  return {in_words(of_all, of_cell, any.loops), std::move(steps)};
}

} // namespace

std::optional<Decision> several_sums_apart(const rewrites::Work &work, Span span,
                                           std::set<std::string> &decided) {
  for (const std::vector<Nest> &all : reductions_of_cells(work.kernel)) {
    const std::string &tensor = all[0].tensor;
    if (!decided.insert(fmt::format("reductions over {} of {}", loops_in_words(all), tensor)).second)
      continue;
    const std::vector<Nest> reductions = with_names_of_their_own(all, work.kernel);
    std::vector<LoopSubject> subjects;
    for (const Nest &reduction : reductions)
      subjects.push_back(subject_of(reduction, work, span));
    if (std::any_of(subjects.begin(), subjects.end(), gains))
      return Decision{tensor, {each_in_a_temporary(subjects, span)}};
  }
  return std::nullopt;
}

} // namespace atl::schedule
