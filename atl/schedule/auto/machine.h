// What `auto` computes numbers from: the vectors of a description of hardware.
#pragma once
#include "atl/syntax/hardware.h"

#include <optional>
#include <string>

namespace atl::schedule {

struct Vectors {
  std::string memory; // the registers
  std::int64_t lanes, registers;
};

// The widest vectors for elements of this type; nothing if the hardware has none.
std::optional<Vectors> vectors_of(const Hardware &hardware, Elem elem);

// The instruction that combines all lanes of such a register, in an order of its own; nothing if there is
// none.
std::optional<std::string> combiner_of(const Hardware &hardware, const Vectors &vectors, Elem elem,
                                       Reduction reduction);

// How many products of elements of two types an instruction adds to each lane; nothing if there is none that
// does so.
std::optional<std::int64_t> products_in_lane(const Hardware &hardware, const Vectors &vectors, Elem sum,
                                             Elem a, Elem b);

// Sums that are kept in registers: `rows` rows of `vectors` vectors.
struct Tile {
  std::int64_t rows, vectors;
};

// The tile that spends the fewest cycles on a product. In each cycle a core is taken to do two products and
// to load two vectors; a sum is ready four cycles later. A row of one operand and one value of the other
// need registers, too.
Tile tile_of(const Vectors &vectors);

} // namespace atl::schedule
