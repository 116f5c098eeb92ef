#include "bench/peak.h"

#include "bench/shared_object.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>

namespace atl::bench {

Contender peak(double operations) {
  static const SharedObject code = SharedObject::from_c(
      std::filesystem::path(ATLC_SOURCE_ROOT) / "bench/peers/peak.c", SharedObject::for_this_cpu());
  static auto *run = code.function<float(std::int64_t)>("peak_multiply_and_add");
  static const double per_step =
      static_cast<double>(code.function<std::int64_t()>("peak_operations_per_step")());
  // Less would be over before all chains run, and be as long as adding up what they hold.
  const double measured = std::max(operations, 1e7);
  return {"peak", [steps = static_cast<std::int64_t>(measured / per_step) + 1] { run(steps); },
          operations / measured};
}

} // namespace atl::bench
