// The programs of examples/, in the order of their names.
#pragma once
#include <filesystem>
#include <vector>

namespace atl::bench {

std::vector<std::filesystem::path> example_programs();

} // namespace atl::bench
