// Programs back to text. What is printed parses back to an equal tree.
#pragma once
#include "atl/syntax/expr.h"
#include "atl/syntax/typed.h"

#include <string>

namespace atl {

std::string print(const Program &program);
std::string print(const Kernel &kernel);
std::string print(const TypedKernel &kernel); // with literal suffixes, so that types survive the round trip
std::string print(const ExprPtr &e, int indent = 0);
std::string print(const Type &type); // f32[N + 2, M]

} // namespace atl
