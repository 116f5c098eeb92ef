// The core rewrites, one file each. A rewrite changes a kernel at a place, or says why it cannot; what must
// hold of sizes and indices becomes an obligation of kind `rewrite`. That
// the rewritten kernel denotes the same is proved afterwards, from scratch (atl/equality): nothing here is
// trusted.
#pragma once
#include "atl/equality/denote.h"
#include "atl/syntax/build.h"
#include "atl/syntax/hardware.h"
#include "atl/syntax/path.h"
#include "atl/syntax/requests.h"
#include "atl/syntax/tree.h"

#include <functional>

namespace atl::rewrites {

// Whether an obligation is proved. None: nobody can be asked.
using Proves = std::function<bool(const Obligation &)>;

// A kernel being scheduled.
struct Work {
  TypedKernel kernel;
  equality::Prophecies prophecies;
  equality::Reindexing reindexing;
  std::vector<Obligation> conditions; // of the step under way; the runner fills in place and kernel
  std::vector<Obligation> equalities; // likewise: that the step leaves results as they are, for all sizes
  const Hardware *hardware = nullptr; // that the schedule maps to, before this step or after it
  std::optional<Requests> requests;   // of it, so far
  Proves proves = {};                 // what a rewrite asks that can do without

  // `fix`: what the user may write instead.
  void require(const Known &known, const Pred &holds, const std::string &what, Template otherwise,
               const std::string &fix = "");
  // The advice to state this of the sizes; nothing where it is not about sizes.
  std::string where_clause(const Pred &needed) const;
  // A reduction's variable is now `value`; `parts` says what the new variables are in terms of the old one.
  void reindex(const std::string &var, const Index &value, const Subst &parts);
  // An expression with variables replaced, and with it the prophecies of the temporaries inside: where it
  // stays, or as a second copy, whose temporaries get names of their own.
  ExprPtr moved(const ExprPtr &e, const Subst &by);
  ExprPtr copied(const ExprPtr &e, const Subst &by);
  std::string fresh(const std::string &name) const; // not yet a name of the kernel
};

struct Refusal {
  std::string message;
  std::vector<Note> notes = {};
};
using Refused = std::optional<Refusal>; // nothing: done

enum class Tail { guard, cut, shift, pad, exact };

// gen y < n { b(y) }  =  truncr (cdiv(n, c) * c - n) flatten gen y.o < cdiv(n, c), y.i < c {
//   [y.o * c + y.i < n] b(y.o * c + y.i) }, and likewise for a reduction, without the reshapes. Tails:
// exact: c divides n, no guard. The others are for gen, but for cut:
// cut: whole tiles, then a loop `rest` over what is left. Of a reduction: see cut_reduction.
// shift: the last tile ends at n, over the end of the one before: overlap n gen y.o < cdiv(n, c), y.i < c {
//   b(min(y.o * c, n - c) + y.i) }.
// pad: of a temporary; more cells of it are computed, to whole tiles, which nobody reads.
struct Split {
  Index factor;
  std::string outer, inner, rest;
  Tail tail = Tail::guard;
};
Refused split_loop(Work &work, const Path &loop, const Split &how);

// gen i in [lo, hi) { b }  =  concat(gen a in [lo, p) { b }, gen z in [p, hi) { b })       lo <= p <= hi
Refused cut_loop(Work &work, const Path &loop, const Index &at, const std::string &first,
                 const std::string &second);

// sum k in [lo, hi) { b }  =  sum unrolled part < 2 { sum k in [lo + part * (p - lo), p + part * (hi - p)) {
// b } }: its parts contribute one after the other, so that the order of the terms stays.
Refused cut_reduction(Work &work, const Path &loop, const Index &at, const std::string &part);

// gen i { concat(a, b) }  =  transpose concat(transpose gen x { a }, transpose gen y { b })
Refused distribute_loop(Work &work, const Path &loop, const std::string &first, const std::string &second);

// The named loops, all inside each other, in the order given: the first becomes the outermost. Loops move out
// of loops, guards and reshapes: gen x { gen y { b } } = transpose gen y { gen x { b } }, and so on.
Refused reorder_loops(Work &work, const Path &outermost, const std::vector<std::string> &order);

// gen i < n, j < m { b }  =  split m gen f < n * m { b(f / m, f % m) }; for a reduction without split
Refused fuse_loops(Work &work, const Path &outer, const std::string &fused);

Refused set_mode(Work &work, const Path &loop, LoopMode mode);

// let x = a in e  =  e with every x[i] replaced by the cell i of a
Refused inline_let(Work &work, const std::string &tensor);

// let x = a in ... loop { e }  =  ... loop { let x' = the window of a that e reads in e }; where several
// loops read x, in each of them
Refused sink_let(Work &work, const std::string &tensor, const std::vector<Path> &loops);

// gen i { let x = a(i) in e }  =  let x' = gen i { a(i) } in gen i { e with x = x'[i] }; out to the loop
// given, or all the way
Refused hoist_let(Work &work, const std::string &tensor, const std::optional<Path> &loop);

// e  =  let copy = the window of `tensor` that the loop reads in e with copy
Refused stage_window(Work &work, const std::string &tensor, const Path &loop, const std::string &copy);
// The loops that compute the copy, one for each dimension.
std::vector<std::string> loops_of_copy(const TypedKernel &kernel, const std::string &tensor,
                                       std::size_t rank);

// sum a, k, b { e }  =  let part = gen k { sum a, b { e } } in sum k { part[k] }
Refused factor_reduction(Work &work, const Path &reduction, const std::string &part);

// sum i in [lo, hi) { b(i) }  =  sum r < n { [lo <= r + d < hi] b(r + d) }, if b has no terms elsewhere
Refused change_variable(Work &work, const Path &reduction, const Index &distance, const std::string &name,
                        const Index &count);

// sum k { [k == a and p] b }  =  [lo <= a < hi and p] b with a for k; also where the guard is on a factor of
// b
Refused collapse_reduction(Work &work, const Path &reduction);

// sum k { c * b(k) }  =  c * sum k { b(k) }, and the other way round
Refused factor_out(Work &work, const Path &reduction);
Refused absorb_factor(Work &work, const Path &reduction);
// sum k { a(k) + b(k) }  =  sum first { a(first) } + sum second { b(second) }, and likewise for a difference
Refused distribute_sum(Work &work, const Path &reduction, const std::string &first,
                       const std::string &second);

// let x = a in { f(x[i] + s) }  =  let x = the contributions { s }, then those of a, in { f(x[i]) }, of
// integer sums, where each cell of the tensor { f(x[i] + s) } reads the same cell of x; or { s } behind those
Refused take_into_sum(Work &work, const std::string &tensor, Requests::Term term);

// Small rules, for `apply`; for a gen or a reduction where nothing else is said.
// gen i { [p] b }  =  [p] gen i { b }, if p does not mention i; and back
Refused pull_guard(Work &work, const Path &loop);
Refused push_guard(Work &work, const Path &loop);
// gen i in [lo, hi) { b }  =  gen i in [lo, hi) { [lo <= i < hi] b }
Refused state_range(Work &work, const Path &loop);
// sum i in [lo, hi) { [i < n] b }  =  sum i in [lo, min(hi, n)) { b }; a reduction
Refused narrow_range(Work &work, const Path &loop);
// gen i { b }  =  truncr k padr k gen i { b }  =  truncl k padl k gen i { b }; a gen
Refused pad_right(Work &work, const Path &loop, const Index &count);
Refused pad_left(Work &work, const Path &loop, const Index &count);

// Guards that always hold vanish, [p] [q] e = [p and q] e, indices become simple.
Refused simplify(Work &work);

// let x = e in let y = e in b  =  let x = e in b with x for y; the names of loops do not matter
Refused merge_lets(Work &work, const std::string &kept, const std::string &dropped);

// [p] e  =  [p] let name = tensor[i] in e with name for tensor[i], the only cell of it that the loop reads
Refused bind_access(Work &work, const std::string &tensor, const Path &loop, const std::string &name);

// e  =  let acc = e in gen c { acc[c] }
Refused bind_expression(Work &work, const Path &place, const std::string &name);

// let x = a in e  =  let x = gen p.. { a at the cell that p means } in e with x at the place of the cell. A
// dimension of the new tensor is an old one (d1), or the quotient or the remainder of one by a constant (d1 /
// 16, d1 % 16); each old one occurs whole, or as both.
Refused change_layout(Work &work, const std::string &tensor, const std::vector<Index> &dimensions);

// let x = gen p < n, q < m { a(p + q) } in e  =  let x = gen s < n + m - 1 { a(s) } in e with x[p + q] for
// x[p, q]. `sum` names the two dimensions: d0 + d1. For temporaries that are no tensor of the algorithm.
Refused slide_dimensions(Work &work, const std::string &tensor, const Index &sum);

// ([p] a) * b  =  [p] (a * b), for e with products at its root.
ExprPtr guards_of_factors(const ExprPtr &e);

std::string either(const std::string &advice, const std::string &other); // one of them may be empty

// Shared by the rewrites of lets.
std::optional<std::size_t> dimension_of(const Index &e,
                                        std::size_t rank); // d0, d1, ... name those of a temporary
// Whether a temporary inside has a prophecy, which is for the place where it is.
bool binds_prophecy(const ExprPtr &e, const equality::Prophecies &prophecies);
// A name that means nothing, and what there is.
Refusal unknown_temporary(const TypedKernel &kernel, const std::string &name, const std::string &advice = "");
Refusal unknown_tensor(const TypedKernel &kernel, const std::string &name);
// The cell of a tensor expression, as a scalar expression; nothing if it is a concat. Names it binds that are
// taken get new ones.
std::optional<ExprPtr> cell_of(const ExprPtr &tensor, const std::vector<Index> &indices,
                               const std::set<std::string> &taken);
struct LetPlace {
  bool outermost; // one of kernel.lets, number `index`; otherwise the node at `path`
  std::size_t index = 0;
  Path path = {};
  ExprPtr bound = nullptr;
};
// The temporary is bound to another expression, and the accesses to it are replaced.
void rebind(Work &work, const LetPlace &let, const std::string &tensor, const ExprPtr &bound,
            const AccessMap &by);
// As `simplify` does it, of what is known there.
ExprPtr simplified(const ExprPtr &e, const Known &known, const Proves &proves = {});
const Shape *shape_of(const TypedKernel &kernel, const std::string &tensor); // of an input or a let
std::optional<LetPlace> find_let(const TypedKernel &kernel, const std::string &name);

// let x = a in e  =  let x @ memory = a in e: where a temporary is kept is no matter of what it holds.
Refused place_let(Work &work, const std::string &name, const std::string &memory);

} // namespace atl::rewrites
