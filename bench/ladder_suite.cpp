// How the time of the compiler grows with a program: ladders of programs, of which each rung is twice as long
// as the one before. The goal of a rung is a little more than twice the time of the rung below; four times
// where the loop nest itself grows with the square of the program.
#include "bench/row.h"

#include "driver/io/files.h"
#include "driver/pipeline.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <unistd.h>

namespace atl::bench {

namespace {

constexpr double most_growth = 2.3;
const std::string scale = "kernel scale(N: size, x: f32[N]) -> f32[N] { gen i < N { x[i] * 2.0 } }\n";

std::string scheduled(const std::string &kernel, const std::string &name, const std::string &steps) {
  return kernel + "schedule s for " + name + " {\n" + steps + "}\n";
}

std::string versions(int count) {
  std::string steps;
  for (int n = 1; n <= count; ++n)
    steps += fmt::format("  specialize when N == {};\n", n);
  return scheduled(scale, "scale", steps);
}

std::string versions_of_a_product(int count) {
  const std::string product =
      "kernel product(N: size, M: size, K: size, a: f32[N, K], b: f32[K, M]) -> f32[N, M] {\n"
      "  gen i < N, j < M { sum k < K { a[i, k] * b[k, j] } }\n}\n";
  std::string steps;
  for (int n = 2; n < count + 2; ++n)
    steps +=
        fmt::format("  specialize when N % {0} == 0 and N > {0} {{ split i by {0}; split j by 8; }}\n", n);
  return scheduled(product, "product", steps);
}

std::string schedules(int count) {
  std::string text = scale;
  for (int n = 0; n < count; ++n)
    text += fmt::format("schedule s{} for scale {{ split i by {}; }}\n", n, n + 2);
  return text;
}

// Each loop of the nest has a condition, with as many terms as there are loops around it.
std::string splits(int count) {
  std::string steps, loop = "i";
  for (int n = 0; n < count; ++n, loop += ".o")
    steps += fmt::format("  split {} by 2;\n", loop);
  return scheduled(scale, "scale", steps);
}

// Each tensor reads two neighbours in the one before.
std::string computed_at(int count) {
  std::string lets, steps = "  split y by 8 tail cut;\n", before = "x";
  for (int n = 1; n <= count; ++n) {
    lets += fmt::format("  let t{0} = gen z{0} < N + {1} {{ {2}[z{0}] + {2}[z{0} + 1] }};\n", n, count - n,
                        before);
    before = fmt::format("t{}", n);
  }
  for (int n = count; n > 0; --n)
    steps += fmt::format("  compute t{} at y.o, y.t;\n", n);
  return scheduled(fmt::format("kernel chain(N: size, x: f32[N + {}]) -> f32[N] {{\n{}  gen y < N {{ "
                               "{}[y] * 2.0 }}\n}}\n",
                               count, lets, before),
                   "chain", steps);
}

// Its offsets do not fit 64 bits.
std::string flattens(int dimensions) {
  std::string shape = "N", cells = "N", operators;
  for (int n = 1; n < dimensions; ++n) {
    shape += ", N";
    cells += " * N";
    operators += "flatten ";
  }
  return fmt::format("kernel flat(N: size, x: f32[{}]) -> f32[{}] {{ {}x }}\n", shape, cells, operators);
}

// Each pair of them uses the index of the one before twice, as its row and as its column.
std::string reshapes(int count) {
  std::string operators;
  for (int n = 0; n < count; ++n)
    operators += "flatten split 8 ";
  return fmt::format("kernel same(N: size, x: f32[8 * N]) -> f32[8 * N] {{ {}x }}\n", operators);
}

struct Ladder {
  std::string rung;
  std::string (*program)(int length);
  int shortest, longest;
  int degree = 1; // of the loop nest's length in the program's
};
const Ladder ladders[] = {{"versions of a kernel", versions, 16, 128},
                          {"versions of a product", versions_of_a_product, 4, 32},
                          {"schedules", schedules, 125, 1000},
                          {"splits of a loop", splits, 2, 32, 2},
                          {"tensors computed at a loop", computed_at, 8, 64},
                          {"dimensions flattened", flattens, 4, 64},
                          {"splits flattened", reshapes, 8, 64}};

// A program in a file that is gone when it has been compiled.
class File {
public:
  explicit File(const std::string &text)
      : path_(std::filesystem::temp_directory_path() / fmt::format("atlc-ladder-{}.atl", getpid())) {
    if (auto problem = driver::write_file(path_, text))
      throw std::runtime_error(problem->message);
  }
  ~File() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  const std::filesystem::path &path() const { return path_; }

private:
  std::filesystem::path path_;
};

double compile_ms(const std::string &text, int rounds) {
  const File file(text);
  return median_ms(rounds, [&] {
    proofs::Prover prover;
    driver::compile(file.path(), prover, driver::Until::proved);
  });
}

} // namespace

Rows ladder_suite(const Options &options) {
  Rows rows;
  const int rounds = options.quick ? 1 : 3;
  for (const Ladder &ladder : ladders) {
    double below = compile_ms(ladder.program(ladder.shortest), rounds);
    const double growth = std::pow(most_growth, ladder.degree);
    const int longest = options.quick ? 2 * ladder.shortest : ladder.longest;
    for (int length = 2 * ladder.shortest; length <= longest; length *= 2) {
      const double ms = compile_ms(ladder.program(length), rounds);
      rows.push_back(
          {"ladders", fmt::format("{} {}", length, ladder.rung), "ms", ms, {{"goal", growth * below}}});
      below = ms;
    }
  }
  return rows;
}

} // namespace atl::bench
