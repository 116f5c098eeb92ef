// Makes a failing program smaller while it keeps failing.
#pragma once
#include "atl/syntax/expr.h"

#include <functional>
#include <string>

namespace atl::fuzz {

// `fails` says whether a program text still shows the failure. Tries to replace sub-expressions of kernels
// and functions by their parts or by constants, and to drop definitions, as long as that helps.
std::string minimise(const std::string &text, const std::function<bool(const std::string &)> &fails);

} // namespace atl::fuzz
