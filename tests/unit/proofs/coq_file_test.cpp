// Exported Coq files: what is in them. That coqc accepts them is tested in tests/proofs.
#include "cbackend/host/temp_folder.h"
#include "driver/commands/theorems.h"
#include "proofs/reader/coq/theorem.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>

namespace atl::coq_file_test {

namespace {

using Text = std::variant<std::string, proofs::coq::Unsupported>;

driver::Compilation compiled(const std::string &program, const std::string &name = "program.atl") {
  auto folder = cbackend::TempFolder::create(std::filesystem::temp_directory_path());
  REQUIRE(folder);
  std::filesystem::path file = folder->path() / name;
  std::ofstream(file) << program;
  proofs::Prover prover;
  driver::Compilation c = driver::compile(file, prover);
  REQUIRE(c.ok());
  return c;
}

// The file of the last kernel of a program: under its last schedule, if there is one.
Text exported(const std::string &program, const std::string &name = "program.atl") {
  const driver::Compilation c = compiled(program, name);
  return driver::theorem_text(c.kernels.back(), c, "theorem");
}

// With what it is about.
struct Exported {
  std::string text;
  driver::Compiled kernel;

  Result<std::vector<std::string>> read(const std::string &changed) const {
    return proofs::reader::read_theorem(changed, {kernel.algorithm, *kernel.loops, kernel.example}, 0);
  }
};
Exported exported_whole(const std::string &program) {
  driver::Compilation c = compiled(program);
  std::string text = std::get<std::string>(driver::theorem_text(c.kernels.back(), c, "theorem"));
  return {std::move(text), std::move(c.kernels.back())};
}

// A place behind some text, and what stands there instead: each such change is refused.
using Changes = std::vector<std::pair<std::string, std::string>>;
void refuses(const Exported &e, const std::string &behind, const Changes &changes) {
  CHECK(e.read(e.text));
  const std::size_t begin = e.text.find(behind);
  REQUIRE(begin != std::string::npos);
  for (const auto &change : changes) {
    CAPTURE(change.first);
    CAPTURE(change.second);
    const std::size_t place = e.text.find(change.first, begin);
    REQUIRE(place != std::string::npos);
    std::string changed = e.text;
    changed.replace(place, change.first.size(), change.second);
    const auto read = e.read(changed);
    REQUIRE(!read);
    CHECK(read.errors()[0].code == Code::theorem_differs);
    CHECK(read.errors()[0].span);
  }
}

void has(const Text &text, const std::vector<std::string> &parts,
         const std::vector<std::string> &not_these = {}) {
  REQUIRE(std::holds_alternative<std::string>(text));
  const std::string &whole = std::get<std::string>(text);
  CAPTURE(whole);
  for (const std::string &part : parts) {
    CAPTURE(part);
    CHECK(whole.find(part) != std::string::npos);
  }
  for (const std::string &part : not_these) {
    CAPTURE(part);
    CHECK(whole.find(part) == std::string::npos);
  }
}

const std::string dots = R"(
kernel dots(M: size, K: size, A: f32[M, K], B: f32[M, K]) -> f32[M] rounding reorder {
  gen i < M { sum k < K { A[i, k] * B[i, k] } }
}
)";

} // namespace

TEST_CASE("coq file: a definition for each tensor, and its prophecy") {
  has(exported(R"(
kernel blur(N: size, img: f32[N + 2]) -> f32[N] {
  let thirds = gen x < N + 2 { img[x] / 3.0 };
  gen x < N { thirds[x] + thirds[x + 1] + thirds[x + 2] }
}
schedule tiles for blur { split x by 32; compute thirds at x.o; }
)"),
      {"Definition alg_thirds : expr", "Definition alg_out : expr", "Definition sched_thirds : expr",
       "(\"thirds\", Some (Holds [", "bind_right t_thirds t_thirds_is.", "foretold_with prophecies.",
       "Theorem correct {S : Scalars} : compiled addresses sizes inputs outputs alg nest."},
      {"renumberings", "law_1"});
}

TEST_CASE("coq file: memories made of rows are not filled in vectors, as registers are") {
  has(exported(R"(
import "gemmini.atl";
kernel copied(N: size, A: i8[N, 16]) -> i8[N, 16] { gen i < N, j < 16 { A[i, j] } }
schedule mapped for copied {
  map all with gemmini;
  split i by 16;
  stage A at i.o as a;
  store a in spad;
}
)"),
      {"Definition registers : list string := [].", "(\"a\", Some"});
}

TEST_CASE("coq file: a reduction in the same order needs no law") {
  has(exported(dots + "schedule blocks for dots { split k by 8; }"),
      {"(\"out\", [Renumbered [\"i\"] None true", "renumbered_with renumberings."}, {"law_1"});
}

TEST_CASE("coq file: the laws that a schedule used are hypotheses of the theorem") {
  std::string commutes = "(law_1 : commutes \"+.f32\")";
  has(exported(dots + "schedule strided for dots { split k by 8; reorder k.i, k.o; }"),
      {"None false", "Theorem correct {S : Scalars} " + commutes + " : compiled"}, {"associates"});
  has(exported(dots + "schedule partial for dots { split k by 8; rfactor k.i as part; }"),
      {"(Some \"f32:0.0\") false",
       commutes + " (law_2 : associates \"+.f32\") (law_3 : has_unit \"+.f32\" \"f32:0.0\")"});
  has(exported(R"(
kernel delay(N: size, M: size, c: f32[M]) -> f32[N] rounding reorder, zeros {
  let filter = gen k < N + M { [k == M + 1] 1.0 };
  gen i < N { sum j < M { [0 <= i - j] filter[i - j + M - 1] * c[j] } }
}
schedule read for delay { inline filter; collapse j; simplify; }
)"),
      {"Renumbered [\"i\"] None true",
       "(law_2 : has_left_unit \"+.f32\" \"f32:0.0\") (law_3 : absorbs \"*.f32\" \"f32:0.0\")"},
      {"commutes"});
}

TEST_CASE("coq file: a factor that was taken out of a sum") {
  has(exported(R"(
kernel weigh(N: size, s: u16, x: u16[N, N]) -> u16[N] { gen i < N { sum k < N { s * x[i, k] } } }
schedule once for weigh { factor k; }
)"),
      {"(law_1 : distributes \"*.u16\" \"+.u16\") (law_2 : absorbs \"*.u16\" \"u16:0\")"}, {"commutes"});
}

TEST_CASE("coq file: obligations have their names; those about products name the facts that they need") {
  has(exported(R"(
kernel rows(N: size, M: size, x: f32[N * M], y: f32[N + 1]) -> f32[N, M] {
  gen i < N, j < M { x[i * M + j] + y[i + 1] }
}
)"),
      {"program.atl:3:22: x[i * M + j] is inside x *)\n  Lemma bounds_1 : forall i j : Z,",
       R"(Proof. intros i j. about_products.
    - fact (Obligations.product M i). by_facts.
    - fact (Obligations.product ((N - i) - 1) M). by_facts.
  Qed.)",
       "program.atl:3:37: y[i + 1] is inside y *)", // of j nothing is needed
       "Lemma bounds_2 : forall i : Z,\n    0 <= i -> i < N -> 0 <= (i + 1) /\\ (i + 1) < (N + 1).\n"
       "  Proof. obligation. Qed."},
      {"other means"});
}

TEST_CASE("coq file: an obligation that is the same as another but for names is it") {
  has(exported(R"(
kernel twice(N: size, x: f32[N + 1]) -> f32[N] {
  let y = gen j < N { x[j + 1] };
  gen i < N { x[i + 1] + y[i] }
}
)"),
      {"Lemma bounds_1 : forall j : Z,", "Definition bounds_2 := bounds_1."});
}

TEST_CASE("coq file: rows that lie over each other") {
  has(exported(R"(
kernel copy(N: size, x: f32[N]) -> f32[N] where N >= 4 { gen i < N { x[i] } }
schedule shifted for copy { split i by 4 tail shift; }
)"),
      {"(Reshape overlap [(Var \"N\")]"});
}

TEST_CASE("coq file: a program that the library has no form for") {
  Text text = exported(R"(
kernel sums(N: size, x: f32[N, N, N]) -> f32[N] { max i < N { sum j < N { gen k < N { x[i, j, k] } } } }
)");
  REQUIRE(std::holds_alternative<proofs::coq::Unsupported>(text));
  CHECK(std::get<proofs::coq::Unsupported>(text).what ==
        "a reduction of tensors inside a reduction of another kind");
}

TEST_CASE("coq file: names of files are no commands") {
  const Text text = exported(dots, "a*)Axiom no:False.(*\"b\x1b\n.atl");
  has(text, {"a* )Axiom no:False.( *'b\\x1b"}, {"a*)", "(*\"", "\x1b"});
}

TEST_CASE("reader of theorems: sizes may be called as constructors of the library are") {
  const Exported e = exported_whole("kernel f(Max: size, Some: size, x: f32[Max, Some]) -> f32[Max] {"
                                    " gen i < Max { sum j < Some { x[i, j] } } }");
  CHECK(e.text.find("Variables Max Some_ : Z.") != std::string::npos);
  CHECK(e.read(e.text));
  const Exported pointed =
      exported_whole("kernel f(a.b: size, a_b: size, x: f32[a.b, a_b]) -> f32[a.b, a_b] { x }");
  CHECK(pointed.text.find("Variables a'b a_b : Z.") != std::string::npos);
  CHECK(pointed.read(pointed.text));
}

TEST_CASE("reader of theorems: the laws that the theorem assumes") {
  const Exported e =
      exported_whole(dots + "schedule parts for dots { split k by 8 tail cut; rfactor k.i as part; }");
  const auto laws = e.read(e.text);
  REQUIRE(laws);
  CHECK(*laws == std::vector<std::string>{"commutes \"+.f32\"", "associates \"+.f32\"",
                                          "has_unit \"+.f32\" \"f32:0.0\""});
}

TEST_CASE("reader of theorems: what the file says is what the loop nest says, to the letter") {
  const Exported e = exported_whole(R"(
kernel sums(N: size, M: size, A: f32[N, M], B: f32[N, M]) -> f32[N] where M >= 2 {
  gen i < N { sum j < M { [i <= j] (A[i, j] * 0.5 + B[i, j] * 0.25) } }
}
schedule rows for sums { parallel i; }
)");
  refuses(e, "Definition nest",
          {
              {"SFor Parallel", "SFor Sequential"},
              {"SFor Parallel \"i\" (Lit 0)", "SFor Parallel \"i\" (Lit 1)"},
              {"SIf (Le ", "SIf (Lt "},
              {"f32:0.5", "f32:0.25"},
              {"f32:0.5", "f64:0.5"},
              {"\"*.f32\"", "\"+.f32\""},
              {"(Some \"+.f32\")", "None"},
              {"Get \"A\"", "Get \"B\""},
              {"(Var \"i\"); (Var \"j\")", "(Var \"j\"); (Var \"i\")"},
              {"SFor Sequential", "SFor Vectorized"},
              {"given1 : N >= 0", "given1 : N >= 1"},
              {"given5 : M >= 2", "given5 : M > 2"},
              {"Hypothesis given2", "Hypothesis more : N = 0.\n  Hypothesis given2"},
              {"[(\"N\", N); (\"M\", M)]", "[(\"N\", N); (\"M\", N)]"},
              {"[(\"N\", N); (\"M\", M)]", "[(\"N\", M); (\"M\", N)]"},
              {"Some [N; M]", "Some [M; N]"},
              {"(\"A\", 4)", "(\"A\", 8)"},
              {"(\"A\", 4); ", ""},
              {"(\"A\", 4); ", "(\"A\", 4); (\"C\", 4); "},
              {"  [].", "  [(Var \"j\")]."},
              {"compiled addresses", "compiled (Addressing [] [])"},
              {"Section Sizes.", "Section Sizes.\n  Axiom false : False."},
              {"Section Sizes.", "Section Sizes.\n  Definition compiled := True."},
              {"Section Sizes.", "Section Sizes.\n  Notation \"a + b\" := (Z.sub a b)."},
              {"compiled addresses sizes inputs outputs alg nest.\n", "True.\n"},
              {"compiled addresses sizes inputs outputs alg nest.\n",
               "compiled addresses sizes inputs outputs alg (block []).\n"},
              {"{S : Scalars} : compiled", "{S : Scalars} (law_1 : False) : compiled"},
              {"{S : Scalars} : compiled", "{S : Scalars} (law_1 : commutes \"+.f32\" -> False) : compiled"},
              {"{S : Scalars} : compiled", "{S : Scalars} {B : False} : compiled"},
              {"Hypothesis given1", "Hypothesis compiled"},
              {"Proof. obligation. Qed.",
               "Proof. Abort.\n  Definition compiled := True.\n  Lemma a : True.\n  Proof. auto. Qed."},
              {"Proof. obligation. Qed.", "Proof. - Admitted. Qed."},
              {"Print Assumptions correct.", "Print Assumptions in_bounds."},
              {"Definition nest : stmt", "(* Definition nest : stmt := block []. *) Definition net : stmt"},
          });
}

TEST_CASE("reader of theorems: the algorithm is the kernel as it was checked, to the letter") {
  const Exported e = exported_whole(R"(
kernel parts(N: size, M: size, A: f32[N, M], B: u8[N], s: f32) -> (one: f32[N], other: f32[M + 2, N]) where M >= 1 {
  let scaled = gen i < N, j < M { [i <= j] (A[i, j] * s) };
  let top = max i < N { scaled[i, 0] };
  (gen parallel i < N {
     let inner = gen k < M { scaled[i, k] + f32(k + 1) };
     select(i < 7, sum k < M { inner[k] }, f32(B[i]) / 2.0 - top) },
   padr 1 concat(gen i < 1 { gen j < N { f32(sat_u8(A[j, 0])) } }, transpose A))
}
)");
  refuses(e, "Definition alg",
          {
              {"Get \"A\" [(Var \"i\"); (Var \"j\")]", "Get \"A\" [(Var \"j\"); (Var \"i\")]"},
              {"Get \"A\" [(Var \"i\"); (Var \"j\")]", "Get \"scaled\" [(Var \"i\"); (Var \"j\")]"},
              {"Guard (Le ", "Guard (Lt "},
              {"\"*.f32\"", "\"+.f32\""},
              {"Gen Sequential", "Gen Vectorized"},
              {"Gen Parallel \"i\"", "Gen Sequential \"i\""},
              {"Gen Sequential \"i\" (Lit 0)", "Gen Sequential \"i\" (Lit 1)"},
              {"Gen Sequential \"i\" (Lit 0) (Var \"N\")", "Gen Sequential \"i\" (Lit 0) (Var \"M\")"},
              {"Sum \"max.f32\"", "Sum \"min.f32\""},
              {"Sum \"+.f32\"", "Sum \"max.f32\""},
              {"\"f32:2.0\"", "\"f32:3.0\""},
              {"\"f32:-inf\"", "\"f32:0.0\""},
              {"wrap.f32.u8", "saturate.f32.u8"},
              {"saturate.u8.f32", "wrap.u8.f32"},
              {"OfZ \"f32\" (Add ", "OfZ \"f32\" (Sub "},
              {"(If (Lt ", "(If (Le "},
              {"Let \"inner\"", "Let \"other\""},
              {"(PLet \"scaled\" (Some \"f32:0.0\")", "(PLet \"scaled\" (Some \"f32:1.0\")"},
              {"(PLet \"scaled\" (Some \"f32:0.0\")", "(PLet \"scaled\" None"},
              {"(PLet \"top\"", "(PLet \"scaled\""},
              {"(\"one\", ", "(\"two\", "},
              {"alg_one)", "alg_other)"},
              {"Reshape transpose []", "Reshape flatten []"},
              {"\"i1\" (Lit 0) (Var \"M\")", "\"i1\" (Lit 0) (Var \"N\")"},
              {"Reshape padr [(Lit 1)]", "Reshape padr [(Lit 2)]"},
              {"Reshape padr", "Reshape padl"},
              {"Definition alg :", "Definition rest : program := Outputs [].\nDefinition other :"},
              {"Definition alg_scaled", "Definition padr : reshape := padl.\nDefinition alg_scaled"},
              {"Definition alg_scaled", "Definition Guard (p : prd) (e : expr) := e.\nDefinition alg_scaled"},
          });
}

TEST_CASE("reader of theorems: numbers that belong to operators, and reductions inside others") {
  const Exported e = exported_whole(R"(
kernel turned(N: size, M: size, A: i32[N, M, 4]) -> (one: i32[4, N, M], two: i32) {
  (raise 2 A, max i < N { 1 + sum j < M { A[i, j, 0] } })
}
)");
  refuses(e, "Definition alg",
          {
              {"(raise 2%nat) []", "(raise 1%nat) []"},
              {"(raise 2%nat) []", "(sink 2%nat) []"},
              {"(raise 2%nat) []", "(raise 2%nat) [(Lit 2)]"},
              {"(Cell \"i32:0\"", "(Cell \"i32:1\""},
              {"i32:-2147483648", "i32:0"},
          });
}

TEST_CASE("reader of theorems: two temporaries of one name in an algorithm, of different types") {
  const Exported e =
      exported_whole("kernel steps(N: size, M: size, x: u8[N, M]) -> (same: u8[N, M], peaks: i32[M]) {\n"
                     "  (gen n < N { let t = gen k < M { x[n, k] }; gen j < M { t[j] + x[n, j] } },\n"
                     "   gen j < M { let t = gen n < N { i32(x[n, j]) }; max n < N { t[n] } })\n"
                     "}\n");
  CHECK(e.read(e.text));
  has(e.text, {"(Let \"t\" (Some \"u8:0\") alg_t\n", "(Let \"t\" (Some \"i32:0\") alg_t'2"});
}

TEST_CASE("reader of theorems: the sizes that satisfy what is given") {
  const std::string program =
      "kernel f(N: size, M: size, x: f32[N]) -> f32[N] where N >= 3, M < N { gen i < N { x[i] } }";
  refuses(exported_whole(program), "Lemma satisfied",
          {
              {"exists N M", "exists M N"},
              {"exists N M : Z,\n  (N >= 0) /\\\n", "exists N M : Z,\n"},
              {"(N >= 0)", "(N >= 1)"},
              {"(N >= 3)", "(N >= 2)"},
              {"(M < N)", "True"},
              {"/\\\n  (M < N)", ""},
              {"(N >= 0) /\\", "(N >= 0) \\/"},
              {"exists (3), (0)", "exists (4), (0)"},
              {"exists (3), (0)", "exists (3), (0), (0)"},
              {"exists (3), (0). ", ""},
              {"Lemma satisfied", "Lemma satisfies"},
          });
  refuses(exported_whole("kernel f(x: f32[2]) -> f32[2] { x }"), "Lemma satisfied", {{"True", "False"}});
}

TEST_CASE("coq file: sizes that satisfy what is given of them, from the program or from Z3") {
  const std::string size = "kernel f(N: size, M: size, x: f32[N]) -> f32[N]",
                    body = " { gen i < N { x[i] } }";
  has(exported(size + " where N >= 3, M < N such as M = 4, N = 7" + body),
      {"Lemma satisfied : exists N M : Z,\n  (N >= 0) /\\",
       "(M < N).\nProof. exists (7), (4). by_computation. Qed."});
  has(exported(size + " where N >= 3, M > N" + body), {"exists (3), (4). by_computation."});
  has(exported(size + body), {"exists (0), (0). by_computation."});
  has(exported(size + " where N >= 3, N <= 4096 such as N = 5, M = 0" + body +
               "schedule s for f { specialize when N > 4000; split i by 8; }"),
      {"exists (5), (0). by_computation."});
  has(exported("kernel f(x: f32[2]) -> f32[2] { x }"),
      {"Lemma satisfied : True.\nProof. by_computation. Qed."});
}

// A program that is found first in PATH, while this lives.
class InPath {
public:
  InPath(const std::filesystem::path &folder, const std::string &name, const std::string &script) {
    std::ofstream(folder / name) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
    ::setenv("PATH", (folder.string() + ":" + before_).c_str(), 1);
  }
  ~InPath() { ::setenv("PATH", before_.c_str(), 1); }
  InPath(const InPath &) = delete;
  InPath &operator=(const InPath &) = delete;

private:
  std::string before_ = std::getenv("PATH");
};

TEST_CASE("coq: a theorem that is not written in the time of --timeout is an error, and leaves no file") {
  auto folder = cbackend::TempFolder::create(std::filesystem::temp_directory_path());
  REQUIRE(folder);
  std::ofstream(folder->path() / "Exported.vo").flush();
  const InPath coqc(folder->path(), "coqc", "echo 8.16.1 4.13.1");
  const driver::Compilation c = compiled("kernel k(N: size, M: size, x: f32[N, M]) -> f32[N, M] {\n"
                                         "  gen i < N, j < M { x[i, j] + x[i, j] * 2.0 }\n}\n"
                                         "schedule s for k { tile i by 4, j by 8; }\n");
  driver::ProveOptions options;
  options.folder = folder->path() / "proofs";
  options.coq_library = folder->path();
  options.cache = "";
  options.timeout_ms = 0;
  std::filesystem::create_directory(options.folder);
  const auto rows = driver::prove_theorems({&c.kernels.back()}, c, options);
  REQUIRE(!rows);
  CHECK(code_name(rows.errors()[0].code) == "E8010");
  CHECK(rows.errors()[0].message == "writing the theorem of k_s did not end within the 0 ms of --timeout");
  CHECK(std::filesystem::is_empty(options.folder));
}

} // namespace atl::coq_file_test
