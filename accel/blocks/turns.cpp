#include "accel/blocks/turns.h"

namespace atl::accel {

using namespace lowering;

Iteration first_iteration(const Loops &turns) {
  Iteration first{truth(true), {}};
  for (const Level &level : turns) {
    Index lo = substitute(level.loop->lo, first.values);
    first.runs = conj(first.runs, compare(PredOp::lt, lo, substitute(level.loop->hi, first.values)));
    first.values[level.loop->var] = lo;
  }
  return first;
}

std::vector<Iteration> next_iterations(const Loops &turns) {
  std::vector<Iteration> all;
  Pred ended = truth(true); // the loops inside are in their last iteration
  for (std::size_t level = turns.size(); level-- > 0;) {
    const For &loop = *turns[level].loop;
    Index next = add(variable(loop.var), constant(1));
    Subst then{{loop.var, next}};
    for (std::size_t inner = level + 1; inner < turns.size(); ++inner)
      then[turns[inner].loop->var] = substitute(turns[inner].loop->lo, then);
    all.push_back({conj(ended, compare(PredOp::lt, next, loop.hi)), std::move(then)});
    ended = conj(ended, compare(PredOp::le, loop.hi, next));
  }
  return all;
}

namespace {

// The loops from this one inwards are in their last iterations.
void end_from(std::size_t level, const Loops &turns, Subst &values) {
  for (; level < turns.size(); ++level) {
    const For &loop = *turns[level].loop;
    values[loop.var] = sub(substitute(loop.hi, values), constant(1));
  }
}

} // namespace

std::vector<Iteration> previous_iterations(const Loops &turns) {
  std::vector<Iteration> all;
  Pred begins = truth(true); // the loops inside are in their first iteration
  for (std::size_t level = turns.size(); level-- > 0;) {
    const For &loop = *turns[level].loop;
    Index before = sub(variable(loop.var), constant(1));
    Iteration one{conj(begins, compare(PredOp::le, loop.lo, before)), {{loop.var, before}}};
    end_from(level + 1, turns, one.values);
    all.push_back(std::move(one));
    begins = conj(begins, compare(PredOp::le, variable(loop.var), loop.lo));
  }
  return all;
}

Iteration last_iteration(const Loops &turns) {
  const For &loop = *turns[0].loop;
  Iteration last{compare(PredOp::le, loop.hi, add(variable(loop.var), constant(1))), {}};
  end_from(1, turns, last.values);
  return last;
}

} // namespace atl::accel
