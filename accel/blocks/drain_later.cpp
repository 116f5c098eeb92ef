#include "accel/blocks/drain_later.h"

#include "accel/blocks/drain.h"
#include "accel/blocks/pieces.h"
#include "atl/syntax/tree.h"
#include "lowering/nest/uses.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::accel {

using namespace lowering;

namespace {

// The loop that the stores of the iteration before are spread over, in the first iteration of those around
// it.
struct Place {
  For *over;
  Known around;
  Pred is_first;
};

std::optional<Place> find_place(const std::string &var, Block &body, const Place &outside) {
  for (Stmt &stmt : body) {
    Alloc *alloc = std::get_if<Alloc>(&stmt.node);
    For *loop = std::get_if<For>(&stmt.node);
    std::optional<Place> found;
    if (alloc)
      found = find_place(var, alloc->body, outside);
    else if (loop && loop->mode == LoopMode::sequential && !(loop->block && loop->block->replaces)) {
      const Pred first = compare(PredOp::le, variable(loop->var), loop->lo);
      found = loop->var == var ? Place{loop, outside.around, outside.is_first}
                               : find_place(var, loop->body,
                                            {nullptr, outside.around.inside(loop->range()).where(first),
                                             conj(outside.is_first, first)});
    }
    if (found)
      return found;
  }
  return std::nullopt;
}

// It stores what no other statement of these loops touches, from the temporary and what they do not change.
bool is_independent(const BlockNest &nest, const For &stores, const std::string &tensor, const Block &turn) {
  const std::string &result = nest.store->buffer;
  bool fine = result != tensor && !nest.store->combine && !reads(turn, result) &&
              count_stores(turn, result) == count_stores({{stores}}, result);
  for_each_access(nest.value, [&](const Access &access) {
    fine = fine && (access.tensor == tensor || !stores_to(turn, access.tensor));
  });
  return fine;
}

bool is_filled_ahead(const Overlap &o) {
  const auto &all = o.kernel.requests->pipelined;
  return std::any_of(all.begin(), all.end(), [&](const auto &asked) { return asked.tensor == o.tensor; });
}

// Neither what is computed meanwhile, nor what is filled ahead, is in its way.
void state_rows(Overlap &o, const Iteration &before, const Loops &turns, const Known &there) {
  in_other_rows(o, before.values, {}, there,
                fmt::format("{} is stored from rows that the iteration behind it does not use", o.tensor));
  if (is_filled_ahead(o))
    for (const Iteration &next : next_iterations(turns))
      in_other_rows(o, before.values, next.values, there.where(next.runs),
                    fmt::format("{} is stored from rows that are not filled meanwhile", o.tensor));
}

void store_iteration_before(Overlap &o, const For &stores, const Loops &turns, const Place &place,
                            const Iteration &before) {
  const Known there = place.around.where(before.runs);
  must_run(o, *place.over, there, fmt::format("{} runs, in which {} is stored", place.over->var, o.tensor));
  state_rows(o, before, turns, there);
  Stmt nest = substituted(Stmt{stores}, before.values);
  Stmt piece = piece_of(std::get<For>(nest.node), *place.over, there);
  std::shared_ptr<BlockCode> kept;
  code_of(*place.over, kept).inside.push_back({If{conj(before.runs, place.is_first), {piece}}});
}

Pred is_last(const Loops &turns) {
  Pred last = truth(true);
  for (const Level &level : turns)
    last = conj(last, compare(PredOp::le, level.loop->hi, add(variable(level.loop->var), constant(1))));
  return last;
}

// What no iteration follows is stored as it is completed, or behind all.
void store_last(Overlap &o, const Requests::Drained &asked, Alloc &alloc, const Known &around,
                const Loops &turns) {
  const For stores = std::get<For>(alloc.body.back().node);
  if (drain_where(is_last(turns), o.kernel, asked, alloc, around))
    return;
  const Iteration last = last_iteration(turns);
  std::shared_ptr<BlockCode> kept;
  code_of(*turns[0].loop, kept).at_end.push_back({If{last.runs, {substituted(Stmt{stores}, last.values)}}});
}

// The last statement, which stores it.
For *what_stores(Overlap &o, Alloc &alloc, const Block &turn) {
  For *stores = alloc.body.empty() ? nullptr : std::get_if<For>(&alloc.body.back().node);
  auto nest = stores && is_simple(alloc.body.back()) ? nest_of(*stores) : std::nullopt;
  if (!nest)
    o.refuse("its last statement must be a nest of instructions that stores it");
  else if (!is_independent(*nest, *stores, o.tensor, turn))
    o.refuse("what stores it needs more of what is computed there");
  else if (has_rows_for_two(o, alloc, turn))
    return stores;
  return nullptr;
}

void apply(Overlap &o, const Requests::Drained &asked, Alloc &alloc, const Known &around,
           const Loops &loops) {
  const Loops turns = turns_of(o, loops);
  For *stores = turns.empty() ? nullptr : what_stores(o, alloc, turns[0].loop->body);
  if (!stores)
    return;
  const auto place = find_place(asked.loop, alloc.body, {nullptr, around, truth(true)});
  if (!place || place->over == stores)
    return o.refuse(fmt::format("there is no loop {} in what computes it, under no condition", asked.loop));
  if (has_loop_named(alloc.body.back(), place->around.inside(place->over->range()).variables))
    return o.refuse("a loop that stores it has the name of one around its place");
  count_iterations(o, turns, around);
  for (const Iteration &before : previous_iterations(turns))
    store_iteration_before(o, *stores, turns, *place, before);
  store_last(o, asked, alloc, around, turns);
  stores->block = std::make_shared<const BlockCode>(BlockCode{false, {}, true});
}

} // namespace

Result<bool> drain_later(LoopKernel &kernel, const Copies &copies, const Buffers &buffers) {
  for (const Requests::Drained &asked : kernel.requests->drained) {
    if (asked.from.empty())
      continue;
    Overlap overlap{kernel,
                    asked.tensor,
                    asked.from,
                    asked.span,
                    copies,
                    buffers,
                    {asked.tensor, asked.span, "cannot be stored one iteration later"}};
    if (auto problem = each_temporary(overlap, [&](Alloc &alloc, const Known &around, const Loops &loops) {
          apply(overlap, asked, alloc, around, loops);
        }))
      return Diagnostics{*problem};
  }
  return true;
}

} // namespace atl::accel
