// Libraries for matrix products that the machine may have, loaded when they are asked for. All are told to
// use one thread; what would pin them to kernels for other machines is taken out of the environment
// (docs/benchmarks.md).
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace atl::bench {

// out = A B, row-major, without padding between rows.
using Sgemm = std::function<void(std::int64_t m, std::int64_t n, std::int64_t k, const float *a,
                                 const float *b, float *out)>;

struct SgemmPeer {
  std::string name;
  Sgemm run;
};

// Those that are there; each that is not is named on standard error.
std::vector<SgemmPeer> sgemm_peers();

} // namespace atl::bench
