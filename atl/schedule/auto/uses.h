// Steps as `auto` writes them: uses of definitions, inside `within`.
#pragma once
#include "atl/syntax/steps.h"

#include <string>
#include <vector>

namespace atl::schedule {

// NAME(a, [b, c], 4);
class Use {
public:
  Use(std::string name, Span span);
  Use &name(const std::string &name); // of a loop, a tensor, a memory
  Use &names(const std::vector<std::string> &names);
  Use &number(std::int64_t value);
  Use &index(const Index &value);
  Step step(); // complete

private:
  void separate();
  Step step_;
};

Step plain_step(const std::string &step, const std::vector<std::string> &words, Span span); // inline rows
Step reorder_step(const std::vector<std::string> &loops, Span span);
Step within_step(const std::string &tensor, std::vector<Step> steps, Span span);
Step specialize_step(const Pred &when, std::vector<Step> steps, Span span);

} // namespace atl::schedule
