#include "proofs/reader/coq/algorithm.h"

#include "atl/syntax/ops/reshape_op.h"
#include "atl/syntax/print.h"
#include "proofs/reader/coq/values.h"

#include <fmt/format.h>

namespace atl::proofs::reader::coq {

namespace {

class Algorithm {
public:
  Algorithm(const TypedKernel &kernel, const Definition &definition)
      : kernel_(kernel), definition_(definition) {}

  // (PLet "t" (Some "f32:0.0") alg_t (... (Outputs [("out", (Some "f32:0.0", alg_out))])))
  void same_program(const Term &term, std::size_t next) const {
    if (next == kernel_.lets.size())
      return same_outputs(term);
    const Binding &let = kernel_.lets[next];
    need(term, "PLet", 4);
    same_name(term.args[1], let.name);
    same_start(term.args[2], let.value);
    same_tensor(term.args[3], let.value, std::nullopt);
    same_program(term.args[4], next + 1);
  }

private:
  void same_outputs(const Term &term) const {
    need(term, "Outputs", 1);
    const Term &list = term.args[1];
    if (list.kind != Term::Kind::list || list.args.size() != kernel_.results.size())
      throw Difference(list.at, "the kernel has other outputs");
    for (std::size_t i = 0; i < list.args.size(); ++i) {
      const Term &output = list.args[i];
      if (output.kind != Term::Kind::pair || output.args[1].kind != Term::Kind::pair)
        throw Difference(output.at, "an output, what it starts with, and its tensor are expected");
      const Terms &start_and_tensor = output.args[1].args;
      same_name(output.args[0], kernel_.outputs[i].name);
      same_start(start_and_tensor[0], kernel_.results[i]);
      same_tensor(start_and_tensor[1], kernel_.results[i], std::nullopt);
    }
  }

  static void same_start(const Term &term, const ExprPtr &tensor) {
    need(term, "Some", 1);
    same_unwritten(term.args[1], tensor);
  }

  // `around`: the reduction that fills the tensor of which this is a part.
  void same_tensor(const Term &term, const ExprPtr &e, std::optional<Reduction> around) const {
    if (term.kind == Term::Kind::word) // defined before
      return same_tensor(definition_(term.text, "expr"), e, around);
    if (is_scalar_form(*e)) {
      need(term, "Scalar", 1);
      return same_scalar(term.args[1], e);
    }
    match(
        e,
        [&](const Gen &g) {
          need(term, "Gen", 5);
          same_mode(term.args[1], g.mode);
          same_range(term, 2, g);
          same_tensor(term.args[5], g.body, around);
        },
        [&](const Reduce &r) { same_reduction(term, e, r, around); },
        [&](const Guard &g) {
          need(term, "Guard", 2);
          same(term.args[1], g.pred);
          same_tensor(term.args[2], g.body, around);
        },
        [&](const Let &l) {
          need(term, "Let", 4);
          same_name(term.args[1], l.names.at(0));
          same_start(term.args[2], l.bound);
          same_tensor(term.args[3], l.bound, std::nullopt);
          same_tensor(term.args[4], l.body, around);
        },
        [&](const Concat &c) {
          need(term, "Concat", 2);
          same_tensor(term.args[1], c.left, around);
          same_tensor(term.args[2], c.right, around);
        },
        [&](const Reshape &r) {
          need(term, "Reshape", 3);
          same_operator(term, r);
          same_tensor(term.args[3], r.child, around);
        },
        [&](const auto &) { throw Difference(term.at, print(e) + " is no tensor"); });
  }

  // Inside one of another kind it is a value of its own.
  void same_reduction(const Term &term, const ExprPtr &e, const Reduce &r,
                      std::optional<Reduction> around) const {
    if (around.value_or(r.reduction) != r.reduction) {
      need(term, "Scalar", 1);
      return same_cell(term.args[1], e);
    }
    need(term, "Sum", 5);
    same_name(term.args[1], fmt::format("{}.{}", combiner(r.reduction).name, name(e->type->elem)));
    same_range(term, 2, r);
    same_tensor(term.args[5], r.body, r.reduction);
  }

  template <class Loop>
  static void same_range(const Term &term, std::size_t first, const Loop &loop) {
    same_name(term.args[first], loop.var);
    same(term.args[first + 1], loop.lo);
    same(term.args[first + 2], loop.hi);
  }

  // split [(Lit 4)]; or, with a number that belongs to the operator, (raise 2%nat) []
  static void same_operator(const Term &term, const Reshape &r) {
    const Term &op = term.args[1];
    if (is_word(op, r.op->name))
      return same(term.args[2], r.args);
    const std::optional<std::int64_t> number = r.args.size() == 1 ? as_constant(r.args[0]) : std::nullopt;
    if (!number || !applies(op, r.op->name, 1) || op.args[1].kind != Term::Kind::natural ||
        op.args[1].text != std::to_string(*number))
      throw Difference(op.at, fmt::format("{} should stand here", r.op->name));
    same(term.args[2], std::vector<Index>());
  }

  void same_scalar(const Term &term, const ExprPtr &e) const {
    coq::same_scalar(term, e,
                     {[](const Term &tensor, const std::string &name) { same_name(tensor, name); },
                      [this](const Term &other, const ExprPtr &form) { same_cell(other, form); }});
  }

  // A tensor without dimensions as a value.
  void same_cell(const Term &term, const ExprPtr &e) const {
    need(term, "Cell", 2);
    if (!e->type->shape.empty())
      throw Difference(term.at, "the cell of a tensor with dimensions");
    same_unwritten(term.args[1], e);
    same_tensor(term.args[2], e, std::nullopt);
  }

  const TypedKernel &kernel_;
  const Definition &definition_;
};

} // namespace

void same_algorithm(const Term &program, const TypedKernel &kernel, const Definition &definition) {
  Algorithm(kernel, definition).same_program(program, 0);
}

} // namespace atl::proofs::reader::coq
