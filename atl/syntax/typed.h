// Kernels that are right in names, types, ranks and shapes: what every stage after the checker works on.
#pragma once
#include "atl/index/obligation.h"
#include "atl/syntax/program.h"

namespace atl {

struct SizeParam {
  std::string name;
  Span span;
};

struct Binding {
  std::string name;
  ExprPtr value;
  std::string memory = {}; // as of a Let
};

// A kernel ready for the interpreter and the pad checker: calls inlined, all nodes typed, names unique in
// scope.
struct TypedKernel {
  std::string name;
  Span span;
  std::vector<Param> params; // as declared, in order: sizes, tensors, scalars (rank 0)
  std::vector<Output> outputs;
  std::vector<Where> where; // as declared
  std::vector<Pred>
      assumptions; // where clauses, 0 <= N and the upper limit of every size (2^31-1 unless where gives one)
  std::vector<Binding> lets;           // the outermost lets, shared by all outputs
  std::vector<ExprPtr> results;        // one per output; shapes as declared
  std::vector<Obligation> obligations; // kinds bounds and shape
  std::vector<SizeValue> such_as = {}; // as declared; they satisfy the assumptions
  RoundingClause rounding = {};        // as declared

  std::vector<std::string> size_names() const;
};

inline constexpr std::int64_t default_size_limit = 2147483647;

struct TypedInstruction {
  const Instruction *source;
  TypedKernel meaning;
};

} // namespace atl
