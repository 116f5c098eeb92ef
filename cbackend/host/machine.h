// What times were measured on: they are comparable with others only if this is the same.
#pragma once
#include <string>

namespace atl::cbackend {

std::string cpu_model();        // as Linux calls it; empty if it does not
std::string compiler_version(); // of the C compiler: the first line of what it says of itself

} // namespace atl::cbackend
