// fuzz_auto: random kernels under the step `auto`. It takes every kernel that is right as it is written, for
// each hardware; the C computes what the kernel says, bit by bit; and the choice does not take long. With
// --time, the native code is timed beside that of the loops as they are written.
#include "cbackend/host/temp_folder.h"
#include "driver/automatic_text.h"
#include "driver/pipeline.h"
#include "fuzz/auto_times.h"
#include "fuzz/families.h"
#include "fuzz/generate.h"
#include "fuzz/inputs.h"
#include "fuzz/native_batch.h"
#include "fuzz/seeds.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <map>

namespace atl::fuzz {

namespace {

struct AutoSettings {
  Draws draws{1, 0, 200};
  std::string hardware = "avx2,avx512,neon,portable";
  std::string compiler = "cc -O1 -ffp-contract=off -w";
  int runs = 4;
  double most_seconds = 60;
  bool print = false, verbose = false, time = false;
};

// One kernel as it is to be compiled.
struct AutoKernel {
  std::string family, text;
  std::vector<std::string> extents;             // of its loops, as far as they are known
  std::vector<std::vector<std::int64_t>> sizes; // to draw from, one run after the other

  double iterations(const Valuation &with) const {
    double all = 1;
    for (const std::string &extent : extents)
      all *= static_cast<double>(with.contains(extent) ? with.at(extent) : std::stoll("0" + extent));
    return all;
  }
};

constexpr double most_for_interpreters = 5e5, least_to_time = 5e4, most_to_time = 5e7; // iterations
const std::vector<std::int64_t> sizes_to_time{3,   7,   16,  20,  33,  50,   64,   77,   100,   128,
                                              200, 256, 301, 480, 512, 1000, 1333, 4096, 20000, 100000};

const std::vector<std::vector<std::int64_t>> sizes_for_families{
    {0, 1, 2, 3, 5, 7, 8, 9, 11, 15, 16, 17, 23, 24, 25, 31, 32, 33, 40},
    {1, 2, 4, 6, 10, 12, 13, 18, 26, 27, 30, 36, 39},
    {1, 3, 8, 25, 65, 130, 150}, // whole tiles and strips, and more
    {0, 1, 2, 3}};

using Seconds = std::chrono::duration<double>;

class AutoFuzzer {
public:
  explicit AutoFuzzer(const AutoSettings &settings)
      : settings_(settings), hardware_(driver::hardware_named(settings.hardware)) {}

  bool run() {
    auto folder = cbackend::TempFolder::create(std::filesystem::temp_directory_path());
    if (!folder)
      throw std::runtime_error(folder.errors()[0].message);
    file_ = folder->path() / "kernel.atl";
    const auto start = std::chrono::steady_clock::now();
    measure_descriptions();
    for (std::uint64_t n = settings_.draws.first; n < settings_.draws.end(); ++n)
      one(n);
    flush();
    fmt::print("fuzz_auto: seed {}, {} kernels: {} accepted, {} not right as they are written, {} failed; "
               "{} runs native; {:.0f} s\n",
               settings_.draws.seed, settings_.draws.count, accepted_, refused_, failures_, native_runs_,
               Seconds(std::chrono::steady_clock::now() - start).count());
    print_counts();
    print_ratios();
    std::fflush(stdout);
    return failures_ == 0;
  }

private:
  AutoKernel draw(std::uint64_t n) const {
    Random random(settings_.draws.seed, n * 104729 + 5);
    const std::string name = fmt::format("k{}", n);
    if (n % 4 == 3)
      return {"random", generate_program(random, name).minimal, {}, {size_values, size_values}};
    FamilyKernel drawn = draw_family_kernel(random, name);
    return {drawn.family, drawn.text, drawn.extents, sizes_for_families};
  }

  struct Timed {
    driver::Compilation compilation;
    double seconds; // of the processor
  };

  // Under `auto` for this hardware, and as it is written; without hardware: as it is written.
  Timed compile(const std::string &text, const std::string &hardware, bool has_cache = true) {
    std::ofstream(file_) << text;
    driver::Choice choice{{}, "none", false, false, {}};
    if (!hardware.empty())
      choice = {{}, driver::automatic_schedule(hardware), false, false, hardware};
    if (!has_cache)
      choice.costs["cache"] = 0;
    proofs::Prover prover;
    const std::clock_t start =
        std::clock(); // of the processor, so that the load of the machine does not matter
    driver::Compilation compilation = driver::compile(file_, prover, driver::Until::proved, choice);
    return {std::move(compilation), static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC};
  }

  // What it takes to read a description, which is no matter of `auto`.
  void measure_descriptions() {
    const std::string text = "kernel k(x: f32) -> f32 { x }\n";
    const double without = compile(text, "").seconds;
    for (const std::string &one : hardware_)
      reading_[one] = compile(text, one).seconds - without;
  }

  void one(std::uint64_t n) {
    const AutoKernel kernel = draw(n);
    if (settings_.print)
      fmt::print("// kernel {}: {}\n{}\n", n, kernel.family, kernel.text);
    std::fflush(stdout);
    try {
      const Timed written = compile(kernel.text, "");
      const driver::Compiled *algorithm = last_proved(written.compilation, "");
      if (!algorithm || !written.compilation.ok()) // nor is what it calls
        return refuse(n, kernel, written.compilation);
      ++accepted_;
      ++families_[kernel.family];
      const std::vector<Run> runs = runs_of(n, kernel, algorithm->algorithm);
      std::vector<std::pair<std::string, lowering::LoopKernel>> native;
      for (const std::string &hardware : hardware_)
        if (auto loops = examine(n, kernel, hardware, written.seconds, runs))
          native.emplace_back(hardware, std::move(*loops));
      if (settings_.time)
        time(n, kernel, *algorithm, native);
    } catch (const std::exception &error) {
      fail(n, kernel, fmt::format("internal error: {}", error.what()));
    }
  }

  static const driver::Compiled *last_proved(const driver::Compilation &c, const std::string &schedule) {
    for (auto kernel = c.kernels.rbegin(); kernel != c.kernels.rend(); ++kernel)
      if (kernel->schedule == schedule)
        return kernel->proved ? &*kernel : nullptr;
    return nullptr;
  }

  void refuse(std::uint64_t n, const AutoKernel &kernel, const driver::Compilation &c) {
    ++refused_;
    if (kernel.family != "random" || settings_.verbose)
      fmt::print("kernel {} is not right as it is written ({}):\n{}{}\n", n, kernel.family, messages_of(c),
                 kernel.text);
    if (kernel.family != "random")
      ++failures_; // all that are drawn are right
  }

  static std::string messages_of(const driver::Compilation &c) {
    std::string text;
    for (const Diagnostic &d : c.diagnostics)
      text += render(d, c.sources);
    return text;
  }

  std::vector<Run> runs_of(std::uint64_t n, const AutoKernel &kernel, const TypedKernel &algorithm) const {
    Random random(settings_.draws.seed + 77, n);
    std::vector<Run> runs;
    for (int i = 0; i < settings_.runs; ++i)
      if (auto run = draw_run(
              algorithm, random, kernel.sizes.at(static_cast<std::size_t>(i) % kernel.sizes.size()),
              [&](const Valuation &sizes) { return kernel.iterations(sizes) <= most_for_interpreters; })) {
        run->outputs = evaluate(algorithm, run->sizes, run->inputs);
        runs.push_back(std::move(*run));
      }
    return runs;
  }

  // What it is compiled to, if it is right and can be run here.
  std::optional<lowering::LoopKernel> examine(std::uint64_t n, const AutoKernel &kernel,
                                              const std::string &hardware, double written,
                                              const std::vector<Run> &runs) {
    const Timed automatic = compile(kernel.text, hardware, has_cache(n));
    const double added = std::max(automatic.seconds - written - reading_.at(hardware), 0.0);
    times_[hardware].push_back(added);
    if (added > worst_[hardware].first)
      worst_[hardware] = {added, fmt::format("kernel {}, {}:\n{}", n, kernel.family, kernel.text)};
    const driver::Compiled *compiled =
        last_proved(automatic.compilation, driver::automatic_schedule(hardware));
    if (!compiled || !automatic.compilation.ok()) {
      fail(n, kernel,
           fmt::format("`auto` for {} is refused:\n{}", hardware, messages_of(automatic.compilation)));
      return std::nullopt;
    }
    if (!compiled->laws.empty())
      fail(n, kernel, fmt::format("`auto` for {} uses laws: {}", hardware, fmt::join(compiled->laws, ", ")));
    if (added > settings_.most_seconds)
      fail(n, kernel, fmt::format("`auto` for {} takes {:.0f} s", hardware, added));
    count(*compiled, hardware);
    if (settings_.verbose)
      fmt::print("kernel {} for {}, {:.1f} s:\n{}", n, hardware, added, steps_chosen(*compiled));
    if (!can_run(hardware))
      return std::nullopt;
    if (runs.empty())
      return *compiled->loops;
    jobs_.push_back({fmt::format("{} for {}", n, hardware), *compiled->loops, runs});
    jobs_.back().loops.name = fmt::format("k{}_{}", n, hardware);
    native_runs_ += runs.size();
    if (jobs_.size() >= 90)
      flush();
    return *compiled->loops;
  }

  void time(std::uint64_t n, const AutoKernel &kernel, const driver::Compiled &written,
            const std::vector<std::pair<std::string, lowering::LoopKernel>> &native) {
    Random random(settings_.draws.seed + 78, n);
    auto takes_long_enough = [&](const Valuation &sizes) {
      return kernel.iterations(sizes) >= least_to_time && kernel.iterations(sizes) <= most_to_time;
    };
    const auto run = kernel.extents.empty() || native.empty()
                         ? std::nullopt
                         : draw_run(written.algorithm, random, sizes_to_time, takes_long_enough);
    if (!run)
      return;
    std::vector<lowering::LoopKernel> others;
    for (const auto &[hardware, loops] : native)
      others.push_back(loops);
    const std::vector<Times> times = compare_times(*written.loops, others, *run);
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (times[i].written < 10e-6)
        continue;
      const std::string &hardware = native[i].first;
      ratios_[hardware].push_back(times[i].ratio);
      fmt::print("kernel {} ({}) for {}, {}: {:.1f} us as it is written, {:.2f} times as fast{}\n", n,
                 kernel.family, hardware, describe(run->sizes), 1e6 * times[i].written, times[i].ratio,
                 times[i].ratio < slower ? ": SLOWER" : "");
      if (times[i].ratio < slower)
        fmt::print("{}", kernel.text);
    }
  }

  void print_ratios() {
    for (auto &[hardware, ratios] : ratios_) {
      std::sort(ratios.begin(), ratios.end());
      const auto slow = std::lower_bound(ratios.begin(), ratios.end(), slower) - ratios.begin();
      fmt::print("times as fast for {}: median {:.2f}, least {:.2f}; {} of {} below {}\n", hardware,
                 ratios[ratios.size() / 2], ratios[0], slow, ratios.size(), slower);
    }
  }

  static bool can_run(const std::string &hardware) {
    if (hardware == driver::portable_hardware)
      return true;
#if defined(__x86_64__)
    if (hardware == "avx2")
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (hardware == "avx512")
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#endif
    return false;
  }

  // ---- what is chosen

  // The names of the strategies and steps that matter, such as `contraction`.
  static void add_names(const std::vector<Step> &steps, std::vector<std::string> &names) {
    for (const Step &step : steps) {
      if (step.name != "within" && step.name != "reorder" &&
          std::find(names.begin(), names.end(), step.name) == names.end())
        names.push_back(step.name);
      add_names(step.block, names);
    }
  }

  static std::string words_of(const schedule::Chosen &chosen) {
    const schedule::Candidate *taken = chosen.taken();
    std::vector<std::string> names;
    add_names(taken ? taken->steps : chosen.decision.candidates.at(0).steps, names);
    if (names.empty())
      names.emplace_back("vectorized by the program");
    return fmt::format("{}{}", taken ? "" : "as it is, instead of ", fmt::join(names, " "));
  }

  static std::string steps_chosen(const driver::Compiled &compiled) {
    std::string text;
    for (const schedule::Chosen &chosen : compiled.chosen)
      text += fmt::format("  {}: {} ({} of {})\n", chosen.decision.tensor, words_of(chosen),
                          chosen.choice + 1, chosen.decision.candidates.size());
    return text;
  }

  void count(const driver::Compiled &compiled, const std::string &hardware) {
    if (compiled.chosen.empty())
      ++strategies_["nothing to decide"][hardware];
    for (const schedule::Chosen &chosen : compiled.chosen)
      ++strategies_[words_of(chosen)][hardware];
  }

  void print_counts() {
    for (const auto &[family, count] : families_)
      fmt::print("  {} {}\n", count, family);
    fmt::print("strategies for {}:\n", fmt::join(hardware_, ", "));
    for (const auto &[words, counts] : strategies_) {
      std::vector<std::size_t> all;
      for (const std::string &hardware : hardware_)
        all.push_back(counts.contains(hardware) ? counts.at(hardware) : 0);
      fmt::print("  {:>14}  {}\n", fmt::format("{}", fmt::join(all, " ")), words);
    }
    for (const std::string &hardware : hardware_) {
      std::vector<double> &times = times_[hardware];
      std::sort(times.begin(), times.end());
      if (!times.empty())
        fmt::print(
            "time that `auto` adds for {}: median {:.2f} s, of ten nine in {:.2f} s, worst {:.2f} s: {}\n",
            hardware, times[times.size() / 2], times[times.size() * 9 / 10], times.back(),
            worst_[hardware].second);
    }
  }

  // ---- what is wrong

  void flush() {
    NativeOptions options;
    options.compiler.clear();
    std::istringstream words(settings_.compiler);
    for (std::string word; words >> word;)
      options.compiler.push_back(word);
    if (!jobs_.empty())
      for (const NativeProblem &problem : run_native(jobs_, options)) {
        const std::uint64_t n = std::stoull(problem.program);
        fail(n, draw(n), fmt::format("native: {}: {}", problem.program, problem.what));
      }
    jobs_.clear();
  }

  // Without, small operands are treated as large ones are. What is timed is what users get.
  bool has_cache(std::uint64_t n) const {
    return settings_.time || n % 2 == 0;
  }

  void fail(std::uint64_t n, const AutoKernel &kernel, const std::string &what) {
    ++failures_;
    fmt::print("FAILED: --seed {} --first {} --kernels 1 ({}{}): {}\n{}\n", settings_.draws.seed, n,
               kernel.family, has_cache(n) ? "" : ", --cost cache=0", what, kernel.text);
    std::fflush(stdout);
  }

  AutoSettings settings_;
  std::vector<std::string> hardware_;
  std::filesystem::path file_;
  std::map<std::string, double> reading_; // seconds
  static constexpr double slower = 0.95;
  std::map<std::string, std::vector<double>> times_, ratios_;
  std::map<std::string, std::pair<double, std::string>> worst_;
  std::map<std::string, std::map<std::string, std::size_t>> strategies_;
  std::map<std::string, std::size_t> families_;
  std::vector<NativeJob> jobs_;
  std::size_t accepted_ = 0, refused_ = 0, failures_ = 0, native_runs_ = 0;
};

} // namespace

} // namespace atl::fuzz

int main(int argc, char **argv) {
  using namespace atl::fuzz;
  AutoSettings settings;
  const FuzzProgram program{
      "fuzz_auto",
      "Random kernels under the step `auto`: taken, and the same results",
      "--kernels",
      {
          {"--for", &settings.hardware, "the hardware, as for atlc"},
          {"--cc", &settings.compiler, "C compiler, with flags"},
          {"--runs", &settings.runs, "of every kernel, on random sizes and inputs"},
          {"--seconds", &settings.most_seconds, "of the processor that `auto` may add to a compilation"},
          {"--print", &settings.print, "print every kernel"},
          {"--time", &settings.time,
           "time the native code, and say what is slower than the loops as written"},
          {"--verbose", &settings.verbose, "say what is chosen"},
      }};
  return run_fuzzer(program, settings.draws, argc, argv, [&] { return AutoFuzzer(settings).run(); });
}
