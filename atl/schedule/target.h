// What a name in a step means: a loop or a temporary of the program as it stands now.
#pragma once
#include "atl/result.h"
#include "atl/rewrites/tree.h"

namespace atl::schedule {

struct LoopName {
  std::string name;
  std::optional<std::string> within; // of a tensor, or of a loop around it: `y in rows`
  Span span;
};

// The loops that are meant; at least one, or a diagnostic that says which loops there are.
Result<std::vector<rewrites::Path>> find_loops(const TypedKernel &kernel, const LoopName &loop);
// Exactly one. Loops of the results come before those of temporaries, which need `in` where both have the
// name.
Result<rewrites::Path> find_loop(const TypedKernel &kernel, const LoopName &loop);

std::string loops_of(const TypedKernel &kernel); // "rows: y, x; out: y.o, y.i, x"

} // namespace atl::schedule
