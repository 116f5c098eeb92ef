// Which rows temporaries get in memories of several banks.
#include "accel/blocks/bank_rows.h"

#include "atl/index/facts.h"
#include "lowering/nest/row_range.h"

#include <doctest/doctest.h>

namespace atl::accel::bank_rows_test {

namespace {

using lowering::RowRange;

Memory memory(std::int64_t rows, std::int64_t bank) {
  Memory result{"local", {}, rows, {}};
  result.rows = Memory::Rows{4, 100, bank};
  return result;
}

std::string text(const std::optional<RowRange> &range) {
  std::string all;
  for (const RowRange &part : range ? lowering::in_each_bank(*range) : std::vector<RowRange>{})
    all += std::to_string(part.first) + "+" + std::to_string(part.count) + " ";
  return all;
}

std::vector<std::int64_t> places(const RowRange &range, std::int64_t rows, std::int64_t turns) {
  std::vector<std::int64_t> all;
  for (std::int64_t t = 0; t < turns; ++t)
    all.push_back(as_constant(Facts().simplify(place_of(range, rows, constant(t)))).value());
  return all;
}

} // namespace

TEST_CASE("Bank rows: places that follow each other are in different banks") {
  BankRows rows(memory(32, 16));
  auto range = rows.take(4, 4);
  CHECK(text(range) == "100+8 116+8 ");
  CHECK(places(*range, 4, 5) == std::vector<std::int64_t>{100, 116, 104, 120, 100});
}

TEST_CASE("Bank rows: one place needs no other bank") {
  BankRows rows(memory(32, 16));
  CHECK(text(rows.take(4, 1)) == "100+4 ");
  CHECK(text(rows.take(4, 2)) == "104+4 120+4 "); // the same rows of both
  CHECK(text(rows.take(9, 1)) == "");             // eight are left in each
  CHECK(text(rows.take(8, 1)) == "108+8 ");
  CHECK(text(rows.take(8, 1)) == "124+8 ");
  CHECK(text(rows.take(1, 1)) == "");
}

TEST_CASE("Bank rows: many rows go on in the next bank") {
  BankRows rows(memory(30, 16)); // the last bank has fewer
  CHECK(text(rows.take(15, 2)) == "100+30 ");
  CHECK(rows.used() == 30);
  CHECK(text(rows.take(1, 1)) == "");
}

TEST_CASE("Bank rows: a memory without banks is one") {
  BankRows rows(memory(32, 32));
  auto range = rows.take(4, 4);
  CHECK(text(range) == "100+16 ");
  CHECK(places(*range, 4, 5) == std::vector<std::int64_t>{100, 104, 108, 112, 100});
}

} // namespace atl::accel::bank_rows_test
