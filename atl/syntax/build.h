// Builders of typed trees.
#pragma once
#include "atl/syntax/tree.h"

namespace atl {

// Builders; the type follows from the parts.
ExprPtr loop_of(const LoopHead &head, const ExprPtr &body);
ExprPtr gen_of(const std::string &var, const Index &lo, const Index &hi, const ExprPtr &body);
ExprPtr guard_of(const Pred &pred, const ExprPtr &body); // the body itself if the predicate is true
ExprPtr let_of(const std::string &name, const ExprPtr &bound, const ExprPtr &body);
ExprPtr concat_of(const ExprPtr &left, const ExprPtr &right);
ExprPtr reshape_of(const ReshapeOp &op, std::vector<Index> args, const ExprPtr &child);
ExprPtr access_of(const std::string &tensor, std::vector<Index> indices, Elem elem, Span span);

// All types again from the leaves up, after a change below.
ExprPtr retyped(const ExprPtr &e);

} // namespace atl
