// A program: all definitions of a file and of what it imports.
#pragma once
#include "atl/syntax/hardware.h"
#include "atl/syntax/steps.h"

namespace atl {

struct Function { // fn name(params) -> result = body;
  std::string name;
  Span span;
  struct Arg {
    std::string name;
    Span span;
    Elem elem;
  };
  std::vector<Arg> params;
  Elem result;
  ExprPtr body;
};

struct Constant { // const name = value; uses are already replaced by the value in kernels and functions
  std::string name;
  Span span;
  std::variant<Index, ExprPtr>
      value;                // an integer for indices and sizes, or a typed scalar literal expression
  std::optional<Elem> elem; // given for a data constant
};

struct Program { // one file with all it imports; definitions in source order, imported ones first
  std::vector<Constant> constants;
  std::vector<Function> functions;
  std::vector<Kernel> kernels;
  std::vector<StepDefinition> steps;
  std::vector<Schedule> schedules;
  std::vector<Hardware> hardware;
};

} // namespace atl
