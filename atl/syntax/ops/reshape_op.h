// The reshape operators: one record per operator, one file each, in this folder. Parser, checker,
// interpreter, pad checker, lowering and tests loop over the table. Reindexers act
// on indices only.
#pragma once
#include "atl/syntax/expr.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace atl {

using Args = std::vector<Index>;

// What must hold for the operator to be applied: each becomes an obligation of kind shape. What is asked of
// the rank, and does not hold, is an error at once: `text` says why.
struct Requirement {
  Pred pred;
  std::string text; // "the extents of flatten are not negative"
  enum class Kind { extent, divisor, rank } kind = Kind::extent;
};

// Where a cell of the result comes from: the child's cell `indices`, if `inside`; a padding cell (N)
// otherwise.
struct Pullback {
  std::vector<Index> indices;
  Pred inside;
};

// The Coq library has a record of the same name (proofs/coq/ops). `numbered`: the argument is a constant, and
// belongs to the record: (raise 2).
enum class CoqRecord { plain, numbered };

struct ReshapeOp {
  std::string_view name; // in programs, in file names
  int arity;             // index arguments, written before the operand: `split 4 e`
  int min_rank;          // of the operand
  std::string_view summary;
  Shape (*shape)(const Args &, const Shape &child);
  std::vector<Requirement> (*requirements)(const Args &, const Shape &child);
  // den: result index -> child index and condition.
  Pullback (*pull)(const Args &, const Shape &child, const std::vector<Index> &result);
  // lowering: child index -> result index. For an index outside the result (a truncated cell) the value is
  // outside its shape.
  std::vector<Index> (*push)(const Args &, const Shape &child, const std::vector<Index> &child_index);
  CoqRecord coq;
};

// The table: an entry NAME_op for each name in the list of meson.build.
#define RESHAPE_OP(name) extern const ReshapeOp name##_op;
#include "atl/syntax/ops/reshape_ops.def"
#undef RESHAPE_OP
inline constexpr std::array reshape_ops{
#define RESHAPE_OP(name) &name##_op,
#include "atl/syntax/ops/reshape_ops.def"
#undef RESHAPE_OP
};
const ReshapeOp *find_reshape_op(std::string_view name);
bool is_truncation(const ReshapeOp &op);

// Whether two cells of the child can be one cell of the result: they must then be the same, and the one that
// `pull` names stands for both (atl/equality/overlaps.h).
bool is_overlapping(const ReshapeOp &op);

} // namespace atl
