// What the loops of a nest are in a product of matrices, or in what has its structure.
#pragma once
#include "atl/schedule/auto/nest.h"

#include <optional>

namespace atl::schedule {

// How a tensor is read as a loop runs.
enum class Along { not_at_all, cell_by_cell, otherwise };
Along reads_along(const Access &access, const std::string &loop);

// How far an index moves in each iteration: it is so many times the loop, plus what does not depend on it.
std::optional<std::int64_t> stride_along(const Index &index, const std::string &loop);
bool moves_with(const Index &index, const std::string &loop); // by 1

// out[.., row, .., column] = a sum of terms that read `panel` along the column (`turned`: across it), and, if
// that can be, not along the row: what is read of it once serves many rows.
struct Roles {
  std::size_t column;             // the last loop
  std::optional<std::size_t> row; // none: there is no other loop that the ranges of the sums do not depend on
  Access panel;
  bool turned;
};
std::optional<Roles> roles_of(const Nest &nest);

} // namespace atl::schedule
