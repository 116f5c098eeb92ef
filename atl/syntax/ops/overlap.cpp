// overlap n e: shape cdiv(n, m), m, ... to n, ...; rows of m cells one after the other, but the last row ends
// at n and lies over the one before where m does not divide n. What lies over each other must be the same
// (equality/overlaps.h), so that cell x can be read from the first row that has it.
#include "atl/syntax/ops/op_helpers.h"

namespace atl {

using ops::replace_front;

// Where row `row` begins.
static Index begin_of(const Index &row, const Args &args, const Shape &child) {
  return binary(IndexOp::min, mul(row, child[1]), sub(args[0], child[1]));
}

static Shape shape(const Args &args, const Shape &child) {
  return replace_front(2, {args[0]}, child);
}

static std::vector<Requirement> requirements(const Args &args, const Shape &child) {
  return {{compare(PredOp::ge, child[1], constant(1)), "the rows of overlap are not empty",
           Requirement::Kind::divisor},
          {compare(PredOp::le, child[1], args[0]), "one row of overlap fits into the result"},
          {compare(PredOp::eq, child[0], ceil_div(args[0], child[1])),
           "the rows of overlap are just enough for the result"}};
}

static Pullback pull(const Args &args, const Shape &child, const std::vector<Index> &r) {
  Index row = floor_div(r[0], child[1]);
  return {replace_front(1, {row, sub(r[0], begin_of(row, args, child))}, r), truth(true)};
}

static std::vector<Index> push(const Args &args, const Shape &child, const std::vector<Index> &c) {
  return replace_front(2, {add(begin_of(c[0], args, child), c[1])}, c);
}

const ReshapeOp overlap_op{"overlap",
                           1,
                           2,
                           "rows one after the other, the last one over the end of that before it",
                           shape,
                           requirements,
                           pull,
                           push,
                           CoqRecord::plain};

} // namespace atl
