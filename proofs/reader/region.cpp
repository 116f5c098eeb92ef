#include "proofs/reader/region.h"

#include <algorithm>

namespace atl::proofs::reader {

// A product with a 0 is 0, however large the other extents are.
Index bytes_in(Elem elem, const Shape &shape) {
  bool is_empty =
      std::any_of(shape.begin(), shape.end(), [](const Index &extent) { return evaluate(extent, {}) == 0; });
  if (is_empty)
    return constant(0);
  Index all = constant(static_cast<std::int64_t>(byte_size(elem)));
  for (const Index &extent : shape)
    all = binary(IndexOp::mul, all, extent);
  return all;
}

bool never_negative(const Shape &shape, const Spans &spans) {
  return std::all_of(shape.begin(), shape.end(), [&](const Index &extent) {
    auto span = span_of(extent, spans);
    return span && span->least >= 0;
  });
}

bool is_room_for(const Region &region, Elem elem, const Shape &shape, const Spans &spans) {
  auto needed = span_of(bytes_in(elem, shape), spans);
  auto there = region.product ? span_of(region.product, spans) : std::nullopt;
  bool never_too_small = needed && there && needed->greatest <= there->least && never_negative(shape, spans);
  return never_too_small || has_bytes_of(region, elem, shape, spans);
}

bool has_bytes_of(const Region &region, Elem elem, const Shape &shape, const Spans &spans) {
  std::int64_t element = static_cast<std::int64_t>(byte_size(elem));
  if (region.product) {
    Index all = bytes_in(elem, shape);
    if (!never_negative(shape, spans) || !region.is_safe)
      return false;
    auto number = span_of(all, spans), other = span_of(region.product, spans);
    bool same_number = number && other && number->least == number->greatest &&
                       other->least == number->least && other->greatest == number->least;
    return same_number || canonical(region.product) == canonical(all);
  }
  if (region.element != element)
    return false;
  if (region.count) {
    Index all = shape.empty() ? constant(1) : shape[0];
    for (std::size_t d = 1; d < shape.size(); ++d)
      all = binary(IndexOp::mul, all, shape[d]);
    return never_negative(shape, spans) && region.is_safe && canonical(region.count) == canonical(all);
  }
  return std::equal(region.extents.begin(), region.extents.end(), shape.begin(), shape.end(),
                    [](const Index &a, const Index &b) { return canonical(a) == canonical(b); });
}

} // namespace atl::proofs::reader
