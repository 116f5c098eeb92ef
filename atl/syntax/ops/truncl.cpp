// truncl k e: shape n, ... to n - k, ...; cell x is cell x + k of e. What is cut must be padding.
#include "atl/syntax/ops/op_helpers.h"

namespace atl {

using ops::replace_front;

static Shape shape(const Args &args, const Shape &child) {
  return replace_front(1, {sub(child[0], args[0])}, child);
}

static std::vector<Requirement> requirements(const Args &args, const Shape &child) {
  return {ops::amount_not_negative(args[0], "truncl"), ops::amount_fits(args[0], child[0], "truncl")};
}

static Pullback pull(const Args &args, const Shape &, const std::vector<Index> &r) {
  return {replace_front(1, {add(r[0], args[0])}, r), truth(true)};
}

static std::vector<Index> push(const Args &args, const Shape &, const std::vector<Index> &c) {
  return replace_front(1, {sub(c[0], args[0])}, c);
}

const ReshapeOp truncl_op{
    "truncl",        1, 1, "drops the first k slices, which must be padding", shape, requirements, pull, push,
    CoqRecord::plain};

} // namespace atl
