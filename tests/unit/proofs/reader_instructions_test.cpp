// The reader of emitted C: functions of instructions, word by word from the texts of a hardware description.
#include "lowering/nest/run_loops.h"
#include "proofs/reader/template.h"
#include "tests/support/c_mutants.h"
#include "tests/support/mapped.h"

#include <algorithm>

namespace atl::reader_instructions_test {

using testing::asked;
using testing::check_mutants;
using testing::emitted;

namespace {

const std::string vectors = R"atl(
hardware tiny {
  header "tiny.h"; available "defined(TINY)"; prefetch "fetch({address})";
  memory v 8 { f32 "vec"; }
  instr all(s: f32) -> f32[4] @ v c "all({s})" { gen i < 4 { s } }
  instr load(x: f32[4]) -> f32[4] @ v c "load((const void *)({x}))" { gen i < 4 { x[i] } }
  instr load_n(n: size, x: f32[n]) -> f32[4] @ v where n <= 4 c "load_n((unsigned)({n}), {x})" { gen i < 4 { [i < n] x[i] } }
  instr store(x: f32[4] @ v) -> f32[4] c "__extension__({ store({out}, {x}); })" { gen i < 4 { x[i] } }
  instr store_n(n: size, x: f32[4] @ v) -> f32[n] where n <= 4 c "store_n({out}, {n}, {x})" { gen i < n { x[i] } }
  instr keep(n: size, x: f32[4] @ v, d: f32[4] @ v) -> f32[4] @ v where n <= 4 c "keep({n}, {x}, {d})"
  { gen i < 4 { select(i < n, x[i], d[i]) } }
  instr add(x: f32[4] @ v, y: f32[4] @ v) -> f32[4] @ v c "{x} + {y}" { gen i < 4 { x[i] + y[i] } }
  instr mul(x: f32[4] @ v, y: f32[4] @ v) -> f32[4] @ v c "mul({x}, {y})" { gen i < 4 { x[i] * y[i] } }
}
)atl";

const std::string past_caches = R"atl(
hardware stream {
  header "stream.h"; available "defined(STREAM)"; finish "fence();";
  memory v 8 { f32 "vec"; }
  instr load(x: f32[4]) -> f32[4] @ v c "load({x})" { gen i < 4 { x[i] } }
  instr store(x: f32[4] @ v) -> f32[4] aligned 16 c "store({out}, {x})" { gen i < 4 { x[i] } }
}
)atl";

const std::string rows = R"atl(
hardware little {
  header "little.h"; available "defined(LITTLE)";
  memory local 64 rows of 4 at 0 { f32 "int"; }
  begin "little_flush(0); little_wait();"; finish "little_wait();";
  config source(stride: size) c "little_stride({stride});";
  instr load(r: size, c: size, x: f32[r, c]) -> f32[r, c] @ local where r <= 4, c <= 4
    needs source(x.stride) c "little_load({x}, {out}, {r}, {c});" { gen i < r, j < c { x[i, j] } }
  instr total(r: size, c: size, x: f32[r, c] @ local, y: f32[r, c] @ local) -> f32[r, c] where r <= 4, c <= 4
    c "little_total({out}, {x}, {y}); little_end({r}, {c});" { gen i < r, j < c { x[i, j] + y[i, j] } }
}
)atl";

lowering::LoopKernel mapped(const std::string &hardware, const std::string &kernel, Requests wanted = {}) {
  return testing::mapped(hardware + kernel, std::move(wanted));
}

// Changes that no list of mistakes has.
void refuses(const lowering::LoopKernel &kernel, const std::string &from, const std::string &to) {
  proofs::reader::Emitted wrong = emitted({kernel});
  const std::size_t begin = wrong.source.find("#if defined("), at = wrong.source.find(from, begin);
  REQUIRE_MESSAGE(at != std::string::npos, from, " in ", wrong.source);
  CHECK(read_back(wrong, {kernel}).differences.empty());
  wrong.source.replace(at, from.size(), to);
  CHECK_MESSAGE(!read_back(wrong, {kernel}).differences.empty(), to);
}

} // namespace

TEST_CASE("reader: instructions on registers, with masks and partial sums") {
  CHECK(check_mutants({mapped(vectors, R"(
kernel sums(N: size, K: size, A: f32[K], B: f32[K, N]) -> f32[4] where N <= 4 {
  let acc @ v = sum k < K { gen vectorized l < 4 { [l < N] (A[k] * B[k, l]) } };
  gen vectorized l < 4 { acc[l] }
}
)")},
                      "static int sums_tiny(") > 300);
}

TEST_CASE("reader: instructions under a condition, and a size that has a name") {
  CHECK(check_mutants({mapped(vectors, R"(
kernel shifted(N: size, R: size, A: f32[N]) -> f32[N + R, 4 * cdiv(N, 4)] {
  gen y < N + R { flatten gen xo < cdiv(N, 4) { gen vectorized x < 4 { [R <= y and xo * 4 + x < N] (A[xo * 4 + x] + A[xo * 4 + x]) } } }
}
)")},
                      "static int shifted_tiny(") > 300);
}

TEST_CASE("reader: registers of one tensor, each at its place") {
  CHECK(check_mutants({mapped(vectors, R"(
kernel two(K: size, A: f32[2, K], B: f32[K, 4]) -> f32[2, 4] {
  let acc @ v = sum k < K { gen unrolled i < 2 { gen vectorized l < 4 { A[i, k] * B[k, l] } } };
  gen unrolled i < 2 { gen vectorized l < 4 { acc[i, l] } }
}
)")},
                      "static int two_tiny(") > 300);
}

TEST_CASE("reader: fences for other threads, and where tensors begin that instructions want aligned") {
  const lowering::LoopKernel kernel = mapped(past_caches, R"(
kernel copies(N: size, M: size, A: f32[N + 3, 4 * M + 4]) -> f32[N, 4 * M] {
  let t = gen y < N + 2 { flatten gen i < M { gen vectorized x < 4 { A[y, 4 * i + x] } } };
  let u = gen parallel y < N + 1 { flatten gen parallel i < M { gen vectorized x < 4 { t[y, 4 * i + x] } } };
  gen y < N { flatten gen i < M { gen vectorized x < 4 { u[y + 1, 4 * i + x] } } }
}
)");
  CHECK(kernel.aligned == std::map<std::string, std::int64_t>{{"out", 16}});
  CHECK(kernel.aligns_temporaries);
  CHECK(lowering::print_mapped(kernel) ==
        R"(kernel copies(N: size, M: size, in A: f32[N + 3, 4 * M + 4], out out: f32[N, 4 * M])
  assume N >= 0
  assume N <= 2147483647
  assume M >= 0
  assume M <= 2147483647
{
  heap t: f32[N + 2, M * 4] {
    for (y = 0; y < N + 2; y++) {
      for (i = 0; i < M; i++) {
        store(out: t[y, i * 4]..., x: load(x: A[y, i * 4]...));
      }
    }
    heap u: f32[N + 1, M * 4] {
      fence;
      for parallel (y = 0; y < N + 1; y++) {
        for parallel (i = 0; i < M; i++) {
          store(out: u[y, i * 4]..., x: load(x: t[y, i * 4]...));
          fence;
        }
      }
      for (y = 0; y < N; y++) {
        for (i = 0; i < M; i++) {
          store(out: out[y, i * 4]..., x: load(x: u[y + 1, i * 4]...));
        }
      }
    }
  }
}
)");
  CHECK(check_mutants({kernel}, "static int copies_stream(") > 300);
  refuses(kernel, "fence();\n  #ifdef", "#ifdef");
  refuses(kernel, "      fence();\n", "");
  refuses(kernel, "fence();\n  free", "free");
  refuses(kernel, " && __STDC_VERSION__ >= 201112L", "");
  refuses(kernel, "(uintptr_t)out % 16 == 0", "(uintptr_t)out % 8 == 0");
  refuses(kernel, "if ((uintptr_t)out % 16 == 0)", "");
}

TEST_CASE("reader: a loop that may not run leaves stores for other threads without a fence") {
  const lowering::LoopKernel kernel = mapped(past_caches, R"(
kernel passes(N: size, M: size, K: size, A: f32[N, 4 * M]) -> (last: f32[N, 4 * M], all: f32[K, N, 4 * M]) {
  let t = gen y < N { flatten gen i < M { gen vectorized x < 4 { A[y, 4 * i + x] } } };
  let u = gen k < K { gen parallel y < N { flatten gen i < M { gen vectorized x < 4 { A[y, 4 * i + x] } } } };
  (gen parallel z < N { flatten gen i < M { gen vectorized x < 4 { t[z, 4 * i + x] } } },
   gen k < K, y < N { flatten gen i < M { gen vectorized x < 4 { u[k, y, 4 * i + x] } } })
}
)");
  CHECK(testing::instructions(kernel).find("fence;\n      for parallel (z = 0;") != std::string::npos);
}

TEST_CASE("reader: instructions on blocks of rows, with configuration") {
  CHECK(check_mutants({mapped(rows, R"(
kernel both(M: size, N: size, P: size, A: f32[4 * M, N], B: f32[4 * M, P]) -> f32[M, 4, 4] where N >= 4, P >= 4 {
  gen t < M {
    let a @ local = gen r < 4, c < 4 { A[t * 4 + r, c] };
    let b @ local = gen r < 4, c < 4 { B[t * 4 + r, c] };
    gen r < 4, c < 4 { a[r, c] + b[r, c] }
  }
}
)")},
                      "static int both_little(") > 300);
}

TEST_CASE("reader: instructions beside those of other iterations, first and last in a loop") {
  CHECK(check_mutants({mapped(rows, R"(
kernel twice(S: size, T: size, A: f32[S, T, 4, 4]) -> f32[S, T, 4, 4] where T >= 1, S <= 1000, T <= 1000 {
  gen s < S, t < T {
    let a @ local = gen r < 4, c < 4 { A[s, t, r, c] };
    gen r < 4, c < 4 { a[r, c] + a[r, c] }
  }
}
)",
                              asked({{"a", "", "s", {}}}))},
                      "static int twice_little(") > 300);
  CHECK(check_mutants({mapped(rows, R"(
kernel pieces(M: size, A: f32[M, 2, 4, 4]) -> f32[M, 2, 4, 4] {
  gen t < M {
    let a @ local = gen p < 2, r < 4, c < 4 { A[t, p, r, c] };
    gen u < 2, r < 4, c < 4 { a[u, r, c] + a[u, r, c] }
  }
}
)",
                              asked({}, {{"a", "p", {}, {}}}))},
                      "static int pieces_little(") > 200);
}

TEST_CASE("reader: loops of the CPU between instructions, with fences") {
  CHECK(check_mutants({mapped(rows, R"(
kernel halves(M: size, A: f32[8 * M, 4]) -> f32[M, 4, 4] {
  gen t < M {
    let twice = { let a @ local = gen r < 4, c < 4 { A[t * 8 + r, c] }; gen r < 4, c < 4 { a[r, c] + a[r, c] } };
    gen i < 4, j < 4 { twice[i, j] * 0.5 }
  }
}
)",
                              asked({}, {}, {{"out", {}}}))},
                      "static int halves_little(") > 200);
}

TEST_CASE("reader: what is around the operands of an instruction") {
  lowering::LoopKernel kernel = mapped(vectors, R"(
kernel plus(N: size, a: f32, b: f32, x: f32[4 * N]) -> f32[4 * N] {
  flatten gen io < N { gen vectorized ii < 4 { (a - b) * (x[io * 4 + ii] + x[io * 4 + ii]) } }
}
)");
  refuses(kernel, "all(a - b)", "all(a) - b");
  refuses(kernel, "(const void *)(&x[io*4])", "(const void *)&(x)[io*4]");
  refuses(kernel, "__extension__({", "({");
  refuses(kernel, "load((const void *)(&x[io*4]))", "load((const void *)(&x[io*4] + 1))");
}

TEST_CASE("reader: an operand that its surroundings might tear apart has parentheses") {
  lowering::LoopKernel kernel = mapped(vectors, R"(
kernel three(N: size, x: f32[4 * N]) -> f32[4 * N] {
  flatten gen io < N { gen vectorized ii < 4 { x[io * 4 + ii] + (x[io * 4 + ii] + x[io * 4 + ii]) } }
}
)");
  refuses(kernel, "(load((const void *)(&x[io*4])) + load((const void *)(&x[io*4])))",
          "load((const void *)(&x[io*4])) + load((const void *)(&x[io*4]))");
  CHECK(check_mutants({kernel}, "static int three_tiny(") > 100);
}

TEST_CASE("reader: what is asked for ahead is only asked for") {
  lowering::LoopKernel kernel = mapped(vectors, R"(
kernel twice(N: size, x: f32[4 * N]) -> f32[4 * N] {
  flatten gen io < N { gen vectorized ii < 4 { x[io * 4 + ii] + x[io * 4 + ii] } }
}
)");
  std::get<lowering::For>(kernel.body.at(0).node).prefetches = {{"x", 2}};
  const std::string address = "(uintptr_t)x + sizeof *x * (uintptr_t)(io*4 + 8)";
  REQUIRE_MESSAGE(emitted({kernel}).source.find("fetch((const char *)(" + address + "));") !=
                      std::string::npos,
                  emitted({kernel}).source);
  refuses(kernel, address, "(uintptr_t)(x++)");
  refuses(kernel, address, "(uintptr_t)x + sizeof *x * (uintptr_t)(io += 2)");
  refuses(kernel, address, "(uintptr_t)x + sizeof *x * (uintptr_t)(f(io))");
  refuses(kernel, "fetch((", "drop((");
  refuses(kernel, "__extension__({ store(", "fetch({ store(");
}

TEST_CASE("reader: each line of the cache is asked for once, also of scalars") {
  lowering::LoopKernel kernel = mapped(vectors, R"(
kernel weighted(N: size, K: size, w: f32[K, 4], x: f32[K, 4 * N]) -> f32[K, 4 * N] {
  gen k < K { flatten gen io < N { gen vectorized ii < 4 { x[k, io * 4 + ii] * w[k, 1] + w[k, 3] } } }
}
)");
  std::get<lowering::For>(kernel.body.at(0).node).prefetches = {{"w", 2}};
  const std::string c = emitted({kernel}).source;
  const std::string address = "(uintptr_t)w + sizeof *w * (uintptr_t)((k + 2)*4 + 1)";
  const std::size_t first = c.find("fetch((");
  REQUIRE_MESSAGE(first != std::string::npos, c);
  CHECK(first == c.find("fetch((const char *)(" + address + "));"));
  CHECK(c.find("fetch((", first + 1) == std::string::npos);
}

TEST_CASE("reader: which holes of a text are enclosed") {
  auto enclosed = [](const std::string &c, const std::string &text) {
    std::vector<proofs::reader::Token> tokens = proofs::reader::tokens_of(text);
    proofs::reader::Cursor in(tokens);
    std::string found;
    same_template(c, in, [&](const proofs::reader::Hole &hole) {
      found += hole.is_enclosed ? "yes " : "no ";
      proofs::reader::parse_postfix(in);
    });
    return found;
  };
  CHECK(enclosed("f({x}, -{y}, {z.stride});", "f(a, -b, 5);") == "yes no yes ");
  CHECK(enclosed("const vec all = {x}; {y} = {0};", "const vec all = a; b = {0};") == "yes no ");
  CHECK(enclosed("({x})[{i}]", "(a)[b]") == "yes no ");
  CHECK(enclosed("{x}", "a") == "yes ");
}

} // namespace atl::reader_instructions_test
