// Indices, conditions and scalars, compared with terms of proofs/coq/syntax. Throw Difference.
#pragma once
#include "atl/syntax/expr.h"
#include "proofs/reader/coq/term.h"

#include <functional>
#include <map>

namespace atl::proofs::reader::coq {

// Of the buffers that are alive: their names in the loop nest, and in the theorem.
using Buffers = std::map<std::string, std::string>;

void same(const Term &term, const Index &e);
void same(const Term &term, const Pred &p);
void same(const Term &term, const std::vector<Index> &list);
void same_name(const Term &term, const std::string &name); // a string
void same_buffer(const Term &term, const std::string &name, const Buffers &buffers);
void same_unwritten(const Term &term, const ExprPtr &tensor); // what its unwritten cells are, as a string
void same_mode(const Term &term, LoopMode mode);

// Of a loop nest.
void same_scalar(const Term &term, const ExprPtr &e, const Buffers &buffers);
// How tensors are called, and what else may stand where a scalar does.
struct ScalarForms {
  std::function<void(const Term &, const std::string &)> same_tensor;
  std::function<void(const Term &, const ExprPtr &)> same_other;
};
void same_scalar(const Term &term, const ExprPtr &e, const ScalarForms &forms);

// Arithmetic of Coq over integers; `sizes`: what its variables stand for.
using Sizes = std::map<std::string, std::string>;
void same_integer(const Term &term, const Index &e, const Sizes &sizes);
void same_proposition(const Term &term, const Pred &p, const Sizes &sizes);

} // namespace atl::proofs::reader::coq
