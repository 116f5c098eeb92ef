#include "accel/blocks/pipeline.h"

#include "accel/blocks/fills.h"
#include "accel/blocks/overlap.h"
#include "accel/blocks/pieces.h"

#include <fmt/format.h>

namespace atl::accel {

using namespace lowering;

namespace {

// One request of the schedule, while it is done.
struct Pipelining {
  Overlap &overlap;
  const std::string &loop; // in which it is filled; empty: at once

  void refuse(const std::string &why) { overlap.refuse(why); }
};

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

// The nests that fill it for another iteration, where that is the next one: in the loop, or spread over it.
void fill_next(Pipelining &p, For &over, const std::vector<For *> &fills, const Known &around,
               const Iteration &next) {
  const bool spread = !p.loop.empty();
  const Known there = around.where(next.runs);
  Block filled;
  for (const For *fill : fills) {
    Stmt ahead = substituted(Stmt{*fill}, next.values);
    filled.push_back(spread ? piece_of(std::get<For>(ahead.node), over, there) : ahead);
  }
  if (spread)
    must_run(p.overlap, over, there, fmt::format("{} runs, which fills {}", over.var, p.overlap.tensor));
  in_other_rows(p.overlap, {}, next.values, there,
                fmt::format("{} is filled in rows that the iteration before does not use", p.overlap.tensor));
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
  const bool spread = !p.loop.empty();
  For *over = spread ? find_over(p.loop, alloc.body, fills.rest) : turns.back().loop;
  if (!over) {
    p.refuse(fmt::format("there is no loop {} directly behind what fills it", p.loop));
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
  if (!has_rows_for_two(p.overlap, alloc, turn))
    return std::nullopt;
  Fills fills = fills_of(alloc, turn, p.overlap.buffers);
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
  const Loops turns = turns_of(p.overlap, loops);
  auto fills = turns.empty() ? std::nullopt : fills_ahead(p, alloc, turns[0].loop->body);
  For *over = fills ? loop_to_fill_in(p, alloc, turns, *fills) : nullptr;
  if (!over)
    return;
  fill_first(turns, fills->nests);
  count_iterations(p.overlap, turns, around);
  for (const Iteration &next : next_iterations(turns))
    fill_next(p, *over, fills->nests, around, next);
  for (For *fill : fills->nests) // where it stands, nothing is left to do
    fill->block = std::make_shared<const BlockCode>(BlockCode{false, {}, true});
}

} // namespace

Result<bool> pipeline(LoopKernel &kernel, const Copies &copies, const Buffers &buffers) {
  for (const Requests::Pipelined &asked : kernel.requests->pipelined) {
    Overlap overlap{kernel,
                    asked.tensor,
                    asked.from,
                    asked.span,
                    copies,
                    buffers,
                    {asked.tensor, asked.span, "cannot be filled one iteration ahead"}};
    Pipelining pipelining{overlap, asked.loop};
    if (auto problem = each_temporary(overlap, [&](Alloc &alloc, const Known &around, const Loops &loops) {
          fill_ahead(pipelining, alloc, around, loops);
        }))
      return Diagnostics{*problem};
  }
  return true;
}

} // namespace atl::accel
