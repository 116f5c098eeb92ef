#include "accel/block_pattern.h"

#include "accel/holes.h"
#include "atl/check.h"
#include "atl/rewrites/tree.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::accel {

namespace {

std::size_t position(const Instruction &instruction, const std::string &name) {
  const std::vector<Param> &params = instruction.meaning.params;
  auto found = std::find_if(params.begin(), params.end(), [&](const Param &p) { return p.name == name; });
  return static_cast<std::size_t>(found - params.begin());
}

Diagnostic bad(const Instruction &instruction, std::string why) {
  return {Code::bad_instruction, instruction.meaning.span, std::move(why), {}};
}

// Scalars that the body names once more, put where they are used.
ExprPtr without_lets(const ExprPtr &e) {
  if (const Let *let = std::get_if<Let>(&e->node); let && let->bound->type->shape.empty()) {
    ExprPtr bound = without_lets(let->bound);
    return rewrites::replace_accesses(without_lets(let->body), let->names[0],
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
  return extent->op == IndexOp::variable &&
         position(instruction, extent->name) < instruction.meaning.params.size();
}

Result<BlockPattern> pattern_of(const TypedInstruction &typed) {
  const Instruction &instruction = *typed.source;
  BlockPattern pattern{&instruction, {}, 0, nullptr};
  ExprPtr e = typed.meaning.results.at(0);
  bool simple = typed.meaning.lets.empty();
  while (auto loop = rewrites::loop_head(e)) {
    bool sums = loop->reduction.has_value();
    simple = simple && (!sums || *loop->reduction == Reduction::sum) && as_constant(loop->lo) == 0 &&
             is_extent(instruction, loop->hi);
    pattern.loops.push_back({loop->var, loop->hi});
    pattern.kept += sums ? 0 : 1;
    e = rewrites::loop_body(e);
  }
  pattern.value = without_lets(e);
  if (!simple || !is_scalar_form(*pattern.value))
    return Diagnostics{bad(instruction,
                           "its meaning is not gen i < n, ... { an element } or gen i < n, ... { sum k < m, "
                           "... { a term } }, with sizes and constants as extents")};
  if (pattern.kept < pattern.loops.size() && !instruction.adds)
    return Diagnostics{bad(instruction,
                           "its meaning is a sum, so that the result is one that it adds to: write `adds` "
                           "behind the memory of the result")};
  return pattern;
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

} // namespace

const Param *BlockPattern::param(const std::string &name) const {
  std::size_t at = position(*source, name);
  return at < source->meaning.params.size() ? &source->meaning.params[at] : nullptr;
}

const std::string &BlockPattern::memory_of(const std::string &name) const {
  if (name == "out")
    return source->result_memory;
  std::size_t at = position(*source, name);
  ATL_CHECK(at < source->memories.size(), "not an operand: " + name);
  return source->memories[at];
}

Result<std::vector<BlockPattern>> block_patterns_of(const Hardware &hardware,
                                                    const std::vector<TypedInstruction> &instructions) {
  std::vector<BlockPattern> patterns;
  Diagnostics errors;
  for (const TypedInstruction &instruction : instructions) {
    auto pattern = pattern_of(instruction);
    std::optional<Diagnostic> problem = check_needs(hardware, *instruction.source);
    if (!problem)
      problem = check_holes(*instruction.source, true);
    if (problem)
      errors.push_back(*problem);
    else if (pattern)
      patterns.push_back(std::move(*pattern));
    else
      errors.insert(errors.end(), pattern.errors().begin(), pattern.errors().end());
  }
  if (!errors.empty())
    return errors;
  return patterns;
}

} // namespace atl::accel
