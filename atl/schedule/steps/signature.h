// The usage text of a step is its signature. It is parsed once:
//   split [every] LOOP by FACTOR [into OUTER, INNER] [tail guard | cut | exact]
// A word in capitals is a parameter, any other word stands for itself. `[...]` is optional and begins with a
// word; `[every] LOOP` means one loop or all of that name; `a | b` is one of the words; `LOOP, LOOP ...` is
// one or more, with commas; `{ ... }` is a block of steps.
#pragma once
#include <string_view>
#include <vector>

namespace atl::schedule {

struct Parameter {
  enum class Kind {
    name,      // NAME: a tensor, a memory, ...; or a new name
    loop,      // NAME [in NAME]
    loops,     // [every] NAME [in NAME]
    index,     // FACTOR
    condition, // CONDITION
    choice,    // guard | cut | exact
  } kind;
  bool optional = false; // inside [...]
  bool list = false;     // LOOP, LOOP ...
  std::vector<std::string_view> choices = {};
};

// What stands in a step, from left to right.
struct Part {
  enum class Kind { word, comma, argument, optional, repeated } kind;
  std::string_view word = {};
  std::size_t parameter = 0;     // argument: its number
  std::vector<Part> inside = {}; // optional, repeated; the latter begins with a comma
};

struct Signature {
  std::string_view name;
  std::vector<Parameter> parameters;
  std::vector<Part> parts;
  bool has_block = false;
};
Signature signature_of(std::string_view usage);

} // namespace atl::schedule
