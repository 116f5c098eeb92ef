#include "accel/blocks/overlap.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace atl::accel {

using namespace lowering;

namespace {

void state(Overlap &o, const Known &around, std::string what, const Pred &claim, Template otherwise) {
  Obligation obligation = obligation_at(around, o.span, std::move(what));
  obligation.claims.push_back({claim, std::move(otherwise)});
  o.kernel.obligations.push_back(std::move(obligation));
}

bool contains(const Alloc &outer, const Alloc &alloc) {
  return any_of<Alloc>(outer.body, [&](const Alloc &inner) { return &inner == &alloc; });
}

// Rows are handed out from outside to inside: those of a temporary beside this one may be the same.
bool shares_rows(const Block &body, const Alloc &alloc) {
  bool shared = false;
  for_each<Alloc>(body, [&](const Alloc &other) {
    shared =
        shared || (&other != &alloc && !contains(other, alloc) && other.buffer.memory == alloc.buffer.memory);
    return &other != &alloc;
  });
  return shared;
}

void visit(Overlap &o, Block &body, const Known &around, const Loops &loops, const AtTemporary &apply) {
  for (Stmt &stmt : body)
    if (For *loop = std::get_if<For>(&stmt.node)) {
      Loops more = loops;
      more.push_back({loop, around});
      visit(o, loop->body, around.inside(loop->range()), more, apply);
    } else if (If *branch = std::get_if<If>(&stmt.node)) {
      visit(o, branch->body, around.where(branch->pred), {}, apply);
    } else if (Alloc *alloc = std::get_if<Alloc>(&stmt.node)) {
      if (alloc->buffer.name == o.tensor && !alloc->buffer.memory.empty()) {
        o.found = true;
        apply(*alloc, around, loops);
      }
      visit(o, alloc->body, around, loops, apply);
    }
}

} // namespace

std::optional<Diagnostic> each_temporary(Overlap &o, const AtTemporary &apply) {
  Block body = std::move(o.kernel.body);
  visit(o, body, known_in(o.kernel), {}, apply);
  o.kernel.body = std::move(body);
  if (!o.found)
    o.refuse(no_temporary_in_rows);
  return o.request.problem();
}

Loops turns_of(Overlap &o, const Loops &loops) {
  auto first =
      std::find_if(loops.begin(), loops.end(), [&](const Level &level) { return level.loop->var == o.from; });
  if (o.from.empty() && !loops.empty())
    first = loops.end() - 1;
  if (first == loops.end())
    o.refuse(o.from.empty() ? "it is in no loop whose iterations all have it"
                            : fmt::format("not all iterations of {} have it", o.from));
  for (auto level = first; level != loops.end(); ++level)
    if (level->loop->mode != LoopMode::sequential) {
      o.refuse(fmt::format("the iterations of {} are not one after the other", level->loop->var));
      return {};
    }
  return {first, loops.end()};
}

bool has_rows_for_two(Overlap &o, const Alloc &alloc, const Block &turn) {
  auto copies = o.copies.find(alloc.buffer.name);
  const bool has_room = copies != o.copies.end() && copies->second >= 2;
  if (!has_room)
    o.refuse(fmt::format("there is no room for it twice in {}", alloc.buffer.memory));
  else if (shares_rows(turn, alloc))
    o.refuse(fmt::format("another temporary in {} takes turns with its rows", alloc.buffer.memory));
  else
    return true;
  return false;
}

void must_run(Overlap &o, const For &loop, const Known &around, std::string what) {
  state(o, around, std::move(what), compare(PredOp::lt, loop.lo, loop.hi), {loop.var + " has no iterations"});
}

void count_iterations(Overlap &o, const Loops &turns, const Known &around) {
  for (std::size_t level = 1; level < turns.size(); ++level)
    must_run(o, *turns[level].loop, turns[level].outside,
             fmt::format("{} runs, so that {} is there for what follows", turns[level].loop->var, o.tensor));
  if (turns.size() > 1)
    state(o, around, fmt::format("the iterations that fill {} can be counted", o.tensor),
          compare(PredOp::lt, turn_of(around, o.from), constant(std::numeric_limits<std::int64_t>::max())),
          {"their number does not fit 64 bits"});
}

void in_other_rows(Overlap &o, const Subst &one, const Subst &other, const Known &around, std::string what) {
  const Placed &placed = o.buffers.at(o.tensor);
  Index here = substitute(placed.address, one), rows = constant(placed.rows());
  Index there = substitute(placed.address, other);
  state(o, around, std::move(what),
        disj(compare(PredOp::le, add(here, rows), there), compare(PredOp::le, add(there, rows), here)),
        {"the rows of one iteration are some of those of the next"});
}

} // namespace atl::accel
