// Deciding obligations: what is proved, the smallest counterexamples, what stays unknown, and what the user
// is told.
#include "tests/unit/proofs/proofs_cases.h"

#include "atl/base/workers.h"
#include "proofs/discharge.h"
#include "proofs/refute/certificate.h"
#include "proofs/refute/counterexample.h"
#include "proofs/refute/exact.h"
#include "proofs/refute/minimize.h"
#include "proofs/report.h"
#include "proofs/z3/hints.h"
#include "proofs/z3/to_z3.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <random>
#include <tuple>

namespace atl::proofs_test {

using namespace atl::proofs;
using namespace atl::proofs_cases;

namespace {

using Status = Verdict::Status;

Verdict decide(const Obligation &obligation) {
  return Prover().decide(obligation);
}

std::string message(const Obligation &obligation) {
  auto diagnostic = explain(obligation, decide(obligation));
  return diagnostic ? diagnostic->message : "";
}

// Independent of the search in proofs/: all sizes up to a sum of 8, all variables from -4 to 12, in the order
// of counterexample.h.
std::optional<Valuation> smallest_by_brute_force(const Obligation &o) {
  auto by_rank = [](std::int64_t n) { return n <= 12 ? n : 12 - n; };
  for (std::int64_t sum = 0; sum <= 8; ++sum)
    for (std::int64_t m = 0; m <= sum; ++m)
      for (std::int64_t i = 0; i <= 16; ++i)
        for (std::int64_t j = 0; j <= 16; ++j) {
          Valuation values{{"M", m}, {"N", sum - m}, {"i", by_rank(i)}, {"j", by_rank(j)}};
          if (violated_claim(o, values))
            return values;
        }
  return std::nullopt;
}

bool z3_proves(z3::context &context, const z3::expr &formula) {
  z3::solver solver(context);
  solver.add(!formula);
  return solver.check() == z3::unsat;
}

} // namespace

TEST_CASE("the lemmas about products are true for all integers") {
  z3::context context;
  Encoder encoder(context);
  for (const Lemma *lemma : all_lemmas()) {
    CAPTURE(lemma->name);
    CHECK(z3_proves(context, encoder.encode(as_formula(*lemma))));
  }
}

TEST_CASE("the defining constraints of a quotient hold for Z3's own div and mod, and fix them") {
  z3::context context;
  z3::expr e = context.int_const("e"), d = context.int_const("d"), q = context.int_const("q"),
           r = context.int_const("r");
  z3::expr div = z3::expr(context, Z3_mk_div(context, e, d)), mod = z3::mod(e, d);
  CHECK(z3_proves(context, z3::implies(d > 0, e == div * d + mod && mod >= 0 && mod < d)));
  for (int divisor : {1, 2, 7, 64}) {
    z3::expr fixed = e == q * divisor + r && r >= 0 && r < divisor;
    CHECK(z3_proves(
        context, z3::implies(fixed, q == z3::expr(context, Z3_mk_div(context, e, context.int_val(divisor))) &&
                                        r == z3::mod(e, context.int_val(divisor)))));
  }
}

TEST_CASE("a purified expression has the value of the original") {
  std::mt19937 random(1);
  Prover prover;
  for (int round = 0; round < 150; ++round) {
    Index e = random_index(random, 3);
    auto decide_with_variables = [&](const std::vector<Pred> &hypotheses, std::int64_t is) {
      Obligation o = obligation(hypotheses, {compare(PredOp::eq, e, constant(is))});
      o.variables.insert(o.variables.end(), o.sizes.begin(), o.sizes.end()); // they may be negative here
      o.sizes.clear();
      return prover.decide(o).status;
    };
    Valuation values;
    std::vector<Pred> fixed;
    for (const char *name : {"N", "M", "i", "j"}) {
      values[name] = static_cast<std::int64_t>(random() % 19) - 9;
      fixed.push_back(compare(PredOp::eq, variable(name), constant(values[name])));
    }
    auto value = evaluate(e, values);
    if (!value)
      continue;
    CAPTURE(to_string(e));
    CHECK(exact_value(e, values) == BigInt(*value));
    CHECK(decide_with_variables(fixed, *value) == Status::proved);
    CHECK(decide_with_variables(fixed, *value + 1) == Status::refuted);
  }
}

TEST_CASE(
    "every family of goals is proved, and refuted with its smallest counterexample when it is made false") {
  Prover prover;
  for (const Family &family : families()) {
    CAPTURE(family.name);
    Verdict verdict = prover.decide(family.obligation);
    CAPTURE(verdict.reason);
    CHECK(verdict.status == Status::proved);
    CHECK(verdict.prover == "z3");
    CHECK(Prover().proves(family.obligation));
    Obligation stricter = made_stricter(family.obligation);
    const bool still_holds = Prover().proves(stricter); // by a prover that has not decided it
    Verdict refuted = prover.decide(stricter);
    CHECK(still_holds == (refuted.status == Status::proved));
    if (refuted.status == Status::refuted) // some remain true
      CHECK(violated_claim(stricter, refuted.model));
  }
}

TEST_CASE("an obligation with products is proved without Z3's nonlinear arithmetic") {
  z3::context context;
  for (const Family &family : families()) {
    CAPTURE(family.name);
    std::vector<Pred> claims;
    for (const Claim &claim : family.obligation.claims)
      claims.push_back(claim.holds);
    Formula formula = counterexample_formula(family.obligation.hypotheses, conj(claims));
    bool proved = solve(context, formula, proofs::Effort::quick, Deadline()) == z3::unsat ||
                  solve(context, formula, proofs::Effort::patient, Deadline()) == z3::unsat;
    CHECK(proved);
  }
}

// Linear arithmetic, to which products are variables, and these facts.
static bool follows(const std::vector<Pred> &hypotheses, const Pred &claim, const std::vector<Hint> &facts) {
  z3::context context;
  Encoder encoder(context);
  Linearizer linearizer(context);
  z3::solver solver(context);
  std::vector<Pred> known = hypotheses;
  for (const Pred &fact : as_formulas(facts))
    known.push_back(fact);
  Formula formula = counterexample_formula(known, claim);
  for (const std::vector<Pred> &parts : {formula.parts, formula.definitions})
    for (const Pred &p : parts)
      solver.add(linearizer.linear(encoder.encode(p)));
  return solver.check() == z3::unsat;
}

TEST_CASE("a certificate names facts of the program that suffice, and none that is not needed") {
  std::size_t facts_seen = 0;
  for (const Family &family : families()) {
    CAPTURE(family.name);
    std::vector<Pred> hypotheses = family.obligation.hypotheses;
    for (const Claim &claim : family.obligation.claims) {
      auto facts = certificate(hypotheses, claim.holds);
      REQUIRE(facts.has_value());
      CHECK(follows(hypotheses, claim.holds, *facts));
      for (std::size_t n = 0; n < facts->size(); ++n) {
        std::vector<Hint> others = *facts;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(n));
        CHECK_FALSE(follows(hypotheses, claim.holds, others));
        std::set<std::string> names;
        collect_variables((*facts)[n].f, names);
        CHECK(std::none_of(names.begin(), names.end(), is_stand_in));
      }
      facts_seen += facts->size();
      hypotheses.push_back(claim.holds);
    }
  }
  CHECK(facts_seen > 20);
}

TEST_CASE("what is not true has no certificate") {
  for (const char *claim : {"N * M >= N", "i * M < N", "N / M <= N - 1"}) {
    Obligation o = parsed({"0 <= i < N", "M >= 0"}, {claim});
    CHECK_FALSE(certificate(o.hypotheses, o.claims[0].holds).has_value());
  }
}

TEST_CASE("the hypotheses that a claim needs") {
  z3::context context;
  auto needed = [&](const std::vector<std::string> &hypotheses, const char *claim) {
    Obligation o = parsed(hypotheses, {claim});
    return needed_hypotheses(context, o.hypotheses, o.claims[0].holds);
  };
  std::vector<Pred> some = needed({"N >= 8 or M >= 3", "i < N", "i >= 4", "M >= 0"}, "i / 4 >= 1");
  REQUIRE(some.size() == 1);
  CHECK(to_string(some[0]) == "i >= 4");
  CHECK(needed({"i < N", "M >= 0"}, "i < M").size() == 2); // it does not hold
}

TEST_CASE("products are abstracted up to the order of their factors, and no further") {
  z3::context context;
  Linearizer linearizer(context);
  z3::expr x = context.int_const("x"), y = context.int_const("y"), z = context.int_const("z");
  auto follows = [&](const z3::expr &formula) {
    z3::solver solver(context);
    solver.add(linearizer.linear(!formula));
    return solver.check() == z3::unsat;
  };
  CHECK(follows(x * y == y * x));
  CHECK(follows((x + y) * (x + y) == x * x + 2 * x * y + y * y));
  CHECK(follows((x * y) * (z * 3) == 3 * (z * (y * x))));
  CHECK_FALSE(follows(x * x == x * y));
  CHECK_FALSE(follows(x * x * y == x * y * y));
  CHECK_FALSE(follows(x * x >= 0)); // true, but the square is only a name
}

TEST_CASE("counterexamples: first the least sum of sizes, then each size, then each variable") {
  struct Case {
    std::vector<std::string> hypotheses, claims;
    Valuation smallest;
  };
  const Case cases[] = {
      {{"0 <= N", "0 <= x", "x < N"}, {"x + 2 < N + 1"}, {{"N", 1}, {"x", 0}}},
      {{"0 <= N", "0 <= x", "x < N"}, {"x < 4"}, {{"N", 5}, {"x", 4}}},
      {{"0 <= N", "0 <= M", "0 <= x", "x < N", "0 <= y", "y < M"},
       {"x + y < 5"},
       {{"M", 1}, {"N", 6}, {"x", 5}, {"y", 0}}},
      {{"0 <= N", "N % 7 == 3"}, {"N % 5 != 4"}, {{"N", 24}}},
      {{"1000 <= N"}, {"N % 4 == 1"}, {{"N", 1000}}},
      {{"0 <= N", "-3 <= x", "x < N"}, {"0 <= x"}, {{"N", 0}, {"x", -1}}},
      {{"0 <= N", "-3 <= x", "x < 0"}, {"N < 0"}, {{"N", 0}, {"x", -1}}},
      {{"0 <= N", "0 <= M", "0 <= x", "x < N * M"}, {"x / M < N - 1"}, {{"M", 1}, {"N", 1}, {"x", 0}}},
      {{"0 <= N", "0 <= M"}, {"N * M < 100"}, {{"M", 10}, {"N", 10}}},
      {{"0 <= N", "1 <= T"}, {"cdiv(N, T) * T == N"}, {{"N", 1}, {"T", 2}}},
      {{"0 <= N", "N <= 2147483647"}, {"N < 1000000"}, {{"N", 1000000}}},
      {{"0 <= N", "0 <= M", "N + M >= 3000"}, {"N < 1", "M < 1000"}, {{"M", 0}, {"N", 3000}}},
  };
  for (const Case &c : cases) {
    Obligation o = parsed(c.hypotheses, c.claims);
    CAPTURE(c.claims[0]);
    Verdict verdict = decide(o);
    CAPTURE(verdict.reason);
    CHECK(verdict.status == Status::refuted);
    CHECK(verdict.model == c.smallest);
  }
}

TEST_CASE("enumeration and Z3 agree on the smallest counterexample") {
  z3::context context;
  using Texts = std::vector<std::string>;
  for (const auto &[hypotheses, claims] :
       {std::pair<Texts, Texts>{{"0 <= N", "0 <= x < N"}, {"x < 4"}},
        {{"0 <= N", "0 <= M", "-4 <= x < N", "0 - x <= y < M"}, {"x + 3 * y < 11"}},
        {{"0 <= N", "0 <= M", "0 <= x < N"}, {"x * 3 != M + 5"}},
        {{"0 <= N", "0 <= x < cdiv(N, 4)", "0 <= y < 4"}, {"x * 4 + y < N or x < 1"}}}) {
    Obligation o = parsed(hypotheses, claims);
    std::string claim = claims[0];
    CAPTURE(claim);
    Enumeration small = enumerate_small(o, 100'000, Deadline());
    CHECK(small.is_smallest);
    auto by_z3 = minimize_with_z3(context, o, std::nullopt, Deadline());
    CHECK(small.model.value() == by_z3.value());
  }
}

TEST_CASE(
    "random obligations: what is proved has no small counterexample, and a refutation shows the smallest") {
  std::mt19937 random(7);
  Prover prover;
  int proved = 0, refuted = 0;
  for (int round = 0; round < 120; ++round) {
    Obligation o = random_obligation(random);
    Verdict verdict = prover.decide(o);
    std::optional<Valuation> smallest = smallest_by_brute_force(o);
    CAPTURE(round);
    proved += verdict.status == Status::proved;
    refuted += verdict.status == Status::refuted;
    if (verdict.status == Status::proved)
      CHECK_FALSE(smallest);
    if (verdict.status == Status::refuted)
      CHECK(violated_claim(o, verdict.model));
    if (verdict.status == Status::refuted && smallest)
      CHECK(verdict.model == *smallest);
  }
  CHECK(proved + refuted > 100);
}

TEST_CASE(
    "all at once: the same verdicts with any number of workers, and what is asked twice is decided once") {
  std::mt19937 random(11);
  std::vector<Obligation> all;
  for (int round = 0; round < 60; ++round)
    all.push_back(random_obligation(random));
  for (std::size_t i = 0; i < 10; ++i)
    all.push_back(Obligation(all[i]));
  std::vector<std::vector<Verdict>> found;
  for (unsigned workers : {1U, 2U, 7U}) {
    use_workers(workers);
    Prover prover;
    found.push_back(prover.decide_all(all));
    CHECK(prover.tally().given == all.size());
    CHECK(prover.tally().decided == all.size());
    Prover behind(&prover);
    CHECK(behind.decide(all[0]).milliseconds == 0); // it is known
    CHECK(prover.tally().decided == all.size() + 1);
  }
  use_workers(1);
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i);
    CHECK(found[0][i].status == Prover().decide(all[i]).status);
    if (i >= 60)
      CHECK(found[0][i].milliseconds == 0);
    for (const std::vector<Verdict> &other : found)
      CHECK(std::tie(other[i].status, other[i].reason, other[i].model) ==
            std::tie(found[0][i].status, found[0][i].reason, found[0][i].model));
  }
}

TEST_CASE(
    "a group in which most are proved by one question: the others have the verdicts that they have alone") {
  std::mt19937 random(5);
  std::vector<Obligation> all;
  std::vector<Verdict> alone;
  for (int others = 0; all.size() < 40;) {
    Obligation o = random_obligation(random);
    Verdict verdict = decide(o);
    if (verdict.status != Status::proved && ++others > 3)
      continue;
    all.push_back(std::move(o));
    alone.push_back(std::move(verdict));
  }
  const std::vector<Verdict> found = Prover().decide_all(all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i);
    CHECK(found[i].status == alone[i].status);
    CHECK(found[i].model == alone[i].model);
  }
}

TEST_CASE("numbers at the edge of 64 bits and beyond are exact") {
  Obligation o = parsed({"0 <= N <= 9223372036854775807"}, {"N + 1 <= 9223372036854775807"});
  Index next = binary(IndexOp::add, variable("N"), constant(1));
  o.claims[0].otherwise = {"the index is ", next};
  CHECK(message(o) == "N = 9223372036854775807: the index is 9223372036854775808");
  CHECK(decide(parsed({"0 <= N < 9223372036854775807"}, {"N + 1 <= 9223372036854775807"})).status ==
        Status::proved);
  CHECK(decide(parsed({"0 <= N <= 3037000499"}, {"N * N <= 9223372036854775807"})).status == Status::proved);
  CHECK(decide(parsed({"0 <= N"}, {"N * N <= 9223372036854775807"})).model == Valuation{{"N", 3037000500}});
}

TEST_CASE("a product of sizes that exceeds 64 bits is refuted with balanced sizes") {
  Obligation o = parsed({"0 <= A <= 2147483647", "0 <= B <= 2147483647", "0 <= C <= 2147483647"},
                        {"A * B * C <= 9223372036854775807"});
  Verdict verdict = decide(o);
  CHECK(verdict.status == Status::refuted);
  CHECK(violated_claim(o, verdict.model));
  for (const char *name : {"A", "B", "C"})
    CHECK(std::abs(verdict.model[name] - 2097152) <= 2); // 2^21 each
}

TEST_CASE("a width that many dimensions exceed is refuted without trying their small indices") {
  std::vector<std::string> hypotheses{"0 <= N <= 2147483647"};
  std::string offset = "0";
  for (int n = 0; n < 12; ++n) {
    const std::string index = "i" + std::to_string(n);
    hypotheses.push_back("0 <= " + index + " < N");
    offset = "(" + offset + ") * N + " + index;
  }
  Obligation o = parsed({}, {offset + " <= 9223372036854775807"});
  o.kind = ObligationKind::width;
  o.hypotheses.clear();
  for (const std::string &hypothesis : hypotheses)
    o.hypotheses.push_back(pred(hypothesis));
  Verdict verdict = decide(o);
  CHECK(verdict.status == Status::refuted);
  CHECK(violated_claim(o, verdict.model));
}

TEST_CASE("a question that nobody can answer is unknown, after so many steps or in the time allowed") {
  Obligation o = parsed({}, {"x * x * x + y * y * y + z * z * z != 114"});
  Verdict timed = Prover(1).decide(o);
  CHECK(timed.status == Status::unknown);
  CHECK(timed.reason == "the 1 ms of --timeout passed");
  Verdict verdict = decide(o);
  CHECK(verdict.status == Status::unknown);
  CHECK(verdict.reason == "Z3 found neither a proof nor a counterexample in the steps it may take");
  auto diagnostic = explain(o, verdict).value();
  CHECK(diagnostic.code == Code::obligation_unknown);
  CHECK(diagnostic.message == "cannot decide whether all is well: " + verdict.reason);
}

TEST_CASE("what depends on a divisor that may be 0 is neither proved nor refuted") {
  Verdict verdict = decide(parsed({"0 <= T", "0 <= x"}, {"x / T <= x"}));
  CHECK(verdict.status == Status::unknown);
  CHECK(verdict.reason == "it may depend on a divisor that is not positive");
  CHECK(decide(parsed({"0 < T", "0 <= x"}, {"x / T <= x"})).status == Status::proved);
  CHECK(decide(parsed({"0 <= T", "0 <= x"}, {"T == 0 or x / T <= x"})).status == Status::proved);
  CHECK(decide(parsed({"0 <= T", "0 <= x", "x / T > 3"}, {"x > 4"})).model == Valuation{{"T", 1}, {"x", 4}});
}

TEST_CASE("where clauses: satisfiable, contradictory, and neither known") {
  auto ask = [](const std::vector<std::string> &where) {
    Obligation o = parsed(where, {});
    return Prover(500).satisfiable(o.hypotheses, o.sizes);
  };
  using enum Satisfiability::Answer;
  const Satisfiability found = ask({"0 <= N", "N >= 1000000", "N % 7 == 3"});
  CHECK(found.answer == yes);
  CHECK(found.values == Valuation{{"N", 1000002}});
  CHECK(ask({"0 <= N", "N < 5", "N > 7"}).answer == no);
  CHECK(ask({"1 <= N", "0 <= M", "N * M < M"}).answer == no);
  CHECK(ask({}).answer == yes);
  CHECK(ask({"X * X * X + Y * Y * Y == Z * Z * Z + 114 * W * W * W", "X > 9", "Y > 9", "Z > 9", "W > 0",
             "X < 2 * W", "Y < 2 * W", "Z * 3 < W"})
            .answer != yes);
}

TEST_CASE("a counterexample is told in the user's names, with the values that matter") {
  Obligation o = parsed({"0 <= N", "0 <= M", "0 <= y < M", "0 <= x < N", "N > 4"}, {"0 <= x + 3 < N + 2"});
  Index column = binary(IndexOp::add, variable("x"), constant(3));
  o.claims[0].otherwise = {"img[y, x + 3] reads column ", column, " of ",
                           binary(IndexOp::add, variable("N"), constant(2))};
  o.notes = {{std::nullopt, "a note"}};
  o.span = {0, 3, 9};
  auto diagnostic = explain(o, decide(o)).value();
  CHECK(diagnostic.message == "N = 5, x = 4: img[y, x + 3] reads column 7 of 7");
  CHECK(diagnostic.code == Code::out_of_bounds);
  CHECK(diagnostic.span->begin == 3);
  CHECK(diagnostic.notes.size() == 1);

  CHECK(message(parsed({"0 <= N", "0 <= x < N"}, {"x < 4"})) ==
        "N = 5, x = 4: it does not hold that all is well");
  CHECK(message(parsed({"0 <= N", "0 <= x < N"}, {"x < N"})).empty());
  Obligation closed = parsed({}, {"3 < 2"});
  closed.claims[0].otherwise = {"3 is not below 2"};
  CHECK(message(closed) == "3 is not below 2");
}

TEST_CASE("of several claims the first that fails is told") {
  Obligation o = parsed({"0 <= N", "0 <= x < N"}, {"0 <= x", "x < 2", "x < 1"});
  for (std::size_t i = 0; i < o.claims.size(); ++i)
    o.claims[i].otherwise = {"claim " + std::to_string(i) + " fails"};
  CHECK(message(o) == "N = 2, x = 1: claim 2 fails");
}

TEST_CASE("a formula is asked once, whatever it is called") {
  Prover prover(300);
  Obligation o = parsed({}, {"x * x * x + y * y * y + z * z * z != 114"}); // takes all the time there is
  Verdict first = prover.decide(o);
  o.kernel = o.what = "another";
  Verdict second = prover.decide(o);
  CHECK(second.status == first.status);
  CHECK(second.reason == first.reason);
  CHECK(second.milliseconds < first.milliseconds / 2);
}

TEST_CASE("ids, rows, the table and JSON") {
  Sources sources;
  sources.add({"a.atl", "kernel\nblur"});
  std::vector<Obligation> obligations{parsed({"0 <= x < N"}, {"x < N"}), parsed({"0 <= x < N"}, {"x < 4"}),
                                      parsed({}, {"1 < 2"})};
  obligations[1].span = {0, 7, 11};
  obligations[2].kind = ObligationKind::width;
  CHECK(obligation_ids(obligations) == std::vector<std::string>{"k.bounds.1", "k.bounds.2", "k.width.1"});
  std::vector<ObligationRow> rows;
  for (const Obligation &o : obligations)
    rows.push_back(make_row(obligation_ids(obligations)[rows.size()], o, decide(o), sources));
  rows[0].ms = 1.23456;
  rows[1].ms = 12;
  rows[2].ms = 0;
  CHECK(table(rows) == "obligation  where      result   prover     ms  claim\n"
                       "k.bounds.1  a.atl:1:1  proved   z3       1.23  all is well\n"
                       "k.bounds.2  a.atl:2:1  refuted  z3      12.00  all is well\n"
                       "k.width.1   a.atl:1:1  proved   z3       0.00  all is well\n"
                       "3 obligations: 2 proved, 1 refuted, 0 unknown, 13.2 ms\n");
  CHECK(to_json(rows[0]).dump() ==
        R"({"id":"k.bounds.1","kind":"bounds","where":"a.atl:1:1","what":"all is well",)"
        R"("result":"proved","prover":"z3","ms":1.235})");
  CHECK(to_json(rows).size() == 3);
}

} // namespace atl::proofs_test
