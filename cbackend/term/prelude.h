// The helper functions that the emitted C uses: only those that were asked for, as `static inline` functions
// at the top of the file. They give the scalar operations the meaning of atl/scalar/scalar.h: total, without
// undefined behaviour.
// Comes in: the name of a helper function that is needed. Goes out: its C text. May use: atl, lowering,
// accel.
#pragma once
#include "atl/scalar/scalar.h"

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace atl::cbackend {

class Prelude {
public:
  // Each returns the C name of the function: atl_min, atl_add_i32, atl_u8_from_f32, atl_sat_u8.
  std::string
  index_function(std::string_view name); // floor_div, floor_mod, cdiv, min, max, bytes, ...: on int64_t
  std::string scalar_function(std::string_view name, Elem elem); // the "@name" of a ScalarOp
  std::string from_float(Elem to, Elem from); // float to integer: towards zero, saturating, NaN gives 0
  std::string saturate(Elem to);              // int64_t to a narrower integer

  void use_header(std::string name) { headers_.insert(std::move(name)); } // "math.h"

  const std::set<std::string> &headers() const { return headers_; }
  bool needs_math_library() const { return needs_math_library_; }
  std::string text() const; // definitions, in a fixed order

private:
  std::map<std::string, std::string> functions_; // name -> definition
  std::set<std::string> headers_;
  bool needs_math_library_ = false;
};

std::string c_literal(const Scalar &value, Prelude &prelude); // of exactly this value and type

} // namespace atl::cbackend
