// One way to go through a loop nest.
#pragma once
#include "atl/index/known.h"
#include "lowering/nest/loop_ir.h"

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace atl::lowering {

// What is inside of a loop, a condition or an allocation; null of a store.
const Block *body_of(const Stmt &stmt);
Block *body_of(Stmt &stmt);

// Visits each statement of type T (For, If, Alloc or Store) in a block, also inside others; outer ones first.
// A visit that returns a bool says whether to look inside of what it was given.
template <class T, class B, class Visit>
requires std::same_as<std::remove_cvref_t<B>, Block>
void for_each(B &&block, const Visit &visit) {
  for (auto &stmt : block) {
    bool inside = true;
    if (auto *one = std::get_if<T>(&stmt.node)) {
      if constexpr (std::is_void_v<decltype(visit(*one))>)
        visit(*one);
      else
        inside = visit(*one);
    }
    if (auto *body = body_of(stmt); body && inside)
      for_each<T>(*body, visit);
  }
}

// Whether it holds for any statement of type T in the block, also inside others.
template <class T, class Holds>
bool any_of(const Block &block, const Holds &holds) {
  for (const Stmt &stmt : block) {
    const T *one = std::get_if<T>(&stmt.node);
    const Block *body = body_of(stmt);
    if ((one && holds(*one)) || (body && any_of<T>(*body, holds)))
      return true;
  }
  return false;
}

Known known_in(const LoopKernel &kernel); // at its body

// Of kind instr, without a claim yet.
Obligation obligation_at(const Known &known, Span span, std::string what);

// Each statement goes to the function for it, which goes on inside a loop or an allocation if it wants to.
template <class OnLoop, class OnAlloc, class OnStore>
void walk(Block &body, const Known &around, const OnLoop &on_loop, const OnAlloc &on_alloc,
          const OnStore &on_store) {
  for (Stmt &stmt : body) {
    if (auto *loop = std::get_if<For>(&stmt.node))
      on_loop(*loop, around);
    else if (auto *branch = std::get_if<If>(&stmt.node))
      walk(branch->body, around.where(branch->pred), on_loop, on_alloc, on_store);
    else if (auto *alloc = std::get_if<Alloc>(&stmt.node))
      on_alloc(*alloc, around);
    else
      on_store(std::get<Store>(stmt.node));
  }
}

} // namespace atl::lowering
