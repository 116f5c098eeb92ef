// A description of hardware in full, one line for each memory and instruction, in the order of their names.
#pragma once
#include "atl/syntax/hardware.h"

#include <string>

namespace atl::tests {

std::string print_description(const Hardware &hardware); // without the instructions that it inherits

} // namespace atl::tests
