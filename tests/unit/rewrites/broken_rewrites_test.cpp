// What if a rewrite were wrong? Every index of a scheduled program is changed, one at a time: whatever then
// computes something else is not proved equal, or not safe.
#include "atl/check/check.h"
#include "tests/support/agree.h"

#include "atl/syntax/print.h"

namespace atl::broken_rewrites_test {

namespace {

// Changes the index number `target` of a tree, counted from outside; says whether there was one.
class Breaker {
public:
  explicit Breaker(std::size_t target) : target_(target) {}

  bool broke() const { return broke_; }

  ExprPtr break_in(const ExprPtr &e) {
    std::vector<ExprPtr> kids = children(*e);
    for (ExprPtr &kid : kids)
      kid = break_in(kid);
    ExprPtr same = rebuild(*e, std::move(kids));
    auto changed = [&](auto node) { return make(std::move(node), e->span, e->type); };
    return match(
        same,
        [&](Gen g) {
          g.lo = one_more(g.lo);
          g.hi = one_more(g.hi);
          return changed(g);
        },
        [&](Reduce r) {
          r.lo = one_more(r.lo);
          r.hi = one_more(r.hi);
          return changed(r);
        },
        [&](Guard g) {
          if (is_target())
            g.pred = weaker(g.pred);
          return changed(g);
        },
        [&](Access a) {
          for (Index &i : a.indices)
            i = one_more(i);
          return changed(a);
        },
        [&](Reshape r) {
          for (Index &i : r.args)
            i = one_more(i);
          return changed(r);
        },
        [&](const auto &) { return same; });
  }

private:
  bool is_target() {
    bool hit = count_++ == target_;
    broke_ = broke_ || hit;
    return hit;
  }
  Index one_more(const Index &e) { return is_target() ? add(e, constant(1)) : e; }
  static Pred weaker(const Pred &p) {
    return p->op == PredOp::lt ? compare(PredOp::le, p->lhs, p->rhs) : truth(true);
  }

  std::size_t target_, count_ = 0;
  bool broke_ = false;
};

struct Subject {
  const char *kernel, *steps;
};

const Subject subjects[] = {
    {"matmul", "split i by 4;"},
    {"matmul", "split k by 4;"},
    {"matmul", "split j by 4 tail cut;"},
    {"matmul", "tile i by 2, j by 3;"},
    {"matmul", "reorder k, j, i;"},
    {"matmul", "cut i at M / 2;"},
    {"matmul", "split j by 4; stage B at j.o;"},
    {"matmul", "split j by 4; pack B at j.o as Bp to d1 / 4, d0, d1 % 4;"},
    {"matmul", "split k by 4; rfactor k.i as part;"},
    {"matmul", "accumulate k as acc;"},
    {"matmul", "split j by 2 tail cut; distribute i into i, r;"},
    {"blur", "compute rows at y;"},
    {"blur", "split y by 4; compute rows at y.o;"},
    {"blur", "inline rows;"},
    {"blur", "compute rows at y; compute rows at root;"},
    {"blur", "layout rows to d1, d0;"},
    {"scatter", "reorder p, i; shift i by p as r to R; simplify;"},
    {"delta", "collapse j; simplify;"},
    {"direct", "bind x at r as columns; compute columns at root;"},
    {"square", "fuse i, j into f;"},
    {"large", "tile i by 2, j by 3 tail shift;"},
    {"large", "split i by 2 tail shift; reorder k, i.o;"},
    {"matmul", "cut k at K / 2;"},
    {"matmul", "split k by 3 tail cut;"},
    {"weighted", "factor k;"},
    {"filtered", "inline d; collapse j; simplify;"},
    {"padded", "split i in t by 3 tail pad; compute t at i in out;"},
    {"padded", "split i in out by 3 tail cut; compute t at i.o, i.t;"},
    {"square", "apply pad_right at i by 2; apply pad_left at j by 1;"},
};

const std::string kernels = R"(
kernel matmul(M: size, N: size, K: size, A: i32[M, K], B: i32[K, N]) -> i32[M, N] {
  gen i < M, j < N { sum k < K { A[i, k] * B[k, j] } }
}
kernel blur(N: size, M: size, v: i32[N + 2, M + 2]) -> i32[N, M] {
  let rows = gen y < N + 2, x < M { v[y, x] + 3 * v[y, x + 1] + 5 * v[y, x + 2] };
  gen y < N, x < M { rows[y, x] + 7 * rows[y + 1, x] + 11 * rows[y + 2, x] }
}
kernel scatter(W: size, R: size, x: i32[W], w: i32[R]) -> i32[W] {
  sum i < W { gen p < W { [0 <= i - p < R] x[i] * w[i - p] } }
}
kernel delta(n: size, m: size, c: i32[m]) -> i32[n] {
  gen i < n { sum j < m { [0 <= i - j and i - j == 2] c[j] } }
}
kernel direct(W: size, R: size, x: i32[W], w: i32[R]) -> i32[W] {
  gen p < W { sum r < R { [p + r < W] w[r] * x[p + r] } }
}
kernel large(M: size, N: size, K: size, A: i32[M, K], B: i32[K, N]) -> i32[M, N] where M >= 2, N >= 3 {
  gen i < M, j < N { sum k < K { A[i, k] * B[k, j] } }
}
kernel weighted(M: size, K: size, c: i32[M], A: i32[M, K], x: i32[K]) -> i32[M] {
  gen i < M { sum k < K { c[i] * (A[i, k] + x[k]) } }
}
kernel filtered(n: size, m: size, c: i32[m]) -> i32[n] {
  let d = gen k < n + m { [k == m] 1 };
  gen i < n { sum j < m { [j <= i] d[i - j + m - 1] * c[j] } }
}
kernel padded(N: size, A: i32[N + 3]) -> i32[N] {
  let t = gen i < N { A[i] - A[i + 1] };
  gen i < N { t[i] * 3 + t[N - 1 - i] }
}
kernel square(N: size, A: i32[N, N]) -> i32[N, N] where N >= 1 { gen i < N, j < N { A[i, j] + 1 } }
)";

struct Parsed {
  TypedKernel algorithm;
  schedule::Scheduled scheduled;
};

Parsed parsed(const Subject &subject) {
  std::string text = kernels + "schedule s for " + subject.kernel + " { " + subject.steps + " }";
  Sources sources;
  std::uint32_t file = sources.add({"test.atl", text});
  auto program = parse_program(sources, file);
  REQUIRE(program);
  auto typed = check_program(*program);
  REQUIRE(typed);
  for (std::size_t i = 0; i < typed->kernels.size(); ++i)
    if (typed->kernels[i].name == subject.kernel) {
      auto steps = expand(program->schedules.back(), *program, program->kernels[i]);
      REQUIRE(steps);
      auto done = schedule::run(typed->kernels[i], *steps, [](const Obligation &o) {
        return proofs::explain(o, testing::shared_prover().decide(o));
      });
      CAPTURE(subject.steps);
      REQUIRE(std::holds_alternative<schedule::Scheduled>(done));
      return {typed->kernels[i], std::get<schedule::Scheduled>(done)};
    }
  FAIL("no such kernel");
  return {};
}

// Whether all of the pipeline accepts the scheduled program.
bool accepted(const Parsed &p, const TypedKernel &kernel) {
  using testing::first_problem;
  auto equality = equality::equal_obligations(p.algorithm, kernel, p.scheduled.versions[0].prophecies,
                                              kernel.span, p.scheduled.versions[0].reindexing);
  if (first_problem(equality.obligations) != "")
    return false;
  auto pads = padtypes::check_pads(kernel);
  if (first_problem(pads.obligations) != "")
    return false;
  auto loops = lowering::lower(pads);
  return loops && first_problem(loops->obligations) == "";
}

bool computes_the_same(const TypedKernel &algorithm, const TypedKernel &kernel) {
  std::mt19937 random(5);
  for (int n = 0; n < 12; ++n) {
    auto [sizes, inputs] = testing::draw(algorithm, random, 7, testing::Numbers::exact);
    auto loops = lowering::lower(padtypes::check_pads(kernel));
    Tensors expected = evaluate(algorithm, sizes, inputs), found = lowering::run(*loops, sizes, inputs);
    for (const auto &[name, tensor] : expected)
      if (!same_bits(found.at(name), tensor))
        return false;
  }
  return true;
}

} // namespace

TEST_CASE("a scheduled program that was broken is not accepted") {
  for (const Subject &subject : subjects) {
    Parsed p = parsed(subject);
    REQUIRE(accepted(p, p.scheduled.general()));
    int broken = 0, caught = 0;
    for (std::size_t target = 0;; ++target) {
      TypedKernel kernel = p.scheduled.general();
      Breaker breaker(target);
      for (Binding &let : kernel.lets)
        let.value = retyped(breaker.break_in(let.value));
      for (ExprPtr &result : kernel.results)
        result = retyped(breaker.break_in(result));
      if (!breaker.broke())
        break;
      ++broken;
      CAPTURE(subject.steps);
      CAPTURE(print(kernel));
      if (accepted(p, kernel))
        CHECK(computes_the_same(p.algorithm, kernel));
      else
        ++caught;
    }
    CHECK(caught * 2 > broken); // some changes change nothing, such as a guard that holds anyway
  }
}

} // namespace atl::broken_rewrites_test
