#include "atl/equality/laws.h"

#include "atl/base/check.h"

namespace atl::equality {

std::string_view name(Law law) {
  switch (law) {
  case Law::neutral: return "a reduction of one term is the term";
  case Law::regrouping: return "partial results of reductions combined";
  case Law::distributivity: return "products of sums are sums of products";
  case Law::zero: return "a product with 0 is 0";
  case Law::start: return "sums of integers start from what is added to them";
  }
  ATL_CHECK(false, "a law without a name");
}

} // namespace atl::equality
