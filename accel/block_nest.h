// Nests of loops around one store, as instructions on blocks replace them; and where things are.
#pragma once
#include "accel/surroundings.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace atl::accel {

// for ... for ... if (guards) store: nothing else in it but scalars, which are put where they are used.
struct BlockNest {
  std::vector<const lowering::For *> loops;
  std::vector<Pred> guards;
  const lowering::Store *store = nullptr;
  ExprPtr value;
};
std::optional<BlockNest> nest_of(const lowering::For &loop);

void for_each_store(const lowering::Block &body, const std::function<void(const lowering::Store &)> &visit);
bool stores_to(const lowering::Block &body, const std::string &tensor);
void each_access(const ExprPtr &e, const std::function<void(const Access &)> &visit);

// A tensor; `memory` and `address`, of its first row, if it is kept in a memory of rows.
struct Placed {
  lowering::Buffer buffer;
  Shape layout; // constants, at least the dimensions
  const Memory *memory = nullptr;
  Index address{};

  // How its rows are laid out: columns in blocks as wide as a row of the memory, one block after the other.
  std::int64_t block() const; // rows of a block: the last dimension but one
  std::int64_t rows() const;
};
using Buffers = std::map<std::string, Placed>;

// Where an element lies: its number among the elements, or its row, counted from the first one of the tensor,
// and its column.
Index element_number(const Shape &dims, const std::vector<Index> &indices);
Index element_number(const Placed &tensor, const std::vector<Index> &indices);
// a % b as a - a / b * b, so that it adds up with quotients.
Index without_remainders(const Index &e);

Index row_number(const Placed &tensor, const std::vector<Index> &indices);
Index column_number(const Placed &tensor, const std::vector<Index> &indices);

} // namespace atl::accel
