// Loads of elements that do not lie one after the other, or the last one first.
#include "tests/support/mapped.h"

#include <doctest/doctest.h>

namespace atl::accel::loads_test {

namespace {

const std::string hardware = R"atl(
hardware tiny {
  header "tiny.h"; available "defined(TINY)"; features "tiny";
  memory v 4 { f32 "vec"; }
  instr store(x: f32[4] @ v) -> f32[4] c "store({out}, {x})" { gen i < 4 { x[i] } }
  instr store_n(n: size, x: f32[4] @ v) -> f32[n] where n <= 4 c "store_n({out}, {n}, {x})" { gen i < n { x[i] } }
  instr second(x: f32[7]) -> f32[4] @ v c "second({x})" { gen i < 4 { x[2 * i] } }
  instr second_n(n: size, x: f32[max(2 * n - 1, 0)]) -> f32[4] @ v where n <= 4 c "second_n({n}, {x})"
  { gen i < 4 { [i < n] x[2 * i] } }
  instr turned(x: f32[4]) -> f32[4] @ v c "turned({x})" { gen i < 4 { x[3 - i] } }
  instr turned_n(n: size, x: f32[n]) -> f32[4] @ v where n <= 4 c "turned_n({n}, {x})" { gen i < 4 { [i < n] x[n - 1 - i] } }
}
)atl";

const std::string thinned = R"(
kernel thinned(N: size, A: f32[8 * N]) -> f32[4 * N] { flatten gen io < N { gen vectorized ii < 4 { A[2 * (4 * io + ii)] } } }
)";
const std::string channel = R"(
kernel channel(N: size, A: f32[N, 2]) -> f32[4 * cdiv(N, 4)] {
  flatten gen io < cdiv(N, 4) { gen vectorized ii < 4 { [io * 4 + ii < N] A[io * 4 + ii, 1] } }
}
)";
const std::string backwards = R"(
kernel backwards(N: size, A: f32[4 * N]) -> f32[4 * N] { flatten gen io < N { gen vectorized ii < 4 { A[4 * N - 1 - (4 * io + ii)] } } }
)";
const std::string backwards_to_the_first = R"(
kernel backwards(N: size, A: f32[N]) -> f32[4 * cdiv(N, 4)] {
  flatten gen io < cdiv(N, 4) { gen vectorized ii < 4 { [io * 4 + ii < N] A[N - 1 - (io * 4 + ii)] } }
}
)";

void is_mapped(const std::string &kernel, const std::string &call) {
  const std::string all = testing::instructions(testing::mapped(hardware + kernel));
  INFO(all);
  CHECK(all.find(call) != std::string::npos);
}

} // namespace

TEST_CASE("mapping: loads of every second element, of whole vectors and of the last one") {
  is_mapped(thinned, "store(out: out[io * 4]..., x: second(x: A[io * 8]...));");
  is_mapped(channel, "second_n(n: min(N - io * 4, 4), x: A[io * 4, 1]...)");
}

TEST_CASE("mapping: a load of what is read backwards begins with the element of the last lane") {
  is_mapped(backwards, "turned(x: A[N * 4 - io * 4 - 4]...)");
  is_mapped(backwards_to_the_first,
            "turned_n(n: min(N - io * 4, 4), x: A[N - io * 4 - min(N - io * 4, 4)]...)");
}

} // namespace atl::accel::loads_test
