#include "accel/blocks/pipeline.h"

#include "accel/blocks/first_use.h"
#include "accel/blocks/pieces.h"
#include "accel/blocks/request.h"
#include "atl/syntax/tree.h"
#include "lowering/nest/uses.h"
#include "lowering/nest/walk.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <limits>

namespace atl::accel {

using namespace lowering;

namespace {

struct Level {
  For *loop;
  Surroundings outside; // what is known around the loop
};
using Loops = std::vector<Level>; // from outside to inside

class Pipeliner {
public:
  Pipeliner(LoopKernel &kernel, const MappedTo::Pipelined &asked, const Copies &copies,
            const Buffers &buffers)
      : kernel_(kernel), asked_(asked), copies_(copies), buffers_(buffers),
        request_(asked.tensor, asked.span, "cannot be filled one iteration ahead") {}

  std::optional<Diagnostic> run() {
    Block body = std::move(kernel_.body);
    visit(body, around_body(kernel_), {});
    kernel_.body = std::move(body);
    if (!found_)
      refuse(no_temporary_in_rows);
    return request_.problem();
  }

private:
  // `loops` are those around in which all this runs once in each iteration.
  void visit(Block &body, const Surroundings &around, const Loops &loops) {
    for (Stmt &stmt : body)
      if (For *loop = std::get_if<For>(&stmt.node)) {
        Loops more = loops;
        more.push_back({loop, around});
        visit(loop->body, around.inside(*loop), more);
      } else if (If *branch = std::get_if<If>(&stmt.node)) {
        visit(branch->body, around.where(branch->pred), {});
      } else if (Alloc *alloc = std::get_if<Alloc>(&stmt.node)) {
        if (alloc->buffer.name == asked_.tensor && !alloc->buffer.memory.empty())
          apply(*alloc, around, loops);
        visit(alloc->body, around, loops);
      }
  }

  void refuse(const std::string &why) { request_.refuse(why); }

  void apply(Alloc &alloc, const Surroundings &around, const Loops &loops) {
    found_ = true;
    const Loops turns = turns_of(loops);
    if (turns.empty())
      return;
    auto copies = copies_.find(alloc.buffer.name);
    if (copies == copies_.end() || copies->second < 2)
      return refuse(fmt::format("there is no room for it twice in {}", alloc.buffer.memory));
    const Block &body = turns[0].loop->body;
    if (shares_rows(body, alloc))
      return refuse(fmt::format("another temporary in {} takes turns with its rows", alloc.buffer.memory));
    std::vector<For *> fills = fills_of(alloc, body);
    if (fills.empty())
      return refuse("no nests of instructions fill it");
    for (const For *fill : fills)
      if (!reads_unchanged(*fill, body))
        return;
    fill_first(turns, fills);
    fill_next(alloc, turns, fills, around);
    for (For *fill : fills)
      fill->block = std::make_shared<const BlockCode>(BlockCode{false, {}, true});
  }

  // Those whose iterations follow each other; none is refused.
  Loops turns_of(const Loops &loops) {
    auto first = std::find_if(loops.begin(), loops.end(),
                              [&](const Level &level) { return level.loop->var == asked_.from; });
    if (asked_.from.empty() && !loops.empty())
      first = loops.end() - 1;
    if (first == loops.end())
      refuse(asked_.from.empty() ? "it is in no loop whose iterations all have it"
                                 : fmt::format("not all iterations of {} have it", asked_.from));
    for (auto level = first; level != loops.end(); ++level)
      if (level->loop->mode != LoopMode::sequential) {
        refuse(fmt::format("the iterations of {} are not one after the other", level->loop->var));
        return {};
      }
    return {first, loops.end()};
  }

  // Rows are handed out from outside to inside: those of a temporary beside this one may be the same.
  static bool shares_rows(const Block &body, const Alloc &alloc) {
    bool shared = false;
    for_each<Alloc>(body, [&](const Alloc &other) {
      shared = shared ||
               (&other != &alloc && !contains(other, alloc) && other.buffer.memory == alloc.buffer.memory);
      return &other != &alloc;
    });
    return shared;
  }

  static bool contains(const Alloc &outer, const Alloc &alloc) {
    return any_of<Alloc>(outer.body, [&](const Alloc &inner) { return &inner == &alloc; });
  }

  // The statements at the start of its life that only store to it, without those that nobody needs; the next
  // ones may add what plain memory has. What is added later is added in the rows of its own iteration.
  std::vector<For *> fills_of(Alloc &alloc, const Block &body) {
    std::vector<For *> fills;
    for (rest_ = 0; rest_ < alloc.body.size(); ++rest_) {
      For *loop = std::get_if<For>(&alloc.body[rest_].node);
      const Store *store = loop && is_simple(alloc.body[rest_]) ? innermost(alloc.body[rest_]) : nullptr;
      if (!store || store->buffer != alloc.buffer.name ||
          (store->combine && !replaces_what_is_there(*loop) && (fills.empty() || !is_loaded(*loop, body))))
        break;
      bool dropped = loop->block && loop->block->replaces && !loop->block->call;
      if (!dropped)
        fills.push_back(loop);
    }
    return fills;
  }

  // From plain memory that is not stored to in the loop.
  bool is_loaded(const For &fill, const Block &body) const {
    bool all = true;
    for_each_access(nest_of(fill)->value, [&](const Access &read) {
      auto tensor = buffers_.find(read.tensor);
      all = all && (tensor == buffers_.end() || !tensor->second.memory) && !stores_to(body, read.tensor);
    });
    return all;
  }

  // Their pieces are the same cells.
  static bool are_alike(const For &a, const For &b) {
    auto first = nest_of(a), second = nest_of(b);
    if (!first || !second || first->loops.size() != second->loops.size())
      return false;
    Subst names;
    for (std::size_t l = 0; l < first->loops.size(); ++l) {
      const For &mine = *first->loops[l], &other = *second->loops[l];
      if (!equal(mine.lo, substitute(other.lo, names)) || !equal(mine.hi, substitute(other.hi, names)))
        return false;
      names[other.var] = variable(mine.var);
    }
    const std::vector<Index> &mine = first->store->indices, &others = second->store->indices;
    return std::equal(mine.begin(), mine.end(), others.begin(), others.end(),
                      [&](const Index &x, const Index &y) { return equal(x, substitute(y, names)); });
  }

  // All instructions of a nest that adds.
  static bool replaces_what_is_there(const For &loop) {
    if (loop.block && loop.block->call)
      for (const auto &[name, operand] : loop.block->call->operands)
        if (const Index *adds = name == "adds" ? std::get_if<Index>(&operand) : nullptr)
          return as_constant(*adds) == 0;
    const For *inner = loop.body.size() == 1 ? std::get_if<For>(&loop.body[0].node) : nullptr;
    return inner && replaces_what_is_there(*inner);
  }

  bool reads_unchanged(const For &fill, const Block &body) {
    bool fine = true;
    for_each_access(nest_of(fill)->value, [&](const Access &read) {
      if (stores_to(body, read.tensor)) {
        refuse(fmt::format("it is filled from {}, which is computed in the same loop", read.tensor));
        fine = false;
      }
    });
    return fine;
  }

  // Before the loops, for their first iteration.
  void fill_first(const Loops &turns, const std::vector<For *> &fills) {
    Subst start;
    Pred runs = truth(true);
    for (const Level &level : turns) {
      Index lo = substitute(level.loop->lo, start);
      runs = conj(runs, compare(PredOp::lt, lo, substitute(level.loop->hi, start)));
      start[level.loop->var] = lo;
    }
    Block first;
    for (const For *fill : fills)
      first.push_back(substituted({*fill}, start));
    runs = turns[0].outside.facts.simplify(runs);
    std::shared_ptr<BlockCode> kept;
    Block &before = code_of(*turns[0].loop, kept).before;
    if (runs->op == PredOp::truth && runs->value)
      before.insert(before.end(), first.begin(), first.end());
    else
      before.push_back({If{runs, first}});
  }

  void fill_next(Alloc &alloc, const Loops &turns, const std::vector<For *> &fills,
                 const Surroundings &around) {
    For *over = asked_.loop.empty() ? turns.back().loop : find_over(alloc.body, rest_);
    if (!over)
      return refuse(fmt::format("there is no loop {} directly behind what fills it", asked_.loop));
    for (const For *fill : fills)
      if (has_loop_named({*fill}, {over->var}))
        return refuse(fmt::format("a loop that fills it is called {}, too", over->var));
    for (const For *fill : fills)
      if (!asked_.loop.empty() && !are_alike(*fills[0], *fill))
        return refuse("it is filled in two steps, which cannot be spread over a loop");
    count(turns, around);
    Pred ended = truth(true); // the loops inside are in their last iteration
    for (std::size_t level = turns.size(); level-- > 0;) {
      const For &loop = *turns[level].loop;
      Index next = add(variable(loop.var), constant(1));
      Subst then{{loop.var, next}};
      for (std::size_t inner = level + 1; inner < turns.size(); ++inner)
        then[turns[inner].loop->var] = substitute(turns[inner].loop->lo, then);
      fill_next(*over, fills, around, conj(ended, compare(PredOp::lt, next, loop.hi)), then);
      ended = conj(ended, compare(PredOp::le, loop.hi, next));
    }
  }

  // The nests that fill it for another iteration, where that is the next one.
  void fill_next(For &over, const std::vector<For *> &fills, const Surroundings &around, const Pred &is_next,
                 const Subst &then) {
    const Surroundings there = around.where(is_next);
    Block filled;
    for (const For *fill : fills) {
      Stmt ahead = substituted({*fill}, then);
      filled.push_back(asked_.loop.empty() ? ahead : piece_of(std::get<For>(ahead.node), over, there));
    }
    if (!asked_.loop.empty())
      must_run(over, there, fmt::format("{} runs, which fills {}", over.var, asked_.tensor));
    other_rows(then, there);
    std::shared_ptr<BlockCode> kept;
    code_of(over, kept).inside.push_back({If{is_next, filled}});
  }

  // Iterations of several loops follow each other if each of these runs, and have numbers that fit.
  void count(const Loops &turns, const Surroundings &around) {
    for (std::size_t level = 1; level < turns.size(); ++level)
      must_run(*turns[level].loop, turns[level].outside,
               fmt::format("{} runs, so that {} is there for what follows", turns[level].loop->var,
                           asked_.tensor));
    if (turns.size() > 1)
      state(around, fmt::format("the iterations that fill {} can be counted", asked_.tensor),
            compare(PredOp::lt, turn_of(around, asked_.from),
                    constant(std::numeric_limits<std::int64_t>::max())),
            {"their number does not fit 64 bits"});
  }

  void must_run(const For &loop, const Surroundings &around, std::string what) {
    state(around, std::move(what), compare(PredOp::lt, loop.lo, loop.hi), {loop.var + " has no iterations"});
  }

  // Behind the fills, in no loop but such that run once.
  For *find_over(Block &body, std::size_t from) {
    for (std::size_t s = from; s < body.size(); ++s) {
      For *loop = std::get_if<For>(&body[s].node);
      if (loop && loop->var == asked_.loop && (!loop->block || !loop->block->replaces))
        return loop;
      Alloc *alloc = std::get_if<Alloc>(&body[s].node);
      Block *inner = alloc ? &alloc->body : loop && has_one_iteration(*loop) ? &loop->body : nullptr;
      if (For *found = inner ? find_over(*inner, 0) : nullptr)
        return found;
    }
    return nullptr;
  }

  // The copies take turns: what is filled ahead is not where the iteration works.
  void other_rows(const Subst &then, const Surroundings &around) {
    const Placed &placed = buffers_.at(asked_.tensor);
    Index here = placed.address, rows = constant(placed.rows());
    Index there = substitute(here, then);
    state(around, fmt::format("{} is filled in rows that the iteration before does not use", asked_.tensor),
          disj(compare(PredOp::le, add(here, rows), there), compare(PredOp::le, add(there, rows), here)),
          {"the rows of one iteration are some of those of the next"});
  }

  void state(const Surroundings &around, std::string what, const Pred &claim, Template otherwise) {
    Obligation o = obligation_at(kernel_, around, asked_.span, std::move(what));
    o.claims.push_back({claim, std::move(otherwise)});
    kernel_.obligations.push_back(std::move(o));
  }

  LoopKernel &kernel_;
  const MappedTo::Pipelined &asked_;
  const Copies &copies_;
  const Buffers &buffers_;
  std::size_t rest_ = 0; // the first statement behind the fills
  bool found_ = false;
  Request request_;
};

} // namespace

Result<bool> pipeline(LoopKernel &kernel, const Copies &copies, const Buffers &buffers) {
  for (const MappedTo::Pipelined &asked : kernel.mapped_to->pipelined)
    if (auto problem = Pipeliner(kernel, asked, copies, buffers).run())
      return Diagnostics{*problem};
  return true;
}

} // namespace atl::accel
