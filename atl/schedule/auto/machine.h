// What `auto` computes numbers from: the vectors of a description of hardware.
#pragma once
#include "atl/schedule/auto/nest.h"
#include "atl/syntax/hardware.h"

#include <optional>
#include <string>
#include <vector>

namespace atl::schedule {

struct Vectors {
  std::string memory; // the registers
  std::int64_t lanes, registers;
  bool masks; // fewer elements than lanes can be loaded
};

// The widest vectors for elements of this type; nothing if the hardware has none.
std::optional<Vectors> vectors_of(const Hardware &hardware, Elem elem);

// Those for the elements with the most bytes, as others are converted to these.
std::optional<Vectors> vectors_for(const Nest &nest, const Hardware &hardware);

// At least half of the lanes have cells of the last loop: of fewer, C compilers do better.
bool fills_lanes(const Nest &nest, const Vectors &vectors);

// What lib/strategies.atl calls this strategy for such vectors. Only for strategies that it also has for
// vectors without masks.
std::string strategy_for(const Vectors &vectors, const std::string &name);

// The instruction that combines all lanes of such a register, in an order of its own; nothing if there is
// none.
std::optional<std::string> combiner_of(const Hardware &hardware, const Vectors &vectors, Elem elem,
                                       Reduction reduction);

// How many products of elements of two types an instruction adds to each lane, and whether it is one in C,
// too; nothing if there is none that does so.
struct LaneProducts {
  std::int64_t count;
  bool at_once;
};
std::optional<LaneProducts> products_in_lane(const Hardware &hardware, const Vectors &vectors, Elem sum,
                                             Elem a, Elem b);

} // namespace atl::schedule
