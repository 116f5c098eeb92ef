// The typing rules of the forms that build a tensor from others. Each returns a type that the arguments'
// types imply, wherever the facts hold.
#pragma once
#include "atl/syntax/ops/reshape_op.h"
#include "padtypes/pad_type.h"

#include <vector>

namespace atl::padtypes {

// gen var in [lo, hi): from the type of the body with the variable free; facts without the range.
PadTypePtr gen_symbolic(const LoopRange &range, const PadTypePtr &body, const Facts &facts);
// The same from one type per iteration (at least one).
PadTypePtr gen_enumerated(const std::vector<PadTypePtr> &bodies, const Facts &facts);
PadTypePtr concat_rule(const PadTypePtr &left, const PadTypePtr &right, const Facts &facts);
PadTypePtr reshape_rule(const ReshapeOp &op, const Args &args, const PadTypePtr &child, const Facts &facts);

} // namespace atl::padtypes
