// From a typed tensor expression and a symbolic cell to its point: the denotation of docs/internals.md.
#pragma once
#include "atl/equality/point.h"
#include "atl/syntax/typed.h"

#include <optional>

namespace atl::equality {

// What a temporary of a scheduled program holds: where `valid`, its cell `cell` is the tensor's cell
// `indices`; elsewhere nothing. Where not `known`, it holds something that nobody may read. `tensor` is an
// input or a tensor of the algorithm. Indices and conditions may mention the loop variables around the
// temporary.
struct Prophecy {
  std::string tensor;
  std::vector<std::string> cell;
  std::vector<Index> indices;
  Pred valid = truth(true);
  Pred known = truth(true);
};
using Prophecies = std::map<std::string, Prophecy>;           // by the name of the let
Prophecy itself(const std::string &tensor, std::size_t rank); // it holds the tensor of its own name
Prophecies themselves(const TypedKernel &kernel);             // that of each of the outermost lets
// The same prophecy with names replaced, and for cells that are now called `cell` and were `was`.
Prophecy substitute(Prophecy p, const Subst &by);
Prophecy renumbered(Prophecy p, const std::vector<std::string> &cell, const std::vector<Index> &was);

// The literal that an unwritten cell of a tensor reads as; of a part of one, by the reduction around.
ExprPtr unwritten_value(const ExprPtr &tensor);
ExprPtr unwritten_value(const ExprPtr &part, std::optional<Reduction> filling);

struct Scope;
using ScopePtr = std::shared_ptr<const Scope>;

// What a let-bound name stands for inside an expression.
struct Bound {
  enum class Kind { opaque, prophecy, definition } kind;
  ExprPtr value;            // its unwritten cells read as unwritten_value(value)
  ScopePtr scope;           // definition: where its free names have their meaning
  const Prophecy *prophecy; // prophecy
  Subst variables;          // prophecy: the loop variables around it
};
struct Scope {
  bool scheduled = false; // in the scheduled program, where temporaries have prophecies
  std::optional<Reduction> filling = std::nullopt; // that of the tensor, or the one around in it
  Subst variables;
  std::map<std::string, Bound> lets;
};

class Denoter {
public:
  // `prophecies`: for lets that are met inside the expressions; others are inlined.
  Denoter(const Prophecies &prophecies, std::set<std::string> taken)
      : prophecies_(prophecies), taken_(std::move(taken)) {}

  // What reading a cell of the tensor gives, also where it is not written.
  PointPtr value(const ExprPtr &tensor, const std::vector<Index> &indices, const ScopePtr &scope);
  // What is written to a cell of a part of a tensor.
  PointPtr cell(const ExprPtr &e, const std::vector<Index> &indices, const ScopePtr &scope);
  ScopePtr bind(const std::string &name, const ExprPtr &value, const ScopePtr &scope) const;
  std::string fresh(const std::string &name);

private:
  PointPtr reduced(const Reduce &r, const ExprPtr &e, const std::vector<Index> &indices,
                   const ScopePtr &scope);
  PointPtr scalar(const ExprPtr &e, const ScopePtr &scope);
  PointPtr access(const Access &a, const ScopePtr &scope);
  PointPtr reshaped(const Reshape &r, const std::vector<Index> &indices, const ScopePtr &scope);

  const Prophecies &prophecies_;
  std::set<std::string> taken_;
};

} // namespace atl::equality
