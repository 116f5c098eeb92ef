#include "atl/schedule/run.h"

#include "atl/schedule/print_schedule.h"
#include "atl/schedule/step_table.h"
#include "atl/schedule/target.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::schedule {

namespace {

using rewrites::Work;

// Each tensor of the algorithm holds itself, to begin with.
equality::Prophecies identities(const TypedKernel &algorithm) {
  equality::Prophecies prophecies;
  for (const Binding &let : algorithm.lets)
    prophecies[let.name] = equality::itself(let.name, let.value->type->shape.size());
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

// A loop inside another one of the same name; names are unique in scope.
std::optional<std::string> shadowed_loop(const ExprPtr &e, std::vector<std::string> around) {
  if (auto head = rewrites::loop_head(e)) {
    if (std::find(around.begin(), around.end(), head->var) != around.end())
      return head->var;
    around.push_back(head->var);
  }
  for (const ExprPtr &child : children(*e))
    if (auto found = shadowed_loop(child, around))
      return found;
  return std::nullopt;
}

std::vector<ExprPtr> roots_of(const TypedKernel &kernel) {
  std::vector<ExprPtr> roots = kernel.results;
  for (const Binding &let : kernel.lets)
    roots.push_back(let.value);
  return roots;
}

std::optional<std::string> shadowed_loop(const TypedKernel &kernel) {
  for (const ExprPtr &root : roots_of(kernel))
    if (auto found = shadowed_loop(root, {}))
      return found;
  return std::nullopt;
}

// A variable that nothing around binds: a step named it, but it is not there.
std::optional<std::string> unknown_variable(const ExprPtr &e, std::set<std::string> known) {
  std::set<std::string> used;
  auto in_all = [&](const std::vector<Index> &indices) {
    for (const Index &i : indices)
      collect_variables(i, used);
  };
  auto head = rewrites::loop_head(e);
  if (head)
    in_all({head->lo, head->hi});
  if (const Guard *g = std::get_if<Guard>(&e->node))
    collect_variables(g->pred, used);
  if (const Reshape *r = std::get_if<Reshape>(&e->node))
    in_all(r->args);
  if (const Access *a = std::get_if<Access>(&e->node))
    in_all(a->indices);
  if (const FromIndex *f = std::get_if<FromIndex>(&e->node))
    in_all({f->value});
  for (const std::string &name : used)
    if (!known.contains(name))
      return name;
  if (head)
    known.insert(head->var);
  for (const ExprPtr &child : children(*e))
    if (auto found = unknown_variable(child, known))
      return found;
  return std::nullopt;
}

std::optional<std::string> unknown_variable(const TypedKernel &kernel) {
  const std::vector<std::string> sizes = kernel.size_names();
  for (const ExprPtr &root : roots_of(kernel))
    if (auto found = unknown_variable(root, {sizes.begin(), sizes.end()}))
      return found;
  return std::nullopt;
}

class Runner {
public:
  Runner(const TypedKernel &algorithm, const Judge &judge)
      : algorithm_(algorithm), judge_(judge), general_{algorithm, identities(algorithm), {}, {}} {
    rewrites::make_lets_unique(general_.kernel);
  }

  std::variant<Scheduled, Failure> run(const std::vector<Step> &steps) {
    Diagnostics problems = run_all(steps, general_);
    if (!problems.empty())
      return Failure{std::move(problems), std::move(done_)};
    finish(truth(true), std::move(general_));
    return Scheduled{std::move(versions_), std::move(done_)};
  }

private:
  Diagnostics run_all(const std::vector<Step> &steps, Work &work) {
    for (const Step &step : steps) {
      Diagnostics problems = step.name == "specialize" ? specialize(step, work) : apply(step, work);
      if (!problems.empty())
        return problems;
    }
    return {};
  }

  // Changes the work, or says why not.
  Diagnostics apply(const Step &step, Work &work) {
    const StepInfo *info = find_step(step.name);
    if (!info)
      return with_trail({{Code::unknown_step,
                          step.span,
                          fmt::format("there is no step {}", step.name),
                          {{std::nullopt, "the steps are " + steps_in_words()}}}},
                        step);
    Work changed = work;
    changed.conditions.clear();
    Arguments in(step, info->usage, work.kernel);
    info->apply(in, changed);
    if (in.failed())
      return with_trail(in.take_problems(), step);
    rewrites::make_lets_unique(changed.kernel); // what is computed twice now has two names
    if (auto loop = shadowed_loop(changed.kernel))
      return with_trail({{Code::step_refused,
                          step.span,
                          fmt::format("a loop {} would be inside another loop {}", *loop, *loop),
                          {{std::nullopt, "choose other names with `into`"}}}},
                        step);
    if (auto name = unknown_variable(changed.kernel))
      return with_trail(
          {{Code::unknown_target,
            step.span,
            fmt::format("{} is not known there: it is neither a size nor a loop around it", *name),
            {{std::nullopt, "the loops were " + loops_of(work.kernel)}}}},
          step);
    for (Obligation &condition : changed.conditions) {
      condition.span = step.span;
      if (auto problem = judge_(condition))
        return with_trail({*problem}, step);
    }
    std::swap(work, changed);
    done_.push_back({step, std::move(changed.kernel), work.kernel, std::move(work.conditions)});
    work.conditions.clear();
    return {};
  }

  // The steps of the block are for a version of its own; those after it for the other sizes.
  Diagnostics specialize(const Step &step, Work &work) {
    auto refuse = [&](const std::string &why) {
      return with_trail({{Code::step_refused, step.span, why, {}}}, step);
    };
    bool usage =
        step.items.size() == 2 && step.items[0].text == "when" && step.items[1].kind == StepItem::Kind::pred;
    if (!usage)
      return with_trail({{Code::step_usage,
                          step.span,
                          "specialize is written in another way",
                          {{std::nullopt, fmt::format("write `{}`", find_step("specialize")->usage)}}}},
                        step);
    if (&work != &general_)
      return refuse("specialize inside specialize; write one after the other, with both conditions");
    const Pred &when = step.items[1].pred;
    std::set<std::string> names;
    collect_variables(when, names);
    std::vector<std::string> sizes = algorithm_.size_names();
    for (const std::string &name : names)
      if (std::find(sizes.begin(), sizes.end(), name) == sizes.end())
        return refuse(name + " is not a size of the kernel");
    Work special = work;
    special.kernel.assumptions.push_back(when);
    Diagnostics problems = run_all(step.block, special);
    if (!problems.empty())
      return problems;
    finish(when, std::move(special));
    work.kernel.assumptions.push_back(positive_form(neg(when)));
    return {};
  }

  void finish(const Pred &when, Work work) {
    work.kernel.obligations.clear(); // those of the algorithm; what is scheduled has its own
    versions_.push_back(
        {when, std::move(work.kernel), std::move(work.prophecies), std::move(work.reindexing)});
  }

  const TypedKernel &algorithm_;
  const Judge &judge_;
  Work general_;
  std::vector<Version> versions_;
  std::vector<Done> done_;
};

} // namespace

std::variant<Scheduled, Failure> run(const TypedKernel &algorithm, const std::vector<Step> &steps,
                                     const Judge &judge) {
  return Runner(algorithm, judge).run(steps);
}

} // namespace atl::schedule
