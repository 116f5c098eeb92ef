// flatten e: shape n, m, ... to n * m, ...; cell x is cell (x / m, x % m) of e.
#include "atl/syntax/ops/op_helpers.h"

namespace atl {

using ops::replace_front;

static Shape shape(const Args &, const Shape &child) {
  return replace_front(2, {mul(child[0], child[1])}, child);
}

static std::vector<Requirement> requirements(const Args &, const Shape &child) {
  return {{compare(PredOp::ge, child[0], constant(0)), "the extents of flatten are not negative"},
          {compare(PredOp::ge, child[1], constant(0)), "the extents of flatten are not negative"}};
}

static Pullback pull(const Args &, const Shape &child, const std::vector<Index> &r) {
  return {replace_front(1, {floor_div(r[0], child[1]), modulo(r[0], child[1])}, r), truth(true)};
}

static std::vector<Index> push(const Args &, const Shape &child, const std::vector<Index> &c) {
  return replace_front(2, {add(mul(c[0], child[1]), c[1])}, c);
}

const ReshapeOp flatten_op{
    "flatten",       0, 2, "merges the first two dimensions, row-major", shape, requirements, pull, push,
    CoqRecord::plain};

} // namespace atl
