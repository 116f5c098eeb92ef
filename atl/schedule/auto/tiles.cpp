#include "atl/schedule/auto/tiles.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace atl::schedule {

static std::int64_t registers_for(const Tile &tile, Term term) {
  const std::int64_t sums = tile.rows * tile.vectors;
  const std::int64_t operands = tile.vectors + 1;
  constexpr std::int64_t in_between = 2; // an operand before it is converted, and a product
  if (term == Term::computed_first)
    return sums + std::max(sums, operands);
  return sums + operands + (term == Term::in_turn ? in_between : 0);
}

std::optional<double> cycles_of(const Tile &tile, const Hardware &hardware, const Vectors &vectors,
                                Term term) {
  if (registers_for(tile, term) > vectors.registers)
    return std::nullopt;
  const std::int64_t sums = tile.rows * tile.vectors;
  const std::int64_t operations = term == Term::added_at_once ? sums : 2 * sums;
  const std::int64_t broadcasts = tile.vectors > 1 ? tile.rows : 0;
  const std::int64_t arithmetic =
      operations * hardware.cost("operation") + broadcasts * hardware.cost("broadcast");
  const std::int64_t loads = (tile.rows + tile.vectors) * hardware.cost("load");
  return static_cast<double>(std::max({arithmetic, loads, hardware.cost("latency")})) /
         (100 * static_cast<double>(sums));
}

std::vector<Tile> tiles_of(const Hardware &hardware, const Vectors &vectors, Term term) {
  constexpr std::int64_t most_rows = 8, most_vectors = 4;
  std::vector<Tile> tiles;
  for (std::int64_t rows = 1; rows <= most_rows; ++rows)
    for (std::int64_t columns = 1; columns <= most_vectors; ++columns)
      if (cycles_of({rows, columns}, hardware, vectors, term))
        tiles.push_back({rows, columns});
  auto rank = [&](const Tile &tile) {
    const double loads =
        static_cast<double>(tile.rows + tile.vectors) / static_cast<double>(tile.rows * tile.vectors);
    return std::tuple{*cycles_of(tile, hardware, vectors, term), loads, tile.vectors};
  };
  std::stable_sort(tiles.begin(), tiles.end(),
                   [&](const Tile &a, const Tile &b) { return rank(a) < rank(b); });
  return tiles;
}

// As wide as registers allow.
static std::optional<Tile> widest(std::int64_t rows, const std::vector<Tile> &tiles) {
  std::optional<Tile> found;
  for (const Tile &tile : tiles)
    if (tile.rows == rows && (!found || tile.vectors > found->vectors))
      found = tile;
  return found && found->vectors > 1 ? found : std::nullopt;
}

ChosenTiles choose_tiles(const Hardware &hardware, const Vectors &vectors, Term term, bool for_pictures) {
  constexpr double little_longer = 1.2;
  constexpr std::int64_t few_rows = 8; // as in contraction_of_few_rows
  const std::vector<Tile> tiles = tiles_of(hardware, vectors, term);
  if (tiles.empty())
    return {};
  auto cycles = [&](const Tile &tile) { return cycles_of(tile, hardware, vectors, term); };
  auto in_words = [&](const Tile &tile) {
    return fmt::format("{} x {}: {:.3g} cycles for a term of a vector", tile.rows, tile.vectors,
                       *cycles(tile));
  };
  const std::optional<double> narrow = cycles(tile_of_pictures);
  ChosenTiles chosen{tiles[0], widest(few_rows, tiles),
                     narrow && *narrow <= little_longer * *cycles(tiles[0]), ""};
  if (for_pictures && chosen.of_pictures)
    chosen.tile = tile_of_pictures;
  chosen.estimate = "estimated for tiles of " + in_words(chosen.tile);
  if (for_pictures && chosen.of_pictures)
    chosen.estimate += "; the best without lines of pictures, " + in_words(tiles[0]);
  else if (tiles.size() > 1)
    chosen.estimate += "; the next best, " + in_words(tiles[1]);
  return chosen;
}

} // namespace atl::schedule
