// A kernel as it is written: parameters, outputs, conditions on the sizes, and what it computes.
#pragma once
#include "atl/syntax/expr.h"
#include "atl/syntax/rounding.h"

namespace atl {

struct Param {
  enum class Kind { size, tensor } kind;
  std::string name;
  Span span;
  Type type; // tensors and scalars (rank 0)
};

struct Output {
  std::string name; // "out" if the kernel has one unnamed output
  Span span;
  Type type;
};

struct Where {
  Pred pred;
  Span span;
};

struct SizeValue { // N = 3
  std::string name;
  Span span; // of the name
  std::int64_t value;
};

struct Kernel {
  std::string name;
  Span span; // of the name
  std::vector<Param> params;
  std::vector<Output> outputs;
  std::vector<Where> where;
  ExprPtr body;                        // a Tuple (under Lets) if there are several outputs
  std::vector<SizeValue> such_as = {}; // each size once, or none: they satisfy `where`
  RoundingClause rounding = {};
  bool is_private = false; // no other file, and no library, has it
};

} // namespace atl
