#include "lowering/verify/verify.h"

#include "atl/syntax/tree.h"
#include "lowering/nest/versions.h"
#include "lowering/nest/walk.h"
#include "lowering/verify/races.h"
#include "lowering/verify/two_iterations.h"
#include "lowering/verify/widths.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace atl::lowering {

namespace {

// Whether e is made of quotients or remainders of what is not the same in both iterations.
bool divides_one_of(const Index &e, const Subst &primed) {
  bool found = false;
  for_each_subexpression(e, [&](const Index &part) {
    found = found || (divides(part->op) && substitute(part->a, primed) != part->a);
  });
  return found;
}

// What the indices are remainders of, if that is made of quotients itself: the outermost first.
std::vector<Index> nested_dividends(const std::vector<Index> &indices, const Subst &primed) {
  std::vector<Index> found;
  for (const Index &index : indices)
    for_each_subexpression(index, [&](const Index &part) {
      if (part->op == IndexOp::mod && divides_one_of(part->a, primed) && !is_among(part->a, found))
        found.push_back(part->a);
    });
  std::reverse(found.begin(), found.end());
  return found;
}

// Of an index that divides what is made of quotients, as reshapes of reshapes are: where the cells are the
// same, so is what is divided, from outside in. Each claim follows from the last one, so that they say no
// more than it does; but each step is short.
std::vector<Claim> different_step_by_step(const Site &site, const TwoExecutions &both, const Template &text) {
  std::vector<Claim> claims;
  for (const Index &e : nested_dividends(site.indices, both.primed))
    claims.push_back({disj(both.different_cells, compare(PredOp::eq, e, substitute(e, both.primed))), text});
  claims.push_back({both.different_cells, text});
  return claims;
}

class Verifier {
public:
  explicit Verifier(const LoopKernel &kernel)
      : kernel_(kernel), widths_(kernel, Widths::Steps::all, obligations_) {}

  std::vector<Obligation> run() {
    const Known top = known_in(kernel_);
    check_entry();
    for (const auto *buffers : {&kernel_.inputs, &kernel_.outputs})
      for (const Buffer &buffer : *buffers)
        enter(buffer, top);
    const bool one_runs = !conditions_in_order(kernel_.body).empty();
    for (const Stmt &stmt : kernel_.body) {
      version_ += one_runs ? 1 : 0;
      visit(stmt, top);
    }
    for (const Buffer &buffer : kernel_.outputs)
      check_once(buffer.name);
    return std::move(obligations_);
  }

private:
  struct Result {
    Site site;
    std::size_t version;
  };
  struct Life {
    Buffer buffer;
    Outside outside;
    std::vector<Result> results; // stores with `=` that are no initial values
  };

  void enter(const Buffer &buffer, const Known &known) {
    buffers_.insert_or_assign(buffer.name, Life{buffer, Outside(known), {}});
  }

  void require(ObligationKind kind, Code code, Span span, std::string what, const Known &known,
               std::vector<Claim> claims, std::vector<Note> notes = {}) {
    if (!claims.empty())
      obligations_.push_back(
          known.obligation(kind, code, span, std::move(what), std::move(claims), std::move(notes)));
  }

  // What the C function computes before any where clause is known to hold.
  void check_entry() {
    Known ranges = known_in(kernel_);
    ranges.hypotheses.clear();
    for (const Pred &p : kernel_.assumptions) {
      widths_.entry_condition(p, kernel_.span, "the condition " + to_string(p), ranges);
      ranges.assume(p);
    }
    for (const auto *buffers : {&kernel_.inputs, &kernel_.outputs})
      for (const Buffer &buffer : *buffers)
        widths_.indices(buffer.dims, kernel_.span, "the shape of " + buffer.name, ranges);
  }

  void check_access(const Touch &touch) {
    const auto &[buffer, indices, known, span] = touch.site;
    bool is_store = touch.kind != Touch::Kind::read;
    const Buffer &touched = buffers_.at(buffer).buffer;
    const Shape &dims = touched.dims;
    std::string text = buffer;
    std::vector<Claim> claims;
    for (std::size_t d = 0; d < indices.size(); ++d)
      text += (d == 0 ? "[" : ", ") + to_string(indices[d]);
    text += indices.empty() ? "" : "]";
    for (std::size_t d = 0; d < indices.size(); ++d)
      claims.push_back({in_range(constant(0), indices[d], dims[d]),
                        {fmt::format("the loop nest {} {} at index ", is_store ? "stores to" : "reads", text),
                         indices[d], " of ", dims[d], fmt::format(" in dimension {}", d + 1)}});
    require(ObligationKind::bounds, Code::out_of_bounds, span,
            fmt::format("the {} {} is inside {}", is_store ? "store to" : "read of", text, buffer), known,
            claims);
    widths_.indices(indices, span, "the index of " + text, known);
    widths_.cell(touched, indices, span, text, known);
    races_.touch(touch);
  }

  void visit_under(const ExprPtr &e, const Known &known, const Pred &pred) {
    const bool says_nothing = pred->op == PredOp::truth && pred->value;
    visit(e, says_nothing ? known : known.where(pred));
  }

  void visit(const ExprPtr &e, const Known &known) {
    if (const Access *access = std::get_if<Access>(&e->node))
      check_access({Touch::Kind::read, {access->tensor, access->indices, known, e->span}});
    widths_.scalar(*e, known);
    const std::vector<ExprPtr> kids = children(*e);
    for (std::size_t i = 0; i < kids.size(); ++i)
      visit_under(kids[i], known, known_at_child(*e, i));
  }

  void visit(const Block &block, const Known &known) {
    for (const Stmt &stmt : block)
      visit(stmt, known);
  }

  void visit(const Stmt &stmt, const Known &known) {
    match(
        stmt,
        [&](const For &loop) {
          widths_.indices({loop.lo, loop.hi}, kernel_.span, "the range of the loop " + loop.var, known);
          visit_loop(loop, known);
        },
        [&](const If &branch) {
          widths_.condition(branch.pred, kernel_.span, "the condition " + to_string(branch.pred), known);
          visit(branch.body, known.where(branch.pred));
        },
        [&](const Alloc &alloc) { visit_alloc(alloc, known); },
        [&](const Store &store) {
          visit(store.value, known);
          Site site{store.buffer, store.indices, known, store.span};
          check_access({store.combine ? Touch::Kind::combine : Touch::Kind::store, site, store.combine});
          if (store.counts->op != PredOp::truth)
            site.known.assume(store.counts);
          if (!store.initializes && !store.combine)
            buffers_.at(store.buffer).results.push_back({std::move(site), version_});
        });
  }

  void visit_loop(const For &loop, const Known &known) {
    races_.enter_loop(loop, known);
    visit(loop.body, known.inside(loop.range()));
    for (Obligation &race : races_.leave_loop(loop))
      obligations_.push_back(std::move(race));
  }

  void visit_alloc(const Alloc &alloc, const Known &known) {
    const Buffer &buffer = alloc.buffer;
    enter(buffer, known);
    races_.allocate(alloc);
    std::vector<Claim> fits;
    for (std::size_t d = 0; d < buffer.dims.size(); ++d)
      if (!equal(buffer.dims[d], alloc.capacity[d]))
        fits.push_back({compare(PredOp::le, buffer.dims[d], alloc.capacity[d]),
                        {fmt::format("dimension {} of {} is ", d + 1, buffer.name), buffer.dims[d],
                         ", allocated are ", alloc.capacity[d]}});
    require(ObligationKind::bounds, Code::out_of_bounds, kernel_.span, buffer.name + " fits its allocation",
            known, fits);
    widths_.indices(buffer.dims, kernel_.span, "the shape of " + buffer.name, known);
    widths_.indices(alloc.capacity, kernel_.span, "the capacity of " + buffer.name, known_in(kernel_));
    visit(alloc.body, known);
    check_once(buffer.name);
  }

  // No two iterations, of one store or of two that may both run, hit the same cell.
  void check_once(const std::string &buffer) {
    const auto &[declared, outside, results] = buffers_.at(buffer);
    for (std::size_t i = 0; i < results.size(); ++i)
      for (std::size_t j = i; j < results.size() && results[j].version == results[i].version; ++j)
        require_different(results[i].site, results[j].site, i == j, outside);
  }

  void require_different(const Site &a, const Site &b, bool same_site, const Outside &outside) {
    TwoExecutions both = side_by_side(a, b, outside);
    if (same_site && both.primed.empty())
      return; // one store, executed once
    if (same_site) {
      Pred other_iteration = truth(false);
      for (const auto &[name, other] : both.primed)
        other_iteration = disj(other_iteration, compare(PredOp::ne, variable(name), other));
      both.known.assume(other_iteration);
    }
    Template text{"cell"};
    for (const Index &index : a.indices)
      text.insert(text.end(), {" ", index});
    text.emplace_back(" of " + a.buffer + " is stored twice");
    require(ObligationKind::once, Code::written_twice, b.span,
            same_site ? "each cell of " + a.buffer + " is stored once"
                      : "two stores to " + a.buffer + " hit different cells",
            both.known,
            same_site ? different_step_by_step(a, both, text)
                      : std::vector<Claim>{{both.different_cells, text}});
  }

  const LoopKernel &kernel_;
  std::map<std::string, Life> buffers_;
  std::size_t version_ = 0; // where the walk is, if the kernel has versions of which one runs
  Races races_;
  std::vector<Obligation> obligations_;
  Widths widths_;
};

} // namespace

std::vector<Obligation> verify(const LoopKernel &kernel) {
  return Verifier(kernel).run();
}

} // namespace atl::lowering
