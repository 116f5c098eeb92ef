#include "atl/base/style.h"

#include "atl/base/check.h"

namespace atl {

// The parameters of ECMA-48's SGR.
static std::string code(Mark mark) {
  switch (mark) {
  case Mark::strong: return "1";
  case Mark::good: return "32";
  case Mark::bad: return "1;31";
  case Mark::doubtful: return "33";
  case Mark::aside: return "1;36";
  }
  ATL_CHECK(false, "a mark without a code");
}

std::string Style::operator()(Mark mark, const std::string &text) const {
  return colours_ ? "\033[" + code(mark) + "m" + text + "\033[m" : text;
}

} // namespace atl
