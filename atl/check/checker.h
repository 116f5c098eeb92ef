// The checker's state: one Checker per kernel or function body. check_program (check.cpp) drives it;
// forms.cpp types the tensor forms, scalars.cpp the scalar forms, calls.cpp inlines calls, obligations.cpp
// says what remains to be proved.
#pragma once
#include "atl/check/check.h"
#include "atl/index/known.h"
#include "atl/syntax/ops/reshape_op.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace atl::check {

// A tensor, or the slice of one at `leading` indices.
struct TensorRef {
  std::string name; // in the typed tree, unique in scope
  Type type;        // of the slice
  std::vector<Index> leading = {};
};

// What the names of the text being checked stand for. Inlining a call checks the callee's text in an
// environment of its own.
struct Env {
  Subst indices;
  std::map<std::string, TensorRef> tensors;
};

// The signatures and the bodies a call can reach.
struct Callables {
  std::map<std::string, const Kernel *> kernels;
  std::map<std::string, const Function *> functions;
};

// The result of inlining a kernel call: lets to put around, then one expression per output.
struct Inlined {
  std::vector<Binding> lets;
  std::vector<ExprPtr> results;
  std::vector<Span> places = {}; // of the results, in the text of the kernel itself
};

std::int64_t limit_of(const Kernel &kernel, const std::string &size); // the size is at most this

class Checker {
public:
  Checker(const Callables &callables, std::string kernel_name) : callables_(callables) {
    known_.kernel = std::move(kernel_name);
  }

  // The typed expression, or null after a diagnostic. `expected` is the element type that the context asks
  // for, if it does.
  ExprPtr check(const ExprPtr &e, const Env &env, std::optional<Elem> expected);
  // A kernel's body: outermost lets and one result per output, element types as declared.
  std::optional<Inlined> check_body(const Kernel &kernel, const Env &env);

  Index resolve(const Index &e, const Env &env, Span span); // names replaced; divisors must be positive
  Pred resolve(const Pred &p, const Env &env, Span span);

  // Names and hypotheses that are in scope for the rest of the life of the returned guard object.
  class Scope;

  std::string fresh(const std::string &name); // `name`, or name_2, name_3 ... if that is taken
  void declare_size(const std::string &name);
  void assume(const Pred &p) { known_.assume(p); }
  void require_extent(const Index &extent, Span span, const std::string &what);
  void require_equal(const Index &a, const Index &b, Span span, const std::string &what, ObligationKind kind,
                     Code code);

  Diagnostics errors;
  std::vector<Obligation> obligations;

private:
  friend class Scope;

  // forms.cpp
  ExprPtr check_gen(const Gen &gen, const Expr &e, const Env &env, std::optional<Elem> expected);
  ExprPtr check_reduce(const Reduce &reduce, const Expr &e, const Env &env, std::optional<Elem> expected);
  ExprPtr check_guard(const Guard &guard, const Expr &e, const Env &env, std::optional<Elem> expected);
  ExprPtr check_let(const Let &let, const Expr &e, const Env &env, std::optional<Elem> expected);
  ExprPtr check_concat(const Concat &concat, const Expr &e, const Env &env, std::optional<Elem> expected);
  ExprPtr check_reshape(const Reshape &reshape, const Expr &e, const Env &env, std::optional<Elem> expected);
  bool bind_let(const Let &let, const Expr &e, Env &env, std::vector<Binding> &into);
  ExprPtr wrap_lets(const std::vector<Binding> &lets, ExprPtr body);
  std::optional<Shape> independent_of(const std::string &var, const Shape &shape, Span span);

  // scalars.cpp
  ExprPtr check_access(const Access &access, const Expr &e, const Env &env);
  ExprPtr check_literal(const Literal &literal, const Expr &e, std::optional<Elem> expected);
  ExprPtr check_op(const Op &op, const Expr &e, const Env &env, std::optional<Elem> expected);
  ExprPtr check_convert(const Convert &convert, const Expr &e, const Env &env);
  ExprPtr check_select(const Select &select, const Expr &e, const Env &env, std::optional<Elem> expected);
  ExprPtr check_from_index(const FromIndex &from, const Expr &e, const Env &env);
  ExprPtr check_scalar(const ExprPtr &e, const Env &env, std::optional<Elem> expected); // rank 0, or E2005
  // `other`: the place that asks for the type, if it is another one.
  ExprPtr expect_elem(ExprPtr typed, Elem expected, const std::string &role,
                      std::optional<Span> other = std::nullopt);
  ExprPtr expect_alike(ExprPtr typed, Elem expected, const std::string &of, Span other);
  std::optional<Elem> natural_elem(const ExprPtr &e,
                                   const Env &env); // that the expression has by itself, without context
  Env with_elems(const Let &let, const Env &env);
  std::optional<Elem> operand_elem(const std::vector<ExprPtr> &args, const Env &env);
  std::optional<TensorRef> slice(const Access &access, Span span, const Env &env);
  ExprPtr expand(const TensorRef &ref, Span span);

  // calls.cpp
  ExprPtr check_call(const Call &call, const Expr &e, const Env &env);
  ExprPtr inline_function(const Function &function, const Call &call, const Expr &e, const Env &env);
  std::optional<Inlined> inline_kernel(const Kernel &kernel, const Call &call, const Expr &e, const Env &env);
  bool is_within_limits(const Kernel &kernel, const Env &callee, Span span);
  bool bind_arguments(const Kernel &kernel, const Call &call, const Expr &e, const Env &env, Env &callee,
                      Inlined &result);

  // obligations.cpp
  void require(ObligationKind kind, Code code, Span span, std::string what, std::vector<Claim> claims);
  void require_access(const Access &access, const Type &type, Span span, const std::string &as_written);
  void require_positive_divisors(const Index &e, Span span);

  void fail(Code code, Span span, std::string message, std::vector<Note> notes = {},
            std::vector<Fix> fixes = {}) {
    errors.push_back({code, span, std::move(message), std::move(notes), std::move(fixes)});
  }

  const Callables &callables_;
  std::set<std::string> names_; // in scope in the typed tree
  Known known_;
  bool inlining_ = false; // inside a callee whose own check has proved its obligations for these sizes
};

// Leaves the context as it was: hypotheses, loop variables and names added since construction are dropped.
class Checker::Scope {
public:
  explicit Scope(Checker &checker) : checker_(checker), names_(checker.names_), known_(checker.known_) {}
  ~Scope() {
    checker_.names_ = std::move(names_);
    checker_.known_ = std::move(known_);
  }
  Scope(const Scope &) = delete;
  Scope &operator=(const Scope &) = delete;

  // A loop variable with its range; returns its name in the typed tree.
  std::string loop(const std::string &var, const Index &lo, const Index &hi) {
    std::string name = checker_.fresh(var);
    checker_.known_.enter({name, lo, hi});
    return name;
  }

private:
  Checker &checker_;
  std::set<std::string> names_;
  Known known_;
};

std::string describe(const Type &type);             // "f32", "f32[N, M]"
std::string results_in_words(const Kernel &kernel); // "2 results (mean, variance)"
std::string names_of_results(const Kernel &kernel); // "mean, variance"

} // namespace atl::check
