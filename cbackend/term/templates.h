// The C of a hardware description: text with holes {NAME}. A value that its surroundings might tear apart
// gets parentheses.
#pragma once
#include <functional>
#include <string>

namespace atl::cbackend {

std::string fill_holes(const std::string &c_text,
                       const std::function<std::string(const std::string &)> &value);

} // namespace atl::cbackend
