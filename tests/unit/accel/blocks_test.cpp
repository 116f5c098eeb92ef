// Nests of loops mapped to instructions on blocks of rows: where configurations are set, and what is filled
// ahead.
#include "accel/blocks/validate_fences.h"
#include "accel/blocks/validate_settings.h"
#include "cbackend/function/workspace.h"
#include "proofs/discharge.h"
#include "tests/support/mapped.h"

#include <algorithm>

namespace atl::accel::blocks_test {

namespace {

using namespace lowering;
using testing::asked;
using testing::instructions;

const std::string hardware = R"atl(
hardware little {
  header "little.h"; available "defined(LITTLE)";
  memory local ROWS rows of 4 at 0 { f32 "int"; }
  finish "little_wait();";
  config source(stride: size) c "little_stride({stride});";
  instr load(r: size, c: size, x: f32[r, c]) -> f32[r, c] @ local where r <= 4, c <= 4
    needs source(x.stride) c "little_load({x}, {out}, {r}, {c});" { gen i < r, j < c { x[i, j] } }
  instr total(r: size, c: size, x: f32[r, c] @ local, y: f32[r, c] @ local) -> f32[r, c] where r <= 4, c <= 4
    c "little_total({out}, {x}, {y}, {r}, {c});" { gen i < r, j < c { x[i, j] + y[i, j] } }
}
)atl";

const std::string two_strides = R"(
kernel both(M: size, N: size, P: size, A: f32[4 * M, N], B: f32[4 * M, P]) -> f32[M, 4, 4] where N >= 4, P >= 4 {
  gen t < M {
    let a @ local = gen r < 4, c < 4 { A[t * 4 + r, c] };
    let b @ local = gen r < 4, c < 4 { B[t * 4 + r, c] };
    gen r < 4, c < 4 { a[r, c] + b[r, c] }
  }
}
)";

// Two blocks are loaded, and added to themselves.
const std::string pieces = R"(
kernel twice(M: size, A: f32[M, 2, 4, 4]) -> f32[M, 2, 4, 4] {
  gen t < M {
    let a @ local = gen p < 2, r < 4, c < 4 { A[t, p, r, c] };
    gen u < 2, r < 4, c < 4 { a[u, r, c] + a[u, r, c] }
  }
}
)";

Result<LoopKernel> mapped(const std::string &kernel, const std::string &rows, Requests wanted) {
  std::string text = hardware + kernel;
  text.replace(text.find("ROWS"), 4, rows);
  return testing::mapped_or_errors(text, std::move(wanted));
}

bool is_configured(const LoopKernel &kernel) {
  static proofs::Prover prover;
  const std::vector<Obligation> all = setting_obligations(kernel);
  return !all.empty() && std::all_of(all.begin(), all.end(), [](const Obligation &o) {
    return prover.decide(o).status == proofs::Verdict::Status::proved;
  });
}

// Those of kind instr, or the ones that begin like this.
bool are_proved(const LoopKernel &kernel, const std::string &what = "") {
  static proofs::Prover prover;
  return std::all_of(kernel.obligations.begin(), kernel.obligations.end(), [&](const Obligation &o) {
    bool asked = o.kind == ObligationKind::instr && o.what.starts_with(what);
    return !asked || prover.decide(o).status == proofs::Verdict::Status::proved;
  });
}

// The settings of a kernel, one after the other, without the one of this number; how many there are.
std::size_t drop_setting(Block &body, std::size_t number, std::size_t seen = 0) {
  for (Stmt &stmt : body) {
    For *loop = std::get_if<For>(&stmt.node);
    Alloc *alloc = std::get_if<Alloc>(&stmt.node);
    if (loop && loop->block) {
      BlockCode code = *loop->block;
      if (number >= seen && number < seen + code.settings.size())
        code.settings.erase(code.settings.begin() + static_cast<std::ptrdiff_t>(number - seen));
      seen += loop->block->settings.size();
      loop->block = std::make_shared<const BlockCode>(code);
    }
    if (loop)
      seen = drop_setting(loop->body, number, seen);
    if (alloc)
      seen = drop_setting(alloc->body, number, seen);
  }
  return seen;
}

} // namespace

TEST_CASE("blocks: a configuration that changes inside a loop is set inside it, and is missed if it is not") {
  auto kernel = mapped(two_strides, "64", {});
  REQUIRE(kernel);
  CHECK(instructions(*kernel) == R"(  for (t = 0; t < M; t++) {
    local a: f32[4, 4] {
      set source(stride: N * 4);
      load(out: a[0, 0] at t % 4 * 4, x: A[t * 4, 0]..., c: 4, r: 4);
      local b: f32[4, 4] {
        set source(stride: P * 4);
        load(out: b[0, 0] at t % 4 * 4 + 16, x: B[t * 4, 0]..., c: 4, r: 4);
        total(out: out[t, 0, 0]..., x: a[0, 0] at t % 4 * 4, y: b[0, 0] at t % 4 * 4 + 16, c: 4, r: 4);
      }
    }
  }
}
)");
  CHECK(is_configured(*kernel));
  LoopKernel whole = *kernel;
  std::size_t count = drop_setting(whole.body, 1000);
  CHECK(count == 2);
  for (std::size_t number = 0; number < count; ++number) {
    LoopKernel wrong = *kernel;
    drop_setting(wrong.body, number);
    CHECK(!is_configured(wrong));
  }
}

TEST_CASE("blocks: what is filled ahead is in other rows, and its configuration is set there too") {
  auto kernel = mapped(two_strides, "64", asked({{"a", "", "", {}}}));
  REQUIRE(kernel);
  CHECK(instructions(*kernel) == R"(  if (0 < M) {
    set source(stride: N * 4);
    load(out: a[0, 0] at 0, x: A[0, 0]..., c: 4, r: 4);
  }
  for (t = 0; t < M; t++) {
    if (t + 1 < M) {
      set source(stride: N * 4);
      load(out: a[0, 0] at (t + 1) % 4 * 4, x: A[t * 4 + 4, 0]..., c: 4, r: 4);
    }
    local a: f32[4, 4] {
      local b: f32[4, 4] {
        set source(stride: P * 4);
        load(out: b[0, 0] at t % 4 * 4 + 16, x: B[t * 4, 0]..., c: 4, r: 4);
        total(out: out[t, 0, 0]..., x: a[0, 0] at t % 4 * 4, y: b[0, 0] at t % 4 * 4 + 16, c: 4, r: 4);
      }
    }
  }
}
)");
  CHECK(is_configured(*kernel));
  auto stated =
      std::count_if(kernel->obligations.begin(), kernel->obligations.end(), [](const Obligation &o) {
        return o.what == "a is filled in rows that the iteration before does not use";
      });
  CHECK(stated == 1);
}

const std::string layers = R"(
kernel layers(M: size, A: f32[4 * M, 4]) -> f32[M, 4, 4] {
  gen t < M {
    let twice = { let a @ local = gen r < 4, c < 4 { A[t * 4 + r, c] }; gen r < 4, c < 4 { a[r, c] + a[r, c] } };
    let b @ local = gen r < 4, c < 4 { twice[r, c] };
    gen r < 4, c < 4 { b[r, c] + b[r, c] }
  }
}
)";

TEST_CASE(
    "blocks: a fence stands before what reads memory that other instructions stored to, or takes it over") {
  auto kernel = mapped(layers, "64", {});
  REQUIRE(kernel);
  CHECK(instructions(*kernel) == R"(  set source(stride: 16);
  for (t = 0; t < M; t++) {
    stack twice: f32[4, 4] {
      local a: f32[4, 4] {
        load(out: a[0, 0] at t % 4 * 4, x: A[t * 4, 0]..., c: 4, r: 4);
        fence;
        total(out: twice[0, 0]..., x: a[0, 0] at t % 4 * 4, y: a[0, 0] at t % 4 * 4, c: 4, r: 4);
      }
      local b: f32[4, 4] {
        fence;
        load(out: b[0, 0] at t % 4 * 4, x: twice[0, 0]..., c: 4, r: 4);
        total(out: out[t, 0, 0]..., x: b[0, 0] at t % 4 * 4, y: b[0, 0] at t % 4 * 4, c: 4, r: 4);
      }
    }
  }
}
)");
}

// What the instructions stored is halved by the CPU, and loaded again.
const std::string halves = R"(
kernel halves(M: size, A: f32[4 * M, 4]) -> f32[M, 4, 4] {
  gen t < M {
    let twice = { let a @ local = gen r < 4, c < 4 { A[t * 4 + r, c] }; gen r < 4, c < 4 { a[r, c] + a[r, c] } };
    let half = gen i < 4, j < 4 { twice[i, j] * 0.5 };
    let b @ local = gen r < 4, c < 4 { half[r, c] };
    gen r < 4, c < 4 { b[r, c] + b[r, c] }
  }
}
)";

TEST_CASE("blocks: a fence stands between what instructions and the CPU do with a tensor, whoever is first") {
  auto kernel = mapped(halves, "64", asked({}, {}, {{"half", {}}}));
  REQUIRE(kernel);
  CHECK(instructions(*kernel) == R"(  set source(stride: 16);
  for (t = 0; t < M; t++) {
    stack twice: f32[4, 4] {
      local a: f32[4, 4] {
        load(out: a[0, 0] at t % 4 * 4, x: A[t * 4, 0]..., c: 4, r: 4);
        fence;
        total(out: twice[0, 0]..., x: a[0, 0] at t % 4 * 4, y: a[0, 0] at t % 4 * 4, c: 4, r: 4);
      }
      stack half: f32[4, 4] {
        fence;
        for (i = 0; i < 4; i++) {
          for (j = 0; j < 4; j++) {
            half[i, j] = twice[i, j] * 0.5f32;
          }
        }
        local b: f32[4, 4] {
          fence;
          load(out: b[0, 0] at t % 4 * 4, x: half[0, 0]..., c: 4, r: 4);
          total(out: out[t, 0, 0]..., x: b[0, 0] at t % 4 * 4, y: b[0, 0] at t % 4 * 4, c: 4, r: 4);
        }
      }
    }
  }
}
)");
}

// Without the fence of this number; how many there are.
std::size_t drop_fence(Block &body, std::size_t number, std::size_t seen = 0) {
  for (Stmt &stmt : body) {
    For *loop = std::get_if<For>(&stmt.node);
    Alloc *alloc = std::get_if<Alloc>(&stmt.node);
    if (loop && loop->block && loop->block->fence) {
      BlockCode code = *loop->block;
      code.fence = seen++ != number;
      loop->block = std::make_shared<const BlockCode>(code);
    }
    if (loop)
      seen = drop_fence(loop->body, number, seen);
    if (alloc)
      seen = drop_fence(alloc->body, number, seen);
  }
  return seen;
}

TEST_CASE("blocks: that fences keep instructions and the CPU apart is proved, and not without one of them") {
  auto holds = [](const LoopKernel &kernel) {
    static proofs::Prover prover;
    const std::vector<Obligation> all = fence_obligations(kernel);
    return !all.empty() && std::all_of(all.begin(), all.end(), [](const Obligation &o) {
      return prover.decide(o).status == proofs::Verdict::Status::proved;
    });
  };
  auto is_complete = [&](const std::string &text, Requests wanted, std::size_t fences) {
    auto kernel = mapped(text, "64", std::move(wanted));
    REQUIRE(kernel);
    CHECK(holds(*kernel));
    LoopKernel whole = *kernel;
    CHECK(drop_fence(whole.body, fences) == fences);
    for (std::size_t number = 0; number < fences; ++number) {
      LoopKernel wrong = *kernel;
      drop_fence(wrong.body, number);
      CAPTURE(number);
      CHECK(!holds(wrong));
    }
  };
  is_complete(layers, {}, 2);
  is_complete(halves, asked({}, {}, {{"half", {}}}), 3);
}

TEST_CASE("blocks: what cannot be left to the CPU") {
  auto refusal = [](const std::string &tensor) {
    auto kernel = mapped(halves, "64", asked({}, {}, {{tensor, {}}}));
    REQUIRE(!kernel);
    return kernel.errors().at(0).message;
  };
  CHECK(refusal("twice") == "the CPU does not reach a, which is kept in a memory");
  CHECK(refusal("A") == "no loops compute A, and nothing else");
  CHECK(refusal("none") == "no loops compute none, and nothing else");
}

TEST_CASE("blocks: temporaries do not share memory that instructions before may still load") {
  auto kernel = mapped(R"(
kernel chain(M: size, A: f32[M, 4, 4]) -> f32[M, 4, 4] {
  let one = gen t < M { let a @ local = gen r < 4, c < 4 { A[t, r, c] }; gen r < 4, c < 4 { a[r, c] + a[r, c] } };
  let two = gen t < M { let b @ local = gen r < 4, c < 4 { one[t, r, c] }; gen r < 4, c < 4 { b[r, c] + b[r, c] } };
  let three = gen t < M { let d @ local = gen r < 4, c < 4 { two[t, r, c] }; gen r < 4, c < 4 { d[r, c] + d[r, c] } };
  gen t < M { let e @ local = gen r < 4, c < 4 { three[t, r, c] }; gen r < 4, c < 4 { e[r, c] + e[r, c] } }
}
)",
                       "64", {});
  REQUIRE(kernel);
  cbackend::NameScope names, others;
  CHECK(cbackend::plan_workspace(kernel->body, names, true).pieces.size() == 2);
  bool shared = cbackend::can_share_memory(*kernel);
  CHECK(cbackend::plan_workspace(kernel->body, others, true, shared).pieces.size() == 3);
}

TEST_CASE("blocks: the iteration after the last one of a loop is the first one of the next") {
  auto kernel = mapped(R"(
kernel sums(S: size, T: size, A: f32[S, T, 4, 4]) -> f32[S, T, 4, 4] where T >= 1, S <= 1000, T <= 1000 {
  gen s < S, t < T {
    let a @ local = gen r < 4, c < 4 { A[s, t, r, c] };
    gen r < 4, c < 4 { a[r, c] + a[r, c] }
  }
}
)",
                       "64", asked({{"a", "", "s", {}}}));
  REQUIRE(kernel);
  CHECK(instructions(*kernel) == R"(  set source(stride: 16);
  if (0 < S) {
    load(out: a[0, 0] at 0, x: A[0, 0, 0, 0]..., c: 4, r: 4);
  }
  for (s = 0; s < S; s++) {
    for (t = 0; t < T; t++) {
      if (t + 1 < T) {
        load(out: a[0, 0] at (s * T + t + 1) % 4 * 4, x: A[s, t + 1, 0, 0]..., c: 4, r: 4);
      }
      if (T <= t + 1 and s + 1 < S) {
        load(out: a[0, 0] at (s * T + T) % 4 * 4, x: A[s + 1, 0, 0, 0]..., c: 4, r: 4);
      }
      local a: f32[4, 4] {
        total(out: out[s, t, 0, 0]..., x: a[0, 0] at (s * T + t) % 4 * 4, y: a[0, 0] at (s * T + t) % 4 * 4, c: 4, r: 4);
      }
    }
  }
}
)");
  CHECK(is_configured(*kernel));
  CHECK(are_proved(*kernel));
}

TEST_CASE(
    "blocks: what is filled ahead of several loops needs their iterations to exist, and to be counted") {
  const std::string text = R"(
kernel sums(S: size, T: size, A: f32[S, T, 4, 4]) -> f32[S, T, 4, 4] where S <= 1000, T <= 1000 {
  gen s < S, t < T {
    let a @ local = gen r < 4, c < 4 { A[s, t, r, c] };
    gen r < 4, c < 4 { a[r, c] + a[r, c] }
  }
}
)";
  auto kernel = mapped(text, "64", asked({{"a", "", "s", {}}}));
  REQUIRE(kernel);
  CHECK(!are_proved(*kernel, "t runs"));
  CHECK(are_proved(*kernel, "the iterations"));
  auto other = mapped(text, "64", asked({{"a", "", "u", {}}}));
  REQUIRE(!other);
  CHECK(other.errors().at(0).message ==
        "a cannot be filled one iteration ahead: not all iterations of u have it");
}

TEST_CASE("blocks: pieces are stored as soon as they are complete") {
  auto kernel = mapped(pieces, "64", asked({}, {{"a", "p", {}, {}}}));
  REQUIRE(kernel);
  CHECK(instructions(*kernel) == R"(  set source(stride: 16);
  for (t = 0; t < M; t++) {
    local a: f32[2, 4, 4] {
      for (p = 0; p < 2; p++) {
        load(out: a[p, 0, 0] at t % 4 * 8 + p * 4, x: A[t, p, 0, 0]..., c: 4, r: 4);
        for (u = p; u < p + 1; u++) {
          total(out: out[t, u, 0, 0]..., x: a[u, 0, 0] at t % 4 * 8 + u * 4, y: a[u, 0, 0] at t % 4 * 8 + u * 4, c: 4, r: 4);
        }
      }
    }
  }
}
)");
  CHECK(is_configured(*kernel));
  CHECK(are_proved(*kernel));
}

TEST_CASE("blocks: a piece that is stored before it is complete is refused") {
  std::string backwards = pieces;
  backwards.replace(backwards.find("a[u, r, c] + a[u, r, c]"), 23, "a[1 - u, r, c] + a[1 - u, r, c]");
  auto kernel = mapped(backwards, "64", asked({}, {{"a", "p", {}, {}}}));
  REQUIRE(kernel);
  CHECK(!are_proved(*kernel, "a is complete"));
}

TEST_CASE("blocks: what cannot be stored as it is completed") {
  auto refusal = [](const std::string &from, const std::string &to, const std::string &loop) {
    std::string text = pieces;
    if (!from.empty())
      text.replace(text.find(from), from.size(), to);
    auto kernel = mapped(text, "64", asked({}, {{"a", loop, {}, {}}}));
    REQUIRE(!kernel);
    return kernel.errors().at(0).message.substr(
        std::string("a cannot be stored as it is completed: ").size());
  };
  CHECK(refusal("", "", "q") == "there is no loop q in what computes it, under no condition");
  CHECK(refusal("u < 2, r < 4, c < 4 { a[u, r, c] + a[u", "p < 2, r < 4, c < 4 { a[p, r, c] + a[p", "p") ==
        "a loop that stores it has the name of one that computes it");
}

// Loads come in any order, and not all that is loaded is read.
const std::string windows = R"atl(
hardware orderless {
  header "little.h"; available "defined(LITTLE)";
  memory local 64 rows of 4 at 0 { i32 "int"; }
  begin "little_wait();"; finish "little_wait();";
  instr load(r: size, c: size, x: i32[r, c]) -> i32[r, c] @ local unordered where r <= 4, c <= 4
    c "little_load({x}, {out}, {r}, {c});" { gen i < r, j < c { x[i, j] } }
  instr put(r: size, c: size, x: i32[r, c] @ local) -> i32[r, c] where r <= 4, c <= 4
    c "little_put({out}, {x}, {r}, {c});" { gen i < r, j < c { x[i, j] } }
}
kernel windows(M: size, N: size, A: i32[4, 4]) -> i32[M, N, 2, 4] where M + N <= 4 {
  let a @ local = gen r < 4, c < 4 { A[r, c] };
  gen t < M, u < N, r < 2, c < 4 { a[t + u + r, c] }
}
)atl";

TEST_CASE("blocks: what some iteration reads of rows that are loaded is read there by that iteration") {
  const LoopKernel kernel = testing::mapped(windows);
  const Obligation *stated = nullptr;
  for (const Obligation &o : kernel.obligations)
    if (o.what == "what load stores to a is there before the rows are used again")
      stated = &o;
  REQUIRE(stated);
  CHECK(to_string(stated->claims.at(0).holds) ==
        "0 <= t.other and t.other < M and (0 <= u.other and u.other < N) and (0 <= r.other and r.other < 2) "
        "and (0 <= c.other and c.other < 4) and r.other + t.other + u.other == r and c.other == c");
  CHECK(are_proved(kernel, stated->what));
}

TEST_CASE("blocks: nothing is filled ahead where there is no room for it twice") {
  auto kernel = mapped(two_strides, "8", asked({{"a", "", "", {}}}));
  REQUIRE(!kernel);
  CHECK(kernel.errors().at(0).message ==
        "a cannot be filled one iteration ahead: there is no room for it twice in local");
}

} // namespace atl::accel::blocks_test
