// Vectorized loops mapped to instructions; and mappings that are wrong, which the validation must find.
#include "accel/lanes/validate.h"
#include "lowering/nest/walk.h"
#include "tests/support/mapped.h"

#include <fmt/format.h>
#include <functional>

namespace atl::accel::mapping_test {

namespace {

using namespace lowering;

const std::string hardware = R"atl(
hardware tiny {
  header "tiny.h"; available "defined(TINY)"; features "tiny";
  memory v 4 { f32 "vec"; i32 "vec"; i8 "vec"; }
  instr all(s: f32) -> f32[4] @ v c "all({s})" { gen i < 4 { s } }
  instr load(x: f32[4]) -> f32[4] @ v c "load({x})" { gen i < 4 { x[i] } }
  instr load_n(n: size, x: f32[n]) -> f32[4] @ v where n <= 4 c "load_n({n}, {x})" { gen i < 4 { [i < n] x[i] } }
  instr store(x: f32[4] @ v) -> f32[4] c "store({out}, {x})" { gen i < 4 { x[i] } }
  instr store_n(n: size, x: f32[4] @ v) -> f32[n] where n <= 4 c "store_n({out}, {n}, {x})" { gen i < n { x[i] } }
  instr keep(n: size, x: f32[4] @ v, d: f32[4] @ v) -> f32[4] @ v where n <= 4 c "keep({n}, {x}, {d})"
  { gen i < 4 { select(i < n, x[i], d[i]) } }
  instr add(x: f32[4] @ v, y: f32[4] @ v) -> f32[4] @ v c "add({x}, {y})" { gen i < 4 { x[i] + y[i] } }
  instr sub(x: f32[4] @ v, y: f32[4] @ v) -> f32[4] @ v c "sub({x}, {y})" { gen i < 4 { x[i] - y[i] } }
  instr mul(x: f32[4] @ v, y: f32[4] @ v) -> f32[4] @ v c "mul({x}, {y})" { gen i < 4 { x[i] * y[i] } }
  instr fma4(x: f32[4] @ v, y: f32[4] @ v, z: f32[4] @ v) -> f32[4] @ v c "fma({x}, {y}, {z})"
  { gen i < 4 { fma(x[i], y[i], z[i]) } }
  instr fma_n(n: size, x: f32[4] @ v, y: f32[4] @ v, z: f32[4] @ v) -> f32[4] @ v where n <= 4 c "fma_n({n}, {x}, {y}, {z})"
  { gen i < 4 { select(i < n, fma(x[i], y[i], z[i]), z[i]) } }
  instr zeros(s: i32) -> i32[4] @ v c "all({s})" { gen i < 4 { s } }
  instr store_i(x: i32[4] @ v) -> i32[4] c "store({out}, {x})" { gen i < 4 { x[i] } }
  instr keep_i(n: size, x: i32[4] @ v, d: i32[4] @ v) -> i32[4] @ v where n <= 4 c "keep({n}, {x}, {d})"
  { gen i < 4 { select(i < n, x[i], d[i]) } }
  instr bytes(x: i8[8]) -> i8[8] @ v c "load({x})" { gen i < 8 { x[i] } }
  instr store_b(x: i8[8] @ v) -> i8[8] c "store({out}, {x})" { gen i < 8 { x[i] } }
  instr store_some(n: size, x: i8[8] @ v) -> i8[n] where n <= 8 c "store_n({out}, {n}, {x})" { gen i < n { x[i] } }
  instr twin(x: i8[2, 4]) -> i8[8] @ v c "twin({x}, {x.stride})" { gen i < 8 { x[i % 2, i / 2] } }
  instr twin_n(n: size, x: i8[2, n / 2]) -> i8[8] @ v where n <= 8, n % 2 == 0 c "twin_n({n}, {x}, {x.stride})"
  { gen i < 8 { [i < n] x[i % 2, i / 2] } }
  instr pair(x: i8[2]) -> i8[8] @ v c "pair({x})" { gen i < 8 { x[i % 2] } }
  instr pair_n(n: size, x: i8[n]) -> i8[8] @ v where n <= 2 c "pair_n({n}, {x})" { gen i < 8 { [i % 2 < n] x[i % 2] } }
  instr dot(d: i32[4] @ v, a: i8[8] @ v, b: i8[8] @ v) -> i32[4] @ v c "dot({d}, {a}, {b})"
  { gen i < 4 { d[i] + sum k < 2 { i32(a[2 * i + k]) * i32(b[2 * i + k]) } } }
}
)atl";

const std::string difference = R"(
kernel difference(N: size, A: f32[N], B: f32[N]) -> f32[4 * cdiv(N, 4)] {
  flatten gen io < cdiv(N, 4) { gen vectorized ii < 4 { [io * 4 + ii < N] (A[io * 4 + ii] - B[io * 4 + ii]) } }
}
)";
const std::string sums = R"(
kernel sums(K: size, A: f32[K], B: f32[K, 4]) -> f32[4] {
  let acc @ v = sum k < K { gen vectorized l < 4 { A[k] * B[k, l] } };
  gen vectorized l < 4 { acc[l] }
}
)";

const std::string masked_sums = R"(
kernel masked_sums(N: size, K: size, A: f32[K], B: f32[K, N]) -> f32[4] where N <= 4 {
  let acc @ v = sum k < K { gen vectorized l < 4 { [l < N] (A[k] * B[k, l]) } };
  gen vectorized l < 4 { acc[l] }
}
)";
// Read where its lanes run, or for one lane more.
const std::string read_where_summed = R"(
kernel read_where_summed(N: size, K: size, A: f32[K], B: f32[K, N]) -> f32[4] where N <= 4 {
  let acc @ v = sum k < K { gen vectorized l < 4 { [l < N] (A[k] * B[k, l]) } };
  gen vectorized r < 4 { [r < N] acc[r] }
}
)";
const std::string read_behind = R"(
kernel read_behind(N: size, K: size, A: f32[K], B: f32[K, N]) -> f32[4] where N <= 4 {
  let acc @ v = sum k < K { gen vectorized l < 4 { [l < N] (A[k] * B[k, l]) } };
  gen vectorized r < 4 { [r < N + 1] acc[r] }
}
)";
// In each iteration other lanes run.
const std::string triangle = R"(
kernel triangle(A: f32[4], B: f32[4, 4]) -> f32[4] {
  let acc @ v = sum k < 4 { gen vectorized l < 4 { [l < k] (A[k] * B[k, l]) } };
  gen vectorized r < 4 { [r < 1] acc[r] }
}
)";
const std::string bordered = R"(
kernel bordered(N: size, M: size, R: size, A: f32[N, M]) -> f32[N + R, 4 * cdiv(M, 4)] {
  gen y < N + R { flatten gen xo < cdiv(M, 4) { gen vectorized x < 4 {
    [R / 2 <= y and y < N + R / 2 and xo * 4 + x < M] A[y - R / 2, xo * 4 + x]
  } } }
}
)";

// Two products of each lane at a time; of an odd K the last one alone.
const std::string pairs = R"(
kernel pairs(K: size, A: i8[K], B: i8[cdiv(K, 2), 4, 2]) -> i32[4] {
  let acc @ v = sum k < cdiv(K, 2) { gen vectorized l < 4 { sum t < 2 { [k * 2 + t < K] i32(A[k * 2 + t]) * i32(B[k, l, t]) } } };
  gen vectorized l < 4 { acc[l] }
}
)";
const std::string whole_pairs = R"(
kernel whole_pairs(K: size, N: size, A: i8[K, 2], B: i8[K, 4, 2]) -> i32[4] where N <= 4 {
  let acc @ v = sum k < K { gen vectorized l < 4 { [l < N] sum t < 2 { i32(A[k, t]) * i32(B[k, l, t]) } } };
  gen vectorized l < 4 { acc[l] }
}
)";

// What lies in two rows, side by side: copied, and as the terms of lanes.
const std::string packed = R"(
kernel packed(K: size, A: i8[2, K, 4]) -> i8[K, 4, 2] {
  gen k < K { split 2 gen vectorized z < 8 { A[z % 2, k, z / 2] } }
}
)";
const std::string packed_columns = R"(
kernel packed_columns(N: size, A: i8[2, N]) -> i8[4 * cdiv(N, 4), 2] {
  flatten gen c < cdiv(N, 4) { split 2 gen vectorized z < 8 { [c * 4 + z / 2 < N] A[z % 2, c * 4 + z / 2] } }
}
)";
const std::string rows_of_pairs = R"(
kernel rows_of_pairs(K: size, A: i8[K, 2], B: i8[2 * K, 4]) -> i32[4] {
  let acc @ v = sum k < K { gen vectorized l < 4 { sum t < 2 { i32(A[k, t]) * i32(B[2 * k + t, l]) } } };
  gen vectorized l < 4 { acc[l] }
}
)";

// A guard on one operand only, besides that on all lanes.
const std::string short_operand = R"(
kernel short_operand(N: size, M: size, A: f32[N], B: f32[M]) -> f32[4 * cdiv(N, 4)] {
  flatten gen io < cdiv(N, 4) { gen vectorized ii < 4 { [io * 4 + ii < N] (A[io * 4 + ii] + [io * 4 + ii < M] B[io * 4 + ii]) } }
}
)";

// The second of two vectors, which may have no lanes: in each iteration others, or in all the same.
const std::string second = R"(
kernel second(N: size, A: f32[N]) -> f32[cdiv(N, 8), 4] {
  gen io < cdiv(N, 8) { gen vectorized ii < 4 { [io * 8 + ii + 4 < N] A[io * 8 + ii + 4] } }
}
)";
const std::string second_of_all = R"(
kernel second_of_all(M: size, N: size, A: f32[M, N]) -> f32[cdiv(N, 8), M, 4] {
  gen io < cdiv(N, 8), m < M { gen vectorized ii < 4 { [io * 8 + ii + 4 < N] A[m, io * 8 + ii + 4] } }
}
)";

LoopKernel mapped(const std::string &kernel, bool contracts) {
  Requests wanted;
  wanted.contracts = contracts;
  return testing::mapped(hardware + kernel, std::move(wanted));
}

std::string instructions(const std::string &kernel, bool contracts = false) {
  return testing::instructions(mapped(kernel, contracts));
}

// Of each mapped loop, with what is known around it.
void for_each_mapped(const Block &body, const Facts &facts,
                     const std::function<void(const For &, const Facts &)> &visit) {
  for (const Stmt &stmt : body) {
    if (const For *loop = std::get_if<For>(&stmt.node)) {
      Facts inside = facts;
      inside.assume(in_range(loop->lo, variable(loop->var), loop->hi));
      if (loop->lanes)
        visit(*loop, facts);
      else
        for_each_mapped(loop->body, inside, visit);
    }
    if (const If *branch = std::get_if<If>(&stmt.node))
      for_each_mapped(branch->body, facts, visit);
    if (const Alloc *alloc = std::get_if<Alloc>(&stmt.node))
      for_each_mapped(alloc->body, facts, visit);
  }
}

using Change = std::function<bool(LaneStatement &)>; // false: it has nothing to change

std::shared_ptr<const LaneCall> *call_of(LaneStatement &s) {
  return std::get_if<std::shared_ptr<const LaneCall>>(&s.value);
}

// Every call in the statement, copied, with `change` applied to the first that takes it.
std::shared_ptr<const LaneCall> changed(const LaneCall &call, const std::function<bool(LaneCall &)> &change,
                                        bool &done) {
  LaneCall copy = call;
  done = done || change(copy);
  for (auto &[name, operand] : copy.operands)
    if (auto *inner = std::get_if<std::shared_ptr<const LaneCall>>(&operand); inner && !done)
      operand = changed(**inner, change, done);
  return std::make_shared<const LaneCall>(std::move(copy));
}

Change in_calls(const std::function<bool(LaneCall &)> &change) {
  return [change](LaneStatement &s) {
    auto *call = call_of(s);
    bool done = false;
    if (call)
      *call = changed(**call, change, done);
    return done;
  };
}

template <class T>
bool change_operand(LaneCall &call, const std::function<void(T &)> &change) {
  for (auto &[name, operand] : call.operands)
    if (T *found = std::get_if<T>(&operand)) {
      change(*found);
      return true;
    }
  return false;
}

std::map<std::string, Buffer> buffers_of(const LoopKernel &loops) {
  std::map<std::string, Buffer> buffers;
  for (const std::vector<Buffer> *all : {&loops.inputs, &loops.outputs})
    for (const Buffer &buffer : *all)
      buffers[buffer.name] = buffer;
  return buffers;
}

using Reads = std::map<std::string, RegisterReads>;

Reads reads_of(const LoopKernel &loops) {
  Reads reads;
  for_each<Alloc>(loops.body, [&](const Alloc &alloc) {
    if (!alloc.buffer.memory.empty())
      reads.emplace(alloc.buffer.name, RegisterReads(alloc, Known("kernel", {}, loops.assumptions)));
  });
  return reads;
}

bool differs(const For &loop, const LaneCode &code, const Facts &around, bool contracts,
             const std::map<std::string, Buffer> &buffers, const Reads &reads) {
  Premises premises;
  const Known known("kernel", {}, around.all());
  return mapping_differs(loop, code, {known, contracts, buffers, premises, reads}).has_value();
}

// How often the change could be made; each must be found.
int count_found(const std::string &kernel, bool contracts, const Change &change) {
  int found = 0;
  LoopKernel loops = mapped(kernel, contracts);
  Facts facts;
  for (const Pred &assumption : loops.assumptions)
    facts.assume(assumption);
  const std::map<std::string, Buffer> buffers = buffers_of(loops);
  const Reads reads = reads_of(loops);
  for_each_mapped(loops.body, facts, [&](const For &loop, const Facts &around) {
    CHECK_FALSE(differs(loop, *loop.lanes, around, contracts, buffers, reads));
    for (std::size_t i = 0; i < loop.lanes->statements.size(); ++i) {
      LaneCode wrong = *loop.lanes;
      if (!change(wrong.statements[i]))
        continue;
      CHECK(differs(loop, wrong, around, contracts, buffers, reads));
      ++found;
    }
  });
  return found;
}

} // namespace

TEST_CASE("mapping: masks where only the first lanes run") {
  CHECK(instructions(difference)
            .find("store_n(n: min(N - io * 4, 4), out: out[io * 4]..., "
                  "x: sub(x: load_n(n: min(N - io * 4, 4), x: A[io * 4]...), "
                  "y: load_n(n: min(N - io * 4, 4), x: B[io * 4]...)));") != std::string::npos);
}

TEST_CASE("mapping: fused only where that is allowed") {
  CHECK(instructions(sums, true).find("acc = fma4(x: all(s: A[k]), y: load(x: B[k, 0]...), z: acc);") !=
        std::string::npos);
  CHECK(instructions(sums).find("acc = add(x: acc, y: mul(x: all(s: A[k]), y: load(x: B[k, 0]...)));") !=
        std::string::npos);
}

TEST_CASE("mapping: a mask and a rounding in one instruction") {
  CHECK(instructions(masked_sums, false).find("keep(") != std::string::npos);
  std::string fused = instructions(masked_sums, true);
  CHECK(fused.find("acc = fma_n(n: ") != std::string::npos);
  CHECK(fused.find("keep(") == std::string::npos);
}

TEST_CASE("mapping: lanes of a register need no mask where nobody reads what they leave") {
  CHECK(instructions(read_where_summed, true).find("acc = fma4(") != std::string::npos);
  CHECK(instructions(read_behind, true).find("acc = fma_n(") != std::string::npos);
  CHECK(instructions(triangle, true).find("acc = fma_n(") != std::string::npos);
}

TEST_CASE("mapping: conditions that all lanes share beside those of masks") {
  std::string code = instructions(bordered);
  CHECK(code.find("if (R / 2 <= y and y < N + R / 2) store_n(n: min(M - xo * 4, 4)") != std::string::npos);
}

TEST_CASE("mapping: a condition that is no mask, or would need two counts for one size, is not matched") {
  const auto is_mapped = [](const std::string &kept, const std::string &stored, const std::string &kernel) {
    const std::string description = fmt::format(R"atl(
hardware tiny {{
  header "tiny.h"; available "defined(TINY)"; features "tiny";
  memory v 4 {{ f32 "vec"; }}
  instr load(x: f32[4]) -> f32[4] @ v c "load({{x}})" {{ gen i < 4 {{ x[i] }} }}
  instr load_n(n: size, x: f32[n]) -> f32[4] @ v where n <= 4 c "load_n({{n}}, {{x}})"
  {{ gen i < 4 {{ [i < n] x[i] }} }}
  instr keep(n: size, x: f32[4] @ v, y: f32[4] @ v) -> f32[4] @ v where n <= 4 c "keep({{n}}, {{x}}, {{y}})"
  {{ gen i < 4 {{ {} }} }}
  instr store(x: f32[4] @ v) -> f32[4] c "store({{out}}, {{x}})" {{ gen i < 4 {{ x[i] }} }}
  instr store_n(n: size, x: f32[4] @ v) -> f32[n] where n <= 4 c "store_n({{out}}, {{n}}, {{x}})"
  {{ gen i < n {{ {} }} }}
}}
)atl",
                                                kept, stored);
    return static_cast<bool>(testing::mapped_or_errors(description + kernel));
  };
  const std::string nested = R"(
kernel nested(M: size, N: size, x: f32[4], y: f32[4]) -> f32[4] where M <= 4, N <= 4 {
  gen vectorized l < 4 { select(l < N, x[l], select(l < M, y[l], x[l])) }
}
)";
  const std::string once = "select(i < n, x[i], y[i])",
                    twice = "select(i < n, x[i], select(i < n, y[i], x[i]))";
  CHECK(is_mapped(once, "x[i]", nested));
  CHECK_FALSE(is_mapped(twice, "x[i]", nested));
  CHECK_FALSE(is_mapped("select(i < i, x[i], y[i])", "x[i]", nested));

  const std::string first = R"(
kernel first(N: size, x: f32[N]) -> f32[4 * cdiv(N, 4)] {
  flatten gen io < cdiv(N, 4) { gen vectorized ii < 4 { [io * 4 + ii < N] x[io * 4 + ii] } }
}
)";
  CHECK(is_mapped(once, "x[i]", first));
  CHECK_FALSE(is_mapped(once, "select(i < n, x[i], x[i])", first));
}

TEST_CASE("mapping: several terms of a lane in one instruction") {
  CHECK(instructions(pairs).find("acc = dot(a: pair_n(n: min(K - k * 2, 2), x: A[k * 2]...), b: bytes(x: "
                                 "B[k, 0, 0]...), d: acc);") != std::string::npos);
  std::string masked = instructions(whole_pairs);
  CHECK(masked.find("acc = keep_i(d: acc, n: ") != std::string::npos);
  CHECK(masked.find("x: dot(a: pair(x: A[k, 0]...), b: bytes(x: B[k, 0, 0]...), d: acc)") !=
        std::string::npos);
}

TEST_CASE("mapping: loads that bring together what lies in rows") {
  CHECK(instructions(packed).find(
            "store_b(out: out[k, 0, 0]..., x: twin(x: A[0, k, 0]..., x.stride: K * 4));") !=
        std::string::npos);
  const std::string columns = instructions(packed_columns);
  CHECK(columns.find("twin_n(n: ") != std::string::npos);
  CHECK(columns.find("x: A[0, c * 4]...") != std::string::npos);
  CHECK(instructions(rows_of_pairs).find("b: twin(x: B[k * 2, 0]..., x.stride: 4)") != std::string::npos);
}

TEST_CASE("mapping: a guard on one operand is a mask of its load, whose address stays in its tensor") {
  CHECK(instructions(short_operand).find("x: B[min(io * 4, M)]...") != std::string::npos);
  CHECK(instructions(short_operand).find("y: load_n(n: max(min(") != std::string::npos);
}

TEST_CASE("mapping: addresses of vectors without lanes are just behind the end, or there is a branch") {
  CHECK(instructions(second).find("if (N - io * 8 - 4 >= 1) store_n(n: ") != std::string::npos);
  CHECK(instructions(second).find("x: A[io * 8 + 4]...") != std::string::npos);
  CHECK(instructions(second_of_all).find("x: A[m, min(io * 8 + 4, N)]...") != std::string::npos);
}

TEST_CASE("mapping: what is wrong is found") {
  SUBCASE("more lanes of an operand than its guard says") {
    CHECK(count_found(short_operand, false, in_calls([](LaneCall &call) {
                        return call.instruction->meaning.name == "load_n" &&
                               change_operand<FirstElement>(call, [](FirstElement &) {}) &&
                               std::get<FirstElement>(call.operands.back().second).buffer == "B" &&
                               change_operand<Index>(call, [](Index &n) { n = constant(4); });
                      })) == 1);
  }
  SUBCASE("terms of a lane: exchanged, too many, from another place") {
    CHECK(count_found(pairs, false, in_calls([](LaneCall &call) {
                        return call.instruction->meaning.name == "pair_n" &&
                               change_operand<Index>(call, [](Index &n) { n = constant(2); });
                      })) == 1);
    auto next = [](const std::string &name, std::size_t dimension) {
      return in_calls([name, dimension](LaneCall &call) {
        return call.instruction->meaning.name == name &&
               change_operand<FirstElement>(call, [dimension](FirstElement &e) {
                 e.indices[dimension] = add(e.indices[dimension], constant(1));
               });
      });
    };
    CHECK(count_found(pairs, false, next("bytes", 1)) == 1);
    CHECK(count_found(pairs, false, next("pair_n", 0)) == 1);
    CHECK(count_found(whole_pairs, false, next("bytes", 2)) == 1);
    CHECK(count_found(whole_pairs, false, in_calls([](LaneCall &call) {
                        if (call.instruction->meaning.name != "dot")
                          return false;
                        std::swap(call.operands.at(0).second, call.operands.at(1).second);
                        return true;
                      })) == 1);
  }
  SUBCASE("rows that lie closer, or from another row") {
    CHECK(count_found(packed, false, in_calls([](LaneCall &call) {
                        return call.instruction->meaning.name == "twin" &&
                               change_operand<Index>(call, [](Index &stride) { stride = constant(4); });
                      })) == 1);
    CHECK(count_found(rows_of_pairs, false, in_calls([](LaneCall &call) {
                        return call.instruction->meaning.name == "twin" &&
                               change_operand<FirstElement>(call, [](FirstElement &e) {
                                 e.indices[0] = add(e.indices[0], constant(1));
                               });
                      })) == 1);
  }
  SUBCASE("operands exchanged") {
    CHECK(count_found(difference, false, in_calls([](LaneCall &call) {
                        if (call.instruction->meaning.name != "sub")
                          return false;
                        std::swap(call.operands.at(0).second, call.operands.at(1).second);
                        return true;
                      })) == 1);
  }
  SUBCASE("an address off by one") {
    auto next = in_calls([](LaneCall &call) {
      return change_operand<FirstElement>(
          call, [](FirstElement &e) { e.indices.back() = add(e.indices.back(), constant(1)); });
    });
    CHECK(count_found(difference, false, next) == 1);
    CHECK(count_found(sums, false, next) == 2);
  }
  SUBCASE("another buffer") {
    CHECK(count_found(difference, false, in_calls([](LaneCall &call) {
                        return call.instruction->meaning.name == "load_n" &&
                               change_operand<FirstElement>(
                                   call, [](FirstElement &e) { e.buffer = e.buffer == "A" ? "B" : "A"; });
                      })) == 1);
  }
  SUBCASE("too many or too few lanes") {
    for (std::int64_t more : {-1, 1})
      CHECK(count_found(difference, false, in_calls([more](LaneCall &call) {
                          return call.instruction->meaning.name == "store_n" &&
                                 change_operand<Index>(call,
                                                       [more](Index &n) { n = add(n, constant(more)); });
                        })) == 1);
  }
  SUBCASE("no mask, where a lane that does not run is read") {
    const LoopKernel loops = mapped(read_where_summed, true);
    int refused = 0;
    for_each_mapped(loops.body, {}, [&](const For &loop, const Facts &around) {
      const auto refuses = [&](const Reads &reads) {
        return differs(loop, *loop.lanes, around, true, buffers_of(loops), reads);
      };
      CHECK_FALSE(refuses(reads_of(loops)));
      for (const std::string &others : {read_behind, masked_sums})
        refused += refuses(reads_of(mapped(others, true))) ? 1 : 0;
    });
    CHECK(refused == 2);
  }
  SUBCASE("another scalar") {
    CHECK(count_found(sums, false, in_calls([](LaneCall &call) {
                        return change_operand<ExprPtr>(call, [](ExprPtr &s) {
                          s = make(Literal{true, 0, 2.0, std::nullopt}, s->span, s->type);
                        });
                      })) == 2);
  }
  SUBCASE("a fused instruction without leave") {
    LoopKernel loops = mapped(sums, true);
    const std::map<std::string, Buffer> buffers = buffers_of(loops);
    Facts facts;
    int refused = 0;
    for_each_mapped(loops.body, facts, [&](const For &loop, const Facts &around) {
      refused += differs(loop, *loop.lanes, around, false, buffers, {}) ? 1 : 0;
    });
    CHECK(refused == 1);
  }
  SUBCASE("a condition too many") {
    CHECK(count_found(sums, false, [](LaneStatement &s) {
            s.condition = compare(PredOp::ge, variable("K"), constant(2));
            return true;
          }) == 3);
  }
  SUBCASE("a statement left out") {
    LoopKernel loops = mapped(sums, false);
    const std::map<std::string, Buffer> buffers = buffers_of(loops);
    for_each_mapped(loops.body, {}, [&](const For &loop, const Facts &around) {
      CHECK(differs(loop, {}, around, false, buffers, {}));
    });
  }
}

} // namespace atl::accel::mapping_test
