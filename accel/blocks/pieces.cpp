#include "accel/blocks/pieces.h"

#include "accel/blocks/setting.h"
#include "atl/syntax/tree.h"
#include "lowering/nest/walk.h"

#include <algorithm>

namespace atl::accel {

using namespace lowering;

namespace {

BlockOperand substituted_operand(const BlockOperand &operand, const Subst &by) {
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
          [&](const ExprPtr &scalar) -> BlockOperand { return substitute(scalar, by); },
          [&](const Index &size) -> BlockOperand { return substitute(size, by); },
      },
      operand);
}

BlockCode substituted_code(BlockCode code, const Subst &by) {
  if (code.call) {
    for (auto &[name, operand] : code.call->operands)
      operand = substituted_operand(operand, by);
    code.call->condition = substitute(code.call->condition, by);
  }
  for (Setting &need : code.needs)
    need = substituted(need, by);
  return code;
}

} // namespace

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
      result.block = std::make_shared<const BlockCode>(substituted_code(*loop->block, by));
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

bool has_loop_named(const Stmt &stmt, const std::vector<std::string> &names) {
  return any_of<For>(Block{stmt}, [&](const For &loop) {
    return std::find(names.begin(), names.end(), loop.var) != names.end();
  });
}

bool has_one_iteration(const For &loop) {
  return as_constant(sub(loop.hi, loop.lo)) == 1 && !(loop.block && loop.block->replaces) &&
         loop.body.size() == 1;
}

const For &shared_out(const For &nest) {
  const For *inner = has_one_iteration(nest) ? std::get_if<For>(&nest.body[0].node) : nullptr;
  return inner ? shared_out(*inner) : nest;
}

Index piece_size(const For &shared, const For &over) {
  return ceil_div(sub(shared.hi, shared.lo), sub(over.hi, over.lo));
}

Stmt piece_of(For nest, const For &over, const Known &around) {
  if (auto *inner = has_one_iteration(nest) ? std::get_if<For>(&nest.body[0].node) : nullptr) {
    nest.body[0] = piece_of(*inner, over, around);
    return {nest};
  }
  Known inside = around.inside(over.range());
  Index turn = sub(variable(over.var), over.lo);
  if (nest.block && nest.block->replaces)
    return {If{compare(PredOp::eq, turn, constant(0)), {{nest}}}};
  Index each = piece_size(nest, over);
  Index from = add(nest.lo, mul(turn, each));
  nest.hi = inside.facts().simplify(binary(IndexOp::min, nest.hi, add(from, each)));
  nest.lo = inside.facts().simplify(from);
  return {nest};
}

} // namespace atl::accel
