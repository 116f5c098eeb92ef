#include "accel/pipeline.h"

#include "accel/first_use.h"
#include "accel/setting.h"
#include "atl/rewrites/tree.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace atl::accel {

using namespace lowering;

namespace {

BlockOperand substituted(const BlockOperand &operand, const Subst &by) {
  auto all = [&](std::vector<Index> indices) {
    for (Index &index : indices)
      index = Facts().simplify(substitute(index, by));
    return indices;
  };
  return std::visit(
      Overloaded{
          [&](const FirstElement &e) -> BlockOperand {
            return FirstElement{e.buffer, all(e.indices)};
          },
          [&](const RowBlock &b) -> BlockOperand {
            return RowBlock{b.buffer, all(b.indices), Facts().simplify(substitute(b.address, by))};
          },
          [&](const ExprPtr &scalar) -> BlockOperand { return rewrites::substitute(scalar, by); },
          [&](const Index &size) -> BlockOperand { return substitute(size, by); },
      },
      operand);
}

BlockCode substituted(BlockCode code, const Subst &by) {
  if (code.call) {
    for (auto &[name, operand] : code.call->operands)
      operand = substituted(operand, by);
    code.call->condition = substitute(code.call->condition, by);
  }
  for (Setting &need : code.needs)
    need = accel::substituted(need, by);
  return code;
}

// The instructions of a mapped nest with other values of loops around it; without the loops that they
// replace.
Stmt substituted(const Stmt &stmt, const Subst &by) {
  auto all = [&](const Block &body) {
    Block result;
    for (const Stmt &inner : body)
      result.push_back(substituted(inner, by));
    return result;
  };
  if (const For *loop = std::get_if<For>(&stmt.node)) {
    For result{loop->var, substitute(loop->lo, by), substitute(loop->hi, by), {}, loop->mode, loop->span};
    if (loop->block)
      result.block = std::make_shared<const BlockCode>(substituted(*loop->block, by));
    if (!loop->block || !loop->block->replaces)
      result.body = all(loop->body);
    return {result};
  }
  const If &branch = std::get<If>(stmt.node);
  return {If{substitute(branch.pred, by), all(branch.body)}};
}

bool is_simple(const Stmt &stmt) {
  const For *loop = std::get_if<For>(&stmt.node);
  const If *branch = std::get_if<If>(&stmt.node);
  if (loop && loop->block && loop->block->replaces)
    return true;
  const Block *body = loop ? &loop->body : branch ? &branch->body : nullptr;
  return body && std::all_of(body->begin(), body->end(), is_simple);
}

BlockCode &code_of(For &loop, std::shared_ptr<BlockCode> &kept) {
  kept = std::make_shared<BlockCode>(loop.block ? *loop.block : BlockCode{});
  loop.block = kept;
  return *kept;
}

class Pipeliner {
public:
  Pipeliner(LoopKernel &kernel, const MappedTo::Pipelined &asked, const Copies &copies,
            const Buffers &buffers)
      : kernel_(kernel), asked_(asked), copies_(copies), buffers_(buffers) {}

  std::optional<Diagnostic> run() {
    Block body = std::move(kernel_.body);
    visit(body, around_body(kernel_), nullptr, {});
    kernel_.body = std::move(body);
    if (!found_)
      refuse("there is no such temporary in a memory of rows");
    return problem_;
  }

private:
  // `loop` is the innermost loop around, and `outside` what is known around that.
  void visit(Block &body, const Surroundings &around, For *loop, const Surroundings &outside) {
    walk(
        body, around,
        [&](For &inner, const Surroundings &there) { visit(inner.body, there.inside(inner), &inner, there); },
        [&](Alloc &alloc, const Surroundings &there) {
          if (alloc.buffer.name == asked_.tensor && !alloc.buffer.memory.empty())
            apply(alloc, there, loop, outside);
          visit(alloc.body, there, loop, outside);
        },
        [](const Store &) {});
  }

  void refuse(const std::string &why) {
    if (!problem_)
      problem_ = Diagnostic{Code::step_refused,
                            asked_.span,
                            fmt::format("{} cannot be filled one iteration ahead: {}", asked_.tensor, why),
                            {}};
  }

  void apply(Alloc &alloc, const Surroundings &around, For *loop, const Surroundings &outside) {
    found_ = true;
    if (!loop)
      return refuse("it is in no loop");
    if (loop->mode != LoopMode::sequential)
      return refuse(fmt::format("the iterations of {} are not one after the other", loop->var));
    auto copies = copies_.find(alloc.buffer.name);
    if (copies == copies_.end() || copies->second < 2)
      return refuse(fmt::format("there is no room for it twice in {}", alloc.buffer.memory));
    if (shares_rows(loop->body, alloc))
      return refuse(fmt::format("another temporary in {} takes turns with its rows", alloc.buffer.memory));
    std::vector<For *> fills = fills_of(alloc);
    if (fills.empty())
      return refuse("no nests of instructions fill it");
    for (const For *fill : fills)
      if (!reads_unchanged(*fill, loop->body))
        return;
    fill_first(*loop, fills, outside);
    fill_next(alloc, *loop, fills, around);
    for (For *fill : fills)
      fill->block = std::make_shared<const BlockCode>(BlockCode{false, {}, true});
  }

  // Rows are handed out from outside to inside: those of a temporary beside this one may be the same.
  static bool shares_rows(const Block &body, const Alloc &alloc) {
    return std::any_of(body.begin(), body.end(), [&](const Stmt &stmt) {
      const Alloc *other = std::get_if<Alloc>(&stmt.node);
      if (other == &alloc)
        return false;
      const For *loop = std::get_if<For>(&stmt.node);
      const If *branch = std::get_if<If>(&stmt.node);
      const Block *inner = loop ? &loop->body : branch ? &branch->body : other ? &other->body : nullptr;
      if (other && !contains(*other, alloc) && other->buffer.memory == alloc.buffer.memory)
        return true;
      return inner && shares_rows(*inner, alloc);
    });
  }

  static bool contains(const Alloc &outer, const Alloc &alloc) {
    std::function<bool(const Block &)> any = [&](const Block &body) {
      return std::any_of(body.begin(), body.end(), [&](const Stmt &stmt) {
        return match(
            stmt, [&](const For &l) { return any(l.body); }, [&](const If &b) { return any(b.body); },
            [&](const Alloc &a) { return &a == &alloc || any(a.body); }, [](const Store &) { return false; });
      });
    };
    return any(outer.body);
  }

  // The statements at the start of its life that only store to it, without those that nobody needs. What is
  // added to it later is added in the rows of its own iteration.
  std::vector<For *> fills_of(Alloc &alloc) {
    std::vector<For *> fills;
    for (rest_ = 0; rest_ < alloc.body.size(); ++rest_) {
      For *loop = std::get_if<For>(&alloc.body[rest_].node);
      const Store *store = loop && is_simple(alloc.body[rest_]) ? innermost(alloc.body[rest_]) : nullptr;
      if (!store || store->buffer != alloc.buffer.name || store->combine)
        break;
      bool dropped = loop->block && loop->block->replaces && !loop->block->call;
      if (!dropped)
        fills.push_back(loop);
    }
    return fills;
  }

  bool reads_unchanged(const For &fill, const Block &body) {
    bool fine = true;
    std::function<void(const ExprPtr &)> visit_reads = [&](const ExprPtr &e) {
      if (const Access *access = std::get_if<Access>(&e->node); access && stores_to(body, access->tensor)) {
        refuse(fmt::format("it is filled from {}, which is computed in the same loop", access->tensor));
        fine = false;
      }
      for (const ExprPtr &child : children(*e))
        visit_reads(child);
    };
    for_each_store(fill.body, [&](const Store &store) { visit_reads(store.value); });
    return fine;
  }

  // Before the loop, for its first iteration.
  void fill_first(For &loop, const std::vector<For *> &fills, const Surroundings &outside) {
    Block first;
    for (const For *fill : fills)
      first.push_back(substituted({*fill}, {{loop.var, loop.lo}}));
    Pred runs = outside.facts.simplify(compare(PredOp::lt, loop.lo, loop.hi));
    std::shared_ptr<BlockCode> kept;
    Block &before = code_of(loop, kept).before;
    if (runs->op == PredOp::truth && runs->value)
      before.insert(before.end(), first.begin(), first.end());
    else
      before.push_back({If{runs, first}});
  }

  void fill_next(Alloc &alloc, For &loop, const std::vector<For *> &fills, const Surroundings &around) {
    Index next = add(variable(loop.var), constant(1));
    Pred more = compare(PredOp::lt, next, loop.hi);
    Block filled;
    For *over = asked_.loop.empty() ? &loop : find_over(alloc.body, rest_);
    if (!over)
      return refuse(fmt::format("there is no loop {} directly behind what fills it", asked_.loop));
    if (!asked_.loop.empty() && fills.size() > 1)
      return refuse("it is filled in two steps, which cannot be spread over a loop");
    for (const For *fill : fills) {
      Stmt ahead = substituted({*fill}, {{loop.var, next}});
      filled.push_back(asked_.loop.empty() ? ahead
                                           : piece_of(std::get<For>(ahead.node), *over, around.where(more)));
    }
    if (!asked_.loop.empty())
      state(around.where(more), fmt::format("{} runs, which fills {}", over->var, asked_.tensor),
            compare(PredOp::lt, over->lo, over->hi), {over->var + " has no iterations"});
    other_rows(loop, around.where(more));
    std::shared_ptr<BlockCode> kept;
    code_of(*over, kept).inside.push_back({If{more, filled}});
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

  static bool has_one_iteration(const For &loop) {
    return as_constant(sub(loop.hi, loop.lo)) == 1 && !(loop.block && loop.block->replaces) &&
           loop.body.size() == 1;
  }

  // As many iterations of a fill as one of the loop gets, so that all of them are done when it ends.
  static Stmt piece_of(For fill, const For &over, const Surroundings &around) {
    if (auto *inner = has_one_iteration(fill) ? std::get_if<For>(&fill.body[0].node) : nullptr) {
      fill.body[0] = piece_of(*inner, over, around);
      return {fill};
    }
    Surroundings inside = around.inside(over);
    Index turn = sub(variable(over.var), over.lo);
    if (fill.block && fill.block->replaces)
      return {If{compare(PredOp::eq, turn, constant(0)), {{fill}}}};
    Index each = ceil_div(sub(fill.hi, fill.lo), sub(over.hi, over.lo));
    Index from = add(fill.lo, mul(turn, each));
    fill.hi = inside.facts.simplify(binary(IndexOp::min, fill.hi, add(from, each)));
    fill.lo = inside.facts.simplify(from);
    return {fill};
  }

  // The copies take turns: what is filled ahead is not where the iteration works.
  void other_rows(const For &loop, const Surroundings &around) {
    const Placed &placed = buffers_.at(asked_.tensor);
    Index here = placed.address, rows = constant(placed.rows());
    Index there = substitute(here, {{loop.var, add(variable(loop.var), constant(1))}});
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
  std::optional<Diagnostic> problem_;
};

} // namespace

Result<bool> pipeline(LoopKernel &kernel, const Copies &copies, const Buffers &buffers) {
  for (const MappedTo::Pipelined &asked : kernel.mapped_to->pipelined)
    if (auto problem = Pipeliner(kernel, asked, copies, buffers).run())
      return Diagnostics{*problem};
  return true;
}

} // namespace atl::accel
