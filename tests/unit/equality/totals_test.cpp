// Reductions over lanes that one instruction does for all of them; and mappings that are wrong, which the
// validation must find.
#include "accel/lanes/validate.h"
#include "accel/map_loops.h"
#include "lowering/nest/run_loops.h"
#include "lowering/requests/last_instruction.h"
#include "tests/support/c_mutants.h"
#include "tests/support/from_text.h"

#include <functional>

namespace atl::accel::totals_test {

namespace {

using namespace lowering;

const std::string hardware = R"atl(
hardware tiny {
  header "tiny.h"; available "defined(TINY)";
  memory v 4 { f32 "vec"; i32 "vec"; }
  instr load(x: f32[4]) -> f32[4] @ v c "load({x})" { gen i < 4 { x[i] } }
  instr mul(x: f32[4] @ v, y: f32[4] @ v) -> f32[4] @ v c "mul({x}, {y})" { gen i < 4 { x[i] * y[i] } }
  instr load_i(x: i32[4]) -> i32[4] @ v c "load_i({x})" { gen i < 4 { x[i] } }
  instr total(x: f32[4] @ v) -> f32 c "total({x})" { (x[0] + x[2]) + (x[1] + x[3]) }
  instr product(x: f32[4] @ v, y: f32[4] @ v) -> f32 c "product({x}, {y})" { sum i < 4 { x[i] * y[i] } }
  instr largest(x: f32[4] @ v) -> f32 c "largest({x})" { max i < 4 { x[i] } }
  instr total_i(x: i32[4] @ v) -> i32 c "total_i({x})" { sum i < 4 { x[i] } }
}
)atl";

const std::string dot = R"(
kernel dot(N: size, A: f32[N, 4], B: f32[N, 4]) -> f32[N] { gen y < N { sum l < 4 { A[y, l] * B[y, l] } } }
)";
const std::string top = R"(
kernel top(N: size, A: f32[N, 8]) -> f32[N] { gen y < N { max 4 <= l < 8 { A[y, l] } } }
)";
const std::string integers = R"(
kernel integers(N: size, A: i32[N, 4]) -> i32[N] { gen y < N { sum l < 4 { A[y, l] } } }
)";

Result<LoopKernel> mapped(const std::string &kernel, const std::string &instruction) {
  const std::string text = hardware + kernel;
  Sources sources;
  std::uint32_t file = sources.add({"test.atl", text});
  auto program = parse_program(sources, file);
  REQUIRE(program);
  auto target = make_target(program->hardware.at(0), *program);
  REQUIRE(target);
  LoopKernel loops = testing::lowered(text);
  loops.requests = Requests{"tiny", {}};
  loops.requests->last = {{"l", instruction, {}}};
  REQUIRE(mark_last_instructions(loops.body, loops.requests->last).empty());
  return map_loops(loops, *target);
}

std::string loops_of(const std::string &kernel, const std::string &instruction) {
  auto loops = mapped(kernel, instruction);
  REQUIRE(loops);
  const std::string printed = print_mapped(*loops);
  return printed.substr(printed.find("\n{\n") + 3);
}

std::string refusal(const std::string &kernel, const std::string &instruction) {
  auto loops = mapped(kernel, instruction);
  REQUIRE_FALSE(loops);
  return loops.errors().at(0).message;
}

const For *find_total(const Block &body) {
  for (const Stmt &stmt : body) {
    const For *loop = std::get_if<For>(&stmt.node);
    const Alloc *alloc = std::get_if<Alloc>(&stmt.node);
    if (loop && loop->total)
      return loop;
    if (const For *inner = loop ? find_total(loop->body) : alloc ? find_total(alloc->body) : nullptr)
      return inner;
  }
  return nullptr;
}

// Whether the validation says so.
bool is_found(const std::string &kernel, const std::string &instruction,
              const std::function<void(LaneCall &)> &change) {
  auto loops = mapped(kernel, instruction);
  REQUIRE(loops);
  const For *loop = find_total(loops->body);
  REQUIRE(loop);
  std::map<std::string, Buffer> buffers;
  for (const Buffer &buffer : loops->inputs)
    buffers[buffer.name] = buffer;
  LaneCall call = *loop->total->call;
  change(call);
  For wrong = *loop;
  LaneTotal total = *loop->total;
  total.call = std::make_shared<const LaneCall>(std::move(call));
  wrong.total = std::make_shared<const LaneTotal>(std::move(total));
  Premises premises;
  const LoopSurroundings around{{}, false, buffers, premises, {}};
  CHECK_FALSE(total_differs(*loop, around));
  return total_differs(wrong, around).has_value();
}

LaneCall &operand(LaneCall &call, std::size_t at, LaneCall &copy) {
  auto &inner = std::get<std::shared_ptr<const LaneCall>>(call.operands.at(at).second);
  copy = *inner;
  return copy;
}

} // namespace

TEST_CASE("totals: all lanes together, combined with what is there") {
  CHECK(loops_of(dot, "product") == R"(  for (y = 0; y < N; y++) {
    scalar acc: f32 {
      acc = 0.0f32; // init
      l.total = product(x: load(x: A[y, 0]...), y: load(x: B[y, 0]...));
      acc += l.total;
      out[y] = acc;
    }
  }
}
)");
  CHECK(loops_of(dot, "total").find("l.total = total(x: mul(") != std::string::npos);
  CHECK(loops_of(top, "largest").find("l.total = largest(x: load(x: A[y, 4]...));") != std::string::npos);
}

TEST_CASE("totals: only sums of floats depend on the order") {
  CHECK(mapped(dot, "total")->reorders);
  CHECK_FALSE(mapped(top, "largest")->reorders);
  CHECK_FALSE(mapped(integers, "total_i")->reorders);
}

TEST_CASE("totals: what the instruction does not do is refused") {
  CHECK(refusal(dot, "largest") ==
        "largest is not the last instruction for what the 4 lanes of l store to acc");
  CHECK(refusal(top, "total").find("total is not the last") == 0);
  CHECK(refusal(integers, "total").find("total is not the last") == 0);
  CHECK(refusal(dot, "load").find("load is not the last") == 0);
  CHECK(refusal("kernel long(A: f32[8]) -> f32[1] { gen y < 1 { sum l < 8 { A[l] } } }", "total")
            .find("total is not") == 0);
  CHECK(refusal("kernel any(N: size, A: f32[N]) -> f32[1] { gen y < 1 { sum l < N { A[l] } } }", "total")
            .find("the reduction l has N iterations") == 0);
}

TEST_CASE("totals: what is wrong is found") {
  auto next = [](LaneCall &call) {
    LaneCall load;
    std::get<FirstElement>(operand(call, 0, load).operands.at(0).second).indices[1] = constant(5);
    call.operands.at(0).second = std::make_shared<const LaneCall>(load);
  };
  CHECK(is_found(top, "largest", next));
  CHECK(is_found(integers, "total_i", next));
  CHECK(is_found(dot, "product",
                 [](LaneCall &call) { call.operands.at(0).second = call.operands.at(1).second; }));
}

TEST_CASE("totals: the C is read back") {
  for (const auto &[kernel, instruction] : {std::pair(dot, "total"), std::pair(top, "largest")}) {
    auto loops = mapped(kernel, instruction);
    REQUIRE(loops);
    CHECK(testing::check_mutants({*loops}, "static int " + loops->name + "_tiny(") > 100);
  }
}

} // namespace atl::accel::totals_test
