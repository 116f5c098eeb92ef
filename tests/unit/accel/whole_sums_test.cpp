// Instructions that compute whole sums, and leave nothing in memories of rows as it was.
#include "proofs/discharge.h"
#include "tests/support/mapped.h"

namespace atl::accel::whole_sums_test {

namespace {

using namespace lowering;
using testing::instructions;
using testing::mapped;
using testing::mapped_or_errors;

const std::string hardware = R"atl(
hardware little {
  header "little.h"; available "defined(LITTLE)";
  memory local 64 rows of 4 at 0 { i32 "int"; }
  memory other 64 rows of 4 at 64 { i32 "int"; }
  config rows(x: size, y: size) c "little_rows({x}, {y});";
  instr load(r: size, c: size, x: i32[r, c]) -> i32[r, c] @ local where r <= 4, c <= 4 needs rows(x.stride, 0)
    c "little_load({x}, {out}, {r}, {c});" { gen i < r, j < c { x[i, j] } }
  instr keep(r: size, c: size, x: i32[r, c]) -> i32[r, c] @ other where r <= 4, c <= 4 needs rows(x.stride, 0)
    c "little_keep({x}, {out}, {r}, {c});" { gen i < r, j < c { x[i, j] } }
  instr save(r: size, c: size, x: i32[r, c] @ local) -> i32[r, c] where r <= 4, c <= 4
    c "little_save({out}, {x}, {r}, {c});" { gen i < r, j < c { x[i, j] } }
  instr bring(r: size, c: size, x: i32[r, c] @ other) -> i32[r, c] where r <= 4, c <= 4
    c "little_bring({out}, {x}, {r}, {c});" { gen i < r, j < c { x[i, j] } }
  instr dot(r: size, c: size, d: size, x: i32[r, d], y: i32[cdiv(d, 4) * 4, c], s: i32) -> i32[r, c]
    where r <= 8, c <= 8, d >= 1, d <= 64 needs rows(x.stride, y.stride) clobbers local
    c "little_dot({out}, {out.stride}, {x}, {y}, {s}, {r}, {c}, {d});"
  { gen i < r, j < c { s * (sum k < d { x[i, k] * y[k, j] }) } }
}
)atl";

const std::string product = R"(
kernel product(M: size, N: size, K: size, A: i32[M, K], B: i32[ROWS, N], s: i32) -> i32[M, N] where SIZES {
  gen i < M, j < N { s * (sum k < K { A[i, k] * B[k, j] }) }
}
)";

std::string of(std::string kernel, const std::string &rows, const std::string &sizes) {
  kernel.replace(kernel.find("ROWS"), 4, rows);
  kernel.replace(kernel.find("SIZES"), 5, sizes);
  return hardware + kernel;
}

std::string not_proved(const LoopKernel &kernel) {
  static proofs::Prover prover;
  std::string all;
  for (const Obligation &o : kernel.obligations)
    if (prover.decide(o).status != proofs::Verdict::Status::proved)
      all += o.what + "\n";
  return all;
}

} // namespace

TEST_CASE("whole sums: one instruction adds up all terms, and does the rest with the sum") {
  const LoopKernel kernel =
      mapped(of(product, "K", "M >= 1, M <= 8, N >= 1, N <= 8, K >= 1, K <= 64, K % 4 == 0"));
  CHECK(instructions(kernel) == "  set rows(x: K * 4, y: N * 4);\n"
                                "  dot(out: out[0, 0]..., s: s, x: A[0, 0]..., y: B[0, 0]..., c: N, d: K, r: "
                                "M, out.stride: N * 4);\n}\n");
  CHECK(not_proved(kernel) == "");
}

TEST_CASE("whole sums: rows up to a multiple of four are touched, and have to be there") {
  const std::string sizes = "M >= 1, M <= 8, N >= 1, N <= 8, K >= 1, K <= 64";
  CHECK(not_proved(mapped(of(product, "cdiv(K, 4) * 4", sizes))) == "");
  CHECK(not_proved(mapped(of(product, "K", sizes))) ==
        "the cdiv(K, 4) * 4 x N elements from B[0, 0] on, for dot, are inside B\n"
        "the address of B[0, 0], for dot, is in B or just behind its end\n");
}

TEST_CASE(
    "whole sums: the result is stored where there are no terms, so that the instruction is asked for some") {
  const LoopKernel kernel = mapped(of(product, "K", "M >= 1, M <= 8, N >= 1, N <= 8, K <= 64, K % 4 == 0"));
  CHECK(not_proved(kernel) ==
        "the address of B[0, 0], for dot, is in B or just behind its end\ndot needs d >= 1\n");
}

TEST_CASE("whole sums: other terms than those of the instruction") {
  auto refusal = [](const std::string &body) {
    const std::string text =
        "kernel product(M: size, N: size, K: size, A: i32[M, K], B: i32[K, N], s: i32) -> i32[M, N] "
        "where M >= 1, M <= 8, N >= 1, N <= 8, K >= 1, K <= 64, K % 4 == 0 { " +
        body + " }";
    auto result = mapped_or_errors(hardware + text);
    REQUIRE(!result);
    return result.errors().at(0).notes.at(0).text;
  };
  CHECK(refusal("gen i < M, j < N { s * (sum k < i { A[i, k] * B[k, j] }) }") ==
        "dot: the iterations of k depend on another loop of the nest");
  CHECK(refusal("gen i < M, j < N { s * (sum k < K { A[i, k] * B[k, j] }) + (sum k < K { B[k, j] }) }") ==
        "it is in no nest of loops of its own");
  CHECK(refusal("gen i < M, j < N { s * (max k < K { A[i, k] * B[k, j] }) }") ==
        "it is in no nest of loops of its own");
  CHECK(refusal("gen i < M, j < N { s * (sum k < K { A[i, k] + B[k, j] }) }") ==
        "dot: A[i, k] + B[k, j] is not x[i, k] * y[k, j]");
}

namespace {

// Windows of a block of pixels, each of several channels; of those that the windows meet, h x w are there.
const std::string windows = hardware.substr(0, hardware.rfind('}')) + R"atl(
  instr slide(r: size, c: size, k: size, l: size, d: size, up: size, left: size, h: size, w: size,
              x: i32[h, w, d], y: i32[k, l, d], s: i32) -> i32[r, c]
    where r <= 8, c <= 8, k >= 1, l >= 1, d >= 1, up + h < r + k, left + w < c + l, x.stride <= 256 clobbers rows
    c "little_slide({out}, {out.stride}, {x}, {x.stride}, {y}, {s}, {r}, {c}, {k}, {l}, {d}, {up}, {left}, {h}, {w});"
  { gen i < r, j < c { s * (sum a < k, b < l, e < d {
      [up <= i + a and i + a < up + h and left <= j + b and j + b < left + w] x[i + a - up, j + b - left, e] * y[a, b, e]
    }) } }
}
)atl";

std::string blurred(const std::string &condition, const std::string &pixel, const std::string &sizes,
                    const std::string &shape = "M, N, D") {
  return windows + "kernel blurred(M: size, N: size, D: size, A: i32[" + shape +
         "], B: i32[3, 3, D], s: i32) -> i32[M, N] where M >= 1, M <= 8, N >= 1, N <= 8, D >= 1, " + sizes +
         " { gen i < M, j < N { s * (sum a < 3, b < 3, e < D { " + condition + " A[" + pixel +
         "] * B[a, b, e] }) } }";
}
const std::string inside = "[1 <= i + a and i + a < M + 1 and 1 <= j + b and j + b < N + 1]";
const std::string around = "i + a - 1, j + b - 1, e";

} // namespace

TEST_CASE("windows: the conditions of the terms say where the window is inside of the operand") {
  const LoopKernel kernel = mapped(blurred(inside, around, "D <= 64"));
  CHECK(instructions(kernel) ==
        "  slide(out: out[0, 0]..., s: s, x: A[0, 0, 0]..., y: B[0, 0, 0]..., c: N, d: D, h: M, k: 3, l: 3, "
        "left: 1, r: M, up: 1, w: N, out.stride: N * 4, x.stride: D * 4);\n}\n");
  CHECK(not_proved(kernel) == "");
}

TEST_CASE("windows: terms without conditions are all there") {
  const LoopKernel kernel = mapped(blurred("", "i + a, j + b, e", "D <= 64", "M + 2, N + 2, D"));
  CHECK(instructions(kernel) == "  slide(out: out[0, 0]..., s: s, x: A[0, 0, 0]..., y: B[0, 0, 0]..., c: N, "
                                "d: D, h: M + 2, k: 3, l: 3, "
                                "left: 0, r: M, up: 0, w: N + 2, out.stride: N * 4, x.stride: D * 4);\n}\n");
  CHECK(not_proved(kernel) == "");
}

TEST_CASE("windows: pixels lie at the distance that the condition of the instruction allows") {
  CHECK(not_proved(mapped(blurred(inside, around, "D <= 32", "M, N, 2 * D"))) == "");
  CHECK(not_proved(mapped(blurred(inside, around, "D <= 33", "M, N, 2 * D"))) ==
        "slide needs x.stride <= 256\n");
}

TEST_CASE("windows: other windows than those of the instruction") {
  auto refusal = [](const std::string &text) {
    auto result = mapped_or_errors(text);
    REQUIRE(!result);
    return result.errors().at(0).notes.at(0).text;
  };
  const std::string all = "i + a, j + b, e", larger = "M + 2, N + 2, D";
  CHECK(refusal(blurred(inside, around, "D <= 64", "M, N + 1, D")) ==
        "slide: the elements of A along i do not lie as x has them");
  CHECK(refusal(blurred("", "2 * i + a, j + b, e", "D <= 64", "2 * M + 2, N + 2, D")) ==
        "slide: the elements of A along i do not lie as x has them");
  CHECK(refusal(blurred("[i + j + a < M]", all, "D <= 64", larger)) ==
        "slide: the condition a + i + j < M does not bound a window");
  CHECK(refusal(blurred("[e < 2]", all, "D <= 64", larger)) ==
        "slide: the condition e < 2 of its terms is about no window");
}

TEST_CASE("windows: a configuration that an instruction clobbers is set again") {
  const LoopKernel kernel = mapped(windows + R"(
kernel three(A: i32[4, 4, 4], B: i32[3, 3, 4], s: i32, C: i32[4, 4], E: i32[4, 4]) -> (p: i32[4, 4], q: i32[4, 4], r: i32[4, 4]) {
  (gen i < 4, j < 4 { s * (sum k < 4 { C[i, k] * E[k, j] }) },
   gen i < 4, j < 4 { s * (sum a < 3, b < 3, e < 4 { [1 <= i + a and i + a < 5 and 1 <= j + b and j + b < 5] A[i + a - 1, j + b - 1, e] * B[a, b, e] }) },
   gen i < 4, j < 4 { s * (sum k < 4 { E[i, k] * C[k, j] }) })
})");
  const std::string text = instructions(kernel), set = "  set rows(x: 16, y: 16);\n";
  CHECK(text.starts_with(set));
  CHECK(text.find(set, text.find("slide")) != std::string::npos);
  CHECK(not_proved(kernel) == "");
}

namespace {

// A block is kept in a memory where the product is computed, or in one version of the kernel.
std::string beside(const std::string &memory) {
  return hardware +
         "kernel beside(M: size, A: i32[4, 4], B: i32[4, 4], s: i32) -> (out: i32[4, 4], copy: i32[4, 4]) "
         "where M <= 2 { "
         "let kept @ " +
         memory +
         " = gen i < 4, j < 4 { A[i, j] }; (gen i < 4, j < 4 { s * (sum k < 4 { A[i, k] * B[k, j] }) }, "
         "gen i < 4, j < 4 { kept[i, j] }) }";
}

} // namespace

TEST_CASE("whole sums: nothing is kept in a memory that the instruction clobbers") {
  CHECK(not_proved(mapped(beside("local"))) == "kept is not kept in local beside dot\n");
  CHECK(not_proved(mapped(beside("other"))) == "");
}

} // namespace atl::accel::whole_sums_test
