// The reference interpreter: the meaning of a program. Each cell of a tensor is nothing
// (N) or a value; contributions combine in iteration order, starting from the neutral value of the reduction.
#pragma once
#include "atl/meaning/tensor.h"
#include "atl/syntax/typed.h"

#include <functional>
#include <map>

namespace atl {

using Tensors = std::map<std::string, Tensor>;

// Runs a typed kernel whose obligations hold. `sizes` has a value for every size parameter, `inputs` a tensor
// for every tensor parameter (rank 0 for scalars), with the shapes the sizes say. Returns one tensor per
// output, by name.
Tensors evaluate(const TypedKernel &kernel, const Valuation &sizes, const Tensors &inputs);

// The value of a scalar form (is_scalar_form); `read` supplies tensor elements. Only the branch of a Select
// that is taken is read.
using ReadElement =
    std::function<Scalar(const std::string &tensor, const std::vector<std::int64_t> &indices)>;
Scalar evaluate_scalar(const Expr &e, const Valuation &indices, const ReadElement &read);

} // namespace atl
