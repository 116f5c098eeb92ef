// The interpreter against the denotation as it is written down: for one index of the result, the
// contributions in iteration order. Random tensor expressions, the reductions on floats that round, so that
// the order of folding is seen.
#include "atl/meaning/eval.h"
#include "tests/unit/typed_trees.h"

#include <array>
#include <doctest/doctest.h>
#include <random>
#include <set>

namespace atl::den_test {

using namespace atl::trees;

namespace {

using Indices = std::vector<std::int64_t>;

struct Denotation {
  Valuation values;
  std::vector<Scalar> contributions;

  std::int64_t value(const Index &e) const { return evaluate(e, values).value(); }

  void of(const ExprPtr &e, Indices at) {
    match(
        e,
        [&](const Gen &g) {
          with(g.var, value(g.lo) + at.front(), g.body, Indices(at.begin() + 1, at.end()));
        },
        [&](const Reduce &r) {
          for (std::int64_t z = value(r.lo); z < value(r.hi); ++z)
            with(r.var, z, r.body, at);
        },
        [&](const Guard &g) {
          if (evaluate(g.pred, values).value())
            of(g.body, at);
        },
        [&](const Concat &c) { of_concat(c, at); }, [&](const Reshape &r) { of_reshape(r, at); },
        [&](const auto &) { contributions.push_back(evaluate_scalar(*e, values, nullptr)); });
  }

  void with(const std::string &var, std::int64_t number, const ExprPtr &body, const Indices &at) {
    values[var] = number;
    of(body, at);
    values.erase(var);
  }

  void of_concat(const Concat &c, Indices at) {
    std::int64_t left = value(shape(c.left)[0]);
    if (at.front() < left)
      return of(c.left, at);
    at.front() -= left;
    of(c.right, at);
  }

  // The equations of the language, not the pull functions of the operators.
  void of_reshape(const Reshape &r, Indices at) {
    std::int64_t x = at.front(), extent = value(shape(r.child)[0]);
    Indices rest(at.begin() + 1, at.end());
    auto child = [&](Indices front, const Indices &tail) {
      front.insert(front.end(), tail.begin(), tail.end());
      of(r.child, front);
    };
    std::int64_t k = r.args.empty() ? 0 : value(r.args[0]);
    if (r.op == &flatten_op)
      return child({x / value(shape(r.child)[1]), x % value(shape(r.child)[1])}, rest);
    if (r.op == &overlap_op) {
      std::int64_t rows = value(shape(r.child)[1]), row = x / rows;
      return child({row, x - std::min(row * rows, k - rows)}, rest);
    }
    if (r.op == &transpose_op)
      return child({rest.front(), x}, Indices(rest.begin() + 1, rest.end()));
    if (r.op == &split_op) {
      if (x * k + rest.front() < extent)
        child({x * k + rest.front()}, Indices(rest.begin() + 1, rest.end()));
    } else if (r.op == &padl_op) {
      if (x >= k)
        child({x - k}, rest);
    } else if (r.op == &truncl_op) {
      child({x + k}, rest);
    } else if (r.op == &rotate_op) {
      child({((x - k) % extent + extent) % extent}, rest);
    } else if (r.op == &raise_op || r.op == &sink_op) {
      const std::ptrdiff_t from = r.op == &raise_op ? 0 : k, to = k - from;
      const std::int64_t moved = at[static_cast<std::size_t>(from)];
      at.erase(at.begin() + from);
      at.insert(at.begin() + to, moved);
      of(r.child, at);
    } else if (r.op == &truncr_op || r.op == &padr_op) {
      if (x < extent)
        child({x}, rest);
    } else {
      FAIL("den_test has no equation for the operator " << r.op->name);
    }
  }
};

// Random expressions: shapes are constants, loops have 0 to 3 iterations.
class Generator {
public:
  explicit Generator(unsigned seed) : random_(seed) {}

  ExprPtr tensor(int depth, int rank) {
    int form = depth == 0 ? (rank > 0 ? 0 : 9) : below(rank > 0 ? 8 : 4);
    switch (form) {
    case 0:
      return rank > 0 ? in_loop([&](auto var, auto lo, auto hi) {
        return gen(var, lo, hi, tensor(less(depth), rank - 1));
      })
                      : scalar();
    case 1:
    case 2:
      return in_loop([&](auto var, auto lo, auto hi) {
        return reduce(below(8) != 0 ? kind_ : Reduction::min, var, lo, hi, tensor(less(depth), rank));
      });
    case 3: return guard(predicate(), tensor(less(depth), rank));
    case 4: return like(tensor(less(depth), rank), depth);
    case 9: return scalar();
    default: return reshaped(depth, rank);
    }
  }

  void choose_kind() { kind_ = static_cast<Reduction>(below(2)); }

private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  static int less(int depth) { return depth == 0 ? 0 : depth - 1; }

  template <class F>
  ExprPtr in_loop(F body) {
    std::string var = "i" + std::to_string(variables_.size());
    std::int64_t lo = below(4) - 1, extent = below(10) == 0 ? 0 : 1 + below(3);
    variables_.push_back(var);
    ExprPtr made = body(var, n(lo), n(lo + extent));
    variables_.pop_back();
    return made;
  }

  // left next to a second tensor of the same shape but for the first extent
  ExprPtr like(const ExprPtr &left, int depth) {
    if (depth > 3)
      return left;
    ExprPtr right = scalar();
    for (std::size_t d = shape(left).size(); d-- > 0;)
      right = gen("c" + std::to_string(d) + std::to_string(variables_.size()),
                  d == 0 ? n(below(3)) : shape(left)[d], right);
    return below(2) != 0 ? concat(left, right) : concat(right, left);
  }

  ExprPtr reshaped(int depth, int rank) {
    switch (below(11)) {
    case 8: return reshape(rotate_op, {n(below(9) - 4)}, tensor(less(depth), rank));
    case 9: return reshape(raise_op, {n(below(rank))}, tensor(less(depth), rank));
    case 10: return reshape(sink_op, {n(below(rank))}, tensor(less(depth), rank));
    case 6: return overlapped(tensor(less(depth), rank + 1));
    case 0: return reshape(flatten_op, {}, tensor(less(depth), rank + 1));
    case 1:
      return rank > 1 ? reshape(split_op, {n(1 + below(3))}, tensor(less(depth), rank - 1))
                      : tensor(less(depth), rank);
    case 2:
      return rank > 1 ? reshape(transpose_op, {}, tensor(less(depth), rank)) : tensor(less(depth), rank);
    case 3: return reshape(padl_op, {n(below(3))}, tensor(less(depth), rank));
    case 4: return reshape(padr_op, {n(below(3))}, tensor(less(depth), rank));
    case 5: return reshape(truncl_op, {n(1)}, reshape(padr_op, {n(1)}, tensor(less(depth), rank)));
    default: return reshape(truncr_op, {n(1)}, reshape(padl_op, {n(1)}, tensor(less(depth), rank)));
    }
  }

  // Rows are at least one cell, and the last one lies over the one before by less than a row.
  ExprPtr overlapped(const ExprPtr &rows) {
    std::int64_t count = *as_constant(shape(rows)[0]), each = *as_constant(shape(rows)[1]);
    if (count == 0 || each == 0)
      return reshape(flatten_op, {}, rows);
    std::int64_t over = count == 1 ? 0 : below(static_cast<int>(each));
    return reshape(overlap_op, {n(count * each - over)}, rows);
  }

  Index index() {
    Index e = n(below(5) - 2);
    for (const std::string &var : variables_)
      e = add(mul(n(below(3)), v(var)), e);
    return e;
  }
  Pred predicate() { return compare(below(2) != 0 ? PredOp::lt : PredOp::ge, index(), index()); }
  ExprPtr scalar() { return op("*", {op("+", {from_index(index()), real(0.37)}), real(1.1)}); }

  std::mt19937 random_;
  std::vector<std::string> variables_;
  Reduction kind_ = Reduction::sum;
};

void collect_operators(const ExprPtr &e, std::set<const ReshapeOp *> &into) {
  if (const Reshape *r = std::get_if<Reshape>(&e->node))
    into.insert(r->op);
  for (const ExprPtr &child : children(*e))
    collect_operators(child, into);
}

bool has_other_kind_below(const ExprPtr &e, Reduction kind) {
  if (const Reduce *r = std::get_if<Reduce>(&e->node); r && r->reduction != kind)
    return true;
  for (const ExprPtr &child : children(*e))
    if (has_other_kind_below(child, kind))
      return true;
  return false;
}

} // namespace

TEST_CASE("random tensors against the denotation") {
  int compared = 0;
  std::set<const ReshapeOp *> met;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    CAPTURE(seed);
    Generator generator(seed);
    generator.choose_kind();
    ExprPtr e = generator.tensor(6, static_cast<int>(seed % 3));
    auto kind = filling_reduction(e);
    if (kind && has_other_kind_below(e, *kind))
      continue; // tested in eval_test.cpp: such a reduction is a scalar of its own
    Tensor out = evaluate(kernel({}, e), {}, {}).at("out");
    Tensor expected = make_tensor(out.elem, out.shape);
    for (std::int64_t flat = 0; flat < out.element_count(); ++flat) {
      Indices at(out.shape.size());
      for (std::int64_t d = static_cast<std::int64_t>(at.size()) - 1, rest = flat; d >= 0; --d) {
        at[static_cast<std::size_t>(d)] = rest % out.shape[static_cast<std::size_t>(d)];
        rest /= out.shape[static_cast<std::size_t>(d)];
      }
      Denotation den;
      den.of(e, at);
      REQUIRE((kind || den.contributions.size() <= 1));
      Scalar value = kind ? neutral(*kind, out.elem) : zero(out.elem);
      for (const Scalar &x : den.contributions)
        value = kind ? combiner(*kind).eval(std::array{value, x}) : x;
      expected.set(flat, value);
      ++compared;
    }
    CHECK(same_bits(out, expected));
    collect_operators(e, met);
  }
  CHECK(compared > 5000);
  for (const ReshapeOp *op : reshape_ops)
    CHECK_MESSAGE(met.contains(op), "den_test draws no " << op->name);
}

} // namespace atl::den_test
