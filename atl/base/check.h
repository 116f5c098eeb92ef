// ATL_CHECK: an invariant of the compiler itself. A failure is our mistake, never the user's; the driver
// turns it into exit 70.
#pragma once
#include <stdexcept>
#include <string>

namespace atl {

struct InternalError : std::logic_error {
  using std::logic_error::logic_error;
};

} // namespace atl

#define ATL_STRINGIZE_(x) #x
#define ATL_STRINGIZE(x) ATL_STRINGIZE_(x)
#define ATL_CHECK(condition, what)                                                                           \
  do {                                                                                                       \
    if (!(condition))                                                                                        \
      throw ::atl::InternalError(std::string(__FILE__ ":" ATL_STRINGIZE(__LINE__) ": ") + (what));           \
  } while (false)
