#include "atl/parse/call_graph.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace atl::parse {

namespace {

// Depth-first, with an explicit stack: chains of calls may be long.
class Walk {
public:
  Walk(const std::vector<DefinitionSize> &definitions, Reporter &reporter)
      : definitions_(definitions), reporter_(reporter), states_(definitions.size()) {
    for (std::size_t i = 0; i < definitions.size(); ++i)
      numbers_.emplace(definitions[i].name, i);
  }

  void visit(std::size_t root) {
    if (states_[root].status == Status::unseen)
      enter(root);
    while (!path_.empty())
      step();
  }

private:
  enum class Status { unseen, open, done };
  struct State {
    Status status = Status::unseen;
    std::size_t next_call = 0;
    std::uint64_t parts = 0; // with calls inlined
    int depth = 0;
  };

  void enter(std::size_t number) {
    states_[number] = {Status::open, 0, definitions_[number].parts, definitions_[number].depth};
    path_.push_back(number);
  }

  void step() {
    std::size_t number = path_.back();
    State &state = states_[number];
    if (state.next_call == definitions_[number].calls.size())
      return leave(number);
    const CallSite &call = definitions_[number].calls[state.next_call];
    auto callee = numbers_.find(call.callee);
    if (callee == numbers_.end() || states_[callee->second].status == Status::done) {
      ++state.next_call;
      if (callee != numbers_.end())
        add(number, states_[callee->second]);
    } else if (states_[callee->second].status == Status::open) {
      ++state.next_call;
      report_cycle(callee->second, call.span);
    } else {
      enter(callee->second);
    }
  }

  void add(std::size_t number, const State &callee) {
    State &state = states_[number];
    state.parts = std::min(state.parts + callee.parts, expansion_limit + 1);
    state.depth = std::max(state.depth, definitions_[number].depth + callee.depth);
  }

  void leave(std::size_t number) {
    State &state = states_[number];
    state.status = Status::done;
    path_.pop_back();
    const DefinitionSize &definition = definitions_[number];
    if (state.parts > expansion_limit)
      reporter_.report(
          Code::too_deep, definition.span,
          fmt::format("'{}' has more than {} parts once its calls are replaced by their definitions",
                      definition.name, expansion_limit));
    else if (state.depth > depth_limit && definition.depth <= depth_limit) // else it is reported already
      reporter_.report(
          Code::too_deep, definition.span,
          fmt::format("'{}' is more than {} levels deep once its calls are replaced by their definitions",
                      definition.name, depth_limit));
    if (state.parts > expansion_limit || state.depth > depth_limit)
      state.parts = 0, state.depth = 0; // one report is enough
  }

  void report_cycle(std::size_t start, Span call) {
    auto first = std::find(path_.begin(), path_.end(), start);
    std::string others;
    for (auto other = first + 1; other < path_.end(); ++other)
      others += fmt::format("{}'{}'", others.empty() ? "" : ", ", definitions_[*other].name);
    reporter_.report(Code::recursive_definition, call,
                     fmt::format("'{}' calls itself{}{}", definitions_[start].name,
                                 others.empty() ? "" : " through ", others));
  }

  const std::vector<DefinitionSize> &definitions_;
  Reporter &reporter_;
  std::vector<State> states_;
  std::map<std::string, std::size_t> numbers_;
  std::vector<std::size_t> path_; // the open definitions, each called by the one before
};

} // namespace

void check_calls(const std::vector<DefinitionSize> &definitions, Reporter &reporter) {
  Walk walk(definitions, reporter);
  for (std::size_t i = 0; i < definitions.size(); ++i)
    walk.visit(i);
}

} // namespace atl::parse
