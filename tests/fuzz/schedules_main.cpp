// fuzz_schedules: random programs under random schedules. What is proved equal to its algorithm computes the
// same.
#include "atl/base/check.h"
#include "atl/check/check.h"
#include "fuzz/examine.h"
#include "fuzz/generate.h"
#include "fuzz/inputs.h"
#include "fuzz/native_batch.h"
#include "fuzz/schedules.h"
#include "fuzz/seeds.h"

#include "atl/equality/equality.h"
#include "atl/parse/parse.h"
#include "atl/syntax/print.h"
#include "lowering/copies/versions.h"
#include "lowering/nest/run_loops.h"

#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <sys/wait.h>
#include <unistd.h>

namespace atl::fuzz {

namespace {

struct Settings {
  Draws draws{1, 0, 200};
  bool print = false, verbose = false;
};

// Kernels in which schedules have something to do; every other program is a random one.
const std::vector<std::string> classics{
    R"(kernel kern(M: size, N: size, K: size, A: i32[M, K], B: i32[K, N]) -> i32[M, N] {
  gen i < M, j < N { sum k < K { A[i, k] * B[k, j] } } })",
    R"(kernel kern(N: size, M: size, v: f32[N + 2, M + 2]) -> f32[N, M] {
  let rows = gen y < N + 2, x < M { v[y, x] + v[y, x + 1] + v[y, x + 2] };
  let twice = gen y < N + 2, x < M { 2.0 * rows[y, x] };
  gen y < N, x < M { twice[y, x] + rows[y + 1, x] + twice[y + 2, x] } })",
    R"(kernel kern(N: size, C: size, W: size, R: size, x: i32[N, C, W], w: i32[C, R]) -> i32[N, W] {
  gen n < N, p < W { sum c < C, r < R { [p + r < W] x[n, c, p + r] * w[c, r] } } })",
    R"(kernel kern(N: size, M: size, x: f32[N, M]) -> f32[N, M] {
  let top = gen i < N { max j < M { x[i, j] } };
  gen i < N, j < M { x[i, j] - top[i] } })",
    R"(kernel kern(N: size, M: size, x: i32[N, M]) -> i32[M] {
  sum i < N { gen j < M { [i != j] x[i, j] } } })",
    R"(kernel kern(N: size, A: i32[N]) -> i32[N] {
  let b = truncr (4 * cdiv(N, 4) - N) flatten gen o < cdiv(N, 4), i < 4 { [o * 4 + i < N] A[o * 4 + i] + 1 };
  gen i < N { b[i] + b[N - 1 - i] } })",
};

class ScheduleFuzzer {
public:
  explicit ScheduleFuzzer(const Settings &settings) : settings_(settings) {}

  bool run() {
    auto start = std::chrono::steady_clock::now();
    for (std::uint64_t n = settings_.draws.first; n < settings_.draws.end(); ++n)
      try {
        one(n);
      } catch (const std::exception &error) {
        fail(n, fmt::format("internal error: {}", error.what()));
      }
    flush();
    auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    fmt::print("fuzz_schedules: seed {}, {} pairs: {} accepted ({} bit by bit), {} without a step, {} change "
               "the result, {} not shown equal ({:.2f} % of {} steps), {} refused later, {} failed; {} runs "
               "native; {:.0f} s\n",
               settings_.draws.seed, settings_.draws.count, accepted_, exact_, idle_, changed_, unequal_,
               steps_ == 0 ? 0.0 : 100.0 * static_cast<double>(unequal_) / static_cast<double>(steps_),
               steps_, refused_, failures_, native_runs_, seconds);
    for (const auto &[reason, count] : reasons_)
      fmt::print("  {}: {}\n", reason, count);
    std::fflush(stdout);
    return failures_ == 0;
  }

private:
  void one(std::uint64_t n) {
    Random random(settings_.draws.seed, n * 7919 + 13);
    text_ = n % 2 == 0 ? classics[n / 2 % classics.size()] : generate_program(random, "kern").minimal;
    drawn_ = {};
    Sources sources;
    std::uint32_t file = sources.add({"fuzz.atl", text_});
    auto program = parse_program(sources, file);
    auto typed = program ? check_program(*program) : Result<TypedProgram>(program.errors());
    if (!typed)
      return fail(n, "the program is not right: " + typed.errors().at(0).message);
    const TypedKernel &algorithm = typed->kernels.back();
    for (const TypedKernel &kernel :
         typed->kernels) // those it calls as well: they hold what it takes for granted
      if (!proved(kernel.obligations) || !proved(padtypes::check_pads(kernel).obligations))
        return void(++idle_);
    drawn_ = draw_schedule(algorithm, random,
                           [&](const Obligation &o) { return proofs::explain(o, prover_.decide(o)); });
    if (settings_.print)
      fmt::print("// pair {}\n{}\nschedule s for kern {{ {} }}\n", n, text_, drawn_.text);
    if (drawn_.steps.empty())
      return void(++idle_);
    examine_pair(n, algorithm, random);
  }

  void examine_pair(std::uint64_t n, const TypedKernel &algorithm, Random &random) {
    steps_ += drawn_.steps.size();
    auto outcome = run(algorithm, drawn_.steps);
    auto &done = std::get<schedule::Scheduled>(outcome);
    bool exact = true;
    std::vector<lowering::Version> versions;
    for (const schedule::Version &version : done.versions) {
      auto equality = equality::equal_obligations(algorithm, version.kernel, version.prophecies,
                                                  algorithm.span, version.reindexing);
      if (!proved(equality.obligations))
        return not_equal(n, algorithm, version, random);
      exact = exact && equality.laws.empty() && proved(equality.order);
      const padtypes::CheckedKernel checked = padtypes::check_pads(version.kernel);
      if (!proved(checked.obligations))
        return later(n);
      versions.push_back({version.when, lowering::normal_form(checked)});
    }
    auto loops = lowering::lower(versions, algorithm.assumptions);
    if (!loops || !proved(loops->obligations))
      return later(n);
    ++accepted_;
    exact_ += exact;
    compare(n, algorithm, std::move(*loops), exact, random);
  }

  std::variant<schedule::Scheduled, schedule::Failure> run(const TypedKernel &algorithm,
                                                           const std::vector<Step> &steps) {
    return schedule::run(algorithm, steps,
                         [&](const Obligation &o) { return proofs::explain(o, prover_.decide(o)); });
  }

  // Either a run shows that the schedule computes something else, or the proof lacks something.
  void not_equal(std::uint64_t n, const TypedKernel &algorithm, const schedule::Version &version,
                 Random &random) {
    std::string why = why_, step = first_step_not_equal(algorithm);
    auto difference = difference_in_a_run(algorithm, version.kernel, random);
    // Which terms there are under `shift` is no guess; without some, the value may still be the same.
    bool has_less = why.find("has no term") != std::string::npos || why.find(" none") != std::string::npos;
    if (!difference && step == "shift" && has_less)
      difference = "terms are left out";
    ++(difference ? changed_ : unequal_);
    ++reasons_[fmt::format("{} after {}", difference ? "changes the result" : "not shown equal", step)];
    if (settings_.verbose)
      fmt::print("pair {} {} after {}: {}\n{}{}\nschedule s for kern {{ {} }}\n", n,
                 difference ? "changes the result" : "is not shown equal", step, why,
                 difference ? *difference + "\n" : "", text_, drawn_.text);
    std::fflush(stdout);
  }

  // The name of the step after which equality is not proved any more.
  std::string first_step_not_equal(const TypedKernel &algorithm) {
    for (std::size_t count = 1; count <= drawn_.steps.size(); ++count) {
      auto outcome = run(algorithm, {drawn_.steps.begin(), drawn_.steps.begin() + static_cast<long>(count)});
      for (const schedule::Version &version : std::get<schedule::Scheduled>(outcome).versions)
        if (!proved(equality::equal_obligations(algorithm, version.kernel, version.prophecies, algorithm.span,
                                                version.reindexing)
                        .obligations))
          return drawn_.steps[count - 1].name;
    }
    return "all steps";
  }

  // Rounding is no difference: floats differ if they are finite and far from each other.
  static bool differ(const Scalar &a, const Scalar &b, double largest) {
    if (!is_float(a.elem))
      return !same_bits(a, b);
    return std::isfinite(a.real) && std::isfinite(b.real) && std::abs(a.real - b.real) > 0.01 * largest;
  }

  static bool differ(const Tensor &a, const Tensor &b) {
    if (a.shape != b.shape)
      return false; // the shape of what is never computed may be another one
    double largest = 1;
    for (std::int64_t i = 0; i < a.element_count(); ++i)
      for (const Tensor *t : {&a, &b})
        if (double value = std::abs(t->get(i).real); is_float(a.elem) && std::isfinite(value))
          largest = std::max(largest, value);
    for (std::int64_t i = 0; i < a.element_count(); ++i)
      if (differ(a.get(i), b.get(i), largest))
        return true;
    return false;
  }

  // In a process of its own: the interpreter need not survive a kernel whose shapes are wrong.
  std::optional<std::string> difference_in_a_run(const TypedKernel &algorithm, const TypedKernel &scheduled,
                                                 Random &random) {
    int ends[2];
    if (pipe(ends) != 0)
      return std::nullopt;
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      std::string text = first_difference_in_runs(algorithm, scheduled, random).value_or("");
      bool written = write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
      _exit(written ? 0 : 1);
    }
    close(ends[1]);
    std::string text(1000, ' ');
    const ssize_t length = child > 0 ? read(ends[0], text.data(), text.size()) : 0;
    close(ends[0]);
    if (child > 0)
      waitpid(child, nullptr, 0);
    text.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
    return text.empty() ? std::nullopt : std::optional(text);
  }

  static std::optional<std::string> first_difference_in_runs(const TypedKernel &algorithm,
                                                             const TypedKernel &scheduled, Random &random) {
    for (int i = 0; i < 100; ++i) {
      auto drawn = draw_run(scheduled, random, {0, 1, 2, 3, 4, 5, 7, 8, 9});
      if (!drawn)
        continue;
      Tensors meant = evaluate(algorithm, drawn->sizes, drawn->inputs);
      try {
        Tensors found = evaluate(scheduled, drawn->sizes, drawn->inputs);
        for (const auto &[name, tensor] : meant)
          if (differ(tensor, found.at(name)))
            return fmt::format("with {}: {}: {}", describe(*drawn), name,
                               first_difference(tensor, found.at(name)));
      } catch (const InternalError &error) {
        return fmt::format("with {}: {}", describe(*drawn), error.what());
      }
    }
    return std::nullopt;
  }

  void compare(std::uint64_t n, const TypedKernel &algorithm, lowering::LoopKernel loops, bool exact,
               Random &random) {
    NativeJob job{std::to_string(n), std::move(loops), {}};
    job.loops.name = fmt::format("k{}", n);
    for (int i = 0; i < 3; ++i) {
      auto run = draw_run(algorithm, random, {0, 1, 2, 3, 4, 5, 7, 8, 9});
      if (!run)
        continue;
      run->outputs = evaluate(algorithm, run->sizes, run->inputs);
      Tensors found = lowering::run(job.loops, run->sizes, run->inputs);
      for (const auto &[name, tensor] : run->outputs)
        if ((exact || !is_float(tensor.elem)) && !same_bits(found.at(name), tensor))
          return fail(n, fmt::format("with {}: {} differs: {}", describe(*run), name,
                                     first_difference(tensor, found.at(name))));
      if (!exact)
        run->outputs = std::move(found); // native code agrees with the loop nest, at least
      job.runs.push_back(std::move(*run));
    }
    native_runs_ += job.runs.size();
    jobs_.push_back(std::move(job));
    if (jobs_.size() == 100)
      flush();
  }

  void flush() {
    NativeOptions options;
    options.compiler = {"cc", "-O1", "-ffp-contract=off", "-w"};
    if (!jobs_.empty())
      for (const NativeProblem &problem : run_native(jobs_, options)) {
        ++failures_;
        fmt::print("FAILED: seed {}, pair {}: native: {}\n", settings_.draws.seed, problem.program,
                   problem.what);
      }
    jobs_.clear();
  }

  bool proved(const std::vector<Obligation> &obligations) {
    for (const Obligation &o : obligations)
      if (auto verdict = prover_.decide(o); verdict.status != proofs::Verdict::Status::proved) {
        auto problem = proofs::explain(o, verdict);
        why_ = fmt::format("{}: {}", o.what, problem ? problem->message : "");
        return false;
      }
    return true;
  }

  void later(std::uint64_t n) {
    ++refused_;
    if (settings_.verbose)
      fmt::print("pair {} is refused: {}\n{}\nschedule s for kern {{ {} }}\n", n, why_, text_, drawn_.text);
  }

  void fail(std::uint64_t n, const std::string &what) {
    ++failures_;
    fmt::print("FAILED: seed {}, pair {}: {}\n{}\nschedule s for kern {{ {} }}\n\n", settings_.draws.seed, n,
               what, text_, drawn_.text);
    std::fflush(stdout);
  }

  Settings settings_;
  proofs::Prover prover_;
  std::string text_, why_;
  DrawnSchedule drawn_;
  std::vector<NativeJob> jobs_;
  std::map<std::string, std::size_t> reasons_; // of those that are not proved equal
  std::size_t accepted_ = 0, exact_ = 0, steps_ = 0, idle_ = 0, changed_ = 0, unequal_ = 0, refused_ = 0,
              failures_ = 0, native_runs_ = 0;
};

} // namespace

} // namespace atl::fuzz

int main(int argc, char **argv) {
  using namespace atl::fuzz;
  Settings settings;
  const FuzzProgram program{"fuzz_schedules",
                            "Random programs under random schedules: what is proved equal computes the same",
                            "--programs",
                            {
                                {"--print", &settings.print, "print every pair"},
                                {"--verbose", &settings.verbose, "say why pairs are refused"},
                            }};
  return run_fuzzer(program, settings.draws, argc, argv, [&] { return ScheduleFuzzer(settings).run(); });
}
