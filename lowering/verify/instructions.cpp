#include "lowering/verify/instructions.h"

#include "atl/syntax/tree.h"
#include "lowering/nest/walk.h"
#include "lowering/verify/distinct.h"
#include "lowering/verify/rows.h"
#include "lowering/verify/touched.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>

namespace atl::lowering {

namespace {

bool is_true(const Pred &p) {
  return p->op == PredOp::truth && p->value;
}

Known under(const Known &known, const Pred &condition) {
  return is_true(condition) ? known : known.where(condition);
}

class InstructionVerifier {
public:
  explicit InstructionVerifier(const LoopKernel &kernel) : kernel_(kernel) {
    for (const auto *buffers : {&kernel.inputs, &kernel.outputs})
      for (const Buffer &buffer : *buffers)
        buffers_[buffer.name] = {&buffer, nullptr};
    for_each<Alloc>(kernel.body, [&](const Alloc &alloc) {
      buffers_[alloc.buffer.name] = {&alloc.buffer, &alloc};
    });
  }

  std::vector<Obligation> run() {
    const Known top = known_in(kernel_);
    visit(kernel_.body, top);
    for (Obligation &apart : rows_apart(kernel_, top))
      obligations_.add(std::move(apart));
    return obligations_.take();
  }

private:
  struct Home {
    const Buffer *buffer;
    const Alloc *alloc; // of a temporary
  };

  void visit(const Block &block, const Known &known) {
    for (const Stmt &stmt : block)
      match(
          stmt, [&](const For &loop) { visit_loop(loop, known); },
          [&](const If &branch) { visit(branch.body, known.where(branch.pred)); },
          [&](const Alloc &alloc) { visit(alloc.body, known); }, [](const Store &) {});
  }

  void visit_loop(const For &loop, const Known &known) {
    if (loop.lanes)
      return visit_lanes(loop, known);
    if (loop.total)
      return visit_total(loop, known);
    const bool is_mapped = loop.block != nullptr;
    if (is_mapped)
      visit_before(loop, known);
    if (is_mapped && loop.block->replaces)
      return;
    const Known inside = known.inside(loop.range());
    if (is_mapped)
      visit(loop.block->inside, inside);
    visit(loop.body, inside);
    if (is_mapped)
      visit(loop.block->at_end, inside);
  }

  // Tensors whose rows the lanes of a loop run on over: not the last index alone depends on the lane.
  static std::set<std::string> run_on(const For &loop) {
    std::set<std::string> tensors;
    auto look = [&](const std::string &tensor, const std::vector<Index> &indices) {
      for (std::size_t d = 0; d + 1 < indices.size(); ++d)
        if (mentions(indices[d], loop.var))
          tensors.insert(tensor);
    };
    for_each<Store>(loop.body, [&](const Store &store) {
      look(store.buffer, store.indices);
      for_each_access(store.value, [&](const Access &access) { look(access.tensor, access.indices); });
    });
    return tensors;
  }

  void visit_lanes(const For &loop, const Known &known) {
    runs_on_ = run_on(loop);
    for (const LaneStatement &statement : loop.lanes->statements)
      if (auto *call = std::get_if<std::shared_ptr<const LaneCall>>(&statement.value))
        for (const Called &one : calls_in(**call))
          check(one, loop.span, under(known, statement.condition));
  }

  void visit_total(const For &loop, const Known &known) {
    runs_on_ = run_on(loop);
    for (const Called &one : calls_in(*loop.total->call))
      check(one, loop.span, known);
    const Store &store = loop.total->store;
    check_cells(store.buffer, store.indices, "the store to", loop.span, known);
  }

  void visit_before(const For &loop, const Known &known) {
    runs_on_.clear();
    const BlockCode &code = *loop.block;
    for (const Setting &setting : code.settings)
      for (const auto &value : setting.values)
        if (const ExprPtr *scalar = std::get_if<ExprPtr>(&value))
          check_reads(*scalar, loop.span, known);
    visit(code.before, known);
    if (code.call)
      check(called(*code.call, code.needs), loop.span, under(known, code.call->condition));
  }

  void check(const Called &call, Span span, const Known &known) {
    for (const MemoryOperand &operand : call.operands)
      check_operand(call, operand, span, known);
    for (const ExprPtr &scalar : call.scalars)
      check_reads(scalar, span, known);
    check_condition(call, span, known);
  }

  void check_operand(const Called &call, const MemoryOperand &operand, Span span, const Known &known) {
    const Known there = under(known, touches_any(operand));
    const RowBlock *block = std::get_if<RowBlock>(&operand.at);
    const FirstElement *first = std::get_if<FirstElement>(&operand.at);
    const std::string &name = block ? block->buffer : first->buffer;
    const Home &home = buffers_.at(name);
    require(ObligationKind::bounds, Code::out_of_bounds, span,
            fmt::format("the {} elements from {} on, for {}, are inside {}", extents(operand),
                        cell(name, block ? block->indices : first->indices), call.instruction->meaning.name,
                        name),
            there,
            block ? inside_claims(call, operand, *block, home.alloc->rows.value(),
                                  *kernel_.hardware->find_memory(operand.memory))
                  : inside_claims(call, operand, *first, *home.buffer, runs_on_.contains(name), there));
    if (first && !is_true(touches_any(operand)))
      require(ObligationKind::bounds, Code::out_of_bounds, span,
              fmt::format("the address of {}, for {}, is in {} or just behind its end",
                          cell(name, first->indices), call.instruction->meaning.name, name),
              known, address_claims(call, operand, *first, *home.buffer, runs_on_.contains(name), known));
    auto aligned = call.instruction->aligned.find(operand.name);
    if (first && aligned != call.instruction->aligned.end())
      require(ObligationKind::instr, Code::instruction_condition, span,
              fmt::format("{} needs an address that is a multiple of {}", call.instruction->meaning.name,
                          aligned->second),
              known, aligned_claims(call, *first, *home.buffer, aligned->second, beginning(home), known));
  }

  static std::string extents(const MemoryOperand &operand) {
    std::vector<std::string> texts;
    for (const Index &extent : operand.shape)
      texts.push_back(to_string(extent, 1));
    return fmt::format("{}", fmt::join(texts, " x "));
  }

  // The tensor begins at a multiple of so many bytes: what the C function asks of its caller, and does
  // itself.
  std::int64_t beginning(const Home &home) const {
    auto asked = kernel_.aligned.find(home.buffer->name);
    if (asked != kernel_.aligned.end() && home.buffer->role != Buffer::Role::temporary)
      return asked->second;
    const bool is_on_heap = home.alloc && home.alloc->storage == Alloc::Storage::heap;
    return is_on_heap && kernel_.aligns_temporaries ? cache_line : 1;
  }

  // What conditions may mention: sizes, and distances between rows in plain memory.
  static Subst values_of(const Called &call) {
    Subst values = call.sizes;
    for (const MemoryOperand &operand : call.operands)
      if (std::holds_alternative<FirstElement>(operand.at) && operand.shape.size() > 1)
        values[operand.name + ".stride"] = operand.distance;
    return values;
  }

  // Sizes are not negative, and as the instruction wants them.
  void check_condition(const Called &call, Span span, const Known &known) {
    std::vector<Pred> conditions;
    for (const auto &[name, size] : call.sizes)
      conditions.push_back(compare(PredOp::ge, variable(name), constant(0)));
    for (const Where &where : call.instruction->meaning.where)
      conditions.push_back(where.pred);
    const Subst values = values_of(call);
    for (const Pred &condition : conditions) {
      const std::string what =
          fmt::format("{} needs {}", call.instruction->meaning.name, to_string(condition));
      Template otherwise{what};
      for (const auto &[name, value] : values)
        if (mentions(condition, name))
          otherwise.insert(otherwise.end(), {fmt::format(", and {} is ", name), value});
      require(ObligationKind::instr, Code::instruction_condition, span, what, known,
              {{substitute(condition, values), otherwise}});
    }
  }

  void check_reads(const ExprPtr &e, Span span, const Known &known) {
    if (const Access *access = std::get_if<Access>(&e->node))
      check_cells(access->tensor, access->indices, "the read of", span, known);
    const std::vector<ExprPtr> kids = children(*e);
    for (std::size_t i = 0; i < kids.size(); ++i)
      check_reads(kids[i], span, under(known, known_at_child(*e, i)));
  }

  void check_cells(const std::string &buffer, const std::vector<Index> &indices, const std::string &touch,
                   Span span, const Known &known) {
    const std::string what = fmt::format("{} {} beside instructions", touch, cell(buffer, indices));
    const Shape &dims = buffers_.at(buffer).buffer->dims;
    std::vector<Claim> claims;
    for (std::size_t d = 0; d < indices.size(); ++d)
      claims.push_back(
          {in_range(constant(0), indices[d], dims[d]),
           {what + " is at index ", indices[d], " of ", dims[d], fmt::format(" in dimension {}", d + 1)}});
    require(ObligationKind::bounds, Code::out_of_bounds, span, fmt::format("{} is inside {}", what, buffer),
            known, std::move(claims));
  }

  void require(ObligationKind kind, Code code, Span span, std::string what, const Known &known,
               std::vector<Claim> claims) {
    if (!claims.empty())
      obligations_.add(known.obligation(kind, code, span, std::move(what), std::move(claims)));
  }

  const LoopKernel &kernel_;
  std::map<std::string, Home> buffers_;
  std::set<std::string> runs_on_; // of the loop
  Distinct obligations_;
};

} // namespace

std::vector<Obligation> verify_instructions(const LoopKernel &kernel) {
  return InstructionVerifier(kernel).run();
}

} // namespace atl::lowering
