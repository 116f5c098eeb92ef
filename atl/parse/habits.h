// What people write who come from other languages, and what atlc writes: one row each.
#pragma once
#include "atl/parse/pattern.h"

#include <span>
#include <string_view>
#include <vector>

namespace atl::parse {

struct Habit {
  enum class Make {
    text,      // the template, filled in
    reduction, // `sum %e` over all cells of the tensors in it
    mean,      // likewise, and divided by their number
    extent,    // of the tensor $x, in dimension #d or the first
    product,   // of the matrices $a and $b, or of a matrix and a vector
    slice,     // $a with its indices, as a `gen`
    params,    // %p, parameters as in C
    condition, // %c, as a condition of the kernel
  };
  std::string_view written;    // a pattern
  std::string_view atlc;       // a template; empty: nothing fits everywhere
  std::string_view help;       // what to do, in words
  std::string_view cause = {}; // what is wrong, where that is clearer than what the grammar expected
  std::size_t reach = 1;       // reading fails at most so many pieces behind the mistake
  Make make = Make::text;
  bool everywhere = false; // all places of the definition are meant, not this one alone
};

// Said of several habits.
namespace advice {
inline constexpr std::string_view choice = "a choice between two values is select(condition, value, other)";
inline constexpr std::string_view conversion = "a conversion is written like a call: f32(x)";
inline constexpr std::string_view power = "there is no power operator: multiply, or use exp and log";
inline constexpr std::string_view words_of_logic = "logic is written with the words and, or, not";
inline constexpr std::string_view range_form = "a range is written i < N";
inline constexpr std::string_view result =
    "the last expression of a block is its result: drop `return` and `;`";
inline constexpr std::string_view named_functions = "functions have names: fn f(x: f32) -> f32 = x * x;";
inline constexpr std::string_view let_it = "introduce the name with `let`";
} // namespace advice

inline constexpr std::size_t far = 100000;

std::span<const Habit> habits();             // forms, operators, definitions
std::span<const Habit> habits_of_names();    // words that have no meaning here
const std::vector<Habit> &habits_of_loops(); // `for` with assignments

} // namespace atl::parse
