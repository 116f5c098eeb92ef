// The syntax tree: tensor and scalar expressions, kernels, programs. Immutable and shared; equality ignores
// spans. A parsed tree has names resolved but no types; the checker returns a typed tree in which every node
// has a `type`, calls are inlined, every Let binds one name, every Access has all its indices, and names are
// unique in scope (check/check.h).
#pragma once
#include "atl/index.h"
#include "atl/scalar.h"
#include "atl/schedule/schedule.h"
#include "atl/span.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace atl {

struct ReshapeOp;
struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

using Shape = std::vector<Index>;

struct Type {
  Elem elem;
  Shape shape; // empty: a scalar
};

// How the iterations of a loop are run. Says nothing about what is computed.
enum class LoopMode { sequential, parallel, unrolled, vectorized };
std::string_view name(LoopMode mode); // as in `gen parallel y < N`; of a sequential loop, nothing
std::optional<LoopMode> loop_mode_named(std::string_view word);

// Tensor forms (design.md section 2).
struct Gen {
  std::string var;
  Index lo, hi;
  ExprPtr body;
  LoopMode mode = LoopMode::sequential;
};
struct Reduce {
  Reduction reduction;
  std::string var;
  Index lo, hi;
  ExprPtr body;
  LoopMode mode = LoopMode::sequential;
};
struct Guard {
  Pred pred;
  ExprPtr body;
};
struct Let {
  std::vector<std::string> names;
  ExprPtr bound, body;
  std::string memory = {}; // of a hardware file (atl/hardware.h) that it is kept in; empty: plain memory
};                         // several names only for a call with several results
struct Concat {
  ExprPtr left, right;
};
struct Reshape {
  const ReshapeOp *op;
  std::vector<Index> args;
  ExprPtr child;
};
struct Tuple {
  std::vector<ExprPtr> elements;
}; // only as the result of a kernel with several outputs

// Scalar forms. An Access of a parsed tree may have fewer indices than dimensions: it then is a tensor.
struct Access {
  std::string tensor;
  std::vector<Index> indices;
};
struct Literal {
  bool is_float;
  std::int64_t integer;
  double real;
  std::optional<Elem> suffix;
};
struct Op {
  const ScalarOp *op;
  std::vector<ExprPtr> args;
};
struct Convert {
  ConvertMode mode;
  Elem to;
  ExprPtr arg;
};
struct Select {
  ExprPtr cond, then, otherwise;
};
struct FromIndex {
  Elem to;
  Index value;
}; // f32(i + 1): wraps to integer types
struct Test {
  Pred pred;
}; // an index predicate used as a bool
struct Call {
  std::string callee;
  std::vector<std::variant<Index, ExprPtr>> args;
}; // a fn or a kernel; Index for its sizes

struct Expr {
  std::variant<Gen, Reduce, Guard, Let, Concat, Reshape, Tuple, Access, Literal, Op, Convert, Select,
               FromIndex, Test, Call>
      node;
  Span span;
  std::optional<Type> type; // set by the checker
};

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

template <class... F>
decltype(auto) match(const Expr &e, F &&...cases) {
  return std::visit(Overloaded{std::forward<F>(cases)...}, e.node);
}
template <class... F>
decltype(auto) match(const ExprPtr &e, F &&...cases) {
  return match(*e, std::forward<F>(cases)...);
}

template <class Node>
ExprPtr make(Node node, Span span, std::optional<Type> type = std::nullopt) {
  return std::make_shared<const Expr>(Expr{std::move(node), span, std::move(type)});
}

bool equal(const ExprPtr &a, const ExprPtr &b); // ignores spans and types
std::vector<ExprPtr> children(const Expr &e);
ExprPtr rebuild(const Expr &e,
                std::vector<ExprPtr> new_children); // same node, other children, in the order of children()
bool is_scalar_form(
    const Expr &e); // Access with type of rank 0, Literal, Op, Convert, Select, FromIndex, Test

// The reduction that fills a tensor: the first Reduce on the way from the root to the scalars, if any. The
// cells of the tensor combine with it, and unwritten ones read as its neutral value. A Reduce of another kind
// below has its own accumulator.
std::optional<Reduction> filling_reduction(const ExprPtr &e);

struct Param {
  enum class Kind { size, tensor } kind;
  std::string name;
  Span span;
  Type type; // tensors and scalars (rank 0)
};

struct Output {
  std::string name; // "out" if the kernel has one unnamed output
  Span span;
  Type type;
};

struct Where {
  Pred pred;
  Span span;
};

struct Kernel {
  std::string name;
  Span span; // of the name
  std::vector<Param> params;
  std::vector<Output> outputs;
  std::vector<Where> where;
  ExprPtr body; // a Tuple (under Lets) if there are several outputs
};

struct Function { // fn name(params) -> result = body;
  std::string name;
  Span span;
  struct Arg {
    std::string name;
    Span span;
    Elem elem;
  };
  std::vector<Arg> params;
  Elem result;
  ExprPtr body;
};

struct Constant { // const name = value; uses are already replaced by the value in kernels and functions
  std::string name;
  Span span;
  std::variant<Index, ExprPtr>
      value;                // an integer for indices and sizes, or a typed scalar literal expression
  std::optional<Elem> elem; // given for a data constant
};

// A memory of a hardware description: a register holds a vector of one of the element types, and is a C
// variable of the type given for it. Or it is made of rows, which the compiler hands out: an address counts
// rows.
struct Memory {
  struct Rows {
    std::int64_t width; // elements
    std::int64_t first; // the address of the first row
  };
  std::string name;
  Span span;
  std::int64_t registers; // or rows
  std::map<Elem, std::string> c_types;
  std::optional<Rows> rows = {};
};

// State of the hardware, and the C that sets all of it.
struct Configuration {
  std::string name;
  Span span;
  std::vector<Param> params; // sizes and scalars
  std::string c;
};

// What an instruction needs of a configuration: numbers, its parameters, or what depends on where an operand
// lies: `x.stride`, the bytes from a row of x to the next, and `x.block`, the rows from a block of columns
// to the next.
struct Need {
  std::string configuration;
  Span span;
  std::vector<std::variant<std::int64_t, std::string>> values;
};

// An instruction: what it computes, as a kernel, and how it is written in C. A parameter or result in a
// register memory is the value of one register; other tensors are in plain memory, one element after the
// other.
struct Instruction {
  Kernel meaning;
  std::vector<std::string> memories; // of the parameters; empty: plain
  std::string result_memory;
  std::string
      c; // an expression for a register, a statement otherwise; {NAME}: a parameter, {out}: the result
  bool adds = false; // the result is added to what is there
  std::map<std::string, std::int64_t> aligned =
      {}; // what lies in plain memory, `out` too: at a multiple of so many bytes
  std::vector<Need> needs = {};
};

// A description of hardware (docs/hardware.md).
struct Hardware {
  std::string name;
  Span span;
  std::string header;    // to include, "immintrin.h"
  std::string available; // a condition for the C preprocessor: where the instructions can be compiled
  std::vector<std::string> features; // of the CPU, as C compilers call them
  std::vector<Memory> memories;
  std::vector<Instruction> instructions;
  std::vector<Configuration> configurations = {};
  std::string begin = {}, finish = {}; // C around the instructions of a kernel
  std::string prefetch = {};           // C that prefetches the cells at {address} into the caches, or nothing
  std::size_t inherited = 0; // so many of the instructions, the first ones, are of another description

  const Memory *find_memory(const std::string &memory) const;
  bool has_rows() const; // its instructions work on blocks of rows, not on registers
};

struct Program { // one file with all it imports; definitions in source order, imported ones first
  std::vector<Constant> constants;
  std::vector<Function> functions;
  std::vector<Kernel> kernels;
  std::vector<StepDefinition> steps;
  std::vector<Schedule> schedules;
  std::vector<Hardware> hardware;
};

} // namespace atl
