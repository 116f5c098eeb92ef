#include "atl/schedule/well_formed.h"

#include "atl/parse/call_graph.h"
#include "atl/schedule/steps/target.h"
#include "atl/syntax/tree.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::schedule {

namespace {

std::vector<ExprPtr> roots_of(const TypedKernel &kernel) {
  std::vector<ExprPtr> roots = kernel.results;
  for (const Binding &let : kernel.lets)
    roots.push_back(let.value);
  return roots;
}

// Goes through a program once, with the names that are known at each place.
class Inspection {
public:
  Inspection(const TypedKernel &before, const Step &step) : before_(before), step_(step) {
    for (const Param &param : before.params)
      (param.kind == Param::Kind::size ? known_ : tensors_).insert(param.name);
    for (const Output &output : before.outputs)
      results_.insert(output.name);
  }

  std::optional<Diagnostic> problem;

  void visit(const ExprPtr &e, int depth) {
    if (depth > parse::depth_limit)
      refuse(fmt::format("the program would be nested more than {} levels deep", parse::depth_limit));
    if (++parts_ > parse::expansion_limit)
      refuse(fmt::format("the program would have more than {} parts", parse::expansion_limit));
    visit_names(e);
    if (problem)
      return;
    auto head = loop_head(e);
    if (head)
      enter(head->var);
    for (const ExprPtr &child : children(*e))
      if (!problem)
        visit(child, depth + 1);
    if (head && !problem)
      known_.erase(head->var);
  }

private:
  void enter(const std::string &var) {
    const std::vector<std::string> sizes = before_.size_names();
    bool parameter = tensors_.contains(var) || std::find(sizes.begin(), sizes.end(), var) != sizes.end();
    if (parameter)
      refuse(fmt::format("a loop {} would have the name of a parameter", var), other_names);
    else if (results_.contains(var))
      refuse(fmt::format("a loop {} would have the name of a result", var), other_names);
    else if (!known_.insert(var).second)
      refuse(fmt::format("a loop {} would be inside another loop {}", var, var), other_names);
  }

  void visit_names(const ExprPtr &e) {
    std::set<std::string> used;
    collect_own_variables(*e, used);
    for (const std::string &name : used)
      if (!problem && !known_.contains(name))
        problem =
            Diagnostic{Code::unknown_target,
                       step_.span,
                       fmt::format("{} is not known there: it is neither a size nor a loop around it", name),
                       {{std::nullopt, "the loops were " + loops_of(before_)}}};
  }

  static constexpr const char *other_names = "choose other names with `into`";

  void refuse(const std::string &why, const std::string &note = "") {
    if (problem)
      return;
    problem = Diagnostic{Code::step_refused, step_.span, why, {}};
    if (!note.empty())
      problem->notes.push_back({std::nullopt, note});
  }

  const TypedKernel &before_;
  const Step &step_;
  std::set<std::string> known_, tensors_, results_;
  std::uint64_t parts_ = 0;
};

} // namespace

std::optional<Diagnostic> malformed(const TypedKernel &kernel, const TypedKernel &before, const Step &step) {
  Inspection inspection(before, step);
  for (const ExprPtr &root : roots_of(kernel))
    inspection.visit(root, 0);
  return inspection.problem;
}

} // namespace atl::schedule
