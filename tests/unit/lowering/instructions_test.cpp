// What instructions touch, on mapped nests that are wrong: the mapper makes none of them.
#include "lowering/verify/instructions.h"

#include "lowering/nest/walk.h"
#include "proofs/discharge.h"
#include "tests/support/mapped.h"

#include <doctest/doctest.h>

#include <functional>
#include <set>

namespace atl::instructions_test {

using namespace atl::lowering;

namespace {

const std::string lanes = R"atl(
hardware tiny {
  header "tiny.h"; available "defined(TINY)"; features "tiny";
  memory v 4 { f32 "vec"; i32 "vec"; i8 "vec"; }
  instr all(s: f32) -> f32[4] @ v c "all({s})" { gen i < 4 { s } }
  instr load(x: f32[4]) -> f32[4] @ v c "load({x})" { gen i < 4 { x[i] } }
  instr load_n(n: size, x: f32[n]) -> f32[4] @ v where n <= 4 c "load_n({n}, {x})" { gen i < 4 { [i < n] x[i] } }
  instr square(x: f32[2, 2]) -> f32[4] @ v c "square({x}, {x.stride})" { gen i < 4 { x[i % 2, i / 2] } }
  instr store(x: f32[4] @ v) -> f32[4] c "store({out}, {x})" { gen i < 4 { x[i] } }
  instr store_n(n: size, x: f32[4] @ v) -> f32[n] where n <= 4 c "store_n({out}, {n}, {x})" { gen i < n { x[i] } }
  instr past(x: f32[4] @ v) -> f32[4] aligned 16 c "past({out}, {x})" { gen i < 4 { x[i] } }
  instr mul(x: f32[4] @ v, y: f32[4] @ v) -> f32[4] @ v c "mul({x}, {y})" { gen i < 4 { x[i] * y[i] } }
  instr zeros(s: i32) -> i32[4] @ v c "all({s})" { gen i < 4 { s } }
  instr store_i(x: i32[4] @ v) -> i32[4] c "store({out}, {x})" { gen i < 4 { x[i] } }
  instr pair_n(n: size, x: i8[n]) -> i8[8] @ v where n <= 2 c "pair_n({n}, {x})" { gen i < 8 { [i % 2 < n] x[i % 2] } }
  instr twin_n(n: size, x: i8[n, 4]) -> i8[8] @ v where n <= 2 c "twin_n({n}, {x}, {x.stride})"
  { gen i < 8 { [i % 2 < n] x[i % 2, i / 2] } }
  instr dot(d: i32[4] @ v, a: i8[8] @ v, b: i8[8] @ v) -> i32[4] @ v c "dot({d}, {a}, {b})"
  { gen i < 4 { d[i] + sum k < 2 { i32(a[2 * i + k]) * i32(b[2 * i + k]) } } }
  instr total(x: f32[4] @ v) -> f32 c "total({x})" { sum i < 4 { x[i] } }
}
)atl";

const std::string scaled = R"(
kernel scaled(N: size, A: f32[N], w: f32[cdiv(N, 4)]) -> f32[4 * cdiv(N, 4)] {
  flatten gen io < cdiv(N, 4) { gen vectorized ii < 4 { [io * 4 + ii < N] (A[io * 4 + ii] * w[io]) } }
}
)";
const std::string bordered = R"(
kernel bordered(N: size, R: size, A: f32[N], w: f32[N]) -> f32[N + R, 4] {
  gen y < N + R { gen vectorized x < 4 { [y < N] (A[y] * w[y]) } }
}
)";
const std::string whole = R"(
kernel whole(N: size, A: f32[N, 4]) -> f32[N, 4] { gen y < N { gen vectorized x < 4 { A[y, x] } } }
)";
// The lanes run on into further rows.
const std::string running_on = R"(
kernel running_on(N: size, A: f32[2 * N, 2]) -> f32[N, 4] {
  gen y < N { gen vectorized x < 4 { A[2 * y + x / 2, x % 2] } }
}
)";
const std::string squares = R"(
kernel squares(N: size, A: f32[2, 2 * N]) -> f32[N, 4] { gen y < N { gen vectorized x < 4 { A[x % 2, 2 * y + x / 2] } } }
)";
// The second of two vectors, which may have no lanes.
const std::string second = R"(
kernel second(M: size, N: size, A: f32[M, N]) -> f32[cdiv(N, 8), M, 4] {
  gen io < cdiv(N, 8), m < M { gen vectorized ii < 4 { [io * 8 + ii + 4 < N] A[m, io * 8 + ii + 4] } }
}
)";
const std::string rows_of_terms = R"(
kernel rows_of_terms(K: size, A: i8[K], B: i8[K, 4]) -> i32[4] {
  let acc @ v = sum k < cdiv(K, 4) {
    gen vectorized l < 4 { sum t < 2 { [k * 4 + t + 2 < K] i32(A[k * 4 + t + 2]) * i32(B[k * 4 + t + 2, l]) } }
  };
  gen vectorized l < 4 { acc[l] }
}
)";

const std::string rows = R"atl(
hardware little {
  header "little.h"; available "defined(LITTLE)";
  memory local 64 rows of 4 at 8 { f32 "int"; }
  config source(stride: size, block: size) c "little_from({stride}, {block});";
  instr load(r: size, c: size, x: f32[r, c]) -> f32[r, c] @ local where r <= 4, c <= 8
    needs source(x.stride, out.block) c "little_load({x}, {out}, {r}, {c});" { gen i < r, j < c { x[i, j] } }
  instr total(r: size, c: size, x: f32[r, c] @ local, y: f32[r, c] @ local) -> f32[r, c] where r <= 4, c <= 4
    c "little_total({out}, {x}, {y}, {r}, {c});" { gen i < r, j < c { x[i, j] + y[i, j] } }
}
kernel both(M: size, A: f32[M, 4, 8], B: f32[M, 4, 4]) -> f32[M, 4, 4] {
  gen t < M {
    let a @ local = gen r < 4, c < 8 { A[t, r, c] };
    let b @ local = gen r < 4, c < 4 { B[t, r, c] };
    gen r < 4, c < 4 { a[r, c] + b[r, c] }
  }
}
)atl";

using Kinds = std::multiset<ObligationKind>;
constexpr ObligationKind bounds = ObligationKind::bounds, instr = ObligationKind::instr;

// The kinds of what is not proved.
Kinds open(const LoopKernel &kernel) {
  proofs::Prover prover;
  Kinds kinds;
  for (const Obligation &o : verify_instructions(kernel))
    if (prover.decide(o).status != proofs::Verdict::Status::proved)
      kinds.insert(o.kind);
  return kinds;
}

// The call of this name is changed, also where it computes an operand.
std::shared_ptr<const LaneCall> with_call(const LaneCall &call, const std::string &name,
                                          const std::function<void(LaneCall &)> &change) {
  LaneCall copy = call;
  for (auto &[operand, value] : copy.operands)
    if (auto *inner = std::get_if<std::shared_ptr<const LaneCall>>(&value))
      value = with_call(**inner, name, change);
  if (call.instruction->meaning.name == name)
    change(copy);
  return std::make_shared<const LaneCall>(std::move(copy));
}

const Instruction &instruction_named(const std::string &name, const LoopKernel &kernel) {
  for (const Instruction &one : kernel.hardware->instructions)
    if (one.meaning.name == name)
      return one;
  throw std::logic_error("no instruction " + name);
}

void change_statements(LoopKernel &kernel, const std::function<void(LaneStatement &)> &change) {
  for_each<For>(kernel.body, [&](For &loop) {
    if (!loop.lanes)
      return;
    LaneCode code = *loop.lanes;
    for (LaneStatement &statement : code.statements)
      change(statement);
    loop.lanes = std::make_shared<const LaneCode>(std::move(code));
  });
}

Kinds open_with(const std::string &text, const std::string &name,
                const std::function<void(LaneCall &)> &change) {
  LoopKernel kernel = testing::mapped(lanes + text);
  CHECK(open(kernel).empty());
  change_statements(kernel, [&](LaneStatement &statement) {
    if (auto *call = std::get_if<std::shared_ptr<const LaneCall>>(&statement.value))
      *call = with_call(**call, name, change);
  });
  return open(kernel);
}

template <class T>
T &operand(LaneCall &call, const std::string &name) {
  for (auto &[known, value] : call.operands)
    if (known == name)
      return std::get<T>(value);
  throw std::logic_error("no operand " + name);
}

void next_element(LaneCall &call, const std::string &name) {
  Index &last = operand<FirstElement>(call, name).indices.back();
  last = add(last, constant(1));
}

// Each mapped nest with a call is changed.
Kinds open_with(const std::function<void(BlockCode &)> &change) {
  LoopKernel kernel = testing::mapped(rows);
  CHECK(open(kernel).empty());
  for_each<For>(kernel.body, [&](For &loop) {
    if (!loop.block || !loop.block->call)
      return;
    BlockCode code = *loop.block;
    change(code);
    loop.block = std::make_shared<const BlockCode>(std::move(code));
  });
  return open(kernel);
}

void change_rows(BlockCode &code, const std::string &instruction, const std::string &name,
                 const std::function<void(RowBlock &)> &change) {
  for (auto &[known, value] : code.call->operands)
    if (code.call->instruction->meaning.name == instruction && known == name)
      change(std::get<RowBlock>(value));
}

} // namespace

TEST_CASE("instructions: a mask that is left out reads beyond the end") {
  const LoopKernel other = testing::mapped(lanes + whole);
  const Instruction &load = instruction_named("load", other);
  CHECK(open_with(scaled, "load_n", [&](LaneCall &call) { call.instruction = &load; }) == Kinds{bounds});
}

TEST_CASE("instructions: a mask that is too long, or longer than a register") {
  auto n = [](LaneCall &call, std::int64_t size) { operand<Index>(call, "n") = constant(size); };
  CHECK(open_with(scaled, "load_n", [&](LaneCall &call) { n(call, 4); }) == Kinds{bounds});
  CHECK(open_with(scaled, "load_n", [&](LaneCall &call) { n(call, 5); }) == Kinds{bounds, instr});
  CHECK(open_with(scaled, "load_n", [&](LaneCall &call) { n(call, -1); }) == Kinds{instr});
}

TEST_CASE("instructions: an address that is off by one, of a load and of a store") {
  CHECK(open_with(scaled, "load_n", [](LaneCall &call) { next_element(call, "x"); }) == Kinds{bounds});
  CHECK(open_with(whole, "load", [](LaneCall &call) { next_element(call, "x"); }) == Kinds{bounds});
  CHECK(open_with(whole, "store", [](LaneCall &call) { next_element(call, "out"); }) == Kinds{bounds});
}

TEST_CASE("instructions: scalars are read under the condition of the statement") {
  LoopKernel kernel = testing::mapped(lanes + bordered);
  CHECK(open(kernel).empty());
  change_statements(kernel, [](LaneStatement &statement) { statement.condition = truth(true); });
  CHECK(open(kernel).contains(bounds));
}

TEST_CASE("instructions: lanes may run on into further rows, and not beyond the last") {
  CHECK(open_with(running_on, "load", [](LaneCall &call) { next_element(call, "x"); }) == Kinds{bounds});
}

TEST_CASE("instructions: rows at another distance") {
  CHECK(open_with(squares, "square", [](LaneCall &call) {
          Index &stride = operand<Index>(call, "x.stride");
          stride = mul(stride, constant(2));
        }) == Kinds{bounds});
}

TEST_CASE("instructions: an address is at most that behind the end, also where all lanes are masked") {
  auto at = [](std::size_t d, const Index &index) {
    return [d, index](LaneCall &call) { operand<FirstElement>(call, "x").indices[d] = index; };
  };
  const Index i = add(mul(variable("io"), constant(8)), constant(4)), N = variable("N");
  CHECK(open_with(second, "load_n", at(1, binary(IndexOp::min, i, N))).empty());
  CHECK(open_with(second, "load_n", at(1, i)) == Kinds{bounds});
  const Index behind = binary(IndexOp::min, i, add(N, constant(1)));
  CHECK(open_with(second, "load_n", at(1, behind)) == Kinds{bounds});
  const Index row = add(mul(variable("k"), constant(4)), constant(2)), K = variable("K");
  CHECK(open_with(rows_of_terms, "twin_n", at(0, binary(IndexOp::min, row, sub(K, constant(1))))).empty());
  CHECK(open_with(rows_of_terms, "twin_n", at(0, row)) == Kinds{bounds});
  CHECK(open_with(rows_of_terms, "twin_n", at(0, binary(IndexOp::min, row, K))) == Kinds{bounds});
}

TEST_CASE("instructions: an address is aligned if its tensor is") {
  LoopKernel kernel = testing::mapped(lanes + whole);
  const Instruction &past = instruction_named("past", kernel);
  change_statements(kernel, [&](LaneStatement &statement) {
    auto &call = std::get<std::shared_ptr<const LaneCall>>(statement.value);
    call = with_call(*call, "store", [&](LaneCall &store) { store.instruction = &past; });
  });
  CHECK(open(kernel) == Kinds{instr});
  kernel.aligned["out"] = 8;
  CHECK(open(kernel) == Kinds{instr});
  kernel.aligned["out"] = 16;
  CHECK(open(kernel).empty());
}

TEST_CASE("instructions: identical calls are asked about once") {
  LoopKernel kernel = testing::mapped(lanes + whole);
  const std::size_t count = verify_instructions(kernel).size();
  change_statements(kernel, [](LaneStatement &) {});
  for_each<For>(kernel.body, [&](For &loop) {
    if (!loop.lanes)
      return;
    LaneCode twice = *loop.lanes;
    twice.statements.push_back(twice.statements[0]);
    loop.lanes = std::make_shared<const LaneCode>(std::move(twice));
  });
  CHECK(verify_instructions(kernel).size() == count);
}

TEST_CASE("instructions: blocks of rows stay in the rows of their tensor") {
  auto further = [](std::int64_t rows_down) {
    return [rows_down](RowBlock &block) { block.address = add(block.address, constant(rows_down)); };
  };
  CHECK(open_with([&](BlockCode &code) { change_rows(code, "total", "x", further(80)); }) == Kinds{bounds});
  CHECK(open_with([&](BlockCode &code) { change_rows(code, "total", "x", further(-1)); }) == Kinds{bounds});
  CHECK(open_with([&](BlockCode &code) { change_rows(code, "load", "out", further(64)); }) ==
        Kinds{bounds, bounds});
}

TEST_CASE("instructions: the distances that a block is configured with") {
  auto set = [](std::size_t which, std::int64_t distance) {
    return [which, distance](BlockCode &code) {
      if (!code.needs.empty())
        code.needs[0].values[which] = constant(distance);
    };
  };
  CHECK(open_with(set(0, 4096)) == Kinds{bounds, bounds});
  CHECK(open_with(set(1, 64)) == Kinds{bounds});
}

TEST_CASE("instructions: more rows or columns than there are") {
  CHECK(open_with([](BlockCode &code) {
          for (auto &[name, value] : code.call->operands)
            if (code.call->instruction->meaning.name == "total" && name == "r")
              value = constant(5);
        }).count(instr) == 1);
}

TEST_CASE("instructions: temporaries that are alive together have different rows") {
  LoopKernel kernel = testing::mapped(rows);
  CHECK(open(kernel).empty());
  for_each<Alloc>(kernel.body, [](Alloc &alloc) {
    if (alloc.buffer.name == "b")
      alloc.rows->first -= 4;
  });
  CHECK(open(kernel).contains(bounds));
}

TEST_CASE("instructions: the rows of a temporary are those of its memory") {
  LoopKernel kernel = testing::mapped(rows);
  for_each<Alloc>(kernel.body, [](Alloc &alloc) {
    if (alloc.buffer.name == "b")
      alloc.rows->count = 100;
  });
  CHECK(open(kernel) == Kinds{bounds});
}

} // namespace atl::instructions_test
