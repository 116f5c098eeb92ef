// How many sums are kept in registers at a time, by what instructions cost.
#pragma once
#include "atl/schedule/auto/machine.h"

namespace atl::schedule {

// Sums that are kept in registers: `rows` rows of `vectors` vectors.
struct Tile {
  std::int64_t rows, vectors;
};

// How a term comes to a sum: one instruction multiplies and adds; several do so, one after the other; or C
// compilers compute all terms of a step before they add them.
enum class Term { added_at_once, in_turn, computed_first };

// The estimated cycles that the term of one vector of sums takes; nothing if there are too few registers: a
// row of one operand and one value of the other need some, too, and terms that are computed first one each.
std::optional<double> cycles_of(const Tile &tile, const Hardware &hardware, const Vectors &vectors,
                                Term term);

// All that fit, those with the fewest cycles first; then those with the fewest loads.
std::vector<Tile> tiles_of(const Hardware &hardware, const Vectors &vectors, Term term);

// Of an operand: fewer do not make up for it. What is larger than a cache is read from further away then.
constexpr std::int64_t rows_worth_a_copy = 24, rows_worth_a_copy_of_much = 48;

// The pictures in networks have lines of 7 pixels, times a power of two. The tile is narrow, so that the copy
// for it stays in the cache.
constexpr std::int64_t portable_rows = 4, portable_columns = 64; // of a tile without instructions
constexpr Tile tile_of_pictures{7, 2};

// What `auto` takes of these, and why.
struct ChosenTiles {
  Tile tile{1, 1};
  std::optional<Tile> of_few_rows; // 8 at a time, if there are registers for several vectors of them
  bool of_pictures = false;        // that of pictures takes little longer, for equal sums
  std::string estimate;            // in words
};

// That of pictures is taken if it is known that there are such lines, and if it takes little longer.
ChosenTiles choose_tiles(const Hardware &hardware, const Vectors &vectors, Term term,
                         bool for_pictures = false);

} // namespace atl::schedule
