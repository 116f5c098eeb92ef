#include "proofs/reader/widths.h"

#include <algorithm>
#include <limits>

namespace atl::proofs::reader {

namespace {

__extension__ typedef __int128 Wide;

struct Range {
  Wide lo, hi;
  bool fits() const { return lo >= least_number && hi <= greatest_number; }
};
constexpr Range all_of_64_bits{least_number, greatest_number};
constexpr Range anything{Wide(least_number) << 32, Wide(greatest_number) << 32};

Range common(Range a, Range b) {
  return {std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
}
Range sum(Range a, Range b) {
  return {a.lo + b.lo, a.hi + b.hi};
}
Range difference(Range a, Range b) {
  return {a.lo - b.hi, a.hi - b.lo};
}

// Divisors are positive, which is an obligation of its own; so a quotient is no larger than the dividend.
Range computed(IndexOp op, Range a, Range b) {
  switch (op) {
  case IndexOp::add: return sum(a, b);
  case IndexOp::sub: return difference(a, b);
  case IndexOp::mul: {
    auto [lo, hi] = std::minmax({a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi});
    return {lo, hi};
  }
  case IndexOp::div:
  case IndexOp::cdiv: return {std::min<Wide>(a.lo, 0), std::max<Wide>(a.hi, 0)};
  case IndexOp::mod: return {0, std::max<Wide>(b.hi - 1, 0)};
  case IndexOp::min: return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
  case IndexOp::max: return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
  default: return all_of_64_bits;
  }
}

class StepWalk {
public:
  StepWalk(const Spans &variables, const CellSteps &cell) : variables_(variables), cell_(cell) {}

  std::vector<Index> open;

  // `known`: where the value lies, for what it is a part of. The left side of a sum is what is left of it.
  Range visit(const Index &e, Range known) {
    if (auto span = span_of(e, variables_))
      return common({span->least, span->greatest}, known);
    if (is_leaf(e))
      return common(all_of_64_bits, known);
    if (!cell_.greatest.empty())
      if (auto step = cell_.greatest.find(canonical(e)); step != cell_.greatest.end())
        known = common(known, {0, step->second});
    const Range b = visit(e->b, anything);
    const Range left = e->op == IndexOp::add   ? difference(known, b)
                       : e->op == IndexOp::sub ? sum(known, b)
                                               : anything;
    const Range a = visit(e->a, left);
    const Range result = common(computed(e->op, a, b), known);
    if (result.fits())
      return result;
    open.push_back(e);
    return all_of_64_bits;
  }

private:
  const Spans &variables_;
  const CellSteps &cell_;
};

} // namespace

CellSteps::CellSteps(const lowering::Buffer &buffer, const std::vector<Index> &indices) {
  const std::int64_t most =
      std::numeric_limits<std::int64_t>::max() / static_cast<std::int64_t>(byte_size(buffer.elem));
  auto note = [&](const Index &step) {
    greatest[canonical(step)] = most;
    known.push_back(conj(compare(PredOp::ge, step, constant(0)), compare(PredOp::le, step, constant(most))));
  };
  Index number = indices.empty() ? constant(0) : indices[0];
  for (std::size_t d = 1; d < indices.size(); ++d) {
    const Index rows = binary(IndexOp::mul, number, buffer.dims[d]);
    number = binary(IndexOp::add, rows, indices[d]);
    note(rows);
    note(number);
  }
}

std::vector<Index> open_steps(const Index &text, const Spans &variables, const CellSteps &cell) {
  StepWalk walk(variables, cell);
  walk.visit(text, anything);
  return std::move(walk.open);
}

std::vector<Claim> fitting(const std::vector<Index> &steps) {
  std::vector<Claim> claims;
  for (const Index &step : steps)
    claims.push_back({conj(compare(PredOp::ge, step, constant(least_number)),
                           compare(PredOp::le, step, constant(greatest_number))),
                      {"C computes " + to_string(step) + ", which is ", step, " and does not fit 64 bits"}});
  return claims;
}

Index row_major_offset(const Shape &dims, const std::vector<Index> &indices) {
  Index sum = indices.empty() ? constant(0) : indices[0];
  for (std::size_t d = 1; d < indices.size(); ++d)
    sum = binary(IndexOp::add, binary(IndexOp::mul, sum, dims[d]), indices[d]);
  return sum;
}

} // namespace atl::proofs::reader
