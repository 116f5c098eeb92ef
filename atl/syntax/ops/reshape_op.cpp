#include "atl/syntax/ops/reshape_op.h"

namespace atl {

const ReshapeOp *find_reshape_op(std::string_view name) {
  for (const ReshapeOp *op : reshape_ops)
    if (op->name == name)
      return op;
  return nullptr;
}

bool is_truncation(const ReshapeOp &op) {
  return &op == &truncr_op || &op == &truncl_op;
}

bool is_overlapping(const ReshapeOp &op) {
  return &op == &overlap_op;
}

} // namespace atl
