// raise d e: dimension d of e, counted from 0, becomes the first; the others keep their order. raise 1 is
// transpose.
#include "atl/syntax/ops/op_helpers.h"

namespace atl {

using ops::moved;
using ops::place_of;

static Shape shape(const Args &args, const Shape &child) {
  return moved(child, place_of(args[0], child.size()), 0);
}

static std::vector<Requirement> requirements(const Args &args, const Shape &child) {
  return ops::a_dimension(args[0], child.size(), "raise");
}

static Pullback pull(const Args &args, const Shape &, const std::vector<Index> &r) {
  return {moved(r, 0, place_of(args[0], r.size())), truth(true)};
}

static std::vector<Index> push(const Args &args, const Shape &, const std::vector<Index> &c) {
  return moved(c, place_of(args[0], c.size()), 0);
}

const ReshapeOp raise_op{"raise",
                         1,
                         1,
                         "makes dimension d (counted from 0) the first",
                         shape,
                         requirements,
                         pull,
                         push,
                         CoqRecord::numbered};

} // namespace atl
