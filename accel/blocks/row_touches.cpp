#include "accel/blocks/row_touches.h"

#include "atl/index/bounds.h"
#include "atl/syntax/tree.h"

#include <algorithm>

namespace atl::accel {

using namespace lowering;

namespace {

// Walks down the life of one temporary.
class Finder {
public:
  explicit Finder(const std::string &tensor) : tensor_(tensor) {}

  std::vector<RowTouch> touches;

  void statement(const Stmt &stmt, const Known &around) {
    visit(stmt, around);
    ++at_.statement;
  }

private:
  void visit(const Stmt &stmt, const Known &around) {
    match(
        stmt, [&](const For &loop) { visit(loop, around); },
        [&](const If &branch) {
          const std::size_t before = at_.guards.size();
          for (const Pred &part : conjuncts(branch.pred))
            at_.guards.push_back(part);
          visit(branch.body, around.where(branch.pred));
          at_.guards.resize(before);
        },
        [&](const Alloc &alloc) { visit(alloc.body, around); },
        [&](const Store &store) {
          if (at_.replaced)
            note(store, around);
        });
  }

  void visit(const Block &body, const Known &around) {
    for (const Stmt &stmt : body)
      visit(stmt, around);
  }

  void visit(const For &loop, const Known &around) {
    const bool starts = !at_.replaced && loop.block && loop.block->replaces;
    if (starts && !loop.block->call)
      return; // nothing is done
    if (starts)
      at_.replaced = &loop;
    at_.loops.push_back(&loop);
    visit(loop.body, around.inside(loop.range()));
    at_.loops.pop_back();
    if (starts)
      at_.replaced = nullptr;
  }

  void note(const Store &store, const Known &around) {
    at_.around = around;
    at_.stores = false;
    for_each_access(store.value, [&](const Access &access) {
      if (access.tensor == tensor_)
        add_touch(access.indices);
    });
    at_.stores = true;
    if (store.buffer == tensor_)
      add_touch(store.indices);
  }

  void add_touch(const std::vector<Index> &cell) {
    at_.cell = cell;
    touches.push_back(at_);
  }

  const std::string &tensor_;
  RowTouch at_ = {};
};

const Index *adds_of(const RowTouch &touch) {
  for (const auto &[name, operand] : touch.call().operands)
    if (name == "adds")
      return std::get_if<Index>(&operand);
  return nullptr;
}

using Iterations = std::vector<Subst>;

bool is_in_cell(const RowTouch &touch, const std::string &var) {
  return std::any_of(touch.cell.begin(), touch.cell.end(),
                     [&](const Index &index) { return mentions(index, var); });
}

std::vector<Index> some_iterations(const For &loop, std::optional<std::int64_t> few) {
  if (!few)
    return {loop.lo, add(loop.lo, constant(1))};
  std::vector<Index> all;
  for (std::int64_t i = 0; i < *few; ++i)
    all.push_back(add(loop.lo, constant(i)));
  return all;
}

// Of a loop of few iterations: these; of one that does not say which cell is touched: the first two, of which
// one is inside of an image at its edge; of others, none yet.
Iterations with_chosen(const RowTouch &touch, const Facts &facts) {
  constexpr std::int64_t few = 3;
  Iterations all{{}};
  for (const For *loop : touch.loops) {
    auto count = as_constant(facts.simplify(sub(loop->hi, loop->lo)));
    if (count && *count > few)
      count.reset();
    if (!count && is_in_cell(touch, loop->var))
      continue;
    Iterations more;
    for (const Subst &values : all)
      for (const Index &iteration : some_iterations(*loop, count)) {
        more.push_back(values);
        more.back()[loop->var] = substitute(iteration, values);
      }
    all = std::move(more);
  }
  return all;
}

// The iterations of the other loops: in each dimension the loop that goes in the largest steps comes first,
// as far as it reaches.
bool solve_for(const RowTouch &touch, const std::vector<Index> &cell, const Facts &facts, Subst &values) {
  for (std::size_t d = 0; d < cell.size(); ++d) {
    Index own = facts.simplify(substitute(touch.cell[d], values));
    std::vector<std::pair<std::int64_t, const For *>> steps;
    for (const For *loop : touch.loops)
      if (!values.contains(loop->var) && mentions(own, loop->var)) {
        auto linear = linear_in(own, loop->var);
        auto slope = linear ? as_constant(facts.simplify(linear->slope)) : std::nullopt;
        if (!slope || *slope <= 0)
          return false;
        steps.emplace_back(*slope, loop);
      }
    std::stable_sort(steps.begin(), steps.end(), [](auto &a, auto &b) { return a.first > b.first; });
    for (const auto &step : steps) // from their first iterations
      own = add(sub(own, mul(constant(step.first), variable(step.second->var))),
                mul(constant(step.first), substitute(step.second->lo, values)));
    Index rest = facts.simplify(sub(cell[d], own));
    for (const auto &[slope, loop] : steps) {
      const Index lo = substitute(loop->lo, values), turns = facts.simplify(floor_div(rest, constant(slope)));
      const Index last = facts.simplify(sub(sub(substitute(loop->hi, values), lo), constant(1)));
      const bool reaches = facts.proves(compare(PredOp::le, turns, last));
      const Index taken = reaches ? turns : binary(IndexOp::min, turns, last);
      values[loop->var] = facts.simplify(add(lo, taken));
      rest = facts.simplify(reaches ? modulo(rest, constant(slope)) : sub(rest, mul(constant(slope), taken)));
    }
  }
  return true;
}

// That the nest of the touch comes to this iteration of its loops, and touches the cell there.
std::vector<Pred> conditions_in(const RowTouch &touch, const Subst &iteration,
                                const std::vector<Index> &cell) {
  std::vector<Pred> all;
  for (const For *loop : touch.loops)
    all.push_back(substitute(in_range(loop->lo, variable(loop->var), loop->hi), iteration));
  for (const Pred &guard : touch.guards)
    all.push_back(substitute(guard, iteration));
  for (std::size_t d = 0; d < cell.size(); ++d)
    all.push_back(compare(PredOp::eq, substitute(touch.cell[d], iteration), cell[d]));
  return all;
}

// Each under those before it, which takes less than to simplify the conjunction: that is tried as a whole,
// too, and so is each of its parts.
Pred all_of(const std::vector<Pred> &conditions, Facts known) {
  Pred all = truth(true);
  for (const Pred &condition : conditions) {
    const Pred simple = known.simplify(condition);
    all = conj(all, simple);
    if (simple->op != PredOp::truth)
      known.assume(simple);
    else if (!simple->value)
      return truth(false);
  }
  return all;
}

// Where p holds, q does.
bool has_parts_of(const Pred &p, const Pred &q) {
  const std::vector<Pred> parts = conjuncts(p), needed = conjuncts(q);
  return std::all_of(needed.begin(), needed.end(), [&](const Pred &one) { return is_among(one, parts); });
}

} // namespace

bool RowTouch::only_adds() const {
  const Index *adds = adds_of(*this);
  return stores && call().instruction->adds && (!adds || as_constant(*adds) == 1);
}

bool RowTouch::only_replaces() const {
  const Index *adds = adds_of(*this);
  return stores && (!call().instruction->adds || (adds && as_constant(*adds) == 0));
}

std::vector<RowTouch> row_touches_of(const Alloc &temporary, const Known &around) {
  Finder finder(temporary.buffer.name);
  for (const Stmt &stmt : temporary.body)
    finder.statement(stmt, around);
  return std::move(finder.touches);
}

bool is_certain(const Pred &p) {
  return p->op == PredOp::truth && p->value;
}

Pred touches_cell(const RowTouch &touch, const std::vector<Index> &cell, const Facts &facts) {
  std::vector<Pred> alternatives;
  for (Subst &values : with_chosen(touch, facts))
    if (solve_for(touch, cell, facts, values)) {
      const Pred there = all_of(conditions_in(touch, values, cell), facts);
      if (std::none_of(alternatives.begin(), alternatives.end(),
                       [&](const Pred &other) { return has_parts_of(there, other); }))
        alternatives.push_back(there);
      if (is_certain(there))
        break;
    }
  Pred any = truth(false);
  for (const Pred &there : alternatives)
    any = disj(any, there);
  return any;
}

Elsewhere in_other_iteration(const RowTouch &touch, const std::vector<Index> &cell,
                             const std::vector<std::string> &same) {
  Elsewhere other{{}, truth(true), truth(true)};
  Subst names;
  for (const std::string &variable_name : touch.around.variables)
    if (std::find(same.begin(), same.end(), variable_name) == same.end()) {
      other.variables.push_back(variable_name + ".other");
      names[variable_name] = variable(other.variables.back());
    }
  for (const Pred &known : touch.around.hypotheses)
    other.touches = conj(other.touches, substitute(known, names));
  for (std::size_t d = 0; d < cell.size(); ++d)
    other.touches = conj(other.touches, compare(PredOp::eq, substitute(touch.cell[d], names), cell[d]));
  Subst here;
  for (const For *loop : touch.loops)
    if (auto renamed = names.find(loop->var); renamed != names.end())
      here.insert(*renamed);
  other.touches_here = conj(conditions_in(touch, here, cell));
  return other;
}

} // namespace atl::accel
