// Inputs whose sums of products stay small, and the comparison of such sums.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace atl::bench {

// m x k times k x n.
struct ProductShape {
  std::int64_t m, n, k;
};
std::string case_name(const std::string &type, const ProductShape &shape);

std::vector<float> uniform_values(std::int64_t count, float least, float greatest); // the same each time

// Both add up `terms` products of numbers up to 1, in different orders. Throws if they differ by more than
// `factor` times what rounding explains.
void require_close_sums(const std::string &name, const std::vector<float> &ours,
                        const std::vector<float> &theirs, std::int64_t terms, double factor = 1);

} // namespace atl::bench
