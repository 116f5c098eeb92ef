#include "accel/blocks/pipeline.h"

#include "accel/blocks/fills.h"
#include "accel/blocks/pieces.h"
#include "accel/blocks/request.h"
#include "accel/blocks/turns.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace atl::accel {

using namespace lowering;

namespace {

// One request of the schedule, while it is done.
struct Pipelining {
  LoopKernel &kernel;
  const Requests::Pipelined &asked;
  const Copies &copies;
  const Buffers &buffers;
  Request request = {asked.tensor, asked.span, "cannot be filled one iteration ahead"};
  bool found = false;

  void refuse(const std::string &why) { request.refuse(why); }
};

void state(Pipelining &p, const Known &around, std::string what, const Pred &claim, Template otherwise) {
  Obligation o = obligation_at(around, p.asked.span, std::move(what));
  o.claims.push_back({claim, std::move(otherwise)});
  p.kernel.obligations.push_back(std::move(o));
}

void must_run(Pipelining &p, const For &loop, const Known &around, std::string what) {
  state(p, around, std::move(what), compare(PredOp::lt, loop.lo, loop.hi), {loop.var + " has no iterations"});
}

// Those whose iterations follow each other; none is refused.
Loops turns_of(Pipelining &p, const Loops &loops) {
  const std::string &from = p.asked.from;
  auto first =
      std::find_if(loops.begin(), loops.end(), [&](const Level &level) { return level.loop->var == from; });
  if (from.empty() && !loops.empty())
    first = loops.end() - 1;
  if (first == loops.end())
    p.refuse(from.empty() ? "it is in no loop whose iterations all have it"
                          : fmt::format("not all iterations of {} have it", from));
  for (auto level = first; level != loops.end(); ++level)
    if (level->loop->mode != LoopMode::sequential) {
      p.refuse(fmt::format("the iterations of {} are not one after the other", level->loop->var));
      return {};
    }
  return {first, loops.end()};
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

// Before the loops, for their first iteration.
void fill_first(const Loops &turns, const std::vector<For *> &fills) {
  const Iteration start = first_iteration(turns);
  Block first;
  for (const For *fill : fills)
    first.push_back(substituted(Stmt{*fill}, start.values));
  const Pred runs = turns[0].outside.facts().simplify(start.runs);
  std::shared_ptr<BlockCode> kept;
  Block &before = code_of(*turns[0].loop, kept).before;
  if (runs->op == PredOp::truth && runs->value)
    before.insert(before.end(), first.begin(), first.end());
  else
    before.push_back({If{runs, first}});
}

// Iterations of several loops follow each other if each of these runs, and have numbers that fit.
void count_iterations(Pipelining &p, const Loops &turns, const Known &around) {
  for (std::size_t level = 1; level < turns.size(); ++level)
    must_run(
        p, *turns[level].loop, turns[level].outside,
        fmt::format("{} runs, so that {} is there for what follows", turns[level].loop->var, p.asked.tensor));
  if (turns.size() > 1)
    state(p, around, fmt::format("the iterations that fill {} can be counted", p.asked.tensor),
          compare(PredOp::lt, turn_of(around, p.asked.from),
                  constant(std::numeric_limits<std::int64_t>::max())),
          {"their number does not fit 64 bits"});
}

// The copies take turns: what is filled ahead is not where the iteration works.
void in_other_rows(Pipelining &p, const Subst &then, const Known &around) {
  const Placed &placed = p.buffers.at(p.asked.tensor);
  Index here = placed.address, rows = constant(placed.rows());
  Index there = substitute(here, then);
  state(p, around, fmt::format("{} is filled in rows that the iteration before does not use", p.asked.tensor),
        disj(compare(PredOp::le, add(here, rows), there), compare(PredOp::le, add(there, rows), here)),
        {"the rows of one iteration are some of those of the next"});
}

// The nests that fill it for another iteration, where that is the next one: in the loop, or spread over it.
void fill_next(Pipelining &p, For &over, const std::vector<For *> &fills, const Known &around,
               const Iteration &next) {
  const bool spread = !p.asked.loop.empty();
  const Known there = around.where(next.runs);
  Block filled;
  for (const For *fill : fills) {
    Stmt ahead = substituted(Stmt{*fill}, next.values);
    filled.push_back(spread ? piece_of(std::get<For>(ahead.node), over, there) : ahead);
  }
  if (spread)
    must_run(p, over, there, fmt::format("{} runs, which fills {}", over.var, p.asked.tensor));
  in_other_rows(p, next.values, there);
  std::shared_ptr<BlockCode> kept;
  code_of(over, kept).inside.push_back({If{next.runs, filled}});
}

// Behind the fills, in no loop but such that run once.
For *find_over(const std::string &var, Block &body, std::size_t from) {
  for (std::size_t s = from; s < body.size(); ++s) {
    For *loop = std::get_if<For>(&body[s].node);
    if (loop && loop->var == var && (!loop->block || !loop->block->replaces))
      return loop;
    Alloc *alloc = std::get_if<Alloc>(&body[s].node);
    Block *inner = alloc ? &alloc->body : loop && has_one_iteration(*loop) ? &loop->body : nullptr;
    if (For *found = inner ? find_over(var, *inner, 0) : nullptr)
      return found;
  }
  return nullptr;
}

// The loop in which the next iteration is filled: the last that takes turns, or the one that the schedule
// asks for. None is refused.
For *loop_to_fill_in(Pipelining &p, Alloc &alloc, const Loops &turns, const Fills &fills) {
  const bool spread = !p.asked.loop.empty();
  For *over = spread ? find_over(p.asked.loop, alloc.body, fills.rest) : turns.back().loop;
  if (!over) {
    p.refuse(fmt::format("there is no loop {} directly behind what fills it", p.asked.loop));
    return nullptr;
  }
  for (const For *fill : fills.nests)
    if (has_loop_named({*fill}, {over->var})) {
      p.refuse(fmt::format("a loop that fills it is called {}, too", over->var));
      return nullptr;
    }
  for (const For *fill : fills.nests)
    if (spread && !are_alike(*fills.nests[0], *fill)) {
      p.refuse("it is filled in two steps, which cannot be spread over a loop");
      return nullptr;
    }
  return over;
}

// What fills it, unless that cannot be done ahead.
std::optional<Fills> fills_ahead(Pipelining &p, Alloc &alloc, const Block &turn) {
  auto copies = p.copies.find(alloc.buffer.name);
  if (copies == p.copies.end() || copies->second < 2) {
    p.refuse(fmt::format("there is no room for it twice in {}", alloc.buffer.memory));
    return std::nullopt;
  }
  if (shares_rows(turn, alloc)) {
    p.refuse(fmt::format("another temporary in {} takes turns with its rows", alloc.buffer.memory));
    return std::nullopt;
  }
  Fills fills = fills_of(alloc, turn, p.buffers);
  if (fills.nests.empty()) {
    p.refuse("no nests of instructions fill it");
    return std::nullopt;
  }
  for (const For *fill : fills.nests)
    if (const std::string source = changing_source(*fill, turn); !source.empty()) {
      p.refuse(fmt::format("it is filled from {}, which is computed in the same loop", source));
      return std::nullopt;
    }
  return fills;
}

void fill_ahead(Pipelining &p, Alloc &alloc, const Known &around, const Loops &loops) {
  p.found = true;
  const Loops turns = turns_of(p, loops);
  auto fills = turns.empty() ? std::nullopt : fills_ahead(p, alloc, turns[0].loop->body);
  For *over = fills ? loop_to_fill_in(p, alloc, turns, *fills) : nullptr;
  if (!over)
    return;
  fill_first(turns, fills->nests);
  count_iterations(p, turns, around);
  for (const Iteration &next : next_iterations(turns))
    fill_next(p, *over, fills->nests, around, next);
  for (For *fill : fills->nests) // where it stands, nothing is left to do
    fill->block = std::make_shared<const BlockCode>(BlockCode{false, {}, true});
}

// `loops` are those around in which all this runs once in each iteration.
void visit(Pipelining &p, Block &body, const Known &around, const Loops &loops) {
  for (Stmt &stmt : body)
    if (For *loop = std::get_if<For>(&stmt.node)) {
      Loops more = loops;
      more.push_back({loop, around});
      visit(p, loop->body, around.inside(loop->range()), more);
    } else if (If *branch = std::get_if<If>(&stmt.node)) {
      visit(p, branch->body, around.where(branch->pred), {});
    } else if (Alloc *alloc = std::get_if<Alloc>(&stmt.node)) {
      if (alloc->buffer.name == p.asked.tensor && !alloc->buffer.memory.empty())
        fill_ahead(p, *alloc, around, loops);
      visit(p, alloc->body, around, loops);
    }
}

} // namespace

Result<bool> pipeline(LoopKernel &kernel, const Copies &copies, const Buffers &buffers) {
  for (const Requests::Pipelined &asked : kernel.requests->pipelined) {
    Pipelining pipelining{kernel, asked, copies, buffers};
    Block body = std::move(kernel.body);
    visit(pipelining, body, known_in(kernel), {});
    kernel.body = std::move(body);
    if (!pipelining.found)
      pipelining.refuse(no_temporary_in_rows);
    if (auto problem = pipelining.request.problem())
      return Diagnostics{*problem};
  }
  return true;
}

} // namespace atl::accel
