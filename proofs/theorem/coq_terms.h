// Terms of the Coq library (Index.v, Syntax.v and Loops.v in proofs/coq): programs and loop nests as data.
#pragma once
#include "atl/syntax/typed.h"
#include "lowering/nest/loop_ir.h"

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace atl::proofs::coq {

// A program that the library has no form for.
struct Unsupported {
  Span span;
  std::string what;
};

std::string quoted(const std::string &name); // "y.o", as a Coq string
std::string term(const Index &e);            // (Add (Var "y") (Lit 1))
std::string term(const Pred &p);
std::string terms(const std::vector<Index> &list); // [Var "y"; Lit 1]
std::string integer(const Index &e);               // y + 1, of type Z; sizes are variables of the file
std::string proposition(const Pred &p);            // 0 <= y /\ y < N
std::string size_name(const std::string &name);    // of a size, as a variable of the file

std::string constant_name(const ExprPtr &literal);         // "f32:0.5"
std::string combiner_name(Reduction reduction, Elem elem); // "+.f32"
// How the buffer of a tensor starts: filled with a literal, or not at all.
using FilledWith = std::function<std::optional<ExprPtr>(const std::string &tensor, const ExprPtr &value)>;
std::string term(const std::optional<ExprPtr> &literal); // (Some "f32:0") or None

// Prints the value of a let; the name of a definition, say.
using TensorPrinter = std::function<std::string(const std::string &let, const ExprPtr &bound)>;
// Throws Unsupported. `filled` are the lets inside; `inner` prints tensors of lets with dimensions.
std::string term(const ExprPtr &tensor, const FilledWith &filled, const TensorPrinter &inner, int indent);
std::string term(const lowering::Block &block, int indent);

} // namespace atl::proofs::coq
