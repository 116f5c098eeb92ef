#include "accel/describe/block_pattern.h"

#include "accel/describe/holes.h"
#include "atl/base/check.h"
#include "atl/syntax/tree.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::accel {

namespace {

// Scalars that the body names once more, put where they are used.
ExprPtr without_lets(const ExprPtr &e) {
  if (const Let *let = std::get_if<Let>(&e->node); let && let->bound->type->shape.empty()) {
    ExprPtr bound = without_lets(let->bound);
    return replace_accesses(without_lets(let->body), let->names[0],
                            [&](const Access &, const ExprPtr &) { return bound; });
  }
  std::vector<ExprPtr> kids = children(*e);
  for (ExprPtr &kid : kids)
    kid = without_lets(kid);
  return rebuild(*e, std::move(kids));
}

bool is_extent(const Instruction &instruction, const Index &extent) {
  if (as_constant(extent))
    return true;
  return extent->op == IndexOp::variable && find_operand(instruction, extent->name);
}

std::optional<Diagnostic> check_needs(const Hardware &hardware, const Instruction &instruction) {
  for (const Need &need : instruction.needs) {
    auto found = std::find_if(hardware.configurations.begin(), hardware.configurations.end(),
                              [&](const Configuration &c) { return c.name == need.configuration; });
    if (found == hardware.configurations.end())
      return Diagnostic{Code::unknown_name,
                        need.span,
                        fmt::format("{} has no configuration '{}'", hardware.name, need.configuration),
                        {}};
    if (found->params.size() != need.values.size())
      return Diagnostic{Code::wrong_argument_count,
                        need.span,
                        fmt::format("'{}' has {} values, not {}", need.configuration, found->params.size(),
                                    need.values.size()),
                        {}};
  }
  return std::nullopt;
}

// Those in the value, where no other stands inside; nothing is looked for in their terms.
void find_sums(const ExprPtr &e, std::vector<ExprPtr> &sums) {
  if (loop_head(e))
    sums.push_back(e);
  else
    for (const ExprPtr &kid : children(*e))
      find_sums(kid, sums);
}

// The loops of the one sum that the value is computed from, if there is one. False: it is none that can be
// matched.
bool add_sum_inside(const Instruction &instruction, BlockPattern &pattern) {
  std::vector<ExprPtr> sums;
  find_sums(pattern.value, sums);
  if (sums.empty())
    return is_scalar_form(*pattern.value);
  ExprPtr e = sums[0];
  while (auto loop = loop_head(e)) {
    if (loop->reduction != Reduction::sum || as_constant(loop->lo) != 0 || !is_extent(instruction, loop->hi))
      return false;
    pattern.loops.push_back({loop->var, loop->hi});
    e = loop_body(e);
  }
  if (const Guard *guard = std::get_if<Guard>(&e->node))
    e = guard->body;
  const bool is_simple = sums[0] == pattern.value || is_scalar_form(*pattern.value);
  return is_simple && sums.size() == 1 && is_scalar_form(*e);
}

Result<BlockPattern> block_pattern_of(const Hardware &hardware, const TypedInstruction &typed) {
  const Instruction &instruction = *typed.source;
  std::optional<Diagnostic> problem = check_needs(hardware, instruction);
  if (!problem)
    problem = check_holes(instruction, true, RowStrides::in_configuration);
  if (!problem && !instruction.aligned.empty())
    problem = bad_instruction(instruction, "only operands of instructions on lanes can be aligned");
  if (problem)
    return Diagnostics{*problem};
  BlockPattern pattern{&instruction, {}, 0, nullptr};
  ExprPtr e = typed.meaning.results.at(0);
  bool simple = typed.meaning.lets.empty();
  while (auto loop = loop_head(e)) {
    bool sums = loop->reduction.has_value();
    if (sums && !instruction.adds)
      break;
    simple = simple && (!sums || *loop->reduction == Reduction::sum) && as_constant(loop->lo) == 0 &&
             is_extent(instruction, loop->hi);
    pattern.loops.push_back({loop->var, loop->hi});
    pattern.kept += sums ? 0 : 1;
    e = loop_body(e);
  }
  pattern.value = without_lets(e);
  const bool is_term = pattern.kept < pattern.loops.size();
  if (!simple || !(is_term ? is_scalar_form(*pattern.value) : add_sum_inside(instruction, pattern)))
    return Diagnostics{bad_instruction(
        instruction, "its meaning is not gen i < n, ... { an element } or gen i < n, ... { sum k < m, "
                     "... { a term } }, with sizes and constants as extents; an element may be computed "
                     "from one sum, whose terms may have a condition")};
  return pattern;
}

} // namespace

Result<std::vector<BlockPattern>> block_patterns_of(const Hardware &hardware,
                                                    const std::vector<TypedInstruction> &instructions) {
  return for_all<BlockPattern>(instructions, [&](const TypedInstruction &instruction) {
    return block_pattern_of(hardware, instruction);
  });
}

} // namespace atl::accel
