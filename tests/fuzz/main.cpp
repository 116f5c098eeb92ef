// fuzz: random well-typed programs through the whole pipeline. Prints what differs and ends with status 1 if
// anything does.
#include "fuzz/examine.h"
#include "fuzz/generate.h"
#include "fuzz/minimise.h"
#include "fuzz/native_batch.h"
#include "fuzz/operators.h"
#include "fuzz/seeds.h"

#include <chrono>
#include <fmt/format.h>
#include <future>
#include <map>

namespace atl::fuzz {

namespace {

struct Settings {
  Draws draws{1, 0, 300};
  std::size_t native_batch = 100;
  std::uint64_t prove_every = 20, sanitize_every = 10;
  // Optimizers round otherwise where the C lets them, and use instructions of this CPU.
  std::vector<std::string> compilers{"cc -O1 -ffp-contract=off -w", "gcc -O3 -march=native -w",
                                     "clang -O3 -march=native -w"};
  int runs = 3;
  bool print = false, verbose = false;
};

using Status = Examined::Status;

class Fuzzer {
public:
  explicit Fuzzer(const Settings &settings) : settings_(settings) {}

  bool run() {
    auto start = std::chrono::steady_clock::now();
    for (std::uint64_t n = settings_.draws.first; n < settings_.draws.end(); ++n)
      one_program(n);
    start_batch();
    finish_batch();
    auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    fmt::print(
        "fuzz: seed {}, {} programs: {} accepted ({} of them proved), {} refused, {} undecided, {} failed; "
        "{} runs native; {:.0f} s\n",
        settings_.draws.seed, settings_.draws.count, count_[Status::accepted], proved_,
        count_[Status::refused], count_[Status::unknown], failures_, native_runs_, seconds);
    return failures_ == 0;
  }

private:
  GeneratedProgram generate(std::uint64_t n) const {
    Random random(settings_.draws.seed, n * 1000003);
    return generate_program(random, "k" + std::to_string(n));
  }
  Random run_random(std::uint64_t n) const { return Random(settings_.draws.seed + 77, n); }

  void one_program(std::uint64_t n) {
    GeneratedProgram program = generate(n);
    if (settings_.print)
      fmt::print("// program {}\n{}\n", n, program.minimal);
    Options options{settings_.prove_every != 0 && n % settings_.prove_every == 0, settings_.runs};
    Examined result = examine(program.minimal, program.full, program.kernel, run_random(n), prover_, options);
    ++count_[result.status];
    proved_ += result.proved;
    if (settings_.verbose && result.status != Status::accepted && result.status != Status::failed)
      fmt::print("program {}: {}\n", n, result.reason);
    if (result.status == Status::failed)
      return report_failure(n, program, result.reason, options);
    if (result.status != Status::accepted || settings_.native_batch == 0 || result.runs.empty())
      return;
    native_runs_ += result.runs.size();
    jobs_.push_back({std::to_string(n), std::move(*result.loops), std::move(result.runs)});
    if (jobs_.size() == settings_.native_batch)
      start_batch();
  }

  NativeOptions options_of_batch(std::size_t number) const {
    NativeOptions options;
    options.compiler.clear();
    std::istringstream words(settings_.compilers[number % settings_.compilers.size()]);
    for (std::string word; words >> word;)
      options.compiler.push_back(word);
    options.sanitize = settings_.sanitize_every != 0 && number % settings_.sanitize_every == 0;
    return options;
  }

  // The C compiler works while we make the next programs.
  void start_batch() {
    finish_batch();
    batch_ = std::async(std::launch::async, [options = options_of_batch(batches_++),
                                             jobs = std::move(jobs_)] { return run_native(jobs, options); });
    jobs_.clear();
  }

  void finish_batch() {
    if (!batch_.valid())
      return;
    for (const NativeProblem &problem : batch_.get())
      report_native(problem);
  }

  void report_native(const NativeProblem &problem) {
    std::uint64_t n = std::stoull(problem.program);
    GeneratedProgram program = generate(n);
    // A program that was run without a proof may be one that the compiler refuses.
    const Options with_proof{true, settings_.runs};
    Status judged =
        examine(program.minimal, program.full, program.kernel, run_random(n), prover_, with_proof).status;
    if (judged == Status::refused || judged == Status::unknown) {
      --count_[Status::accepted];
      ++count_[judged];
      return;
    }
    print_failure(n, program, problem.what);
    auto fails = [&](const std::string &text) {
      Examined result = examine(text, text, program.kernel, run_random(n), prover_, with_proof);
      return result.status == Status::accepted && result.loops &&
             !run_native({{problem.program, *result.loops, result.runs}}, options_of_batch(batches_ - 1))
                  .empty();
    };
    print_smaller(program, fails);
  }

  void report_failure(std::uint64_t n, const GeneratedProgram &program, const std::string &reason,
                      const Options &options) {
    print_failure(n, program, reason);
    std::string kind = reason.substr(0, reason.find_first_of(":\n\""));
    if (kind.starts_with("does not"))
      return; // the message says it
    auto fails = [&](const std::string &text) {
      Examined result = examine(text, text, program.kernel, run_random(n), prover_, options);
      return result.status == Status::failed &&
             result.reason.starts_with(kind.substr(0, kind.find(" with ")));
    };
    print_smaller(program, fails);
  }

  void print_failure(std::uint64_t n, const GeneratedProgram &program, const std::string &reason) {
    ++failures_;
    fmt::print("FAILED: seed {}, program {} (--seed {} --first {} --programs 1)\n{}\n{}\n",
               settings_.draws.seed, n, settings_.draws.seed, n, reason, program.minimal);
  }

  void print_smaller(const GeneratedProgram &program, const std::function<bool(const std::string &)> &fails) {
    if (fails(program.minimal))
      fmt::print("smaller:\n{}\n", minimise(program.minimal, fails));
    std::fflush(stdout);
  }

  Settings settings_;
  proofs::Prover prover_;
  std::map<Status, std::uint64_t> count_;
  std::uint64_t proved_ = 0, failures_ = 0, native_runs_ = 0, batches_ = 0;
  std::vector<NativeJob> jobs_;
  std::future<std::vector<NativeProblem>> batch_;
};

} // namespace

} // namespace atl::fuzz

int main(int argc, char **argv) {
  using namespace atl::fuzz;
  Settings settings;
  const FuzzProgram program{
      "fuzz",
      "Random well-typed programs through parser, printer, checker, prover, interpreters and native code",
      "--programs",
      {
          {"--native-batch", &settings.native_batch, "kernels a C compilation; 0: no native code"},
          {"--prove-every", &settings.prove_every,
           "of how many programs one is proved; 0: only on suspicion"},
          {"--sanitize-every", &settings.sanitize_every, "of how many batches one is sanitized; 0: none"},
          {"--cc", &settings.compilers, "C compilers, each with flags: batches take turns"},
          {"--runs", &settings.runs, "of every program, on random sizes and inputs"},
          {"--print", &settings.print, "print every program"},
          {"--verbose", &settings.verbose, "say why programs are refused"},
      }};
  return run_fuzzer(program, settings.draws, argc, argv, [&] {
    const std::vector<std::string> never_drawn = operators_never_drawn();
    for (const std::string &op : never_drawn)
      fmt::print("FAILED: the generator never draws {}: it needs a case in tests/fuzz\n", op);
    return Fuzzer(settings).run() && never_drawn.empty();
  });
}
