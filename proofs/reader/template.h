// The C of a hardware description against the emitted C: word by word, with operands in the holes.
#pragma once
#include "proofs/reader/c/parse_c.h"

#include <functional>
#include <string>

namespace atl::proofs::reader {

// {x}, {x.stride}. With commas or parentheses around it, or nothing, any expression is kept together.
struct Hole {
  std::string name;
  bool is_enclosed;
};

// Moves the cursor behind the text; `operand` moves it behind what is in a hole. Throws Difference.
void same_template(const std::string &c, Cursor &in, const std::function<void(const Hole &)> &operand);

// From `begin` to where the cursor is: a word, a number or f(...), which C keeps together wherever it stands.
bool is_kept_together(const Cursor &in, std::size_t begin);

} // namespace atl::proofs::reader
