#include "atl/schedule/run.h"

#include "atl/schedule/print_schedule.h"
#include "atl/schedule/step_table.h"

#include <fmt/format.h>

namespace atl::schedule {

namespace {

using rewrites::Work;

// Each tensor of the algorithm holds itself, to begin with.
equality::Prophecies identities(const TypedKernel &algorithm) {
  equality::Prophecies prophecies;
  for (const Binding &let : algorithm.lets) {
    equality::Prophecy p{let.name, {}, {}, truth(true)};
    for (std::size_t d = 0; d < let.value->type->shape.size(); ++d) {
      p.cell.push_back(fmt::format("{}.cell{}", let.name, d));
      p.indices.push_back(variable(p.cell.back()));
    }
    prophecies[let.name] = p;
  }
  return prophecies;
}

std::string steps_in_words() {
  std::string all;
  for (const StepInfo &step : all_steps())
    all += fmt::format("{}{}", all.empty() ? "" : ", ", step.name);
  return all;
}

Diagnostics with_trail(Diagnostics problems, const Step &step) {
  for (Diagnostic &d : problems)
    d.notes.insert(d.notes.end(), step.via.begin(), step.via.end());
  return problems;
}

// Changes the work, or says why not.
Diagnostics apply(const Step &step, Work &work, const Judge &judge) {
  const StepInfo *info = find_step(step.name);
  if (!info)
    return {{Code::unknown_step,
             step.span,
             fmt::format("there is no step {}", step.name),
             {{std::nullopt, "the steps are " + steps_in_words()}}}};
  Work changed = work;
  changed.conditions.clear();
  Arguments in(step, info->usage, work.kernel);
  info->apply(in, changed);
  if (in.failed())
    return in.take_problems();
  for (Obligation &condition : changed.conditions) {
    condition.span = step.span;
    if (auto problem = judge(condition))
      return {*problem};
  }
  work = std::move(changed);
  return {};
}

} // namespace

std::variant<Scheduled, Failure> run(const TypedKernel &algorithm, const std::vector<Step> &steps,
                                     const Judge &judge) {
  Work work{algorithm, identities(algorithm), {}};
  std::vector<Done> done;
  for (const Step &step : steps) {
    Diagnostics problems = apply(step, work, judge);
    if (!problems.empty())
      return Failure{with_trail(std::move(problems), step), std::move(done)};
    done.push_back({step, work.kernel, std::move(work.conditions)});
    work.conditions.clear();
  }
  work.kernel.obligations.clear(); // those of the algorithm; what is scheduled has its own
  return Scheduled{std::move(work.kernel), std::move(work.prophecies), std::move(done)};
}

} // namespace atl::schedule
