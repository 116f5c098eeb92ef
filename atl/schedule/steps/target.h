// What a name in a step means: a loop or a temporary of the program as it stands now.
#pragma once
#include "atl/base/result.h"
#include "atl/syntax/path.h"
#include "atl/syntax/steps.h"

namespace atl::schedule {

struct LoopName {
  std::string name;
  std::optional<std::string> within; // of a tensor, or of a loop around it: `y in rows`
  Span span;
  std::optional<std::string> scope = {}; // the tensor of a `within T { ... }` around the step
};

// Without `within`, a name means loops of the results, or of the tensor of the scope; or, if anywhere, of
// temporaries too.
enum class Where { results, anywhere };

// The loops that are meant; at least one, or a diagnostic that says which loops there are.
Result<std::vector<Path>> find_loops(const TypedKernel &kernel, const LoopName &loop, Where where);
Result<Path> find_loop(const TypedKernel &kernel, const LoopName &loop); // exactly one

// `extent(y)` in a step becomes the extent of the loop as it is now. `scope`: as of a LoopName.
Result<Step> with_extents(Step step, const TypedKernel &kernel, const std::optional<std::string> &scope);

std::string loops_of(const TypedKernel &kernel); // "rows: y, x; out: y.o, y.i, x"

} // namespace atl::schedule
