// A temporary on which iterations that follow each other work at the same time, each in rows of its own:
// what is common to filling it ahead and to storing it later.
#pragma once
#include "accel/blocks/request.h"
#include "accel/blocks/row_memory.h"
#include "accel/blocks/turns.h"

#include <functional>

namespace atl::accel {

struct Overlap {
  lowering::LoopKernel &kernel;
  std::string tensor,
      from; // of the loops around it, those from this one on count as one; empty: the innermost
  Span span;
  const Copies &copies;
  const Buffers &buffers;
  Request request;
  bool found = false;

  void refuse(const std::string &why) { request.refuse(why); }
};

// Each allocation of it in a memory of rows, with the loops in each of whose iterations it is there once.
using AtTemporary = std::function<void(lowering::Alloc &, const Known &, const Loops &)>;
std::optional<Diagnostic> each_temporary(Overlap &o, const AtTemporary &apply);

// The loops whose iterations follow each other; none is refused.
Loops turns_of(Overlap &o, const Loops &loops);

// There are other rows for the next iteration, which no temporary beside it uses. False is refused.
bool has_rows_for_two(Overlap &o, const lowering::Alloc &alloc, const lowering::Block &turn);

// Iterations of several loops follow each other if each of these runs, and have numbers that fit.
void count_iterations(Overlap &o, const Loops &turns, const Known &around);

void must_run(Overlap &o, const lowering::For &loop, const Known &around, std::string what);

// The rows of two iterations, each given by its values, are different.
void in_other_rows(Overlap &o, const Subst &one, const Subst &other, const Known &around, std::string what);

} // namespace atl::accel
