// Element types of tensors: one row each. Everything that depends on the type (checker, interpreter, C,
// NumPy) reads this table.
// Comes in: the name of a type. Goes out: its row. May use: atl/base.
#pragma once
#include <array>
#include <optional>
#include <string_view>

namespace atl {

enum class Elem { f32, f64, i8, u8, i16, u16, i32, u32, i64, boolean };

struct ElemInfo {
  Elem elem;
  std::string_view name;   // in programs
  std::string_view c_type; // in C
  std::string_view npy;    // NumPy type string, little endian
  int bits;
  bool is_float, is_signed;
};

inline constexpr std::array<ElemInfo, 10> elem_table{{
    {Elem::f32, "f32", "float", "<f4", 32, true, true},
    {Elem::f64, "f64", "double", "<f8", 64, true, true},
    {Elem::i8, "i8", "int8_t", "|i1", 8, false, true},
    {Elem::u8, "u8", "uint8_t", "|u1", 8, false, false},
    {Elem::i16, "i16", "int16_t", "<i2", 16, false, true},
    {Elem::u16, "u16", "uint16_t", "<u2", 16, false, false},
    {Elem::i32, "i32", "int32_t", "<i4", 32, false, true},
    {Elem::u32, "u32", "uint32_t", "<u4", 32, false, false},
    {Elem::i64, "i64", "int64_t", "<i8", 64, false, true},
    {Elem::boolean, "bool", "bool", "|b1", 8, false, false},
}};

constexpr const ElemInfo &info(Elem elem) {
  return elem_table[static_cast<std::size_t>(elem)];
}
constexpr std::string_view name(Elem elem) {
  return info(elem).name;
}
constexpr bool is_float(Elem elem) {
  return info(elem).is_float;
}
constexpr bool is_integer(Elem elem) {
  return !info(elem).is_float && elem != Elem::boolean;
}
constexpr std::size_t byte_size(Elem elem) {
  return static_cast<std::size_t>(info(elem).bits) / 8;
}
constexpr std::optional<Elem> elem_named(std::string_view name) {
  for (const ElemInfo &row : elem_table)
    if (row.name == name)
      return row.elem;
  return std::nullopt;
}

// A conversion from one to the other keeps every value.
constexpr bool keeps_values(Elem from, Elem to) {
  const ElemInfo &a = info(from), &b = info(to);
  const int digits = b.bits == 64 ? 53 : 24; // of a float
  if (from == to || from == Elem::boolean || to == Elem::boolean)
    return to != Elem::boolean || from == to;
  if (b.is_float)
    return a.is_float ? a.bits <= b.bits : a.bits <= digits;
  return !a.is_float && (a.is_signed == b.is_signed ? a.bits <= b.bits : b.is_signed && a.bits < b.bits);
}

} // namespace atl
