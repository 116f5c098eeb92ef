#include "accel/start_sums.h"

#include "accel/block_nest.h"
#include "accel/first_use.h"
#include "accel/request.h"
#include "atl/rewrites/tree.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::accel {

using namespace lowering;

namespace {

// What is added to the one read of a tensor, if it is read once, as an operand of an addition.
struct Added {
  std::string tensor;
  std::size_t reads = 0;
  const Access *cell = nullptr;
  ExprPtr start = nullptr;

  ExprPtr taken_out(const ExprPtr &e) {
    const Op *op = std::get_if<Op>(&e->node);
    for (std::size_t side = 0; op && op->op->name == "+" && op->args.size() == 2 && side < 2; ++side)
      if (const Access *access = is_read(op->args[side])) {
        cell = access;
        start = op->args[1 - side];
        reads += rewrites::reads(start, tensor) ? 2 : 1;
        return op->args[side];
      }
    if (is_read(e))
      reads += 2; // without an addition
    std::vector<ExprPtr> kids = children(*e);
    for (ExprPtr &kid : kids)
      kid = taken_out(kid);
    return rebuild(*e, std::move(kids));
  }

  const Access *is_read(const ExprPtr &e) const {
    const Access *access = std::get_if<Access>(&e->node);
    return access && access->tensor == tensor ? access : nullptr;
  }
};

// All indices in it; false if something else depends on where it stands.
bool collect_indices(const ExprPtr &e, std::vector<Index> &indices) {
  if (const Access *access = std::get_if<Access>(&e->node))
    indices.insert(indices.end(), access->indices.begin(), access->indices.end());
  if (std::holds_alternative<FromIndex>(e->node) || std::holds_alternative<Test>(e->node))
    return false;
  const std::vector<ExprPtr> kids = children(*e);
  return std::all_of(kids.begin(), kids.end(),
                     [&](const ExprPtr &kid) { return collect_indices(kid, indices); });
}

bool is_stored(const Block &body, const ExprPtr &read) {
  if (const Access *access = std::get_if<Access>(&read->node); access && stores_to(body, access->tensor))
    return true;
  const std::vector<ExprPtr> kids = children(*read);
  return std::any_of(kids.begin(), kids.end(), [&](const ExprPtr &kid) { return is_stored(body, kid); });
}

// The loops and guards of a nest around another store.
Stmt rebuilt(const BlockNest &nest, const Store &store) {
  Stmt stmt{store};
  if (!nest.guards.empty())
    stmt = {If{conj(nest.guards), {stmt}}};
  for (auto loop = nest.loops.rbegin(); loop != nest.loops.rend(); ++loop)
    stmt = {For{(*loop)->var, (*loop)->lo, (*loop)->hi, {stmt}, (*loop)->mode, (*loop)->span}};
  return stmt;
}

class Starter {
public:
  Starter(LoopKernel &kernel, const MappedTo::Start &asked)
      : kernel_(kernel), asked_(asked),
        request_(asked.tensor, asked.span, "cannot start from what is added to it") {}

  std::optional<Diagnostic> run() {
    request_.each_temporary(kernel_, false,
                            [&](Alloc &alloc, const Surroundings &around) { apply(alloc, around); });
    return request_.problem();
  }

private:
  void refuse(const std::string &why) { request_.refuse(why); }

  void apply(Alloc &alloc, const Surroundings &around) {
    if (is_float(alloc.buffer.elem))
      return refuse("it holds floats, whose sums depend on the order of their terms");
    if (!starts_from_zeros(alloc) || alloc.body.size() < 3)
      return refuse("it is not a sum that starts from zeros");
    Stmt &last = alloc.body.back();
    for (std::size_t s = 1; s + 1 < alloc.body.size(); ++s)
      if (!only_adds(alloc.body[s]))
        return refuse("it is stored to or read before all terms are added");
    const For *loop = std::get_if<For>(&last.node);
    auto nest = loop ? nest_of(*loop) : std::nullopt;
    if (!nest || nest->store->buffer == asked_.tensor)
      return refuse("it is not read by one nest of loops");
    Added added{asked_.tensor};
    ExprPtr rest = added.taken_out(nest->value);
    if (added.reads != 1 || is_stored(alloc.body, added.start))
      return refuse("it is not read once, with something added to it that is there before");
    if (!same_for_a_cell(*nest, added, around))
      return;
    Store start = *nest->store, result = start;
    start.buffer = asked_.tensor, start.indices = added.cell->indices, start.value = added.start;
    result.value = rest;
    Stmt starts = rebuilt(*nest, start), reads = rebuilt(*nest, result);
    last = reads;
    alloc.body.insert(alloc.body.begin() + 1, starts);
  }

  bool starts_from_zeros(const Alloc &alloc) const {
    const Store *fills = alloc.body.empty() ? nullptr : innermost(alloc.body[0]);
    const Literal *zero = fills ? std::get_if<Literal>(&fills->value->node) : nullptr;
    return zero && fills->initializes && fills->buffer == asked_.tensor && !zero->is_float &&
           zero->integer == 0;
  }

  bool only_adds(const Stmt &stmt) const {
    bool all = true;
    for_each_store({stmt}, [&](const Store &store) {
      all = all && (store.buffer != asked_.tensor || store.combine == Reduction::sum) &&
            !rewrites::reads(store.value, asked_.tensor);
    });
    return all;
  }

  // Two iterations that read the same cell add the same to it.
  bool same_for_a_cell(const BlockNest &nest, const Added &added, const Surroundings &around) {
    Surroundings both = around;
    Subst other;
    for (const For *loop : nest.loops)
      other[loop->var] = variable(loop->var + "'");
    for (const For *loop : nest.loops) {
      both = both.inside(*loop);
      For twin{loop->var + "'", substitute(loop->lo, other), substitute(loop->hi, other), {}};
      both = both.inside(twin);
    }
    for (const Pred &guard : nest.guards)
      both = both.where(guard).where(substitute(guard, other));
    for (const Index &index : added.cell->indices)
      both = both.where(compare(PredOp::eq, index, substitute(index, other)));
    std::vector<Index> indices;
    if (!collect_indices(added.start, indices)) {
      refuse("what is added depends on the place in another way than by what it reads");
      return false;
    }
    Obligation o =
        obligation_at(kernel_, both, asked_.span,
                      fmt::format("the same is added to a cell of {} by all that read it", asked_.tensor));
    for (const Index &index : indices)
      o.claims.push_back(
          {compare(PredOp::eq, index, substitute(index, other)), {"two different elements are added"}});
    if (!o.claims.empty())
      kernel_.obligations.push_back(std::move(o));
    return true;
  }

  LoopKernel &kernel_;
  const MappedTo::Start &asked_;
  Request request_;
};

} // namespace

Result<bool> start_sums(LoopKernel &kernel) {
  for (const MappedTo::Start &asked : kernel.mapped_to->starts)
    if (auto problem = Starter(kernel, asked).run())
      return Diagnostics{*problem};
  return true;
}

} // namespace atl::accel
