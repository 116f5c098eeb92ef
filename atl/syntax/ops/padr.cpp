// padr k e: shape n, ... to n + k, ...; cell x is cell x of e, padding where x >= n.
#include "atl/syntax/ops/op_helpers.h"

namespace atl {

using ops::replace_front;

static Shape shape(const Args &args, const Shape &child) {
  return replace_front(1, {add(child[0], args[0])}, child);
}

static std::vector<Requirement> requirements(const Args &args, const Shape &) {
  return {ops::amount_not_negative(args[0], "padr")};
}

static Pullback pull(const Args &, const Shape &child, const std::vector<Index> &r) {
  return {r, compare(PredOp::lt, r[0], child[0])};
}

static std::vector<Index> push(const Args &, const Shape &, const std::vector<Index> &c) {
  return c;
}

const ReshapeOp padr_op{
    "padr", 1, 1, "adds k slices of padding at the end", shape, requirements, pull, push, CoqRecord::plain};

} // namespace atl
