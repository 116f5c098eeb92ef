// A crash says what it is, and what to do about it.
#pragma once

namespace atl::driver {

// From here on a signal of a crash, or a stack that is full, ends the process with a line on standard error
// and exit code 70.
void report_crashes();

} // namespace atl::driver
