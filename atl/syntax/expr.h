// The syntax tree: tensor and scalar expressions. Immutable and shared; equality ignores
// spans. A parsed tree has names resolved but no types; the checker returns a typed tree in which every node
// has a `type`, calls are inlined, every Let binds one name, every Access has all its indices, and names are
// unique in scope (typed.h).
#pragma once
#include "atl/base/deadline.h"
#include "atl/base/span.h"
#include "atl/index/index.h"
#include "atl/scalar/scalar.h"

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

// Tensor forms.
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
  std::string memory =
      {}; // of a description of hardware (hardware.h) that it is kept in; empty: plain memory
};        // several names only for a call with several results
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
  take_step();
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

} // namespace atl
