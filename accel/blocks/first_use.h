// Temporaries that are filled with a neutral value first, of which no cell is read that is not stored
// afterwards.
#pragma once
#include "accel/blocks/block_nest.h"

namespace atl::accel {

// The store that a statement is a nest of loops around, if it is one.
const lowering::Store *innermost(const lowering::Stmt &stmt);

// Of the tensor the statement reads only cells to which the nest stores.
bool reads_only_stored(const lowering::Stmt &stmt, const std::string &tensor, const BlockNest &nest,
                       const Known &around);

// Marks the nest that fills the temporary as replaced by nothing, if that is so.
void drop_unused_start(lowering::Alloc &alloc, const Known &around, const Buffers &buffers);

} // namespace atl::accel
