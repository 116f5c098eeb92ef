// The name that somebody may have meant who wrote one that does not exist.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace atl {

// Of `candidates`, the one that `name` is most alike; empty if none is: at most a third of its letters
// differ, or only their case, or the spelling is British in one and American in the other.
std::string closest_name(std::string_view name, const std::vector<std::string_view> &candidates);
// The same as a question, "did you mean 'split'?"; empty if none is.
std::string did_you_mean(std::string_view name, const std::vector<std::string_view> &candidates);

} // namespace atl
