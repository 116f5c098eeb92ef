// Small rules on guards, ranges and padding. They change the form of a program, so that another step applies.
#include "atl/schedule/steps/families.h"

namespace atl::schedule {

StepRows guard_steps() {
  using namespace rewrites;
  return {
      step("simplify", "removes guards that always hold, merges nested guards, simplifies indices", simplify),
      step("apply pull_guard at LOOP",
           "moves a guard directly inside the loop, which does not mention its variable, around the loop",
           pull_guard),
      step("apply push_guard at LOOP", "moves a guard directly around the loop into it", push_guard),
      step("apply state_range at LOOP", "adds the range of the loop as a guard inside it", state_range),
      step("apply narrow_range at LOOP",
           "ends a reduction at the upper limit that a guard directly inside it sets for its variable",
           narrow_range),
      step("apply pad_right at LOOP by COUNT", "puts `truncr COUNT padr COUNT` around the loop", pad_right),
      step("apply pad_left at LOOP by COUNT", "puts `truncl COUNT padl COUNT` around the loop", pad_left),
  };
}

} // namespace atl::schedule
