// The tiles that the costs of a description lead to.
#include "atl/schedule/auto/tiles.h"

#include <doctest/doctest.h>

namespace atl::tiles_test {

using namespace atl::schedule;

namespace {

Hardware with(std::map<std::string, std::int64_t> costs) {
  Hardware hardware;
  hardware.costs = std::move(costs);
  return hardware;
}

const Vectors sixteen{"ymm", 8, 16, false}, thirty_two{"zmm", 16, 32, true};

std::pair<std::int64_t, std::int64_t> best(const Hardware &hardware, const Vectors &vectors, Term term) {
  const Tile tile = tiles_of(hardware, vectors, term).at(0);
  return {tile.rows, tile.vectors};
}

using Size = std::pair<std::int64_t, std::int64_t>;

} // namespace

TEST_CASE("tiles by default costs") {
  CHECK(best(with({}), sixteen, Term::added_at_once) == Size{4, 3});
  CHECK(best(with({}), thirty_two, Term::added_at_once) == Size{6, 4});
  CHECK(best(with({}), sixteen, Term::computed_first) == Size{4, 2}); // 12 sums and 12 products do not fit
  CHECK(best(with({}), sixteen, Term::in_turn) == Size{3, 3});        // two registers for what is in between
}

TEST_CASE("tiles follow the costs") {
  CHECK(best(with({{"broadcast", 25}}), thirty_two, Term::added_at_once) == Size{6, 4});
  CHECK(best(with({{"broadcast", 25}}), thirty_two, Term::computed_first) == Size{8, 1});
  CHECK(cycles_of({8, 1}, with({}), sixteen, Term::added_at_once) == 0.5625); // 9 loads
  CHECK(cycles_of({8, 1}, with({{"load", 25}}), sixteen, Term::added_at_once) == 0.5);
  CHECK(cycles_of({2, 1}, with({}), sixteen, Term::added_at_once) == 2.0); // the latency
}

TEST_CASE("tiles for pictures, where there are registers for them") {
  const ChosenTiles chosen = choose_tiles(with({{"broadcast", 25}}), thirty_two, Term::added_at_once);
  CHECK(chosen.of_pictures);
  CHECK(chosen.tile.rows == 6);
  CHECK(chosen.estimate.starts_with("estimated for tiles of 6 x 4: "));
  const ChosenTiles known = choose_tiles(with({{"broadcast", 25}}), thirty_two, Term::added_at_once, true);
  CHECK(known.tile.rows == 7);
  CHECK(known.estimate.starts_with("estimated for tiles of 7 x 2: "));
  CHECK(known.estimate.find("without lines of pictures, 6 x 4: ") != std::string::npos);
  CHECK_FALSE(choose_tiles(with({}), sixteen, Term::added_at_once).of_pictures);
  CHECK_FALSE(choose_tiles(with({{"load", 200}}), thirty_two, Term::added_at_once)
                  .of_pictures); // 9 loads are too many
}

TEST_CASE("vectors without masks have strategies of their own") {
  CHECK(strategy_for(sixteen, "contraction") == "contraction_unmasked");
  CHECK(strategy_for(thirty_two, "contraction") == "contraction");
}

TEST_CASE("what does not fit is no tile") {
  for (const Term term : {Term::added_at_once, Term::in_turn, Term::computed_first})
    for (const Tile &tile : tiles_of(with({}), sixteen, term))
      CHECK(tile.rows * tile.vectors * (term == Term::computed_first ? 2 : 1) <= 16);
  CHECK(tiles_of(with({}), {"v", 4, 2, false}, Term::added_at_once).empty());
  CHECK_FALSE(cycles_of({8, 4}, with({}), sixteen, Term::added_at_once));
}

} // namespace atl::tiles_test
