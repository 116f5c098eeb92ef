#include "atl/syntax/steps.h"

#include "atl/base/check.h"

namespace atl {

bool is_use(const Step &step) {
  return !step.items.empty() && step.items[0].kind == StepItem::Kind::word && step.items[0].text == "(";
}

std::vector<StepItem> arguments_of(const Step &use) {
  ATL_CHECK(is_use(use), "arguments of a step that is no use");
  std::vector<StepItem> all;
  for (std::size_t i = 1; i + 1 < use.items.size(); ++i)
    if (use.items[i].kind != StepItem::Kind::comma)
      all.push_back(use.items[i]);
  return all;
}

} // namespace atl
