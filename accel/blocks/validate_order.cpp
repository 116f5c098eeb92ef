#include "accel/blocks/validate_order.h"

#include "accel/blocks/row_touches.h"
#include "lowering/nest/row_range.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::accel {

using namespace lowering;

namespace {

// "sums[3, 16]", for the cell of a counterexample.
Template cell_text(const std::string &tensor, const std::vector<Index> &cell, const std::string &before,
                   const std::string &behind) {
  Template text{before + tensor + "["};
  for (std::size_t d = 0; d < cell.size(); ++d) {
    text.emplace_back(cell[d]);
    text.emplace_back(d + 1 < cell.size() ? ", " : "]" + behind);
  }
  return text;
}

// A temporary in rows, and where it lives.
struct Lived {
  const Alloc *alloc;
  Known around;
  const If *version; // the statement of the kernel that it is in, if that is a condition
};

void find_lives(const Block &body, const Known &around, const If *version, std::vector<Lived> &lives) {
  for (const Stmt &stmt : body)
    match(
        stmt, [&](const For &loop) { find_lives(loop.body, around.inside(loop.range()), version, lives); },
        [&](const If &branch) {
          const bool is_first = !version && around.loops.empty();
          find_lives(branch.body, around.where(branch.pred), is_first ? &branch : version, lives);
        },
        [&](const Alloc &alloc) {
          if (!alloc.buffer.memory.empty())
            lives.push_back({&alloc, around, version});
          find_lives(alloc.body, around, version, lives);
        },
        [](const Store &) {});
}

bool are_in_one_loop(const Lived &a, const Lived &b) {
  return !a.around.loops.empty() && !b.around.loops.empty() &&
         a.around.loops.front().var == b.around.loops.front().var && a.version == b.version;
}

// Which others may get rows of this one later: `lives` are in the order of the program.
struct Heirs {
  bool some = false;
  std::vector<Pred> conditions; // of those that only get them in another version of the kernel
};

Heirs heirs_of(const Lived &life, const std::vector<Lived> &lives) {
  Heirs heirs;
  bool is_behind = false;
  for (const Lived &other : lives) {
    is_behind = is_behind || other.alloc == life.alloc;
    if (other.alloc == life.alloc || !share_rows(*life.alloc->rows, *other.alloc->rows) ||
        !(is_behind || are_in_one_loop(life, other)))
      continue;
    if (!life.version || !other.version || life.version == other.version)
      heirs.some = true;
    else if (!is_among(other.version->pred, heirs.conditions))
      heirs.conditions.push_back(other.version->pred);
  }
  return heirs;
}

class Life {
public:
  Life(const Lived &life, const std::vector<Lived> &lives, std::vector<Obligation> &obligations)
      : tensor_(life.alloc->buffer.name), heirs_(heirs_of(life, lives)),
        touches_(row_touches_of(*life.alloc, life.around)), obligations_(obligations) {}

  void state_order() {
    for (const RowTouch &touch : touches_)
      if (touch.is_unordered()) {
        state_own_order(touch);
        state_order_behind(touch);
      }
  }

private:
  // Iterations of one nest that store to the same cell all add, or there are none.
  void state_own_order(const RowTouch &touch) {
    if (touch.only_adds() || touch.only_replaces())
      return;
    Obligation o = begin(touch, fmt::format("{} adds to {} in any order", touch.instruction(), tensor_));
    o.claims.push_back({truth(false), {"the first one replaces what is there, and may come last"}});
    obligations_.push_back(std::move(o));
  }

  // All that it stores is touched before another one stores there, in this life or after it.
  void state_order_behind(const RowTouch &touch) {
    const RowTouch *next = next_behind(touch);
    const std::string what = next
                                 ? fmt::format("what {} stores to {} is there before {} stores to it",
                                               touch.instruction(), tensor_, next->instruction())
                                 : fmt::format("what {} stores to {} is there before the rows are used again",
                                               touch.instruction(), tensor_);
    Template otherwise =
        next ? cell_text(tensor_, touch.cell,
                         fmt::format("{} and {} may store to ", touch.instruction(), next->instruction()),
                         " in any order")
             : cell_text(tensor_, touch.cell,
                         fmt::format("{} may still have to store to ", touch.instruction()),
                         ", which nothing reads");
    Obligation o = begin(touch, what);
    if (next) {
      o.span = next->replaced->span; // what is set to zeros first has no place in the program
      if (touch.replaced->span.end > 0)
        o.notes.push_back({touch.replaced->span, fmt::format("{} stores here", touch.instruction())});
    }
    const Facts &facts = touch.around.facts();
    Pred touched = truth(false);
    for (const RowTouch &other : touches_)
      if (!is_certain(touched) && keeps_order_between(touch, other, next))
        touched = disj(touched, touches_cell(other, touch.cell, facts));
    if (facts.proves(touched))
      touched = truth(true);
    if (!next && !heirs_.some && touched->op != PredOp::truth)
      touched = where_others_read(touch, touched, o);
    o.claims.push_back({touched, std::move(otherwise)});
    obligations_.push_back(std::move(o));
  }

  // What no iteration reads is no harm in rows that no other temporary gets. An iteration that does so mostly
  // comes behind the touch as well; else it is touched there as is stated.
  Pred where_others_read(const RowTouch &touch, const Pred &stated, Obligation &o) const {
    Pred any = truth(false), here = truth(false);
    bool all_come = true;
    for (const RowTouch &other : touches_)
      if (!other.is_unordered()) {
        Elsewhere elsewhere = in_other_iteration(other, touch.cell, {});
        for (const std::string &name : elsewhere.variables)
          if (std::find(o.variables.begin(), o.variables.end(), name) == o.variables.end())
            o.variables.push_back(name);
        any = disj(any, elsewhere.touches);
        all_come = all_come && keeps_order_between(touch, other, nullptr) && comes_here(touch, elsewhere);
        here = disj(here, elsewhere.touches_here);
      }
    o.hypotheses.push_back(any);
    for (const Pred &condition : heirs_.conditions)
      o.claims.push_back({neg(condition), {"another version of the kernel uses the rows"}});
    return all_come ? here : stated;
  }

  static bool comes_here(const RowTouch &touch, const Elsewhere &elsewhere) {
    Facts known = touch.around.facts();
    known.assume(elsewhere.touches);
    return known.proves(elsewhere.touches_here);
  }

  // The first that could come before it; also in the same loop, whose next iteration comes behind.
  const RowTouch *next_behind(const RowTouch &touch) const {
    auto found = std::find_if(touches_.begin(), touches_.end(), [&](const RowTouch &other) {
      return &other != &touch && other.is_unordered() && other.statement >= touch.statement &&
             other.replaced != touch.replaced && !(touch.only_adds() && other.only_adds());
    });
    return found == touches_.end() ? nullptr : &*found;
  }

  static bool keeps_order_between(const RowTouch &first, const RowTouch &other, const RowTouch *last) {
    return !other.is_unordered() && other.statement > first.statement &&
           (!last || other.statement < last->statement);
  }

  Obligation begin(const RowTouch &touch, std::string what) const {
    Obligation o = obligation_at(touch.around, touch.replaced->span, std::move(what));
    if (touch.call().condition->op != PredOp::truth)
      o.hypotheses.push_back(touch.call().condition);
    return o;
  }

  const std::string &tensor_;
  const Heirs heirs_;
  const std::vector<RowTouch> touches_;
  std::vector<Obligation> &obligations_;
};

} // namespace

std::vector<Obligation> order_obligations(const LoopKernel &kernel) {
  std::vector<Lived> lives;
  find_lives(kernel.body, known_in(kernel), nullptr, lives);
  std::vector<Obligation> obligations;
  for (const Lived &life : lives)
    Life(life, lives, obligations).state_order();
  return obligations;
}

} // namespace atl::accel
