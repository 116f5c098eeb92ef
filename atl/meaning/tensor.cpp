#include "atl/meaning/tensor.h"

#include "atl/base/check.h"

#include <cstring>
#include <limits>
#include <stdexcept>

namespace atl {

namespace {

// Calls f with a value of the C++ type that holds `elem`.
template <class F>
decltype(auto) with_type(Elem elem, F &&f) {
  switch (elem) {
  case Elem::f32: return f(float{});
  case Elem::f64: return f(double{});
  case Elem::i8: return f(std::int8_t{});
  case Elem::u8: return f(std::uint8_t{});
  case Elem::i16: return f(std::int16_t{});
  case Elem::u16: return f(std::uint16_t{});
  case Elem::i32: return f(std::int32_t{});
  case Elem::u32: return f(std::uint32_t{});
  case Elem::i64: return f(std::int64_t{});
  case Elem::boolean: return f(std::uint8_t{});
  }
  ATL_CHECK(false, "an element type without a representation");
}

// The number of bytes, or length_error if it is not a number of bytes a tensor can have.
std::size_t total_bytes(Elem elem, const std::vector<std::int64_t> &shape) {
  std::int64_t total = static_cast<std::int64_t>(byte_size(elem));
  bool empty = false, too_large = false;
  for (std::int64_t extent : shape) {
    ATL_CHECK(extent >= 0, "a tensor with a negative extent");
    empty |= extent == 0;
    too_large |= __builtin_mul_overflow(total, extent == 0 ? 1 : extent, &total);
  }
  if (too_large && !empty)
    throw std::length_error("a tensor of more than 2^63-1 bytes");
  return empty ? 0 : static_cast<std::size_t>(total);
}

} // namespace

std::int64_t Tensor::element_count() const {
  return static_cast<std::int64_t>(bytes.size() / byte_size(elem));
}

Scalar Tensor::get(std::int64_t flat) const {
  return with_type(elem, [&]<class T>(T value) -> Scalar {
    std::memcpy(&value, bytes.data() + static_cast<std::size_t>(flat) * sizeof(T), sizeof(T));
    if constexpr (std::is_floating_point_v<T>)
      return {elem, value, 0};
    else
      return {elem, 0, static_cast<std::int64_t>(value)};
  });
}

void Tensor::set(std::int64_t flat, const Scalar &scalar) {
  ATL_CHECK(scalar.elem == elem, "a value of another type is put into a tensor");
  with_type(elem, [&]<class T>(T) {
    T value = std::is_floating_point_v<T> ? static_cast<T>(scalar.real) : static_cast<T>(scalar.integer);
    std::memcpy(bytes.data() + static_cast<std::size_t>(flat) * sizeof(T), &value, sizeof(T));
  });
}

Tensor make_tensor(Elem elem, std::vector<std::int64_t> shape) {
  std::size_t size = total_bytes(elem, shape);
  return {elem, std::move(shape), std::vector<std::byte, FromCacheLine<std::byte>>(size)};
}

bool same_bits(const Tensor &a, const Tensor &b) {
  if (a.elem != b.elem || a.shape != b.shape)
    return false;
  if (a.bytes == b.bytes)
    return true;
  for (std::int64_t i = 0; i < a.element_count(); ++i)
    if (!same_bits(a.get(i), b.get(i)))
      return false;
  return true;
}

} // namespace atl
