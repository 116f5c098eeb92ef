// sink d e: the first dimension of e becomes dimension d, counted from 0; the others keep their order. The
// inverse of raise d.
#include "atl/syntax/ops/op_helpers.h"

namespace atl {

using ops::moved;
using ops::place_of;

static Shape shape(const Args &args, const Shape &child) {
  return moved(child, 0, place_of(args[0], child.size()));
}

static std::vector<Requirement> requirements(const Args &args, const Shape &child) {
  return ops::a_dimension(args[0], child.size(), "sink");
}

static Pullback pull(const Args &args, const Shape &, const std::vector<Index> &r) {
  return {moved(r, place_of(args[0], r.size()), 0), truth(true)};
}

static std::vector<Index> push(const Args &args, const Shape &, const std::vector<Index> &c) {
  return moved(c, 0, place_of(args[0], c.size()));
}

const ReshapeOp sink_op{"sink",
                        1,
                        1,
                        "makes the first dimension number d, counted from 0",
                        shape,
                        requirements,
                        pull,
                        push,
                        CoqRecord::numbered};

} // namespace atl
