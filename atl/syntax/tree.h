// Typed trees gone through and changed: loops, substitution, accesses, names. Every rewrite is made of these.
#pragma once
#include "atl/syntax/typed.h"

#include <functional>
#include <map>
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
ExprPtr loop_body(const ExprPtr &loop);

// A variable replaced everywhere; the name is not bound again inside.
ExprPtr substitute(const ExprPtr &e, const Subst &by);
// Every access to a tensor replaced; also inside lets and scalars.
using AccessMap = std::function<ExprPtr(const Access &, const ExprPtr &)>;
ExprPtr replace_accesses(const ExprPtr &e, const std::string &tensor, const AccessMap &by);
ExprPtr rename_accesses(const ExprPtr &e, const std::map<std::string, std::string> &names); // old -> new
ExprPtr read_as(const ExprPtr &e, const std::string &from, const std::string &to); // another tensor instead

void for_each_access(const ExprPtr &e, const std::function<void(const Access &)> &visit);
std::set<std::string> names_in(const ExprPtr &e);                       // all that it binds
void collect_own_variables(const Expr &e, std::set<std::string> &into); // not those of its children
bool mentions_variable(const ExprPtr &e, const std::string &var);
bool reads(const ExprPtr &e, const std::string &tensor);

// What an index predicate inside `cond` says where cond is `value`; true where it says nothing.
Pred known_when(const ExprPtr &cond, bool value);
// The condition under which the child number i is evaluated at all: of guards, `select`, `and` and `or`.
Pred known_at_child(const Expr &e, std::size_t i);

} // namespace atl
