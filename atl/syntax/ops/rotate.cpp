// rotate k e: the same shape; cell x is cell x - k of e, around the end: the last k slices come first.
#include "atl/syntax/ops/op_helpers.h"

namespace atl {

using ops::replace_front;

static Shape shape(const Args &, const Shape &child) {
  return child;
}

static std::vector<Requirement> requirements(const Args &, const Shape &) {
  return {};
}

// k % n is not negative and less than n, so that what is added to it wraps around once at the most.
static Pullback pull(const Args &args, const Shape &child, const std::vector<Index> &r) {
  const Index &n = child[0];
  return {replace_front(1, {modulo(sub(r[0], modulo(args[0], n)), n)}, r), truth(true)};
}

static std::vector<Index> push(const Args &args, const Shape &child, const std::vector<Index> &c) {
  const Index &n = child[0];
  return replace_front(1, {modulo(add(c[0], modulo(args[0], n)), n)}, c);
}

const ReshapeOp rotate_op{
    "rotate",        1, 1, "moves each slice k places on, around the end", shape, requirements, pull, push,
    CoqRecord::plain};

} // namespace atl
