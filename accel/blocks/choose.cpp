#include "accel/blocks/choose.h"

#include "accel/blocks/setting.h"

#include <algorithm>

namespace atl::accel {

namespace {

bool agrees(const lowering::Setting &setting, const Settings &last) {
  auto there = last.find(setting.configuration->name);
  return there == last.end() || same(there->second, setting);
}

} // namespace

std::optional<BlockMatch> choose_instruction(const Target &target, const BlockNest &nest, const Facts &facts,
                                             const Buffers &buffers, Conditions conditions,
                                             const Settings &last, BlockRefusal &closest) {
  std::optional<BlockMatch> best;
  bool best_is_free = false;
  for (const BlockPattern &pattern : target.blocks) {
    auto result = match_block(pattern, *target.hardware, nest, facts, buffers, conditions);
    if (const BlockRefusal *refusal = std::get_if<BlockRefusal>(&result)) {
      if (closest.why.empty() || refusal->progress > closest.progress)
        closest = {refusal->progress, pattern.source->meaning.name + ": " + refusal->why};
      continue;
    }
    BlockMatch &found = std::get<BlockMatch>(result);
    const bool is_free = std::all_of(found.needs.begin(), found.needs.end(),
                                     [&](const lowering::Setting &s) { return agrees(s, last); });
    if (!best || (is_free && !best_is_free)) {
      best = std::move(found);
      best_is_free = is_free;
    }
  }
  return best;
}

bool is_smallest(const BlockNest &nest, const Target &target) {
  constexpr std::size_t none = std::string::npos;
  std::size_t least = none, least_around_sum = none;
  for (const BlockPattern &pattern : target.blocks) {
    least = std::min(least, pattern.loops.size());
    if (pattern.has_whole_sum())
      least_around_sum = std::min(least_around_sum, pattern.kept);
  }
  const bool has_sum = !nest.sums.empty() && least_around_sum != none;
  return has_sum ? nest.loops.size() <= least_around_sum : nest.depth() <= least;
}

} // namespace atl::accel
