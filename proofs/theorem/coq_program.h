// A program as definitions of a Coq file: one for each of its tensors, so that a proof about one does not
// carry the others.
#pragma once
#include "atl/equality/denote.h"
#include "proofs/theorem/coq_terms.h"

namespace atl::proofs::coq {

struct Definitions {
  std::string text;               // the program's is the last
  std::vector<std::string> names; // of all of them
};
// The program is called `name`, its tensor T `name_T`.
Definitions definitions(const std::string &name, const TypedKernel &kernel, const FilledWith &filled);

// In an algorithm every tensor says what its unwritten cells are. Its lets may have names in common.
std::optional<ExprPtr> filled_with_unwritten(const std::string &tensor, const ExprPtr &value);

using Fillings = std::map<std::string, ExprPtr>; // of buffers, by name
FilledWith filled_by(Fillings fillings);
Fillings unwritten_of(const TypedKernel &kernel);

// A list of type `list (string * option prophecy)`: those of the temporaries in `unwritten`.
std::string term(const equality::Prophecies &prophecies, const Fillings &unwritten);

// A reduction of the program: its operation and what it starts with.
struct Operation {
  std::string name, unit; // "+.f32", "f32:0.0"
  std::string product;    // "*.f32"
  Reduction reduction;
  bool is_float;
};
std::vector<Operation> operations(const std::vector<const TypedKernel *> &kernels);

// A list of type `list (string * list renumbering)`.
std::string term(const std::vector<equality::Renumbered> &renumbered,
                 const std::vector<Operation> &operations);

std::string identifier(const std::string &name); // y.o as y_o

} // namespace atl::proofs::coq
