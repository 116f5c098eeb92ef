#include "lowering/verify/verify.h"

#include "atl/syntax/tree.h"
#include "lowering/nest/walk.h"
#include "lowering/verify/distinct.h"
#include "lowering/verify/widths.h"

#include <map>
#include <string>
#include <vector>

namespace atl::lowering {

namespace {

class CodeVerifier {
public:
  explicit CodeVerifier(const LoopKernel &kernel)
      : kernel_(kernel), widths_(kernel, Widths::Steps::open, obligations_) {}

  std::vector<Obligation> run() {
    for (const auto *buffers : {&kernel_.inputs, &kernel_.outputs})
      for (const Buffer &buffer : *buffers)
        buffers_.insert_or_assign(buffer.name, buffer);
    visit(kernel_.body, known_in(kernel_));
    return not_said_before();
  }

private:
  // By the nest before its loops were copied, or by an earlier copy.
  std::vector<Obligation> not_said_before() {
    Distinct said;
    for (const Obligation &o : kernel_.obligations)
      said.know(o);
    for (Obligation &o : obligations_)
      said.add(std::move(o));
    return said.take();
  }

  void visit(const Block &block, const Known &known) {
    for (const Stmt &stmt : block)
      match(
          stmt, [&](const For &loop) { visit(loop, known); },
          [&](const If &branch) {
            widths_.condition(branch.pred, kernel_.span, "the condition " + to_string(branch.pred), known);
            visit(branch.body, known.where(branch.pred));
          },
          [&](const Alloc &alloc) {
            buffers_.insert_or_assign(alloc.buffer.name, alloc.buffer);
            widths_.indices(alloc.buffer.dims, kernel_.span, "the shape of " + alloc.buffer.name, known);
            visit(alloc.body, known);
          },
          [&](const Store &store) { visit(store, known); });
  }

  void visit(const For &loop, const Known &known) {
    widths_.indices({loop.lo, loop.hi}, kernel_.span, "the range of the loop " + loop.var, known);
    if (loop.lanes)
      for (const LaneStatement &s : loop.lanes->statements) {
        widths_.condition(s.condition, loop.span, "the condition " + to_string(s.condition), known);
        if (const auto *call = std::get_if<std::shared_ptr<const LaneCall>>(&s.value))
          visit(**call, loop.span, known.where(s.condition));
      }
    if (loop.total) {
      visit(*loop.total->call, loop.span, known);
      visit(loop.total->store, known);
    }
    const Known inside = known.inside(loop.range());
    if (loop.block) {
      for (const Setting &setting : loop.block->settings)
        for (const auto &value : setting.values)
          std::visit([&](const auto &v) { operand(v, loop.span, known); }, value);
      visit(loop.block->before, known);
      if (const auto &call = loop.block->call) {
        widths_.condition(call->condition, loop.span, "the condition " + to_string(call->condition), known);
        for (const auto &[name, value] : call->operands)
          std::visit([&](const auto &v) { operand(v, loop.span, known.where(call->condition)); }, value);
      }
      visit(loop.block->inside, inside);
      visit(loop.block->at_end, inside);
    }
    visit(loop.body, inside);
  }

  void visit(const LaneCall &call, Span span, const Known &known) {
    for (const auto &[name, value] : call.operands)
      std::visit([&](const auto &v) { operand(v, span, known); }, value);
  }

  void operand(const std::shared_ptr<const LaneCall> &call, Span span, const Known &known) {
    visit(*call, span, known);
  }
  void operand(const Register &, Span, const Known &) {}
  void operand(const FirstElement &element, Span span, const Known &known) {
    widths_.first_lane(buffers_.at(element.buffer), element.indices, span, known);
  }
  void operand(const RowBlock &block, Span span, const Known &known) { operand(block.address, span, known); }
  void operand(const ExprPtr &scalar, Span, const Known &known) { visit(scalar, known); }
  void operand(const Index &size, Span span, const Known &known) {
    widths_.indices({size}, span, "the operand " + to_string(size), known);
  }

  void visit(const Store &store, const Known &known) {
    visit(store.value, known);
    widths_.indices(store.indices, store.span, "the index of a store to " + store.buffer, known);
  }

  void visit(const ExprPtr &e, const Known &known) {
    if (const Access *access = std::get_if<Access>(&e->node))
      widths_.indices(access->indices, e->span, "the index of a read of " + access->tensor, known);
    widths_.scalar(*e, known);
    const std::vector<ExprPtr> kids = children(*e);
    for (std::size_t i = 0; i < kids.size(); ++i) {
      const Pred pred = known_at_child(*e, i);
      visit(kids[i], pred->op == PredOp::truth && pred->value ? known : known.where(pred));
    }
  }

  const LoopKernel &kernel_;
  std::map<std::string, Buffer> buffers_;
  std::vector<Obligation> obligations_;
  Widths widths_;
};

} // namespace

std::vector<Obligation> verify_code(const LoopKernel &kernel) {
  return CodeVerifier(kernel).run();
}

} // namespace atl::lowering
