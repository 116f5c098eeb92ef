#include "accel/blocks/bank_rows.h"

#include <algorithm>
#include <numeric>

namespace atl::accel {

using lowering::RowRange;

BankRows::BankRows(const Memory &memory)
    : first_(memory.rows->first), count_(memory.registers), bank_(memory.rows->bank),
      used_(static_cast<std::size_t>(ceil_div(count_, bank_))) {}

std::int64_t BankRows::rows_of(std::size_t bank) const {
  return std::min(bank_, count_ - static_cast<std::int64_t>(bank) * bank_);
}

std::int64_t BankRows::used() const {
  return std::accumulate(used_.begin(), used_.end(), std::int64_t{0});
}

std::optional<RowRange> BankRows::take(std::int64_t rows, std::int64_t places) {
  std::int64_t all = 0;
  if (__builtin_mul_overflow(rows, places, &all) || all > count_)
    return std::nullopt;
  auto spread = take_in_banks(rows, places);
  return spread ? spread : take_in_a_row(all);
}

// The same rows of as many banks as possible.
std::optional<RowRange> BankRows::take_in_banks(std::int64_t rows, std::int64_t places) {
  const auto banks = std::gcd(places, static_cast<std::int64_t>(used_.size()));
  const std::int64_t each = rows * (places / banks);
  if (banks == 1)
    return std::nullopt;
  for (std::size_t b = 0; b + static_cast<std::size_t>(banks) <= used_.size(); ++b) {
    const auto from = used_.begin() + static_cast<std::ptrdiff_t>(b), to = from + banks;
    const std::int64_t start = *std::max_element(from, to);
    if (start + each > rows_of(b + static_cast<std::size_t>(banks) - 1))
      continue;
    std::fill(from, to, start + each);
    return RowRange{first_ + static_cast<std::int64_t>(b) * bank_ + start, each, banks, bank_};
  }
  return std::nullopt;
}

// One behind the other, from the first bank on that has room; they may go on in banks that are empty.
std::optional<RowRange> BankRows::take_in_a_row(std::int64_t rows) {
  for (std::size_t b = 0; b < used_.size(); ++b) {
    const std::int64_t start = static_cast<std::int64_t>(b) * bank_ + used_[b], end = start + rows;
    if (end > count_ || used_[b] == bank_)
      continue;
    const auto behind = used_.begin() + static_cast<std::ptrdiff_t>(b) + 1;
    const auto last = used_.begin() + static_cast<std::ptrdiff_t>(ceil_div(end, bank_));
    if (behind < last && std::any_of(behind, last, [](auto n) { return n > 0; }))
      continue;
    for (std::size_t full = b; full < used_.size() && static_cast<std::int64_t>(full) * bank_ < end; ++full)
      used_[full] = std::min(bank_, end - static_cast<std::int64_t>(full) * bank_);
    return RowRange{first_ + start, rows};
  }
  return std::nullopt;
}

Index place_of(const RowRange &range, std::int64_t rows, const Index &turn) {
  const std::int64_t each = range.count / rows; // places in a bank
  Index place = constant(range.first);
  Index in_bank = modulo(turn, constant(each * range.banks));
  if (range.banks > 1) {
    place = add(place, mul(modulo(turn, constant(range.banks)), constant(range.apart)));
    in_bank = floor_div(in_bank, constant(range.banks));
  }
  return each > 1 ? add(place, mul(in_bank, constant(rows))) : place;
}

} // namespace atl::accel
