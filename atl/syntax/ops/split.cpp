// split k e: shape n, ... to cdiv(n, k), k, ...; cell (x, y) is cell x * k + y of e, padding where that is n
// or more.
#include "atl/syntax/ops/op_helpers.h"

namespace atl {

using ops::replace_front;

static Shape shape(const Args &args, const Shape &child) {
  return replace_front(1, {ceil_div(child[0], args[0]), args[0]}, child);
}

static std::vector<Requirement> requirements(const Args &args, const Shape &) {
  return {{compare(PredOp::ge, args[0], constant(1)), "the factor of split is positive",
           Requirement::Kind::divisor}};
}

static Pullback pull(const Args &args, const Shape &child, const std::vector<Index> &r) {
  Index z = add(mul(r[0], args[0]), r[1]);
  return {replace_front(2, {z}, r), compare(PredOp::lt, z, child[0])};
}

static std::vector<Index> push(const Args &args, const Shape &, const std::vector<Index> &c) {
  return replace_front(1, {floor_div(c[0], args[0]), modulo(c[0], args[0])}, c);
}

const ReshapeOp split_op{"split",
                         1,
                         1,
                         "cuts the first dimension into rows of k, the last one padded",
                         shape,
                         requirements,
                         pull,
                         push,
                         CoqRecord::plain};

} // namespace atl
