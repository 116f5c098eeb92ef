// Pad types and the truncation check against the exact set of padding cells, on random programs: types are
// sound, the check is exact, and what a type accepts the check accepts.
#include "atl/syntax/print.h"
#include "padtypes/demand.h"
#include "tests/unit/padtypes/padtypes_brute.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <random>

namespace atl::padtypes_random_test {

using namespace atl::padtypes;
using namespace atl::padtypes::brute;

namespace {

// Random typed trees. Every node has a span of its own, so that obligations can be told apart.
class RandomTrees {
public:
  RandomTrees(std::uint32_t seed, bool with_sizes) : random_(seed), with_sizes_(with_sizes) {}

  // Of the given rank, at most `depth` forms deep.
  ExprPtr tree(std::size_t rank, int depth) {
    if (depth <= 0)
      return plain(rank);
    switch (below(rank == 0 ? 4 : 14)) {
    case 0: return spanned(guard(pred(), tree(rank, depth - 1)));
    case 1:
      return loop([&](const std::string &var, const Index &lo, const Index &hi) {
        return reduce(below(5) == 0 ? Reduction::max : Reduction::sum, var, lo, hi, tree(rank, depth - 1));
      });
    case 2: return let_tree(rank, depth);
    case 3: return rank == 0 ? scalar(depth) : tiles(rank, depth);
    case 4:
    case 5:
    case 6: return gen_tree(rank, depth);
    case 7: return concat_tree(rank, depth);
    case 8: return reshaped(flatten_op, {}, tree(rank + 1, depth - 1));
    case 9: return rank < 2 ? gen_tree(rank, depth) : reshaped(transpose_op, {}, tree(rank, depth - 1));
    case 10:
      return rank < 2 ? tiles(rank, depth) : reshaped(split_op, {n(1 + below(4))}, tree(rank - 1, depth - 1));
    case 11: return reshaped(below(2) ? padl_op : padr_op, {amount()}, tree(rank, depth - 1));
    default: return truncated(tree(rank, depth - 1));
    }
  }

private:
  int below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random_); }

  ExprPtr spanned(const ExprPtr &e) {
    Expr copy = *e;
    copy.span.begin = ++nodes_;
    return std::make_shared<const Expr>(std::move(copy));
  }
  ExprPtr reshaped(const ReshapeOp &op, std::vector<Index> args, const ExprPtr &child) {
    return spanned(reshape(op, std::move(args), child));
  }

  Index size() {
    static const std::array<const char *, 2> names{"N", "M"};
    return with_sizes_ && below(3) != 0 ? v(names[static_cast<std::size_t>(below(2))]) : n(below(6));
  }
  Index amount() { return below(3) == 0 ? size() : n(below(4)); }
  Index extent() {
    switch (below(5)) {
    case 0: return ceil_div(size(), n(1 + below(3)));
    case 1: return add(size(), n(below(3)));
    default: return size();
    }
  }

  Index linear() {
    Index sum = n(below(7) - 3);
    for (const std::string &var : scope_)
      if (below(3) != 0)
        sum = add(sum, mul(v(var), n(below(5) - 1)));
    if (below(2))
      sum = add(sum, size());
    return below(8) == 0 ? modulo(sum, n(2 + below(2))) : sum;
  }
  const std::string &some_variable() {
    return scope_[static_cast<std::size_t>(below(static_cast<int>(scope_.size())))];
  }
  // A guard as programs have it: the variable, or the place in a row of tiles, on one side of a bound.
  Pred window() {
    Index at = v(below(2) ? scope_.back() : some_variable());
    if (below(4) == 0)
      at = add(mul(v(some_variable()), n(1 + below(4))), at);
    Index bound = add(size(), n(below(5) - 2));
    switch (below(4)) {
    case 0: return compare(PredOp::ge, at, n(below(4)));
    case 1: return conj(compare(PredOp::ge, at, n(below(3))), compare(PredOp::lt, at, bound));
    default: return compare(PredOp::lt, at, bound);
    }
  }
  Pred pred() {
    if (!scope_.empty() && below(4) != 0)
      return window();
    static constexpr std::array ops{PredOp::lt, PredOp::lt, PredOp::ge, PredOp::le,
                                    PredOp::gt, PredOp::eq, PredOp::ne};
    switch (below(8)) {
    case 0: return conj(pred(), pred());
    case 1: return disj(pred(), pred());
    case 2: return neg(pred());
    default: break;
    }
    Index lhs = scope_.empty() || below(4) == 0 ? linear() : v(some_variable());
    return compare(ops[static_cast<std::size_t>(below(ops.size()))], lhs, below(2) ? size() : linear());
  }

  template <class Make>
  ExprPtr loop(Make make_loop) {
    std::string var = "i" + std::to_string(variables_++);
    Index lo = below(4) == 0 ? n(below(3)) : n(0), hi = add(lo, extent());
    scope_.push_back(var);
    ExprPtr result = make_loop(var, lo, hi);
    scope_.pop_back();
    return spanned(result);
  }

  ExprPtr gen_tree(std::size_t rank, int depth) {
    return loop([&](const std::string &var, const Index &lo, const Index &hi) {
      ExprPtr body =
          below(4) == 0 ? spanned(guard(pred(), tree(rank - 1, depth - 1))) : tree(rank - 1, depth - 1);
      return gen(var, lo, hi, body);
    });
  }
  ExprPtr plain(std::size_t rank) {
    if (rank > 0)
      return gen_tree(rank, 0);
    ExprPtr value = spanned(real(1));
    return below(4) ? spanned(guard(pred(), value)) : value;
  }
  ExprPtr scalar(int depth) { return spanned(op("+", {spanned(real(1)), tree(0, depth - 1)})); }

  ExprPtr let_tree(std::size_t rank, int depth) {
    ExprPtr bound = tree(1, depth - 1);
    return spanned(let("t" + std::to_string(variables_++), bound, tree(rank, depth - 1)));
  }

  // gen io < cdiv(n, k), ii < k { [io * k + ii < n] ... }, flattened and cut to n
  ExprPtr tiles(std::size_t rank, int depth) {
    Index n_ = extent(), k = n(1 + below(4));
    std::string io = "i" + std::to_string(variables_++), ii = "i" + std::to_string(variables_++);
    scope_.insert(scope_.end(), {io, ii});
    ExprPtr body = tree(rank - 1, depth - 2);
    scope_.resize(scope_.size() - 2);
    Index at = add(mul(v(io), k), v(ii));
    ExprPtr rows = spanned(
        gen(io, ceil_div(n_, k), spanned(gen(ii, k, spanned(guard(compare(PredOp::lt, at, n_), body))))));
    return reshaped(truncr_op, {sub(mul(ceil_div(n_, k), k), n_)}, reshaped(flatten_op, {}, rows));
  }

  ExprPtr of_shape(const Shape &extents, std::size_t next = 0) {
    if (next == extents.size())
      return plain(0);
    std::string var = "i" + std::to_string(variables_++);
    scope_.push_back(var);
    ExprPtr body = of_shape(extents, next + 1);
    scope_.pop_back();
    return spanned(gen(var, extents[next], body));
  }
  ExprPtr concat_tree(std::size_t rank, int depth) {
    ExprPtr one = tree(rank, depth - 1);
    Shape other_shape = shape(one);
    other_shape[0] = extent();
    ExprPtr other = of_shape(other_shape);
    if (below(2))
      other = reshaped(below(2) ? padl_op : padr_op, {amount()}, other);
    return spanned(below(2) ? concat(one, other) : concat(other, one));
  }

  // By as much as the type of the operand justifies, or by some other amount.
  ExprPtr truncated(const ExprPtr &e) {
    bool right = below(3) != 0;
    Index by = amount();
    if (below(2) == 0) {
      PadTypePtr type = infer_pad(e, place_of(sized_kernel({"N", "M"}, e)));
      by = right ? type->c : type->k;
      for (const std::string &var : scope_)
        if (mentions(by, var))
          by = amount();
    }
    return reshaped(right ? truncr_op : truncl_op, {below(6) == 0 ? add(by, n(1)) : by}, e);
  }

  std::mt19937 random_;
  bool with_sizes_;
  std::uint32_t nodes_ = 0;
  int variables_ = 0;
  std::vector<std::string> scope_;
};

// Extents are not negative, amounts fit, divisors are positive: what shape obligations say.
bool has_value(const ExprPtr &e, const Valuation &sizes) {
  auto holds_here = [&](const Pred &p) { return evaluate(p, sizes).value_or(false); };
  bool here = match(
      e, [&](const Gen &g) { return holds_here(compare(PredOp::le, g.lo, g.hi)); },
      [&](const Reshape &r) {
        for (const Requirement &need : r.op->requirements(r.args, shape(r.child)))
          if (!holds_here(need.pred))
            return false;
        return true;
      },
      [](const auto &) { return true; });
  if (!here)
    return false;
  for (const ExprPtr &child : children(*e))
    if (!has_value(child, sizes))
      return false;
  return true;
}

std::size_t cell_count(const ExprPtr &e, const Valuation &sizes) {
  std::size_t count = 1;
  for (const Index &extent : shape(e))
    count *= static_cast<std::size_t>(number(extent, sizes));
  for (const ExprPtr &child : children(*e))
    count = std::max(count, cell_count(child, sizes));
  return count;
}

struct Tally {
  int programs = 0, runs = 0, with_truncation = 0, accepted = 0, by_type = 0;
};

bool all_hold(const std::vector<Obligation> &obligations, const Valuation &sizes) {
  return std::all_of(obligations.begin(), obligations.end(),
                     [&](const Obligation &o) { return holds(o, sizes); });
}

bool same_place(const Obligation &a, const Obligation &b) {
  return a.span.begin == b.span.begin && a.notes[0].span->begin == b.notes[0].span->begin;
}

// What the type accepts holds, whatever else is cut.
bool left_out_hold(const std::vector<Obligation> &all, const std::vector<Obligation> &asked,
                   const Valuation &sizes) {
  return std::all_of(all.begin(), all.end(), [&](const Obligation &o) {
    bool is_asked =
        std::any_of(asked.begin(), asked.end(), [&](const Obligation &a) { return same_place(a, o); });
    return is_asked || holds(o, sizes);
  });
}

void check_program(const TypedKernel &kernel, const std::vector<Valuation> &valuations, Tally &tally) {
  const ExprPtr &e = kernel.results[0];
  PadTypePtr type = infer_pad(e, place_of(kernel));
  auto all = truncation_demands(kernel, ByType::include),
       asked = truncation_demands(kernel, ByType::leave_out);
  ++tally.programs;
  for (const Valuation &sizes : valuations) {
    if (!has_value(e, sizes) || cell_count(e, sizes) > 300)
      continue;
    CAPTURE(sizes.at("N"));
    CAPTURE(sizes.at("M"));
    CAPTURE(to_string(type));
    CAPTURE(print(e));
    Exact exact;
    Stored stored = exact.of(e, sizes, filling_reduction(e));
    bool is_accepted = all_hold(all, sizes);
    CHECK(describes(type, stored, sizes));
    CHECK(is_accepted == !exact.cuts_data);
    CHECK(left_out_hold(all, asked, sizes));
    ++tally.runs;
    tally.with_truncation += !all.empty();
    tally.accepted += !all.empty() && is_accepted;
    tally.by_type += all.size() > asked.size();
  }
}

int environment(const char *name, int otherwise) {
  const char *text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

} // namespace

// ATL_PADS_PROGRAMS programs of each kind from seed ATL_PADS_SEED on.
TEST_CASE("pads: random programs") {
  int programs = environment("ATL_PADS_PROGRAMS", 1000), seed = environment("ATL_PADS_SEED", 1);
  std::vector<Valuation> grid;
  for (int size_n = 0; size_n <= 6; ++size_n)
    for (int size_m = 0; size_m <= 4; ++size_m)
      grid.push_back({{"N", size_n}, {"M", size_m}});
  for (bool with_sizes : {false, true}) {
    Tally tally;
    for (int number = seed; number < seed + programs; ++number) {
      CAPTURE(number);
      CAPTURE(with_sizes);
      RandomTrees trees(static_cast<std::uint32_t>(number), with_sizes);
      ExprPtr e = trees.tree(static_cast<std::size_t>(1 + number % 2), 2 + number % 5);
      check_program(sized_kernel({"N", "M"}, e), with_sizes ? grid : std::vector{grid[5]}, tally);
    }
    MESSAGE(tally.programs << " programs, " << tally.runs << " runs, " << tally.with_truncation
                           << " with truncations, " << tally.accepted << " of them accepted, "
                           << tally.by_type << " with a truncation accepted by type");
  }
}

} // namespace atl::padtypes_random_test
