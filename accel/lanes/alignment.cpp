#include "accel/lanes/alignment.h"

#include <fmt/format.h>

namespace atl::accel {

namespace {

Pred is_multiple(const Index &distance, std::int64_t bytes) {
  return compare(PredOp::eq, binary(IndexOp::mod, distance, constant(bytes)), constant(0));
}

// out[y, x] lies so many bytes behind the beginning of out
Template place_of(std::string what, const lowering::FirstElement &element, const lowering::Buffer &tensor) {
  what += tensor.name;
  Template words;
  for (const Index &index : element.indices) {
    words.emplace_back(what + (words.empty() ? "[" : ", "));
    words.emplace_back(index);
    what.clear();
  }
  words.emplace_back("] lies ");
  words.emplace_back(mul(row_major(tensor.dims, element.indices), constant(info(tensor.elem).bits / 8)));
  words.emplace_back(fmt::format(" bytes behind the beginning of {}", tensor.name));
  return words;
}

} // namespace

// How far the element lies behind the beginning is a sum of an index times a stride for each dimension. Each
// of them is a multiple; where the stride depends on sizes, it may be one by itself, which is easier to
// decide.
std::vector<Claim> aligned_claims(const std::string &instruction, const lowering::FirstElement &element,
                                  const lowering::Buffer &tensor, std::int64_t bytes, const Facts &facts) {
  const std::string need =
      fmt::format("{} needs an address that is a multiple of {}, and ", instruction, bytes);
  std::vector<Claim> claims;
  Index stride = constant(info(tensor.elem).bits / 8);
  for (std::size_t d = element.indices.size(); d-- > 0; stride = mul(stride, tensor.dims[d])) {
    const Pred whole = facts.simplify(is_multiple(mul(element.indices[d], stride), bytes));
    const bool is_known = as_constant(stride) || facts.proves(whole);
    claims.push_back(
        {is_known ? whole : disj(is_multiple(stride, bytes), whole), place_of(need, element, tensor)});
  }
  return claims;
}

} // namespace atl::accel
