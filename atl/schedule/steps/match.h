// A step, matched with its signature: the arguments as they are written. What they mean in a program is found
// later (typed.h).
#pragma once
#include "atl/schedule/steps/signature.h"
#include "atl/schedule/steps/target.h"
#include "atl/syntax/steps.h"

namespace atl::schedule {

struct Argument {
  LoopName name; // of a loop; or another name, or a choice, without `within`
  bool every = false;
  Index index = nullptr;
  Pred condition = nullptr;
};
using Given = std::vector<Argument>;  // of a parameter: nothing where it is left out, several of a list
using Arguments = std::vector<Given>; // of all parameters

struct Match {
  std::optional<Arguments> arguments; // nothing: the step has another form
  std::optional<Note> note;           // why, where there is more to say than the usage
};
Match match(const Step &step, const Signature &signature);

} // namespace atl::schedule
