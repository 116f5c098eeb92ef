// Loop nests as text, for people and golden tests:
//
//   kernel NAME(N: size, in A: f32[N, M], in s: f32, out C: f32[N])
//     assume PRED                           what is checked at entry, one line each
//   {
//     for (i = LO; i < HI; i++) {           also: for parallel (...), for unrolled, for vectorized
//       if (PRED) { ... }
//       stack T: f32[4] {                   a temporary (scalar, stack or heap), alive inside the braces
//       heap T: f32[i + 1] of [N] {         one whose extents vary: at most [N]
//         T[i] = SCALAR;
//         T[i] = SCALAR; // init            a neutral value, not a result
//         T[i] += SCALAR;                   accumulates; also *=, max=, min=
//
// Indices, predicates and scalars are in source syntax. Nothing is printed that would change by itself.
#include "atl/base/check.h"
#include "atl/syntax/print.h"
#include "lowering/nest/run_loops.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace atl::lowering {

namespace {

std::string list(const std::vector<Index> &indices) {
  std::vector<std::string> texts;
  for (const Index &index : indices)
    texts.push_back(to_string(index));
  return texts.empty() ? "" : fmt::format("[{}]", fmt::join(texts, ", "));
}

std::string declaration(const Buffer &buffer) {
  return fmt::format("{}: {}{}", buffer.name, name(buffer.elem), list(buffer.dims));
}

bool same(const Shape &a, const Shape &b) {
  return list(a) == list(b);
}

std::string_view assignment(const std::optional<Reduction> &combine) {
  if (!combine)
    return "=";
  switch (*combine) {
  case Reduction::sum: return "+=";
  case Reduction::prod: return "*=";
  case Reduction::max: return "max=";
  case Reduction::min: return "min=";
  }
  ATL_CHECK(false, "a reduction without an assignment");
}

std::string_view place(Alloc::Storage storage) {
  switch (storage) {
  case Alloc::Storage::scalar: return "scalar";
  case Alloc::Storage::stack: return "stack";
  case Alloc::Storage::heap: return "heap";
  }
  ATL_CHECK(false, "a storage without a name");
}

std::string text_of(const Register &r) {
  return r.indices.empty() ? r.buffer : fmt::format("{}[{}]", r.buffer, fmt::join(r.indices, ", "));
}

std::string text_of(const LaneCall &call);

std::string text_of(const LaneOperand &operand) {
  return std::visit(
      Overloaded{
          [](const std::shared_ptr<const LaneCall> &inner) { return text_of(*inner); },
          [](const Register &r) { return text_of(r); },
          [](const FirstElement &e) { return fmt::format("{}{}...", e.buffer, list(e.indices)); },
          [](const ExprPtr &scalar) { return atl::print(scalar); },
          [](const Index &size) { return to_string(size); },
      },
      operand);
}

std::string text_of(const LaneCall &call) {
  std::string operands;
  for (const auto &[name, operand] : call.operands)
    operands += fmt::format("{}{}: {}", operands.empty() ? "" : ", ", name, text_of(operand));
  return fmt::format("{}({})", call.instruction->meaning.name, operands);
}

std::string text_of(const LaneStatement &statement) {
  std::string value = std::holds_alternative<Register>(statement.value)
                          ? text_of(std::get<Register>(statement.value))
                          : text_of(*std::get<std::shared_ptr<const LaneCall>>(statement.value));
  std::string assigned = statement.target ? text_of(*statement.target) + " = " + value : value;
  bool always = statement.condition->op == PredOp::truth && statement.condition->value;
  return always ? assigned + ";" : fmt::format("if ({}) {};", to_string(statement.condition), assigned);
}

std::string text_of(const BlockCall &call) {
  std::string operands;
  for (const auto &[name, operand] : call.operands)
    operands += fmt::format(
        "{}{}: {}", operands.empty() ? "" : ", ", name,
        std::visit(
            Overloaded{
                [](const FirstElement &e) { return fmt::format("{}{}...", e.buffer, list(e.indices)); },
                [](const RowBlock &b) {
                  return fmt::format("{}{} at {}", b.buffer, list(b.indices), to_string(b.address));
                },
                [](const ExprPtr &scalar) { return atl::print(scalar); },
                [](const Index &size) { return to_string(size); },
            },
            operand));
  return fmt::format("{}({})", call.instruction->meaning.name, operands);
}

class Printer {
public:
  explicit Printer(bool mapped) : mapped_(mapped) {}
  std::string text;

  void block(const Block &body, int depth) {
    for (const Stmt &s : body)
      match(
          s,
          [&](const For &loop) {
            if (mapped_ && loop.lanes)
              return lanes(loop, depth);
            if (mapped_ && loop.total) {
              line(fmt::format("{} = {};", loop.total->scalar.name, text_of(*loop.total->call)), depth);
              return line(assignment_text(loop.total->store, depth), depth);
            }
            if (mapped_ && loop.block)
              before(*loop.block, depth);
            if (mapped_ && loop.block && loop.block->replaces)
              return;
            line(head(loop) + " {", depth);
            if (mapped_ && loop.block)
              block(loop.block->inside, depth + 1);
            block(loop.body, depth + 1);
            if (mapped_ && loop.block)
              block(loop.block->at_end, depth + 1);
            if (mapped_ && loop.block && loop.block->fence_at_end)
              line("fence;", depth + 1);
            line("}", depth);
          },
          [&](const If &branch) {
            braces(fmt::format("if ({})", to_string(branch.pred)), branch.body, depth);
          },
          [&](const Alloc &alloc) { braces(head(alloc), alloc.body, depth); },
          [&](const Store &store) { line(assignment_text(store, depth), depth); });
  }

  void line(const std::string &content, int depth) {
    text += std::string(static_cast<std::size_t>(depth) * 2, ' ') + content + "\n";
  }

private:
  // The fence, settings and nests before a loop, and the instruction in its place.
  void before(const BlockCode &code, int depth) {
    if (code.fence)
      line("fence;", depth);
    for (const Setting &setting : code.settings)
      line("set " + text_of(setting) + ";", depth);
    block(code.before, depth);
    if (code.call) {
      bool always = code.call->condition->op == PredOp::truth && code.call->condition->value;
      line((always ? "" : fmt::format("if ({}) ", to_string(code.call->condition))) + text_of(*code.call) +
               ";",
           depth);
    }
  }

  void lanes(const For &loop, int depth) {
    for (const LaneLocal &local : loop.lanes->locals)
      line(fmt::format("register {};", local.name), depth);
    for (const LaneStatement &statement : loop.lanes->statements)
      line(text_of(statement), depth);
  }

  void braces(const std::string &before, const Block &body, int depth) {
    line(before + " {", depth);
    block(body, depth + 1);
    line("}", depth);
  }

  static std::string head(const For &loop) {
    return fmt::format("for {3}({0} = {1}; {0} < {2}; {0}++)", loop.var, to_string(loop.lo),
                       to_string(loop.hi, precedence::sum),
                       loop.mode == LoopMode::sequential ? "" : fmt::format("{} ", name(loop.mode)));
  }

  static std::string head(const Alloc &alloc) {
    std::string limit = same(alloc.buffer.dims, alloc.capacity) ? "" : " of " + list(alloc.capacity);
    const std::string &memory = alloc.buffer.memory;
    return fmt::format("{} {}{}", memory.empty() ? place(alloc.storage) : memory, declaration(alloc.buffer),
                       limit);
  }

  static std::string assignment_text(const Store &store, int depth) {
    return fmt::format("{}{} {} {};{}", store.buffer, list(store.indices), assignment(store.combine),
                       atl::print(store.value, 2 * depth), store.initializes ? " // init" : "");
  }

  bool mapped_;
};

std::string parameters(const LoopKernel &kernel) {
  std::vector<std::string> all;
  for (const Param &param : kernel.params)
    all.push_back(
        param.kind == Param::Kind::size
            ? param.name + ": size"
            : fmt::format("in {}: {}{}", param.name, name(param.type.elem), list(param.type.shape)));
  for (const Buffer &buffer : kernel.outputs)
    all.push_back("out " + declaration(buffer));
  return fmt::format("{}", fmt::join(all, ", "));
}

std::string print(const LoopKernel &kernel, bool mapped) {
  Printer printer(mapped);
  printer.line(fmt::format("kernel {}({})", kernel.name, parameters(kernel)), 0);
  for (const Pred &assumption : kernel.assumptions)
    printer.line("assume " + to_string(assumption), 1);
  printer.line("{", 0);
  printer.block(kernel.body, 1);
  printer.line("}", 0);
  return printer.text;
}

} // namespace

std::string text_of(const Setting &setting) {
  std::string values;
  for (std::size_t i = 0; i < setting.values.size(); ++i) {
    const Index *index = std::get_if<Index>(&setting.values[i]);
    values += fmt::format("{}{}: {}", i == 0 ? "" : ", ", setting.configuration->params[i].name,
                          index ? to_string(*index) : atl::print(std::get<ExprPtr>(setting.values[i])));
  }
  return fmt::format("{}({})", setting.configuration->name, values);
}

std::string print(const LoopKernel &kernel) {
  return print(kernel, false);
}

std::string print_mapped(const LoopKernel &kernel) {
  return print(kernel, true);
}

} // namespace atl::lowering
