// padl k e: shape n, ... to n + k, ...; cell x is cell x - k of e, padding where x < k.
#include "atl/syntax/ops/op_helpers.h"

namespace atl {

using ops::replace_front;

static Shape shape(const Args &args, const Shape &child) {
  return replace_front(1, {add(child[0], args[0])}, child);
}

static std::vector<Requirement> requirements(const Args &args, const Shape &) {
  return {ops::amount_not_negative(args[0], "padl")};
}

static Pullback pull(const Args &args, const Shape &, const std::vector<Index> &r) {
  return {replace_front(1, {sub(r[0], args[0])}, r), compare(PredOp::ge, r[0], args[0])};
}

static std::vector<Index> push(const Args &args, const Shape &, const std::vector<Index> &c) {
  return replace_front(1, {add(c[0], args[0])}, c);
}

const ReshapeOp padl_op{
    "padl", 1, 1, "adds k slices of padding at the front", shape, requirements, pull, push, CoqRecord::plain};

} // namespace atl
