// The C of an instruction, with holes for its operands: {NAME}, and {out} for a result that has an address.
// {adds}, of one that adds, is 1; where it is 0, the result replaces what is there. {NAME.stride}, of an
// operand with rows in plain memory, is how many bytes one lies behind the other: a configuration may say it
// instead. The C of a configuration has a hole for each of its fields.
#pragma once
#include "atl/base/diagnostic.h"
#include "atl/syntax/hardware.h"

#include <optional>

namespace atl::accel {

enum class RowStrides { in_holes, in_configuration };

// What is wrong with the holes, if anything.
std::optional<Diagnostic> check_holes(const Configuration &configuration);
std::optional<Diagnostic> check_holes(const Instruction &instruction, bool has_out, RowStrides strides);

} // namespace atl::accel
