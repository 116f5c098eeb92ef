// Loop nests over buffers: what lowering produces, the C backend prints and the loop interpreter runs.
// Scalars are the scalar forms of atl/syntax/expr.h, typed, with Access naming a buffer and giving one index
// per dimension.
#pragma once
#include "atl/index/known.h"
#include "atl/syntax/expr.h"
#include "atl/syntax/hardware.h"
#include "atl/syntax/requests.h"
#include "atl/syntax/typed.h"
#include "lowering/nest/block_code.h"
#include "lowering/nest/lane_code.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace atl::lowering {

// Temporaries on the heap begin at multiples of so many bytes, if instructions ask for it: where cache lines
// do.
constexpr std::int64_t cache_line = 64;

struct Buffer {
  std::string name;
  Elem elem;
  Shape dims; // row-major; may mention enclosing loop variables
  enum class Role { input, output, temporary } role;
  std::string memory = {};  // of the hardware; empty: plain memory
  std::string copy_of = {}; // in a copy that unrolling made: its name before
};

struct Stmt;
struct LaneTotal;
using Block = std::vector<Stmt>;

// The cells that a loop will read of a buffer so many iterations later are fetched into the caches.
struct Ahead {
  std::string buffer;
  std::int64_t iterations;
};

struct For {
  std::string var;
  Index lo, hi;
  Block body;
  LoopMode mode = LoopMode::sequential;
  Span span{};                                     // of the form that it runs
  std::shared_ptr<const LaneCode> lanes = nullptr; // the instructions that run it, once it is mapped
  std::shared_ptr<const BlockCode> block = nullptr;
  std::shared_ptr<const LaneTotal> total = nullptr;
  std::vector<Ahead> prefetches = {};
  std::optional<Requests::Last> last = {}; // asked for by the schedule

  LoopRange range() const { return {var, lo, hi}; }
};
struct If {
  Pred pred;
  Block body;
};

// Where a temporary in a memory of rows lies: these are its own, whichever of them an iteration uses. As many
// may lie in each of several banks.
struct RowRange {
  std::int64_t first, count;
  std::int64_t banks = 1, apart = 0; // rows from one bank to the next
};

// A temporary, alive in `body`. Its content is arbitrary until it is stored to.
// capacity: an upper bound of dims over the whole kernel, in the sizes alone; a heap buffer is allocated
// once, at entry.
struct Alloc {
  Buffer buffer;
  Shape capacity;
  enum class Storage { scalar, stack, heap } storage;
  Block body;
  std::optional<RowRange> rows = {}; // once it is mapped
};

// buffer[indices] = value, or buffer[indices] = combine(buffer[indices], value).
struct Store {
  std::string buffer;
  std::vector<Index> indices;
  std::optional<Reduction> combine;
  ExprPtr value;
  bool initializes; // sets a neutral value before reductions or where nothing else is stored; not a result
  Span span;
  Pred counts = truth(true); // where it is false, another iteration stores the same value there (overlap)
};

struct Stmt {
  std::variant<For, If, Alloc, Store> node;
};

// What a reduction over the lanes of registers becomes: an instruction gives the value of all lanes together,
// as a scalar of this name, which is then combined as the store says.
struct LaneTotal {
  Buffer scalar;
  std::shared_ptr<const LaneCall> call;
  Store store;
};

// Beside a loop that is mapped to instructions on blocks.
struct BlockCode {
  bool fence = false;              // first of all, what was asked for before is done
  std::vector<Setting> settings;   // before it
  bool replaces = false;           // the loop with all that is in it ...
  std::optional<BlockCall> call{}; // ... by this, or by nothing: nobody reads what it stores
  std::vector<Setting> needs{};    // of the call
  // Other mapped nests that run on the hardware: before the loop, and first and last in each of its
  // iterations.
  std::vector<Stmt> before{}, inside{}, at_end{};
  bool fence_at_end = false; // of each iteration, before other threads may read what it stored
};

struct LoopKernel {
  std::string name;
  Span span;
  std::vector<Param> params;   // in the order of the C function: sizes, inputs ...
  std::vector<Buffer> inputs;  // tensors and scalars (rank 0, passed by value)
  std::vector<Buffer> outputs; // ... then outputs
  std::vector<Where> where;
  std::vector<Pred> assumptions; // what the C function checks at entry: ranges of the sizes, where clauses
  Block body;
  std::vector<Obligation> obligations;                // kinds bounds, once, race, width of the loop nest
  std::optional<Requests> requests = {};              // asked for by the schedule
  std::shared_ptr<const Hardware> hardware = nullptr; // once its loops are mapped

  // What its instructions rely on: tensors of the caller that begin at a multiple of so many bytes, and
  // temporaries that begin where a cache line does.
  std::map<std::string, std::int64_t> aligned = {};
  bool aligns_temporaries = false;
  bool reorders = false; // instructions combine lanes of floats in an order of their own

  std::vector<Index> apart = {}; // indices of cells that C computes before it adds them to rows

  std::vector<std::string> laws = {}; // up to which its floats are those of the program; none: bit by bit
};

template <class... F>
decltype(auto) match(const Stmt &s, F &&...cases) {
  return std::visit(Overloaded{std::forward<F>(cases)...}, s.node);
}

} // namespace atl::lowering
