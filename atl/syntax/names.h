// Names that are not taken yet.
#pragma once
#include <set>
#include <string>

namespace atl {

// The name itself if it is free, else name_2, name_3, ...
std::string fresh_name(const std::string &name, const std::set<std::string> &taken);
std::string take_name(const std::string &name, std::set<std::string> &taken); // and takes it

} // namespace atl
