// Bounds of indices and conditions solved for a variable, against all values of the variables.
#include "atl/index/solve.h"

#include <doctest/doctest.h>
#include <random>

namespace atl::bounds_test {

namespace {

const Index i = variable("i"), j = variable("j"), N = variable("N"), M = variable("M");

class RandomTerms {
public:
  explicit RandomTerms(std::vector<std::string> names) : names_(std::move(names)) {}

  int number(int lo, int hi) { return lo + static_cast<int>(random_() % static_cast<unsigned>(hi - lo + 1)); }

  Index leaf() {
    if (number(0, 2) == 0)
      return constant(number(-4, 9));
    return variable(names_[static_cast<std::size_t>(number(0, static_cast<int>(names_.size()) - 1))]);
  }

  // Divisors may be anything: a term without a value bounds nothing.
  Index term(int depth) {
    static constexpr IndexOp ops[] = {IndexOp::add, IndexOp::sub,  IndexOp::mul, IndexOp::div,
                                      IndexOp::mod, IndexOp::cdiv, IndexOp::min, IndexOp::max};
    if (depth == 0)
      return leaf();
    Index a = term(depth - 1), b = term(number(0, depth - 1));
    return binary(ops[number(0, 7)], a, b);
  }

  Pred comparison(int depth) {
    static constexpr PredOp ops[] = {PredOp::lt, PredOp::le, PredOp::gt, PredOp::ge, PredOp::eq, PredOp::ne};
    Index a = term(depth), b = term(depth - 1);
    return compare(ops[number(0, 5)], a, b);
  }

private:
  std::vector<std::string> names_;
  std::mt19937 random_{11};
};

template <class Visit>
void for_sizes(Visit visit) { // M is positive
  for (std::int64_t n = 0; n < 4; ++n)
    for (std::int64_t m = 1; m < 4; ++m)
      visit(Valuation{{"N", n}, {"M", m}});
}

// All parts of e have values; where a divisor is not positive, anything may be said.
bool is_defined(const Index &e, const Valuation &values) {
  bool defined = true;
  for_each_subexpression(e, [&](const Index &part) { defined = defined && evaluate(part, values); });
  return defined;
}

Facts sizes() {
  Facts facts;
  facts.assume(compare(PredOp::ge, N, constant(0)));
  facts.assume(compare(PredOp::ge, M, constant(1)));
  return facts;
}

std::string text(const Index &e) {
  return e ? to_string(e) : "not known";
}

std::string text(const Bounds &bounds, const Facts &facts) {
  return text(bounds.lo ? facts.simplify(bounds.lo) : nullptr) + " to " +
         text(bounds.hi ? facts.simplify(bounds.hi) : nullptr);
}

} // namespace

TEST_CASE("an interval contains all values of an index") {
  RandomTerms random({"i", "j"});
  int known = 0;
  for (int k = 0; k < 3000; ++k) {
    const Index e = random.term(random.number(1, 4));
    CAPTURE(to_string(e));
    const int lo = random.number(-3, 3), hi = lo + random.number(0, 3);
    auto interval = interval_of(e, {{"i", {lo, hi}}, {"j", {1, 4}}});
    if (!interval)
      continue;
    ++known;
    bool inside = true;
    for (std::int64_t x = lo; x <= hi; ++x)
      for (std::int64_t y = 1; y <= 4; ++y) {
        auto value = evaluate(e, {{"i", x}, {"j", y}});
        inside = inside && value && interval->lo <= *value && *value <= interval->hi;
      }
    CHECK(inside);
  }
  CHECK(known > 1000);
}

TEST_CASE("an interval is exact for one operation, and nothing where a part may overflow") {
  const Intervals variables{{"i", {-3, 5}}, {"j", {2, 4}}, {"N", {0, INT64_MAX}}};
  auto is = [&](const Index &e, std::int64_t lo, std::int64_t hi) {
    auto found = interval_of(e, variables);
    return found && found->lo == lo && found->hi == hi;
  };
  CHECK(is(add(i, j), -1, 9));
  CHECK(is(sub(i, j), -7, 3));
  CHECK(is(mul(i, j), -12, 20));
  CHECK(is(floor_div(i, j), -2, 2));
  CHECK(is(ceil_div(i, j), -1, 3));
  CHECK(is(modulo(i, j), 0, 3));
  CHECK(is(binary(IndexOp::min, i, j), -3, 4));
  CHECK(is(binary(IndexOp::max, i, j), 2, 5));
  CHECK_FALSE(interval_of(floor_div(j, i), variables)); // the divisor may be 0
  CHECK_FALSE(interval_of(variable("M"), variables));
  CHECK_FALSE(interval_of(add(N, constant(1)), variables));
  CHECK_FALSE(interval_of(binary(IndexOp::min, add(N, constant(1)), constant(5)), variables));
}

TEST_CASE("bounds over loops contain all values of an index") {
  RandomTerms random({"i", "j", "N", "M"});
  int known = 0;
  for (int k = 0; k < 400; ++k) {
    const Index e = random.term(random.number(1, 3));
    CAPTURE(to_string(e));
    const Index hi =
        random.number(0, 1) ? add(i, M) : binary(IndexOp::min, N, add(mul(i, constant(2)), constant(2)));
    const std::vector<LoopRange> loops{{"i", constant(0), N}, {"j", i, hi}};
    Facts facts = sizes();
    for (const LoopRange &loop : loops)
      facts.assume(in_range(loop.lo, variable(loop.var), loop.hi));
    const Bounds bounds = bounds_of(facts.simplify(e), loops, facts);
    for (const Index &end : {bounds.lo, bounds.hi}) {
      known += end ? 1 : 0;
      CHECK_FALSE((end && (mentions(end, "i") || mentions(end, "j"))));
    }
    bool inside = true;
    for_sizes([&](Valuation values) {
      auto lo = bounds.lo ? evaluate(bounds.lo, values) : std::nullopt,
           most = bounds.hi ? evaluate(bounds.hi, values) : std::nullopt;
      for (values["i"] = 0; values["i"] < values["N"]; ++values["i"])
        for (values["j"] = values["i"]; values["j"] < *evaluate(hi, values); ++values["j"])
          if (is_defined(e, values))
            inside =
                inside && (!lo || *lo <= *evaluate(e, values)) && (!most || *evaluate(e, values) <= *most);
    });
    CHECK(inside);
  }
  CHECK(known > 400);
}

TEST_CASE("bounds over loops, in terms of the sizes") {
  const std::vector<LoopRange> loops{{"i", constant(0), N}, {"j", i, add(i, constant(4))}};
  Facts facts = sizes();
  for (const LoopRange &loop : loops)
    facts.assume(in_range(loop.lo, variable(loop.var), loop.hi));
  auto of = [&](const Index &e) { return text(bounds_of(e, loops, facts), facts); };
  CHECK(of(N) == "N to N");
  CHECK(of(j) == "0 to N + 2");
  CHECK(of(sub(j, i)) == "0 to 3"); // their values belong together
  CHECK(of(mul(i, M)) == "0 to M * N - M");
  CHECK(of(mul(i, j)) == "0 to N * N + N - 2");
  CHECK(of(floor_div(j, M)) == "0 to (N + 2) / M");
  CHECK(of(modulo(j, M)) == "0 to M - 1");
  CHECK(of(floor_div(M, add(i, constant(1)))) == "0 to M"); // of the divisor only its sign is used
  CHECK(of(binary(IndexOp::min, j, mul(i, sub(variable("K"), M)))) == "not known to N + 2");
}

TEST_CASE("conditions solved for a variable hold where they should") {
  RandomTerms random({"i", "i", "N", "M"});
  Facts facts = sizes();
  const LoopRange range{"i", constant(0), N};
  facts.assume(in_range(range.lo, i, range.hi));
  int known = 0;
  for (int k = 0; k < 1500; ++k) {
    Pred p = random.comparison(random.number(1, 2));
    if (random.number(0, 2) == 0)
      p = random.number(0, 1) ? conj(p, random.comparison(1)) : disj(p, neg(random.comparison(1)));
    CAPTURE(to_string(p));
    const Solution solution = solve(p, range, facts);
    known += (solution.before ? 1 : 0) + (solution.from ? 1 : 0);
    bool right = true;
    for_sizes([&](Valuation values) {
      auto before = solution.before ? evaluate(solution.before, values) : std::nullopt,
           from = solution.from ? evaluate(solution.from, values) : std::nullopt;
      for (std::int64_t x = 0; x < values["N"]; ++x) {
        values["i"] = x;
        bool defined = true;
        for_each_subexpression(p, [&](const Index &part) { defined = defined && evaluate(part, values); });
        if (defined && ((before && x < *before) || (from && x >= *from)))
          right = right && *evaluate(p, values);
      }
    });
    CHECK(right);
  }
  CHECK(known > 500);
}

TEST_CASE("what a comparison says of a variable") {
  const Facts facts = sizes();
  auto solved = [&](const Pred &p) {
    Solution s = solve_exactly(p, "i", facts);
    return s.before ? "< " + to_string(s.before) : s.from ? ">= " + to_string(s.from) : "not known";
  };
  CHECK(solved(compare(PredOp::lt, i, N)) == "< N");
  CHECK(solved(compare(PredOp::le, i, N)) == "< N + 1");
  CHECK(solved(compare(PredOp::gt, i, N)) == ">= N + 1");
  CHECK(solved(neg(compare(PredOp::lt, i, N))) == ">= N");
  CHECK(solved(compare(PredOp::lt, add(mul(i, constant(4)), j), N)) == "< cdiv(N - j, 4)");
  CHECK(solved(compare(PredOp::ge, mul(i, constant(4)), N)) == ">= cdiv(N, 4)");
  CHECK(solved(compare(PredOp::lt, mul(i, M), N)) == "not known");
  CHECK(solved(compare(PredOp::eq, i, N)) == "not known");

  auto bound = [&](const Pred &p) { return text(upper_bound(p, "i", facts)); };
  CHECK(bound(compare(PredOp::gt, add(N, j), add(i, j))) == "N");
  CHECK(bound(compare(PredOp::lt, floor_div(i, constant(4)), N)) == "N * 4");
  CHECK(bound(compare(PredOp::lt, mul(i, constant(2)), N)) == "not known");
  CHECK(bound(compare(PredOp::gt, i, N)) == "not known");
  CHECK(bound(compare(PredOp::lt, add(floor_div(i, constant(4)), i), N)) == "not known");
}

TEST_CASE("bounds that a condition states") {
  auto stated =
      stated_bounds(conj(compare(PredOp::lt, i, j), conj(compare(PredOp::ge, add(i, N), M), truth(true))));
  REQUIRE(stated.size() == 3);
  CHECK((stated[0].variable == "i" && stated[0].op == PredOp::lt && equal(stated[0].value, j)));
  CHECK((stated[1].variable == "j" && stated[1].op == PredOp::gt && equal(stated[1].value, i)));
  CHECK((stated[2].variable == "M" && stated[2].op == PredOp::le && equal(stated[2].value, add(i, N))));
  CHECK(stated_bounds(disj(compare(PredOp::lt, i, j), compare(PredOp::lt, i, N))).empty());
}

} // namespace atl::bounds_test
