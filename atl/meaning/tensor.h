// Concrete tensors: what the interpreter computes with, NumPy files hold and native kernels are called on.
// Row-major, dense.
#pragma once
#include "atl/scalar/scalar.h"

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

namespace atl {

// Memory for bytes that begins where a cache line does: some instructions take no other.
template <class T>
struct FromCacheLine {
  using value_type = T;
  static constexpr std::align_val_t line{64};
  FromCacheLine() = default;
  template <class U>
  FromCacheLine(const FromCacheLine<U> &) {} // as vectors convert it
  T *allocate(std::size_t n) { return static_cast<T *>(::operator new(n * sizeof(T), line)); }
  void deallocate(T *at, std::size_t) { ::operator delete(at, line); }
  bool operator==(const FromCacheLine &) const = default;
};

struct Tensor {
  Elem elem = Elem::f32;
  std::vector<std::int64_t> shape; // empty: a scalar, one element
  std::vector<std::byte, FromCacheLine<std::byte>>
      bytes; // element_count() * byte_size(elem), little endian as in memory

  std::int64_t element_count() const;
  Scalar get(std::int64_t flat) const;
  void set(std::int64_t flat, const Scalar &value);
};

// Zero-filled; throws std::bad_alloc or std::length_error if it cannot exist.
Tensor make_tensor(Elem elem, std::vector<std::int64_t> shape);
bool same_bits(const Tensor &a, const Tensor &b); // all NaNs are one value

} // namespace atl
