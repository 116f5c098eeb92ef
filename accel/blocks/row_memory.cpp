#include "accel/blocks/row_memory.h"

#include "accel/blocks/bank_rows.h"
#include "atl/base/check.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace atl::accel {

using namespace lowering;

namespace {

// The least number that is known to be at least `extent`, up to `most`.
std::optional<std::int64_t> limit_of(const Index &extent, const Facts &facts, std::int64_t most) {
  if (auto known = as_constant(extent))
    return *known;
  auto holds = [&](std::int64_t limit) { return facts.proves(compare(PredOp::le, extent, constant(limit))); };
  if (!holds(most))
    return std::nullopt;
  std::int64_t low = 0; // does not hold, or is 0
  while (low + 1 < most) {
    std::int64_t middle = low + (most - low) / 2;
    (holds(middle) ? most : low) = middle;
  }
  return most;
}

} // namespace

std::optional<Shape> row_layout(const Alloc &alloc, const Memory &memory, const Facts &facts) {
  Shape layout;
  for (const Index &extent : alloc.buffer.dims) {
    auto limit = limit_of(extent, facts, memory.registers * memory.rows->width);
    if (!limit)
      return std::nullopt;
    layout.push_back(constant(std::max<std::int64_t>(*limit, 1)));
  }
  return layout.empty() ? std::nullopt : std::optional(layout);
}

namespace {

// The most rows of each memory that are alive at the same time, and the temporary for which the first one is
// full.
class Usage {
public:
  Usage(const Hardware &hardware, const Copies &copies) : hardware_(hardware), copies_(copies) {}

  std::optional<Diagnostic> problem;
  std::set<std::string> in_loops; // the temporaries that can have copies

  void visit(const Block &block, const Known &around) {
    for (const Stmt &stmt : block)
      match(
          stmt, [&](const For &loop) { visit(loop.body, around.inside(loop.range())); },
          [&](const If &branch) { visit(branch.body, around.where(branch.pred)); },
          [&](const Alloc &alloc) { allocate(alloc, around); }, [](const Store &) {});
  }

private:
  void allocate(const Alloc &alloc, const Known &around) {
    const Buffer &buffer = alloc.buffer;
    const Memory *memory = buffer.memory.empty() ? nullptr : hardware_.find_memory(buffer.memory);
    if (buffer.memory.empty())
      return visit(alloc.body, around);
    ATL_CHECK(memory && memory->c_types.contains(buffer.elem),
              "the step `store` let pass a memory for " + buffer.name);
    auto layout = row_layout(alloc, *memory, around.facts());
    if (!layout)
      return report(Code::too_many_registers,
                    fmt::format("{} has no constant limits, so that its rows in {} cannot be chosen",
                                buffer.name, memory->name));
    const std::int64_t rows = Placed{buffer, *layout, memory, nullptr}.rows();
    BankRows &used = used_.try_emplace(memory->name, *memory).first->second;
    const BankRows before = used;
    if (!used.take(rows, around.variables.empty() ? 1 : copies_of(buffer.name))) {
      const std::int64_t needed = used.used() + rows;
      report(Code::too_many_registers,
             fmt::format("{} and the tensors around it need {}{} rows of {}, which has {}", buffer.name,
                         needed < Placed::most_rows ? "" : "at least ", needed, memory->name,
                         memory->registers));
    }
    visit(alloc.body, around);
    used = before;
  }

  std::int64_t copies_of(const std::string &tensor) {
    in_loops.insert(tensor);
    auto known = copies_.find(tensor);
    return known == copies_.end() ? 1 : known->second;
  }

  void report(Code code, std::string message) {
    if (!problem)
      problem = Diagnostic{code, std::nullopt, std::move(message), {}};
  }

  const Hardware &hardware_;
  const Copies &copies_;
  std::map<std::string, BankRows> used_;
};

} // namespace

Result<Copies> copies_that_fit(const LoopKernel &kernel, const Hardware &hardware) {
  const Known root = known_in(kernel);
  auto usage_with = [&](const Copies &copies) {
    Usage usage(hardware, copies);
    usage.visit(kernel.body, root);
    return usage;
  };
  Copies copies;
  Usage least = usage_with(copies);
  if (least.problem) {
    least.problem->span = kernel.requests->span;
    return Diagnostics{*least.problem};
  }
  for (const std::string &tensor : least.in_loops)
    copies[tensor] = 1;
  for (std::int64_t more : {2, 4})
    for (auto &[tensor, count] : copies) {
      std::int64_t before = std::exchange(count, more);
      if (usage_with(copies).problem)
        count = before;
    }
  return copies;
}

Index turn_of(const Known &around, const std::string &first) {
  Index turn = constant(0);
  bool counted = false;
  for (const auto &[name, from, to] : around.loops) {
    Index var = variable(name);
    if (counted)
      turn = add(mul(turn, sub(to, from)), sub(var, from));
    else
      turn = add(turn, var);
    counted = counted || name == first;
  }
  return turn;
}

} // namespace atl::accel
