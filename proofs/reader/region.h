// How many bytes: what the C computes, against what a tensor needs.
#pragma once
#include "atl/syntax/expr.h"
#include "proofs/reader/arithmetic.h"

#include <vector>

namespace atl::proofs::reader {

// Those of a tensor.
struct Region {
  std::int64_t element = 0;
  std::vector<Index> extents; // in this order
  Index count;                // instead of them: their product
  Index product;              // instead of all these: all bytes
  bool is_safe = false;       // computed without overflow, whatever the sizes are
  Pred when;                  // otherwise there are none; null: always
};

Index bytes_in(Elem elem, const Shape &shape);
bool never_negative(const Shape &shape, const Spans &spans);
bool is_room_for(const Region &region, Elem elem, const Shape &shape, const Spans &spans);
bool has_bytes_of(const Region &region, Elem elem, const Shape &shape, const Spans &spans);

} // namespace atl::proofs::reader
