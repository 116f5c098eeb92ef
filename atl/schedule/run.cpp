#include "atl/schedule/run.h"

#include "atl/schedule/steps/divisors.h"
#include "atl/schedule/steps/families.h"
#include "atl/schedule/steps/table.h"
#include "atl/schedule/well_formed.h"
#include "atl/syntax/print.h"
#include "atl/syntax/print_schedule.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace atl::schedule {

namespace {

using rewrites::Work, rewrites::Refused;

Diagnostics with_trail(Diagnostics problems, const Step &step) {
  for (Diagnostic &d : problems)
    d.notes.insert(d.notes.end(), step.via.begin(), step.via.end());
  return problems;
}

// That a step maps to; nothing for other steps.
std::optional<LoopName> mapped_hardware(const Step &step) {
  const Result<Found> found = find_row(step);
  if (!found || found->row->usage != map_all_usage)
    return std::nullopt;
  return found->arguments.at(0).at(0).name;
}

class Runner {
public:
  Runner(const TypedKernel &algorithm, const Judge &judge, const Setting &setting)
      : algorithm_(algorithm), judge_(judge),
        setting_(setting), general_{algorithm, equality::themselves(algorithm), {}, {}, {}, nullptr, {}} {
    make_lets_unique(general_.kernel);
    retype(general_.kernel); // each step does it: what it finds stays where it is when others change
    general_.proves = setting.proves;
  }

  std::variant<Scheduled, Failure> run(const std::vector<Step> &steps) {
    Diagnostics problems = find_hardware(steps);
    if (problems.empty())
      problems = run_all(steps, general_);
    if (problems.empty())
      problems = finish(truth(true), std::move(general_));
    if (!problems.empty())
      return Failure{std::move(problems), std::move(done_), std::move(chosen_)};
    return Scheduled{std::move(versions_), std::move(done_), std::move(chosen_)};
  }

private:
  // A schedule maps to one hardware. Its memories are known to the steps before `map all with`, too.
  Diagnostics find_hardware(const std::vector<Step> &steps) {
    for (const Step &step : steps) {
      if (const auto name = mapped_hardware(step)) {
        auto found = std::find_if(setting_.hardware.begin(), setting_.hardware.end(),
                                  [&](const Hardware *known) { return known->name == name->name; });
        if (found == setting_.hardware.end())
          return with_trail({{Code::unknown_hardware,
                              name->span,
                              fmt::format("no hardware {} is imported", name->name),
                              {{std::nullopt, imported_in_words()}}}},
                            step);
        if (general_.hardware && general_.hardware != *found)
          return with_trail({{Code::step_refused,
                              step.span,
                              "the kernel is already mapped to " + general_.hardware->name,
                              {}}},
                            step);
        general_.hardware = *found;
      }
      if (Diagnostics problems = find_hardware(step.block); !problems.empty())
        return problems;
    }
    return {};
  }

  std::string imported_in_words() const {
    std::string all;
    for (const Hardware *known : setting_.hardware)
      all += (all.empty() ? "" : ", ") + known->name;
    return all.empty() ? "hardware is described in a file that the program imports" : "imported is " + all;
  }

  Diagnostics run_all(const std::vector<Step> &steps, Work &work) {
    for (const Step &written : steps) {
      Result<Step> step_now = with_extents(written, work.kernel, scope_);
      if (!step_now)
        return with_trail(step_now.errors(), written);
      const Step &step = *step_now;
      Result<Found> found = find_row(step);
      if (!found)
        return with_trail(found.errors(), step);
      if (Diagnostics problems = run_one(step, *found, work); !problems.empty())
        return problems;
    }
    return {};
  }

  Diagnostics run_one(const Step &step, Found &found, Work &work) {
    if (found.row->apply) {
      add_scope(found);
      return apply(step, found, work);
    }
    if (found.row->usage == within_usage)
      return run_within(found.arguments.at(0).at(0).name, step, work);
    if (found.row->usage == auto_usage)
      return automatic(step, work);
    return specialize(step, found.arguments.at(0).at(0).condition, work);
  }

  Diagnostics run_within(const LoopName &tensor, const Step &step, Work &work) {
    if (!has_tensor(work.kernel, tensor.name))
      return with_trail({{Code::unknown_target,
                          tensor.span,
                          fmt::format("no loops compute {}", tensor.name),
                          {{std::nullopt, "the loops are now " + loops_of(work.kernel)}}}},
                        step);
    const auto outer = std::exchange(scope_, tensor.name);
    Diagnostics problems = run_all(step.block, work);
    scope_ = outer;
    return problems;
  }

  static bool has_tensor(const TypedKernel &kernel, const std::string &name) {
    return rewrites::find_let(kernel, name) ||
           std::any_of(kernel.outputs.begin(), kernel.outputs.end(),
                       [&](const Output &output) { return output.name == name; });
  }

  // Inside of `within T { ... }`, a loop is one of T.
  void add_scope(Found &found) const {
    const std::vector<Parameter> &parameters = found.row->signature.parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (parameters[i].kind == Parameter::Kind::loop || parameters[i].kind == Parameter::Kind::loops)
        for (Argument &argument : found.arguments[i])
          argument.name.scope = scope_;
  }

  // One part after the other, of the kernel as it then is.
  Diagnostics automatic(const Step &step, Work &work) {
    if (!setting_.automatic.expand) {
      Diagnostic problem{
          Code::step_refused, step.span, "the strategies that `auto` chooses from are not imported", {}};
      problem.fixes = {{"import them", {{{step.span.file, 0, 0}, "import \"strategies.atl\";\n"}}}};
      return with_trail({problem}, step);
    }
    std::set<std::string> decided;
    while (auto decision = next_decision(work, step.span, decided)) {
      const std::size_t choice = next_choice();
      chosen_.push_back({step.span, std::move(*decision), choice});
      const Candidate *taken = chosen_.back().taken();
      if (!taken)
        continue;
      auto steps = setting_.automatic.expand(taken->steps, work.kernel);
      Diagnostics problems = steps ? run_all(*steps, work) : steps.errors();
      if (!problems.empty())
        return with_trail(std::move(problems), step);
    }
    return {};
  }

  std::size_t next_choice() const {
    const Automatic &automatic = setting_.automatic;
    return chosen_.size() < automatic.choices.size() ? automatic.choices[chosen_.size()] : automatic.further;
  }

  // Changes the work, or says why not.
  Diagnostics apply(const Step &step, const Found &found, Work &work) {
    Work changed = work;
    changed.conditions.clear();
    changed.equalities.clear();
    require_positive_divisors(step, changed);
    Outcome outcome = found.row->apply(changed, found.arguments);
    if (auto *problems = std::get_if<Diagnostics>(&outcome))
      return with_trail(std::move(*problems), step);
    if (auto &refused = std::get<Refused>(outcome))
      return with_trail({{Code::step_refused, step.span, refused->message, refused->notes}}, step);
    make_lets_unique(changed.kernel); // what is computed twice now has two names
    if (auto problem = malformed(changed.kernel, work.kernel, step))
      return with_trail({*problem}, step);
    if (Diagnostics problems = refuted(changed.conditions, step); !problems.empty())
      return problems;
    if (Diagnostics problems = differs(changed, work, step); !problems.empty())
      return problems;
    std::swap(work, changed);
    done_.push_back({step,
                     {std::move(changed.kernel), std::move(changed.requests)},
                     {work.kernel, work.requests},
                     std::move(work.conditions)});
    work.conditions.clear();
    return {};
  }

  // The first condition that does not hold.
  Diagnostics refuted(std::vector<Obligation> &conditions, const Step &step) {
    for (Obligation &condition : conditions) {
      condition.span = step.span;
      if (auto problem = judge_(condition))
        return with_trail({*problem}, step);
    }
    return {};
  }

  // The first equality that is not proved; those that are, are conditions like the others.
  Diagnostics differs(Work &now, const Work &before, const Step &step) {
    for (Obligation &equality : std::exchange(now.equalities, {})) {
      equality.span = step.span;
      auto problem = setting_.judge_equality ? setting_.judge_equality(equality, before.kernel, now.kernel)
                                             : judge_(equality);
      if (problem)
        return with_trail({*problem}, step);
      now.conditions.push_back(std::move(equality));
    }
    return {};
  }

  // The steps of the block are for a version of its own; those after it for the other sizes.
  Diagnostics specialize(const Step &step, const Pred &when, Work &work) {
    auto refuse = [&](const std::string &why) {
      return with_trail({{Code::step_refused, step.span, why, {}}}, step);
    };
    if (&work != &general_)
      return refuse("specialize inside specialize; write one after the other, with both conditions");
    std::set<std::string> names;
    collect_variables(when, names);
    std::vector<std::string> sizes = algorithm_.size_names();
    for (const std::string &name : names)
      if (std::find(sizes.begin(), sizes.end(), name) == sizes.end())
        return refuse(name + " is not a size of the kernel");
    Work special = work;
    require_positive_divisors(step, special);
    if (Diagnostics problems = refuted(special.conditions, step); !problems.empty())
      return problems;
    special.conditions.clear();
    special.kernel.assumptions.push_back(when);
    Diagnostics problems = run_all(step.block, special);
    if (!problems.empty())
      return problems;
    problems = finish(when, std::move(special));
    if (!problems.empty())
      return problems;
    work.kernel.assumptions.push_back(positive_form(neg(when)));
    return {};
  }

  // What is asked for of the kernel as it is in the end is done now.
  Diagnostics finish(const Pred &when, Work work) {
    if (work.requests)
      for (const Requests::Taken &asked : std::exchange(work.requests->taken, {}))
        if (Diagnostics problems = take(asked, work); !problems.empty())
          return problems;
    work.kernel.obligations.clear(); // those of the algorithm; what is scheduled has its own
    if (!setting_.name.empty())
      work.kernel.name = setting_.name;
    versions_.push_back({when, std::move(work.kernel), std::move(work.prophecies), std::move(work.reindexing),
                         std::move(work.requests)});
    return {};
  }

  Diagnostics take(const Requests::Taken &asked, Work &work) {
    if (auto refusal = rewrites::take_into_sum(work, asked.tensor, asked.term))
      return {{Code::step_refused, asked.span, refusal->message, {}}};
    Step step;
    step.span = asked.span;
    Diagnostics problems = refuted(work.conditions, step);
    work.conditions.clear();
    return problems;
  }

  const TypedKernel &algorithm_;
  const Judge &judge_;
  const Setting &setting_;
  Work general_;
  std::optional<std::string> scope_; // of `within T { ... }`
  std::vector<Version> versions_;
  std::vector<Done> done_;
  std::vector<Chosen> chosen_;
};

} // namespace

std::variant<Scheduled, Failure> run(const TypedKernel &algorithm, const std::vector<Step> &steps,
                                     const Judge &judge, const Setting &setting) {
  return Runner(algorithm, judge, setting).run(steps);
}

std::string print(const State &state) {
  return (state.requests ? print(*state.requests) : "") + print(state.kernel);
}

} // namespace atl::schedule
