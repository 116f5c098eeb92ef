#include "lowering/nest/evaluation.h"

#include "lowering/nest/apart.h"

#include <algorithm>
#include <utility>

namespace atl::lowering {

namespace {

__extension__ typedef __int128 Wide; // wide enough for a sum of 64-bit numbers

bool is_sum(const Index &e) {
  return e->op == IndexOp::add || e->op == IndexOp::sub;
}

// 2*b for -2*b, so that a + -2*b can be a - 2*b.
Index without_minus(const Index &e) {
  if (auto value = as_constant(e))
    return *value < 0 && *value != least_index ? constant(-*value) : nullptr;
  if (e->op != IndexOp::mul)
    return nullptr;
  Index first = without_minus(e->a);
  return first ? binary(IndexOp::mul, first, e->b) : nullptr;
}

// A loop that does not run has no values; any will do.
Interval range_of_loop(const LoopRange &loop, const Intervals &variables) {
  const auto lo = interval_of(loop.lo, variables), hi = interval_of(loop.hi, variables);
  const std::int64_t first = lo ? lo->lo : least_index,
                     last = hi ? std::max(hi->hi, least_index + 1) - 1 : greatest_index - 1;
  return {first, std::max(first, last)};
}

} // namespace

struct Evaluation::Range {
  Wide lo = least_index, hi = greatest_index;

  Range plus(const Range &other) const { return {lo + other.lo, hi + other.hi}; }
  Range minus(const Range &other) const { return {lo - other.hi, hi - other.lo}; }
  Range and_also(const Range &other) const { return {std::max(lo, other.lo), std::min(hi, other.hi)}; }
  bool fits() const { return lo >= least_index && hi <= greatest_index; }
};

struct Evaluation::Term {
  bool is_subtracted;
  Index value;
};

Evaluation::Evaluation(Intervals sizes, const std::vector<LoopRange> &loops) : variables_(std::move(sizes)) {
  for (const LoopRange &loop : loops)
    variables_.insert_or_assign(loop.var, range_of_loop(loop, variables_));
}

bool Evaluation::fits(const Index &e) const {
  return interval_of(e, variables_).has_value();
}

// The parts of an index fit, which is an obligation of its own.
Evaluation::Range Evaluation::range_of(const Index &e) const {
  const auto known = interval_of(e, variables_);
  return known ? Range{known->lo, known->hi} : Range{};
}

bool Evaluation::one_by_one_fit(Range of_left, const std::vector<Term> &terms, const Range &of_sum) const {
  std::vector<Range> from_the_end(terms.size(), of_sum);
  for (std::size_t i = terms.size() - 1; i > 0; --i) {
    const Range range = range_of(terms[i].value);
    from_the_end[i - 1] = terms[i].is_subtracted ? from_the_end[i].plus(range) : from_the_end[i].minus(range);
  }
  for (std::size_t i = 0; i + 1 < terms.size(); ++i) {
    const Range range = range_of(terms[i].value);
    of_left = terms[i].is_subtracted ? of_left.minus(range) : of_left.plus(range);
    of_left = of_left.and_also(from_the_end[i]);
    if (!of_left.fits())
      return false;
  }
  return true;
}

Index Evaluation::joined(const Index &sum, const Term &term) const {
  if (term.is_subtracted)
    return binary(IndexOp::sub, sum, term.value);
  if (Index opposite = without_minus(term.value); opposite && fits(opposite))
    return binary(IndexOp::sub, sum, opposite);
  return binary(IndexOp::add, sum, term.value);
}

std::vector<Evaluation::Term> Evaluation::terms_of(const Index &sum) {
  std::vector<Term> terms;
  Index first = sum;
  for (; is_sum(first); first = first->a)
    terms.insert(terms.begin(), {first->op == IndexOp::sub, first->b});
  terms.insert(terms.begin(), {false, first});
  return terms;
}

// Never two constants beside each other: C would add them in int.
Index Evaluation::sum(const Index &left, const Index &right, const Range &of_left,
                      const Range &of_sum) const {
  const std::vector<Term> terms = terms_of(right);
  if (terms.size() > 1 && (as_constant(left) || !one_by_one_fit(of_left, terms, of_sum)))
    return binary(IndexOp::add, left, right);
  Index all = left;
  for (const Term &term : terms)
    all = joined(all, term);
  return all;
}

Index Evaluation::of(const Index &e) const {
  if (auto value = as_constant(e))
    return constant(*value); // for good: C would compute 65536 * 65536 in int
  if (is_leaf(e))
    return e;
  const Index a = of(e->a), b = of(e->b);
  if (e->op == IndexOp::add)
    return sum(a, b, range_of(a), {});
  const bool number_last = e->op == IndexOp::mul && as_constant(b).value_or(0) < 0;
  return number_last ? binary(e->op, b, a) : binary(e->op, a, b);
}

// In the order in which it is written, and in that of the C text.
bool Evaluation::fits_term_by_term(const Index &index, std::int64_t bytes) const {
  const Range cells{0, greatest_index / bytes};
  return one_by_one_fit(cells, terms_of(index), cells) && one_by_one_fit(cells, terms_of(of(index)), cells);
}

// Indices of a cell are from 0 to their extents, so that no step exceeds the number of all cells. Nor does it
// where the last index is the extent itself.
Index Evaluation::offset(const Shape &dims, const std::vector<Index> &indices,
                         std::optional<std::int64_t> bytes, const std::vector<Index> &apart) const {
  const Range cells = bytes ? Range{0, greatest_index / *bytes} : Range{};
  Index number = constant(0);
  for (std::size_t d = 0; d < indices.size(); ++d) {
    const Index rows = mul(number, of(dims[d])), index = of(indices[d]);
    const auto first = as_constant(rows), second = as_constant(index);
    const bool is_plain = first == 0 || second == 0 || (first && second);
    if (is_plain)
      number = add(rows, index);
    else if (is_among(indices[d], apart))
      number = binary(IndexOp::add, rows, index);
    else
      number = sum(rows, index, range_of(rows).and_also(cells), cells);
  }
  return number;
}

} // namespace atl::lowering
