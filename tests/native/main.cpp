// native-sizes: every kernel of every program in the given folders, compiled by one C compiler, on sizes from
// 0 to just above the tiles, against the reference interpreter and the loop interpreter. Programs that are
// refused are passed over: they are tested elsewhere.
#include "fuzz/inputs.h"
#include "fuzz/native_batch.h"

#include "driver/pipeline.h"
#include "lowering/nest/run_loops.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <sstream>

namespace atl {

namespace {

namespace fs = std::filesystem;
using fuzz::NativeJob, fuzz::NativeOptions, fuzz::NativeProblem, fuzz::Run;

// Around tiles of 4, 8 and 16; few and small values where there are many sizes.
std::vector<std::int64_t> values_for(std::size_t sizes) {
  if (sizes <= 2)
    return {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33};
  if (sizes <= 4)
    return {0, 1, 3, 4, 5, 8, 9};
  return {0, 1, 2, 3, 4};
}

// Where a * b + c may be rounded once, or lanes are added up in another order, the results of f32 are so
// close to the largest of them.
constexpr double rounding = 1e-5;
bool rounds_otherwise(const lowering::LoopKernel &loops) {
  return loops.reorders || (loops.requests && loops.requests->contracts);
}
// Small integers, of which most products and sums are exact: then one rounding is as good as two.
void make_exact(Tensors &inputs) {
  for (auto &[name, tensor] : inputs)
    for (std::int64_t i = 0; is_float(tensor.elem) && i < tensor.element_count(); ++i)
      tensor.set(i, make_real(tensor.elem, static_cast<double>((i * 7 + 3) % 17 - 8)));
}

class Suite {
public:
  // Of `parts` parts of the programs, the one with this number.
  Suite(std::uint64_t seed, std::size_t part, std::size_t parts, bool runs_loops)
      : random_(seed, 0), part_(part), parts_(parts), runs_loops_(runs_loops) {}

  std::vector<NativeJob> jobs;
  std::vector<NativeJob> mapped; // to instructions
  int failures = 0, runs = 0;

  void add_folder(const fs::path &folder) {
    std::vector<fs::path> programs;
    for (const auto &entry : fs::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".atl")
        programs.push_back(entry.path());
    std::sort(programs.begin(), programs.end());
    for (const fs::path &program : programs)
      if (programs_++ % parts_ == part_)
        add_program(program);
  }

private:
  void add_program(const fs::path &file) {
    driver::Compilation c = driver::compile(file, prover_);
    if (!c.program && c.diagnostics.front().code == Code::import_not_found) // others are refused on purpose
      fail(file.string(), c.diagnostics.front().message);
    runs_of_.clear();
    for (const driver::Compiled &kernel : c.kernels)
      if (kernel.proved && kernel.algorithm.span.file == 0)
        add_kernel(file.stem().string() + "/" + kernel.program.name, kernel);
  }

  void add_kernel(const std::string &name, const driver::Compiled &kernel) {
    NativeJob job{name, *kernel.loops, {}};
    job.loops.name =
        fmt::format("k{}", jobs.size() + mapped.size()); // those of all programs are compiled together
    const bool rounds = rounds_otherwise(*kernel.loops);
    const bool keeps_bits = !rounds && kernel.laws.empty();
    job.runs = keeps_bits ? runs_of_algorithm(kernel) : draw_runs(kernel.program, rounds);
    if (runs_loops_)
      for (const Run &run : job.runs)
        run_loops(job, run);
    runs += static_cast<int>(job.runs.size());
    if (job.runs.size() < 3)
      fail(name, fmt::format("only {} sizes were found that it allows", job.runs.size()));
    if (rounds)
      job.tolerance = rounding;
    (kernel.loops->requests ? mapped : jobs).push_back(std::move(job));
  }

  // The same for all schedules of a kernel: interpreters take most of the time.
  const std::vector<Run> &runs_of_algorithm(const driver::Compiled &kernel) {
    const auto [known, is_new] = runs_of_.try_emplace(kernel.name);
    if (is_new)
      known->second = draw_runs(kernel.algorithm, false);
    return known->second;
  }

  std::vector<Run> draw_runs(const TypedKernel &kernel, bool exact) {
    std::vector<Run> drawn;
    const std::size_t sizes = kernel.size_names().size();
    const std::vector<std::int64_t> values = values_for(sizes);
    auto draw = [&](const std::vector<std::int64_t> &of_sizes) {
      auto run = fuzz::draw_run(kernel, random_, of_sizes);
      if (!run)
        return;
      if (exact)
        make_exact(run->inputs);
      run->outputs = evaluate(kernel, run->sizes, run->inputs);
      drawn.push_back(std::move(*run));
    };
    for (std::int64_t value : values) // all alike
      draw({value});
    for (std::size_t n = 0; n < 6 * sizes; ++n)
      draw(values);
    return drawn;
  }

  void run_loops(const NativeJob &job, const Run &run) {
    for (auto order : lowering::orders_of(job.loops)) {
      Tensors from_loops = lowering::run(job.loops, run.sizes, run.inputs, order);
      for (const auto &[output, expected] : run.outputs)
        if (!same_bits(expected, from_loops.at(output)))
          fail(job.program, fmt::format("with {}: the loop nest computes another {}: {}", fuzz::describe(run),
                                        output, fuzz::first_difference(expected, from_loops.at(output))));
    }
  }

  void fail(const std::string &program, const std::string &what) {
    ++failures;
    fmt::print("FAILED {}: {}\n", program, what);
  }

  fuzz::Random random_;
  std::size_t part_, parts_, programs_ = 0;
  bool runs_loops_;
  proofs::Prover prover_;
  std::map<std::string, std::vector<Run>> runs_of_; // by kernel, of one program
};

std::vector<std::string> words_of(const std::string &text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

} // namespace

} // namespace atl

int main(int argc, char **argv) {
  std::vector<std::string> folders;
  std::string compiler = "cc -O1";
  bool sanitize = false, native_only = false;
  std::uint64_t seed = 1;
  std::size_t part = 0, parts = 1;
  CLI::App app{"Compiled kernels against the interpreters, on sizes around the tiles"};
  app.add_option("folders", folders, "of programs")->required();
  app.add_option("--cc", compiler, "C compiler, with flags");
  app.add_flag("--sanitize", sanitize, "with the address and undefined behaviour sanitizers");
  app.add_flag("--native-only", native_only, "no run of the loop interpreter, and the C is not read back");
  app.add_option("--seed", seed, "of sizes and inputs");
  app.add_option("--part", part, "of the programs, counted from 0");
  app.add_option("--parts", parts, "into which the programs are divided")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  atl::Suite suite(seed, part % parts, parts, !native_only);
  for (const std::string &folder : folders)
    suite.add_folder(folder);
  // Sanitizers would take minutes for the loops that are written out for registers; instructions are tested
  // at the ends of memory by tests/accel.
  auto problems = atl::fuzz::run_native(suite.jobs, {atl::words_of(compiler), sanitize, !native_only});
  for (auto &problem : atl::fuzz::run_native(suite.mapped, {atl::words_of(compiler), false, !native_only}))
    problems.push_back(std::move(problem));
  for (const atl::fuzz::NativeProblem &problem : problems)
    fmt::print("FAILED {}: {}\n", problem.program, problem.what);
  auto failed = static_cast<std::size_t>(suite.failures) + problems.size();
  fmt::print("{} kernels{}, {} mapped to instructions, {} runs, {} failed\n", suite.jobs.size(),
             sanitize ? " with sanitizers" : "", suite.mapped.size(), suite.runs, failed);
  return failed == 0 && !(suite.jobs.empty() && suite.mapped.empty()) ? 0 : 1;
}
