#include "accel/describe/target.h"

#include "accel/describe/holes.h"
#include "atl/check/check.h"

namespace atl::accel {

Result<Target> make_target(const Hardware &hardware, const Program &program) {
  auto own = std::make_shared<Hardware>(hardware);
  Target target{own, {}, {}, {}};
  for (const Configuration &configuration : own->configurations)
    if (auto problem = check_holes(configuration))
      return Diagnostics{*problem};
  auto typed = check_hardware(*own, program);
  if (!typed)
    return typed.errors();
  for (std::size_t i = own->inherited; i < typed->size(); ++i) { // the others are proved where they stand
    const std::vector<Obligation> &of_meaning = (*typed)[i].meaning.obligations;
    target.obligations.insert(target.obligations.end(), of_meaning.begin(), of_meaning.end());
  }
  if (own->has_rows()) {
    auto blocks = block_patterns_of(*own, *typed);
    if (!blocks)
      return blocks.errors();
    target.blocks = std::move(*blocks);
    return target;
  }
  auto patterns = patterns_of(*typed);
  if (!patterns)
    return patterns.errors();
  target.patterns = std::move(*patterns);
  for (std::size_t i = 0; i < typed->size(); ++i) // each is one gen, or it has no pattern
    own->instructions[i].meaning.body = (*typed)[i].meaning.results.at(0);
  return target;
}

} // namespace atl::accel
