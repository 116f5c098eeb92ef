#include "bench/threads.h"

#include <sched.h>

#include <cstddef>
#ifdef _OPENMP
#include <omp.h>
#endif

namespace atl::bench {

namespace {

const cpu_set_t &cpus_at_start() {
  static const cpu_set_t all = [] {
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    return set;
  }();
  return all;
}

cpu_set_t this_cpu() {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(sched_getcpu()), &set);
  return set;
}

} // namespace

int cpus() {
  return CPU_COUNT(&cpus_at_start());
}

bool use_threads(int count) {
  const cpu_set_t &all = cpus_at_start();
#ifdef _OPENMP
  if (count > CPU_COUNT(&all))
    return false;
  omp_set_num_threads(count);
#else
  if (count > 1)
    return false;
#endif
  const cpu_set_t chosen = count == 1 ? this_cpu() : all;
  return sched_setaffinity(0, sizeof chosen, &chosen) == 0;
}

} // namespace atl::bench
