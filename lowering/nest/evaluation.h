// In which order C computes indices and offsets: as trees of which every part is one step of the C text. The
// printer prints these trees as they are, and the obligations of kind width speak of their parts.
// Comes in: indices, and the ranges of their variables. Goes out: trees. May use: atl.
#pragma once
#include "atl/index/bounds.h"
#include "atl/syntax/expr.h"

#include <optional>
#include <vector>

namespace atl::lowering {

// A sum within a sum is computed term by term, as x + 1 within y*M + (x + 1), only where the ranges show that
// no partial sum needs more than 64 bits. Otherwise it stays in parentheses.
class Evaluation {
public:
  // The sizes have these ranges, and the loops are those around, outermost first.
  Evaluation(Intervals sizes, const std::vector<LoopRange> &loops);

  Index of(const Index &e) const;

  // Whether the terms of the index may be added one by one to the number of any row of a buffer with such
  // cells.
  bool fits_term_by_term(const Index &index, std::int64_t bytes) const;

  // Row-major. The indices in `apart` are computed before they are added. `bytes`: of a cell, if the indices
  // are those of a cell, or of the address just behind the last one, and the bytes of all cells fit 64 bits,
  // which is checked where a C function begins.
  Index offset(const Shape &dims, const std::vector<Index> &indices, std::optional<std::int64_t> bytes = {},
               const std::vector<Index> &apart = {}) const;

  bool fits(const Index &e) const; // 64 bits, it and every part of it, as far as the ranges show

private:
  struct Term;
  struct Range;

  Index sum(const Index &left, const Index &right, const Range &of_left, const Range &of_sum) const;
  static std::vector<Term> terms_of(const Index &sum);
  Index joined(const Index &sum, const Term &term) const;
  Range range_of(const Index &e) const;
  bool one_by_one_fit(Range of_left, const std::vector<Term> &terms, const Range &of_sum) const;

  Intervals variables_;
};

} // namespace atl::lowering
