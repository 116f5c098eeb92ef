// The algorithm of a theorem, compared with the kernel as it was checked: tensor by tensor, form by form.
#pragma once
#include "atl/syntax/typed.h"
#include "proofs/reader/coq/term.h"

#include <functional>

namespace atl::proofs::reader::coq {

// What a name of the file is defined as, which is of the type.
using Definition = std::function<Term(const std::string &name, std::string_view type)>;

// Throws Difference.
void same_algorithm(const Term &program, const TypedKernel &kernel, const Definition &definition);

} // namespace atl::proofs::reader::coq
