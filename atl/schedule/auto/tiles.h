// How many sums are kept in registers at a time, by what instructions cost.
#pragma once
#include "atl/schedule/auto/machine.h"

namespace atl::schedule {

// Sums that are kept in registers: `rows` rows of `vectors` vectors.
struct Tile {
  std::int64_t rows, vectors;
};

// How a term comes to a sum: one instruction multiplies and adds, or several instructions do so.
enum class Term { added_at_once, computed_first };

// The estimated cycles that the term of one vector of sums takes; nothing if there are too few registers: a
// row of one operand and one value of the other need some, too, and terms that are computed first one each.
std::optional<double> cycles_of(const Tile &tile, const Hardware &hardware, const Vectors &vectors,
                                Term term);

// All that fit, those with the fewest cycles first; then those with the fewest loads.
std::vector<Tile> tiles_of(const Hardware &hardware, const Vectors &vectors, Term term);

// What `auto` takes of these, and why.
struct ChosenTiles {
  Tile tile{1, 1};
  std::optional<Tile> of_few_rows; // 8 at a time, if there are registers for several vectors of them
  std::optional<Tile> of_pictures; // for lines of 7 pixels, times a power of two, if it takes little longer
  std::string estimate;
};
ChosenTiles choose_tiles(const Hardware &hardware, const Vectors &vectors, Term term);

} // namespace atl::schedule
