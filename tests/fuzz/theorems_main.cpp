// fuzz_theorems: random kernels about indices. Of those whose obligations Z3 proves, coqc proves the
// theorems.
#include "fuzz/index_expressions.h"
#include "fuzz/seeds.h"

#include "cbackend/host/temp_folder.h"
#include "driver/commands/theorems.h"
#include "proofs/theorem/coq_check.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <stdexcept>

namespace atl::fuzz {

namespace {

namespace fs = std::filesystem;

struct Settings {
  Draws draws{1, 0, 40};
  fs::path library;
  std::size_t batch = 20;
  bool print = false, verbose = false;
};

// A kernel, and the Coq file about it.
struct Theorem {
  std::uint64_t number;
  std::string kernel, text;
};

template <class T>
T must(Result<T> result) {
  if (!result)
    throw std::runtime_error(result.errors()[0].message);
  return std::move(*result);
}

// Seconds that coqc may take: most theorems take less than one. One that takes longer than this counts as not
// proved.
constexpr unsigned limit_of_a_theorem = 120, limit_of_a_batch = 240;

const std::string needs_the_library = "From ATL Require Import Exported.\n";

// All in one file, which loads the library once.
std::string together(const std::vector<Theorem> &theorems) {
  std::string text = needs_the_library;
  for (const Theorem &theorem : theorems) {
    const std::size_t begin = theorem.text.find(needs_the_library) + needs_the_library.size();
    text += fmt::format("Module k{0}.\n{1}\nEnd k{0}.\n", theorem.number, theorem.text.substr(begin));
  }
  return text;
}

class TheoremFuzzer {
public:
  explicit TheoremFuzzer(const Settings &settings)
      : settings_(settings), folder_(must(cbackend::TempFolder::create(fs::temp_directory_path()))) {}

  bool run() {
    auto start = std::chrono::steady_clock::now();
    for (std::uint64_t n = settings_.draws.first; n < settings_.draws.end(); ++n) {
      one_kernel(n);
      if (waiting_.size() == settings_.batch)
        check_waiting();
    }
    check_waiting();
    auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    fmt::print("fuzz_theorems: seed {}, {} kernels: {} not proved by Z3, {} theorems proved by coqc, {} not "
               "({:.2f} %); {:.0f} s, {:.0f} s of them coqc\n",
               settings_.draws.seed, settings_.draws.count, refused_, proved_, unproved_,
               100.0 * static_cast<double>(unproved_) /
                   static_cast<double>(std::max<std::uint64_t>(1, proved_ + unproved_)),
               seconds, seconds_of_coq_);
    return unproved_ <= std::max<std::uint64_t>(1, (proved_ + unproved_) / 100);
  }

private:
  void one_kernel(std::uint64_t n) {
    Random random(settings_.draws.seed, n * 104729);
    const std::string kernel = generate_index_kernel(random, fmt::format("k{}", n));
    if (settings_.print)
      fmt::print("// kernel {}\n{}", n, kernel);
    const fs::path file = folder_.path() / fmt::format("k{}.atl", n);
    must(cbackend::write_text(file, kernel));
    const driver::Compilation c = driver::compile(file, prover_);
    fs::remove(file);
    if (!c.ok() || !c.kernels[0].proved) {
      ++refused_;
      if (settings_.verbose)
        fmt::print("kernel {} is not proved: {}\n{}", n, c.ok() ? "" : c.diagnostics[0].message, kernel);
      return;
    }
    auto text = driver::theorem_text(c.kernels[0], c, fmt::format("k{}", n));
    if (auto *problem = std::get_if<proofs::coq::Unsupported>(&text))
      return fail({n, kernel, ""}, "no theorem: " + problem->what);
    waiting_.push_back({n, kernel, std::get<std::string>(text)});
  }

  // What coqc says, if it does not prove this.
  std::string problem_of(const std::string &text, unsigned limit) {
    const fs::path file = folder_.path() / "theorems.v";
    must(cbackend::write_text(file, text));
    const proofs::coq::Checked checked = must(proofs::coq::check(file, settings_.library, limit));
    fs::remove(file);
    seconds_of_coq_ += checked.seconds;
    if (checked.proved && !checked.axioms.empty())
      return "assumes " + checked.axioms[0];
    return checked.problem;
  }

  // All at once; one at a time only if some are not proved.
  void check_waiting() {
    const std::vector<Theorem> theorems = std::move(waiting_);
    waiting_.clear();
    if (theorems.empty() || problem_of(together(theorems), limit_of_a_batch).empty()) {
      proved_ += theorems.size();
      return;
    }
    for (const Theorem &theorem : theorems) {
      const std::string problem = problem_of(theorem.text, limit_of_a_theorem);
      if (problem.empty())
        ++proved_;
      else
        fail(theorem, problem);
    }
  }

  void fail(const Theorem &theorem, const std::string &problem) {
    ++unproved_;
    fmt::print("NOT PROVED: seed {}, kernel {} (--seed {} --first {} --kernels 1)\n{}\n{}\n",
               settings_.draws.seed, theorem.number, settings_.draws.seed, theorem.number, problem,
               theorem.kernel);
    std::fflush(stdout);
  }

  Settings settings_;
  cbackend::TempFolder folder_;
  proofs::Prover prover_;
  std::vector<Theorem> waiting_;
  std::uint64_t refused_ = 0, proved_ = 0, unproved_ = 0;
  double seconds_of_coq_ = 0;
};

} // namespace

} // namespace atl::fuzz

int main(int argc, char **argv) {
  using namespace atl::fuzz;
  Settings settings;
  const FuzzProgram program{
      "fuzz_theorems",
      "Random kernels about indices: what Z3 proves of them, coqc proves",
      "--kernels",
      {
          {"--coq-library", &settings.library, "the folder of the compiled Coq library", true},
          {"--batch", &settings.batch, "theorems in one file"},
          {"--print", &settings.print, "print every kernel"},
          {"--verbose", &settings.verbose, "say which kernels Z3 does not prove"},
      }};
  return run_fuzzer(program, settings.draws, argc, argv, [&] { return TheoremFuzzer(settings).run(); });
}
