// What the emitted C calls what has a name in the program.
#pragma once
#include <string>

namespace atl::proofs::reader {

std::string identifier(const std::string &name); // y.o becomes y_o
std::string capitals(std::string text);

// The name itself, or what is longer: with an underscore, a number, or v_ in front, where C needs another.
// So names that are exchanged are never both names of the other.
bool is_name_of(const std::string &c_name, const std::string &name);

} // namespace atl::proofs::reader
