// Positions in a kernel, and what is known there.
#pragma once
#include "atl/index/known.h"
#include "atl/syntax/tree.h"

namespace atl {

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
ExprPtr find(const TypedKernel &kernel, const Path &path);                 // null if nothing is there
void replace(TypedKernel &kernel, const Path &path, const ExprPtr &e);     // retypes the root
const std::string &root_name(const TypedKernel &kernel, const Path &path); // of the let or output

Known known_at(const TypedKernel &kernel, const Path &path);
Known known_in(const TypedKernel &kernel); // at a root
Known known_below(Known known, const Expr &e,
                  std::size_t i); // at e's child number i, from what is known at e

// Visits every node of a kernel, outer ones first.
void for_each_node(const TypedKernel &kernel,
                   const std::function<void(const Path &, const ExprPtr &)> &visit);

std::set<std::string> names_in(const TypedKernel &kernel); // sizes, tensors, loop variables
// Temporaries whose names are taken elsewhere in the kernel get new ones: a name then means one temporary.
void make_lets_unique(TypedKernel &kernel);
void retype(TypedKernel &kernel); // all types from the leaves up; reshapes that do nothing go
void rename_let(TypedKernel &kernel, const std::string &from, const std::string &to);

} // namespace atl
