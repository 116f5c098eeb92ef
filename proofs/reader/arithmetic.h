// Index expressions and predicates of the emitted C: back to those of loop nests, and compared with them.
#pragma once
#include "atl/index/index.h"
#include "proofs/reader/c/c_syntax.h"

#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace atl::proofs::reader {

// Two texts are the same iff the expressions are the same sums of the same products in the same order,
// however they are grouped, and with constants put together. What is inside /, %, min and max likewise.
std::string canonical(const Index &e);
std::string canonical(const Pred &p);

// Where C divides with its own / or %, which is floor division for dividends that are not negative.
struct Truncated {
  Index dividend;
  std::uint32_t at;
  std::vector<Pred> under; // the conditions that are known where it is computed
};

struct CNames {
  // What a variable of the C is in the loop nest; throws Difference for one that is no index.
  std::function<std::string(const CExpr &)> variable;
  std::function<void(const Truncated &)> truncates;
  std::vector<Pred> under{};
  bool checked = false; // atl_checked_add(a, b, &fits) is a + b; collects the flags
  std::vector<std::string> flags{};
  // What C computes at this place; null if the caller asks what it has read.
  std::function<void(const Index &, std::uint32_t at, const std::vector<Pred> &under)> computes{};
};

Index read_index(const CExpr &c, CNames &names);
Pred read_pred(const CExpr &c, CNames &names);
std::optional<std::int64_t> read_integer(const CExpr &c); // 5, -5, INT64_MIN

// Those that fit 64 bits.
inline constexpr std::int64_t least_number = std::numeric_limits<std::int64_t>::min(),
                              greatest_number = std::numeric_limits<std::int64_t>::max();

// The values that an index can have, as far as that is seen from those of its variables; nothing if it, or a
// part of it, may need more than 64 bits, or divide by what is not positive.
struct Span64 {
  std::int64_t least, greatest;
};
using Spans = std::map<std::string, Span64>;
std::optional<Span64> span_of(const Index &e, const Spans &variables);
bool fits(const Pred &p, const Spans &variables);

} // namespace atl::proofs::reader
