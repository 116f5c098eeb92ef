// Kernels that are right in names, types, ranks and shapes: what every stage after the checker works on.
#pragma once
#include "atl/index/obligation.h"
#include "atl/syntax/program.h"

#include <set>

namespace atl {

struct SizeParam {
  std::string name;
  Span span;
};

struct Binding {
  std::string name;
  ExprPtr value;
  std::string memory = {}; // as of a Let
};

// Asked for by a schedule: `map all with NAME`.
struct MappedTo {
  std::string name;
  Span span;
  bool contracts = false;               // a * b + c may be rounded once
  std::set<std::string> addressed = {}; // its memories made of rows, not of registers

  // About temporaries in such memories, by the names that they and the loops have in the end.
  struct Pipelined {
    std::string tensor, loop; // no loop: all at once
    std::string from;         // the loops from this one on count as one
    Span span;
  };
  struct Drained {
    std::string tensor, loop;
    Span span;
  };
  struct Start {
    std::string tensor;
    Span span;
  };
  struct OnCpu {
    std::string tensor;
    Span span;
  };
  std::vector<Pipelined> pipelined = {};
  std::vector<Drained> drained = {};

  // What loops of this name will read of an input so many iterations later is fetched into the caches.
  struct Prefetch {
    std::string tensor, loop;
    std::int64_t ahead; // iterations
    Span span;
  };
  std::vector<Prefetch> prefetches = {};

  // What ends each vectorized loop of this name: the instruction that stores, or gives what is kept in a
  // register.
  struct Last {
    std::string loop, instruction;
    Span span;
  };
  std::vector<Last> last = {};
  std::vector<Start> starts = {};
  std::vector<OnCpu> on_cpu = {};
};

// A kernel ready for the interpreter and the pad checker: calls inlined, all nodes typed, names unique in
// scope.
struct TypedKernel {
  std::string name;
  Span span;
  std::vector<Param> params; // as declared, in order: sizes, tensors, scalars (rank 0)
  std::vector<Output> outputs;
  std::vector<Where> where; // as declared
  std::vector<Pred>
      assumptions; // where clauses, 0 <= N and the upper limit of every size (2^31-1 unless where gives one)
  std::vector<Binding> lets;             // the outermost lets, shared by all outputs
  std::vector<ExprPtr> results;          // one per output; shapes as declared
  std::vector<Obligation> obligations;   // kinds bounds and shape
  std::optional<MappedTo> hardware = {}; // whose instructions its loops are mapped to

  std::vector<std::string> size_names() const;
};

inline constexpr std::int64_t default_size_limit = 2147483647;

struct TypedInstruction {
  const Instruction *source;
  TypedKernel meaning;
};

} // namespace atl
