// The SMT-LIB export, read back by the z3 program.
#include "tests/unit/proofs/proofs_cases.h"

#include "proofs/discharge.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace atl::proofs_smtlib_test {

using namespace atl::proofs;
using namespace atl::proofs_cases;

namespace {

Sources one_file() {
  Sources sources;
  sources.add({"a.atl", "kernel k"});
  return sources;
}

std::string export_of(const Obligation &obligation) {
  return to_smtlib(obligation, one_file());
}

// What z3 prints, without the last newline.
std::string answer_of_z3(const std::string &script) {
  auto file = std::filesystem::temp_directory_path() /
              ("atl_smtlib_" + std::to_string(std::hash<std::string>()(script)) + ".smt2");
  std::ofstream(file) << script;
  std::string printed;
  if (FILE *pipe = popen(("z3 -T:20 " + file.string() + " 2>&1").c_str(), "r")) {
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe))
      printed += static_cast<char>(c);
    pclose(pipe);
  }
  std::filesystem::remove(file);
  if (!printed.empty() && printed.back() == '\n')
    printed.pop_back();
  return printed;
}

bool z3_program_missing() {
  bool missing = answer_of_z3("(check-sat)") != "sat";
  if (missing)
    MESSAGE("the z3 program is not installed: skipped");
  return missing;
}

} // namespace

TEST_CASE("an exported obligation is a script a person can read") {
  Obligation o = parsed({"0 <= x < N", "x % 4 == 0"}, {"x / 4 < cdiv(N, 4)", "min(x, 3) <= x"});
  o.what = "x / 4 is\ninside";
  CHECK(export_of(o) == R"(; bounds: x / 4 is inside
; kernel k, a.atl:1:1
; expected answer: unsat (no values make a claim false)
(set-info :smt-lib-version 2.6)
(set-logic QF_NIA)
(declare-const N Int)
(declare-const x Int)
; divisors are positive (an obligation of its own): div and mod are floor division and its remainder
(define-fun q!1 () Int (div x 4))
(define-fun r!2 () Int (mod x 4))
(define-fun q!3 () Int (div (- (+ N 4) 1) 4))
(define-fun r!4 () Int (mod (- (+ N 4) 1) 4))
(define-fun m!5 () Int (ite (<= x 3) x 3))
; hypotheses
; 0 <= x and x < N
(assert (and (<= 0 x) (< x N)))
; x % 4 == 0
(assert (= r!2 0))
; not all claims
; x / 4 < cdiv(N, 4) and min(x, 3) <= x
(assert (not (and (< q!1 q!3) (<= m!5 x))))
(check-sat)
)");
}

TEST_CASE("linear obligations are in QF_LIA") {
  Obligation o = parsed({"0 <= x < N"}, {"4 * x <= 4 * N"});
  CHECK(export_of(o).find("(set-logic QF_LIA)") != std::string::npos);
}

TEST_CASE("z3 finds every exported family unsatisfiable") {
  if (z3_program_missing())
    return;
  for (const Family &family : families()) {
    CAPTURE(family.name);
    CHECK(answer_of_z3(export_of(family.obligation)) == "unsat");
  }
}

TEST_CASE("z3 and the prover agree about exported random obligations") {
  if (z3_program_missing())
    return;
  std::mt19937 random(11);
  Prover prover;
  for (int round = 0; round < 15; ++round) {
    Obligation o = random_obligation(random);
    Verdict verdict = prover.decide(o);
    std::string answer = answer_of_z3(export_of(o));
    CAPTURE(export_of(o));
    CHECK((answer == "sat" || answer == "unsat" || answer == "unknown" || answer == "timeout"));
    if (verdict.status == Verdict::Status::refuted)
      CHECK(answer != "unsat");
    if (verdict.status == Verdict::Status::proved)
      CHECK(answer != "sat");
  }
}

TEST_CASE("names that mean something in SMT-LIB are still names") {
  Obligation o = parsed({}, {"1 < 2"});
  for (const char *name :
       {"div",    "mod", "abs", "and",    "let", "Int", "true", "select", "store",   "concat",
        "re.all", "x'",  "y.o", "assert", "_x",  "x_",  "N",    "bvadd",  "str.len", "_"}) {
    o.variables.push_back(name);
    o.hypotheses.push_back(compare(PredOp::eq, variable(name), constant(INT64_MIN)));
  }
  o.claims = {{compare(PredOp::eq, variable("div"), variable("y.o")), {}}};
  CHECK(export_of(o).find("(assert (= |div | (- 9223372036854775808)))") != std::string::npos);
  if (!z3_program_missing())
    CHECK(answer_of_z3(export_of(o)) == "unsat");
}

} // namespace atl::proofs_smtlib_test
