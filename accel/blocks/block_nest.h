// Nests of loops around one store, as instructions on blocks replace them; and where things are.
#pragma once
#include "lowering/nest/walk.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace atl::accel {

// for ... for ... if (guards) store: nothing else in it but scalars, which are put where they are used, and
// one scalar that loops add up. It is a sum in the value; its loops are `sums`. Terms may have conditions:
// the value has a guard around them then.
struct BlockNest {
  std::vector<const lowering::For *> loops, sums;
  std::vector<Pred> guards, of_terms;
  const lowering::Store *store = nullptr;
  ExprPtr value;

  // Of all: those around the store, then those that add up.
  std::size_t depth() const { return loops.size() + sums.size(); }
  const lowering::For &loop(std::size_t number) const {
    return number < loops.size() ? *loops[number] : *sums[number - loops.size()];
  }
};
std::optional<BlockNest> nest_of(const lowering::For &loop);

// A tensor; `memory` and `address`, of its first row, if it is kept in a memory of rows.
struct Placed {
  lowering::Buffer buffer;
  Shape layout; // constants, at least the dimensions
  const Memory *memory = nullptr;
  Index address{};

  // How its rows are laid out: columns in blocks as wide as a row of the memory, one block after the other.
  std::int64_t block() const; // rows of a block: the last dimension but one
  std::int64_t rows() const;  // or most_rows, which is more than a memory has
  static constexpr std::int64_t most_rows = std::int64_t{1} << 50;
};
using Buffers = std::map<std::string, Placed>;

// Where an element lies: its row, counted from the first one of the tensor, and its column.
Index row_number(const Placed &tensor, const std::vector<Index> &indices);
Index column_number(const Placed &tensor, const std::vector<Index> &indices);

} // namespace atl::accel
