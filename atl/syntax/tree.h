// Typed trees taken apart and put together: builders that know the types, positions in a kernel, and what is
// known there. Every rewrite is made of these.
#pragma once
#include "atl/index/facts.h"
#include "atl/syntax/typed.h"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace atl {

// A loop without its body: a gen, or a reduction.
struct LoopHead {
  std::optional<Reduction> reduction; // none: a gen
  std::string var;
  Index lo, hi;
  LoopMode mode;
};
std::optional<LoopHead> loop_head(const ExprPtr &e);
ExprPtr loop_of(const LoopHead &head, const ExprPtr &body);
ExprPtr loop_body(const ExprPtr &loop);

// Builders; the type follows from the parts.
ExprPtr gen_of(const std::string &var, const Index &lo, const Index &hi, const ExprPtr &body);
ExprPtr guard_of(const Pred &pred, const ExprPtr &body); // the body itself if the predicate is true
ExprPtr let_of(const std::string &name, const ExprPtr &bound, const ExprPtr &body);
ExprPtr concat_of(const ExprPtr &left, const ExprPtr &right);
ExprPtr reshape_of(const ReshapeOp &op, std::vector<Index> args, const ExprPtr &child);
ExprPtr access_of(const std::string &tensor, std::vector<Index> indices, Elem elem, Span span);

// All types again from the leaves up, after a change below.
ExprPtr retyped(const ExprPtr &e);

// A variable replaced everywhere; the name is not bound again inside.
ExprPtr substitute(const ExprPtr &e, const Subst &by);
// Every access to a tensor replaced; also inside lets and scalars.
using AccessMap = std::function<ExprPtr(const Access &, const ExprPtr &)>;
ExprPtr replace_accesses(const ExprPtr &e, const std::string &tensor, const AccessMap &by);
ExprPtr read_as(const ExprPtr &e, const std::string &from, const std::string &to); // another tensor instead

void for_each_access(const ExprPtr &e, const std::function<void(const Access &)> &visit);
std::set<std::string> names_in(const ExprPtr &e); // all that it binds
bool mentions_variable(const ExprPtr &e, const std::string &var);
bool reads(const ExprPtr &e, const std::string &tensor);

// A node of a kernel: in the value of a let, or in a result; then the children to go down, as atl::children()
// numbers them.
struct Path {
  bool in_let;
  std::size_t root;
  std::vector<std::size_t> steps;

  Path parent() const;
  Path child(std::size_t i) const;
  bool is_inside(const Path &outer) const; // or the same
  bool operator==(const Path &) const = default;
};
ExprPtr at(const TypedKernel &kernel, const Path &path);
void replace(TypedKernel &kernel, const Path &path, const ExprPtr &e);     // retypes the root
const std::string &root_name(const TypedKernel &kernel, const Path &path); // of the let or output

// What holds at a node, and what is in scope.
struct Context {
  std::vector<Pred> hypotheses;
  std::vector<std::string> variables; // of the loops around, outermost first
  Facts facts;

  void assume(const Pred &pred);
  void enter(const LoopHead &loop);
};
Context context_at(const TypedKernel &kernel, const Path &path);
Context context_of(const TypedKernel &kernel);                    // at a root
void enter_child(Context &context, const Expr &e, std::size_t i); // of e's child number i

// Visits every node of a kernel, outer ones first.
void for_each_node(const TypedKernel &kernel,
                   const std::function<void(const Path &, const ExprPtr &)> &visit);

std::set<std::string> names_in(const TypedKernel &kernel); // sizes, tensors, loop variables
// Temporaries whose names are taken elsewhere in the kernel get new ones: a name then means one temporary.
void make_lets_unique(TypedKernel &kernel);
void rename_let(TypedKernel &kernel, const std::string &from, const std::string &to);
std::string fresh_name(const std::string &name, const std::set<std::string> &taken);

} // namespace atl
