#include "accel/blocks/fit.h"

#include "atl/index/solve.h"
#include "atl/syntax/tree.h"

#include <fmt/format.h>

namespace atl::accel {

using namespace lowering;

namespace {

// Through a dimension of an operand: `index.less` iterations of the sum of its loops come before, and then
// `length`, a size of the instruction, are inside.
struct Window {
  BlockIndex index;
  std::string length;
};

// Each once.
std::vector<Window> windows_of(const BlockPattern &pattern) {
  std::map<std::string, Window> found;
  for_each_access(pattern.value, [&](const Access &read) {
    const Param *operand = find_operand(*pattern.source, read.tensor);
    const auto at = indices_of(pattern, read.indices);
    for (std::size_t d = 0; at && d < at->size(); ++d)
      if (const Index &extent = operand->type.shape[d];
          !at->at(d).less.empty() && extent->op == IndexOp::variable)
        found.emplace(at->at(d).less, Window{at->at(d), extent->name});
  });
  std::vector<Window> all;
  for (auto &[less, window] : found)
    all.push_back(std::move(window));
  return all;
}

// The loops of the window in the nest, counted from their starts; and what the first of them is, by the
// position in the window and the others.
struct Position {
  std::string name;
  std::vector<std::string> loops = {};
  Index count = constant(1), first{};
};

Position position_of(const Fitting &fitting, const Attempt &attempt, const Window &window) {
  Position result{window.index.less + ".window"};
  result.first = variable(result.name);
  for (const std::size_t p : window.index.loops) {
    const std::string &var = loop_of(fitting, attempt, p).var;
    const Index &start = attempt.match.starts[p];
    result.first =
        result.loops.empty() ? add(result.first, start) : sub(result.first, sub(variable(var), start));
    result.count = add(result.count, sub(attempt.match.extents[p], constant(1)));
    result.loops.push_back(var);
  }
  return result;
}

bool is_about(const Position &position, const Pred &condition) {
  return std::any_of(position.loops.begin(), position.loops.end(),
                     [&](const std::string &loop) { return mentions(condition, loop); });
}

bool bind_size(Fitting &fitting, Attempt &attempt, const std::string &size, const Index &value) {
  const auto [bound, is_new] = attempt.match.sizes.emplace(size, fitting.outside.simplify(value));
  return is_new || refuse(fitting, attempt, size + " is bound twice");
}

// The conditions that are about the loops of the window bound the position; the others stay.
bool bind_window(Fitting &fitting, Attempt &attempt, const Window &window, std::vector<Pred> &conditions) {
  const Position position = position_of(fitting, attempt, window);
  Index from = constant(0), before = position.count;
  std::vector<Pred> others;
  for (const Pred &condition : conditions) {
    if (!is_about(position, condition)) {
      others.push_back(condition);
      continue;
    }
    const Pred about = substitute(condition, {{position.loops[0], position.first}});
    const Solution solution = solve_exactly(about, position.name, fitting.outside);
    const Index &end = solution.from ? solution.from : solution.before;
    if (!end || !is_fixed(fitting, end))
      return refuse(fitting, attempt,
                    fmt::format("the condition {} does not bound a window", to_string(condition)));
    if (solution.from)
      from = binary(IndexOp::max, from, solution.from);
    else
      before = binary(IndexOp::min, before, solution.before);
  }
  conditions = std::move(others);
  return bind_size(fitting, attempt, window.index.less, from) &&
         bind_size(fitting, attempt, window.length, sub(before, from));
}

} // namespace

bool bind_windows(Fitting &fitting, Attempt &attempt) {
  std::vector<Pred> conditions = fitting.nest.of_terms;
  for (const Window &window : windows_of(fitting.pattern))
    if (!bind_window(fitting, attempt, window, conditions))
      return false;
  return conditions.empty() ||
         refuse(fitting, attempt,
                fmt::format("the condition {} of its terms is about no window", to_string(conditions[0])));
}

} // namespace atl::accel
