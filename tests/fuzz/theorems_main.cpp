// fuzz_theorems: random kernels about indices. Of those whose obligations Z3 proves, coqc proves the
// theorems.
#include "fuzz/index_expressions.h"
#include "fuzz/seeds.h"

#include "atl/base/workers.h"
#include "cbackend/host/temp_folder.h"
#include "driver/commands/theorems.h"
#include "proofs/theorem/coq_check.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fmt/format.h>
#include <stdexcept>
#include <sys/resource.h>
#include <thread>

namespace atl::fuzz {

namespace {

namespace fs = std::filesystem;

struct Settings {
  Draws draws{1, 0, 40};
  fs::path library;
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

// Seconds of processor time that coqc may take: most theorems take one or two. One that takes longer counts
// as not proved.
constexpr unsigned limit_of_a_theorem = 120;

// One in a hundred may fail. So many of a few kernels still do by chance, less than once in a hundred days.
constexpr std::uint64_t not_proved_by_chance = 2;

// Each coqc starts with the limit of this process. Here the signal does nothing, and coqc, where it does what
// it does by default, ends.
void limit_processor_time_of_coqc() {
  std::signal(SIGXCPU, [](int) {});
  rlimit limit{};
  getrlimit(RLIMIT_CPU, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit_of_a_theorem, limit.rlim_max);
  setrlimit(RLIMIT_CPU, &limit);
}

class TheoremFuzzer {
public:
  explicit TheoremFuzzer(const Settings &settings)
      : settings_(settings), folder_(must(cbackend::TempFolder::create(fs::temp_directory_path()))) {}

  bool run() {
    auto start = std::chrono::steady_clock::now();
    for (std::uint64_t n = settings_.draws.first; n < settings_.draws.end(); ++n)
      one_kernel(n);
    check_theorems();
    auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    fmt::print("fuzz_theorems: seed {}, {} kernels: {} not proved by Z3, {} theorems proved by coqc, {} not "
               "({:.2f} %); {:.0f} s\n",
               settings_.draws.seed, settings_.draws.count, refused_, proved_, unproved_,
               100.0 * static_cast<double>(unproved_) /
                   static_cast<double>(std::max<std::uint64_t>(1, proved_ + unproved_)),
               seconds);
    return unproved_ <= std::max(not_proved_by_chance, (proved_ + unproved_) / 100);
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
    theorems_.push_back({n, kernel, std::get<std::string>(text)});
  }

  // What coqc says, if it does not prove this.
  std::string problem_of(const Theorem &theorem) const {
    const fs::path file = folder_.path() / fmt::format("k{}.v", theorem.number);
    must(cbackend::write_text(file, theorem.text));
    const proofs::coq::Checked checked = must(proofs::coq::check(file, settings_.library, std::nullopt));
    fs::remove(file);
    if (checked.proved && !checked.axioms.empty())
      return "assumes " + checked.axioms[0];
    return checked.problem;
  }

  // Each in a file of its own: then one that takes long does not have others checked again.
  void check_theorems() {
    std::vector<std::string> problems(theorems_.size());
    for_each_number(theorems_.size(), [&](std::size_t i) { problems[i] = problem_of(theorems_[i]); });
    for (std::size_t i = 0; i < theorems_.size(); ++i) {
      if (problems[i].empty())
        ++proved_;
      else
        fail(theorems_[i], problems[i]);
    }
  }

  void fail(const Theorem &theorem, const std::string &problem) {
    ++unproved_;
    fmt::print("NOT PROVED in {} s of processor time: seed {}, kernel {} (--seed {} --first {} --kernels "
               "1)\n{}\n{}\n",
               limit_of_a_theorem, settings_.draws.seed, theorem.number, settings_.draws.seed, theorem.number,
               problem, theorem.kernel);
    std::fflush(stdout);
  }

  Settings settings_;
  cbackend::TempFolder folder_;
  proofs::Prover prover_;
  std::vector<Theorem> theorems_;
  std::uint64_t refused_ = 0, proved_ = 0, unproved_ = 0;
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
          {"--print", &settings.print, "print every kernel"},
          {"--verbose", &settings.verbose, "say which kernels Z3 does not prove"},
      }};
  atl::use_workers(std::thread::hardware_concurrency());
  limit_processor_time_of_coqc();
  return run_fuzzer(program, settings.draws, argc, argv, [&] { return TheoremFuzzer(settings).run(); });
}
