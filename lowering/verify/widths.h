// Obligations of kind width: each step of what the C computes of indices fits 64 bits, in the order of
// lowering/nest/evaluation.h.
// Comes in: indices, conditions and cells, with what is known there. Goes out: obligations. May use: atl and
// lowering/nest; nothing that made the nest.
#pragma once
#include "lowering/nest/evaluation.h"
#include "lowering/nest/loop_ir.h"

#include <functional>
#include <string>
#include <vector>

namespace atl::lowering {

class Widths {
public:
  // `open`: without the steps of which the ranges of the variables show that they fit.
  enum class Steps { all, open };
  Widths(const LoopKernel &kernel, Steps steps, std::vector<Obligation> &into);

  void indices(const std::vector<Index> &all, Span span, const std::string &what, const Known &known);
  void condition(const Pred &p, Span span, const std::string &what, const Known &known);
  void scalar(const Expr &e, const Known &known); // an index as a value, or a test; not what is inside of it

  // As it is written, before anything is known of the sizes but that they are not negative.
  void entry_condition(const Pred &p, Span span, const std::string &what, const Known &known);

  // That the indices are inside the buffer is an obligation already, and that the address of the first lane
  // of an instruction is, or is the one behind the end. Where the offset needs it, it becomes one dimension
  // by dimension.
  void cell(const Buffer &buffer, const std::vector<Index> &indices, Span span, const std::string &text,
            const Known &known);
  void first_lane(const Buffer &buffer, const std::vector<Index> &indices, Span span, const Known &known);

private:
  using Order = std::function<Index(const Index &)>;

  Evaluation order_at(const Known &known) const { return {sizes_, known.loops}; }
  void condition(const Pred &p, Span span, const std::string &what, const Known &known, const Order &order);
  void require(const std::vector<Index> &trees, Span span, const std::string &what, const Known &known);
  std::vector<Index> steps_of(const std::vector<Index> &trees, const Known &known) const;
  void partial_sums(const Buffer &buffer, const std::vector<Index> &indices, Span span,
                    const std::string &what, const Known &known);

  Intervals sizes_;
  Steps steps_;
  std::vector<Obligation> &into_;
};

} // namespace atl::lowering
