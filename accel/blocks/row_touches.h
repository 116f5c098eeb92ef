// Which instructions read a temporary in a memory of rows or store to it, in the order of the program.
#pragma once
#include "accel/blocks/block_nest.h"

namespace atl::accel {

// A nest that an instruction replaces, and a cell that it reads or stores to in an iteration.
struct RowTouch {
  const lowering::For *replaced; // the nest
  std::size_t statement;         // of the life of the temporary that it is in
  bool stores;
  std::vector<const lowering::For *> loops; // in the life of the temporary, around the access
  std::vector<Pred> guards;
  std::vector<Index> cell;
  Known around; // the access

  const lowering::BlockCall &call() const { return *replaced->block->call; }
  const std::string &instruction() const { return call().instruction->meaning.name; }
  bool is_unordered() const { return stores && call().instruction->unordered; }
  // What it stores is added to what is there, in all iterations.
  bool only_adds() const;
  // ... or replaces it, in all iterations.
  bool only_replaces() const;
};

bool is_certain(const Pred &p); // it is written `true`

std::vector<RowTouch> row_touches_of(const lowering::Alloc &temporary, const Known &around);

// That the nest of the touch touches the cell: in one of a few iterations that are likely to do so. False if
// none is found.
Pred touches_cell(const RowTouch &touch, const std::vector<Index> &cell, const Facts &facts);

// Another iteration, which touches the cell: only the variables `same` have the same values there.
struct Elsewhere {
  std::vector<std::string> variables;
  Pred touches;
  Pred touches_here; // the same iteration does so in this life of the temporary
};
Elsewhere in_other_iteration(const RowTouch &touch, const std::vector<Index> &cell,
                             const std::vector<std::string> &same);

} // namespace atl::accel
