#include "accel/blocks/drain.h"

#include "accel/blocks/block_nest.h"
#include "accel/blocks/pieces.h"
#include "accel/blocks/request.h"
#include "atl/syntax/tree.h"
#include "lowering/nest/uses.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace atl::accel {

using namespace lowering;

namespace {

class Drainer {
public:
  Drainer(LoopKernel &kernel, const Requests::Drained &asked, Request &request)
      : kernel_(kernel), asked_(asked), request_(request) {}

  // The last statement stores it, the one before computes it; all this where `only` holds.
  void apply(Alloc &alloc, const Known &outside, const Pred &only) {
    const Known around = outside.where(only);
    is_last_ = only;
    For *stores = alloc.body.size() < 2 ? nullptr : std::get_if<For>(&alloc.body.back().node);
    For *computes = stores ? std::get_if<For>(&alloc.body[alloc.body.size() - 2].node) : nullptr;
    if (!computes || !is_simple(alloc.body.back()))
      return refuse("there must be one nest that computes it, and one of instructions that stores it");
    auto nest = nest_of(*stores);
    const For &shared = shared_out(*stores);
    if (!nest || (shared.block && shared.block->replaces))
      return refuse("one instruction stores all of it");
    if (!is_independent(*nest, {{*computes}}))
      return refuse("what stores it needs more of what is computed there");
    if (!find_over(alloc.body[alloc.body.size() - 2], around))
      return refuse(fmt::format("there is no loop {} in what computes it, under no condition", asked_.loop));
    if (count_stores(over_->body, asked_.tensor) != count_stores({{*computes}}, asked_.tensor))
      return refuse(fmt::format("not all of it is computed in {}", asked_.loop));
    if (has_loop_named(alloc.body.back(), at_last_.inside(over_->range()).variables))
      return refuse("a loop that stores it has the name of one that computes it");
    state_order(*nest, shared);
    store_pieces(*stores);
  }

private:
  void refuse(const std::string &why) { request_.refuse(why); }

  // It reads nothing but the temporary and what the other nest does not store; that does not touch the
  // result.
  bool is_independent(const BlockNest &nest, const Block &computes) const {
    bool fine = nest.store->buffer != asked_.tensor && !nest.store->combine &&
                !reads(computes, nest.store->buffer) && !stores_to(computes, nest.store->buffer);
    for_each_access(nest.value, [&](const Access &access) {
      fine = fine && (access.tensor == asked_.tensor || !stores_to(computes, access.tensor));
    });
    return fine;
  }

  // The loop, under no condition. What is around it is known for the last iteration of the loops there.
  bool find_over(Stmt &stmt, const Known &around) {
    if (Alloc *alloc = std::get_if<Alloc>(&stmt.node))
      return find_over(alloc->body, around);
    For *loop = std::get_if<For>(&stmt.node);
    if (!loop || loop->mode != LoopMode::sequential || (loop->block && loop->block->replaces))
      return false;
    if (loop->var == asked_.loop) {
      over_ = loop;
      at_last_ = around;
    } else {
      Pred last = compare(PredOp::le, loop->hi, add(variable(loop->var), constant(1)));
      if (!find_over(loop->body, around.inside(loop->range()).where(last)))
        return false;
      is_last_ = conj(last, is_last_);
    }
    must_run(*loop, around);
    return true;
  }

  bool find_over(Block &body, const Known &around) {
    return std::any_of(body.begin(), body.end(), [&](Stmt &stmt) { return find_over(stmt, around); });
  }

  // What an iteration of the loop stores, no later iteration computes.
  void state_order(const BlockNest &nest, const For &shared) {
    Subst other; // the loops that store may have names of those that compute
    for (const For *loop : nest.loops)
      other[loop->var] = variable(loop->var + ".stored");
    Index stored = substitute(sub(variable(shared.var), shared.lo), other);
    Index computed = mul(sub(variable(over_->var), over_->lo), piece_size(shared, *over_));
    each_store(over_->body, at_last_.inside(over_->range()), [&](const Store &store, const Known &there) {
      for_each_access(nest.value, [&](const Access &access) {
        if (access.tensor != asked_.tensor)
          return;
        Obligation o = obligation_at(there, asked_.span,
                                     fmt::format("{} is complete where it is stored", asked_.tensor));
        for (const For *loop : nest.loops) {
          o.variables.push_back(loop->var + ".stored");
          o.hypotheses.push_back(substitute(in_range(loop->lo, variable(loop->var), loop->hi), other));
        }
        for (const Pred &guard : nest.guards)
          o.hypotheses.push_back(substitute(guard, other));
        for (std::size_t d = 0; d < store.indices.size(); ++d)
          o.hypotheses.push_back(compare(PredOp::eq, store.indices[d], substitute(access.indices[d], other)));
        o.claims.push_back({compare(PredOp::le, computed, stored),
                            {"a later iteration of " + over_->var + " changes what is stored"}});
        kernel_.obligations.push_back(std::move(o));
      });
    });
  }

  using OnStore = std::function<void(const Store &, const Known &)>;
  void each_store(const Block &body, const Known &around, const OnStore &visit) {
    for (const Stmt &stmt : body)
      match(
          stmt, [&](const For &loop) { each_store(loop.body, around.inside(loop.range()), visit); },
          [&](const If &branch) { each_store(branch.body, around.where(branch.pred), visit); },
          [&](const Alloc &alloc) { each_store(alloc.body, around, visit); },
          [&](const Store &store) {
            if (store.buffer == asked_.tensor)
              visit(store, around);
          });
  }

  void must_run(const For &loop, const Known &around) {
    Obligation o = obligation_at(around, asked_.span,
                                 fmt::format("{} runs, in which {} is stored", loop.var, asked_.tensor));
    o.claims.push_back({compare(PredOp::lt, loop.lo, loop.hi), {loop.var + " has no iterations"}});
    kernel_.obligations.push_back(std::move(o));
  }

  void store_pieces(For &stores) {
    Stmt nest = substituted(Stmt{stores}, {});
    Stmt piece = piece_of(std::get<For>(nest.node), *over_, at_last_);
    bool always = is_last_->op == PredOp::truth;
    std::shared_ptr<BlockCode> kept;
    code_of(*over_, kept).at_end.push_back(always ? piece : Stmt{If{is_last_, {piece}}});
    stores.block = std::make_shared<const BlockCode>(BlockCode{false, {}, true});
  }

  LoopKernel &kernel_;
  const Requests::Drained &asked_;
  Request &request_;
  For *over_ = nullptr;
  Known at_last_;
  Pred is_last_ = truth(true);
};

} // namespace

Result<bool> drain(LoopKernel &kernel) {
  for (const Requests::Drained &asked : kernel.requests->drained) {
    if (!asked.from.empty())
      continue;
    Request request(asked.tensor, asked.span, "cannot be stored as it is completed");
    request.each_temporary(kernel, true, [&](Alloc &alloc, const Known &around) {
      Drainer(kernel, asked, request).apply(alloc, around, truth(true));
    });
    if (request.problem())
      return Diagnostics{*request.problem()};
  }
  return true;
}

bool drain_where(const Pred &only, LoopKernel &kernel, const Requests::Drained &asked, Alloc &alloc,
                 const Known &around) {
  const std::size_t stated = kernel.obligations.size();
  Request request(asked.tensor, asked.span, "");
  Drainer(kernel, asked, request).apply(alloc, around, only);
  if (!request.problem())
    return true;
  kernel.obligations.erase(kernel.obligations.begin() + static_cast<std::ptrdiff_t>(stated),
                           kernel.obligations.end());
  return false;
}

} // namespace atl::accel
