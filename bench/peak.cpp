#include "bench/peak.h"

#include "bench/shared_object.h"

#include <cstdint>
#include <filesystem>

namespace atl::bench {

void multiply_and_add(double operations) {
  static const SharedObject code = SharedObject::from_c(
      std::filesystem::path(ATLC_SOURCE_ROOT) / "bench/peers/peak.c", SharedObject::for_this_cpu());
  static auto *run = code.function<float(std::int64_t)>("peak_multiply_and_add");
  static const double per_step =
      static_cast<double>(code.function<std::int64_t()>("peak_operations_per_step")());
  run(static_cast<std::int64_t>(operations / per_step) + 1);
}

} // namespace atl::bench
