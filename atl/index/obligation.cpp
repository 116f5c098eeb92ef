#include "atl/index/obligation.h"

#include "atl/base/check.h"

namespace atl {

std::string_view name(ObligationKind kind) {
  switch (kind) {
  case ObligationKind::bounds: return "bounds";
  case ObligationKind::shape: return "shape";
  case ObligationKind::pad: return "pad";
  case ObligationKind::once: return "once";
  case ObligationKind::race: return "race";
  case ObligationKind::width: return "width";
  case ObligationKind::rewrite: return "rewrite";
  case ObligationKind::equal: return "equal";
  case ObligationKind::instr: return "instr";
  }
  ATL_CHECK(false, "an obligation kind without a name");
}

} // namespace atl
