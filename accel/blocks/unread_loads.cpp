#include "accel/blocks/unread_loads.h"

#include "accel/blocks/row_touches.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::accel {

using namespace lowering;

namespace {

bool mentions_any(const Pred &condition, const std::vector<std::string> &names) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string &name) { return mentions(condition, name); });
}

// Of the instruction itself, which is done for all of their values or for none.
std::vector<std::string> variables_inside(const RowTouch &load) {
  std::vector<std::string> inside;
  for (const For *loop : load.loops)
    if (loop == load.replaced || !inside.empty())
      inside.push_back(loop->var);
  return inside;
}

// Whether anything behind it touches the cell, in the same life of the temporary.
Pred is_read(const RowTouch &load, const std::vector<RowTouch> &touches) {
  Pred read = truth(false);
  for (const RowTouch &other : touches)
    if (!is_certain(read) && !other.is_unordered() && other.statement > load.statement)
      read = disj(read, touches_cell(other, load.cell, load.around.facts()));
  return load.around.facts().proves(read) ? truth(true) : read;
}

void state_unread(const RowTouch &load, const RowTouch &other, const std::string &tensor, const Known &life,
                  LoopKernel &kernel) {
  Elsewhere elsewhere = in_other_iteration(other, load.cell, life.variables);
  Obligation o = obligation_at(load.around, load.replaced->span,
                               fmt::format("what {} stores to {} is not left out where {} reads it",
                                           load.instruction(), tensor, other.instruction()));
  o.variables.insert(o.variables.end(), elsewhere.variables.begin(), elsewhere.variables.end());
  o.hypotheses.push_back(elsewhere.touches);
  o.claims.push_back({load.call().condition, {"it is read there"}});
  kernel.obligations.push_back(std::move(o));
}

void leave_out(const RowTouch &load, const std::vector<RowTouch> &touches, Alloc &temporary,
               const Known &life, LoopKernel &kernel) {
  const Pred read = is_read(load, touches);
  if (!mentions_any(read, life.variables) || mentions_any(read, variables_inside(load)))
    return;
  for_each<For>(temporary.body, [&](For &loop) {
    if (&loop != load.replaced)
      return;
    BlockCode code = *loop.block;
    code.call->condition = conj(code.call->condition, read);
    loop.block = std::make_shared<const BlockCode>(std::move(code));
  });
  for (const RowTouch &other : touches)
    if (other.statement > load.statement)
      state_unread(load, other, temporary.buffer.name, life, kernel);
}

void leave_out_in(Block &body, const Known &around, LoopKernel &kernel) {
  walk(
      body, around,
      [&](For &loop, const Known &there) { leave_out_in(loop.body, there.inside(loop.range()), kernel); },
      [&](Alloc &alloc, const Known &there) {
        leave_out_in(alloc.body, there, kernel);
        if (alloc.buffer.memory.empty())
          return;
        const std::vector<RowTouch> touches = row_touches_of(alloc, there);
        for (const RowTouch &touch : touches)
          if (touch.is_unordered())
            leave_out(touch, touches, alloc, there, kernel);
      },
      [](const Store &) {});
}

} // namespace

void leave_out_unread_loads(LoopKernel &kernel) {
  Block body = std::move(kernel.body);
  leave_out_in(body, known_in(kernel), kernel);
  kernel.body = std::move(body);
}

} // namespace atl::accel
