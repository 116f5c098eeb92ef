// transpose e: shape n, m, ... to m, n, ...; cell (x, y) is cell (y, x) of e.
#include "atl/syntax/ops/op_helpers.h"

namespace atl {

using ops::replace_front;

static Shape shape(const Args &, const Shape &child) {
  return replace_front(2, {child[1], child[0]}, child);
}

static std::vector<Requirement> requirements(const Args &, const Shape &) {
  return {};
}

static Pullback pull(const Args &, const Shape &, const std::vector<Index> &r) {
  return {replace_front(2, {r[1], r[0]}, r), truth(true)};
}

static std::vector<Index> push(const Args &, const Shape &, const std::vector<Index> &c) {
  return replace_front(2, {c[1], c[0]}, c);
}

const ReshapeOp transpose_op{
    "transpose",     0, 2, "exchanges the first two dimensions", shape, requirements, pull, push,
    CoqRecord::plain};

} // namespace atl
