// How many threads run: of our parallel loops, and of peers that use OpenMP as well.
#pragma once

namespace atl::bench {

// One thread stays on the CPU it is on, where its caches are; more may use all CPUs. False if there are not
// so many: the program was built without OpenMP, or the machine has too few CPUs.
bool use_threads(int count);

// How many CPUs this process could use when it started.
int cpus();

} // namespace atl::bench
