#include "fuzz/native_batch.h"

#include "cbackend/host/native.h"
#include "cbackend/host/process.h"
#include "cbackend/host/temp_folder.h"
#include "driver/library.h"
#include "fuzz/inputs.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

namespace atl::fuzz {

namespace {

namespace fs = std::filesystem;

// Reads calls from one file, writes what comes out to another. All buffers are exactly as large as they must
// be, so that the address sanitizer sees every step outside. Layout: see write_calls and read_results.
constexpr const char *harness = R"(
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t read_number(FILE *in) {
  int64_t n = 0;
  if (fread(&n, 8, 1, in) != 1)
    exit(99);
  return n;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 98;
  FILE *in = fopen(argv[1], "rb"), *out = fopen(argv[2], "wb");
  if (!in || !out)
    return 98;
  for (int64_t calls = read_number(in); calls > 0; --calls) {
    int64_t kernel = read_number(in), sizes[8];
    void *inputs[16], *outputs[16];
    size_t output_bytes[16];
    int64_t size_count = read_number(in);
    for (int64_t i = 0; i < size_count; ++i)
      sizes[i] = read_number(in);
    int64_t input_count = read_number(in);
    for (int64_t i = 0; i < input_count; ++i) {
      size_t bytes = (size_t)read_number(in);
      inputs[i] = malloc(bytes ? bytes : 1);
      if (bytes && fread(inputs[i], bytes, 1, in) != 1)
        return 97;
    }
    int64_t output_count = read_number(in);
    for (int64_t i = 0; i < output_count; ++i) {
      output_bytes[i] = (size_t)read_number(in);
      outputs[i] = malloc(output_bytes[i] ? output_bytes[i] : 1);
      memset(outputs[i], 0xAA, output_bytes[i] ? output_bytes[i] : 1);
    }
    int64_t code = kernels[kernel](sizes, inputs, outputs);
    fwrite(&code, 8, 1, out);
    for (int64_t i = 0; i < output_count; ++i)
      fwrite(outputs[i], 1, output_bytes[i], out);
    fflush(out);
    for (int64_t i = 0; i < input_count; ++i)
      free(inputs[i]);
    for (int64_t i = 0; i < output_count; ++i)
      free(outputs[i]);
  }
  return fclose(out) == 0 ? 0 : 96;
}
)";

std::string kernels_text(const std::vector<NativeJob> &jobs) {
  std::vector<lowering::LoopKernel> kernels;
  for (const NativeJob &job : jobs)
    kernels.push_back(job.loops);
  return cbackend::emit_callable_source(kernels);
}

std::string main_text(const std::vector<NativeJob> &jobs) {
  std::string declarations, table;
  for (const NativeJob &job : jobs) {
    declarations +=
        fmt::format("int atl_call_{}(const int64_t *, void *const *, void *const *);\n", job.loops.name);
    table += fmt::format("  atl_call_{},\n", job.loops.name);
  }
  return fmt::format(
      "#include <stdint.h>\n{}static int (*const kernels[])(const int64_t *, void *const *, void *const *) "
      "= {{\n{}}};\n{}",
      declarations, table, harness);
}

void append(std::string &bytes, std::int64_t number) {
  bytes.append(reinterpret_cast<const char *>(&number), 8);
}

void append(std::string &bytes, const Tensor &tensor) {
  append(bytes, static_cast<std::int64_t>(tensor.bytes.size()));
  bytes.append(reinterpret_cast<const char *>(tensor.bytes.data()), tensor.bytes.size());
}

std::string calls_of(const std::vector<NativeJob> &jobs) {
  std::string bytes;
  std::size_t calls = 0;
  for (const NativeJob &job : jobs)
    calls += job.runs.size();
  append(bytes, static_cast<std::int64_t>(calls));
  for (std::size_t k = 0; k < jobs.size(); ++k)
    for (const Run &run : jobs[k].runs) {
      append(bytes, static_cast<std::int64_t>(k));
      append(bytes, static_cast<std::int64_t>(run.sizes.size()));
      for (const Param &p : jobs[k].loops.params)
        if (p.kind == Param::Kind::size)
          append(bytes, run.sizes.at(p.name));
      append(bytes, static_cast<std::int64_t>(run.inputs.size()));
      for (const Param &p : jobs[k].loops.params)
        if (p.kind != Param::Kind::size)
          append(bytes, run.inputs.at(p.name));
      append(bytes, static_cast<std::int64_t>(jobs[k].loops.outputs.size()));
      for (const lowering::Buffer &output : jobs[k].loops.outputs)
        append(bytes, static_cast<std::int64_t>(run.outputs.at(output.name).bytes.size()));
    }
  return bytes;
}

// Takes `count` bytes from the front of `bytes`.
std::optional<std::string> take(std::string_view &bytes, std::size_t count) {
  if (bytes.size() < count)
    return std::nullopt;
  std::string taken(bytes.substr(0, count));
  bytes.remove_prefix(count);
  return taken;
}

// Every element differs by no more than a part of the largest one.
bool are_close(const Tensor &expected, const Tensor &actual, double part) {
  if (!is_float(expected.elem) || part == 0)
    return false;
  double largest = 0;
  for (std::int64_t i = 0; i < expected.element_count(); ++i)
    largest = std::max(largest, std::abs(expected.get(i).real));
  for (std::int64_t i = 0; i < expected.element_count(); ++i)
    if (!(std::abs(expected.get(i).real - actual.get(i).real) <= part * largest)) // NaN is not close
      return false;
  return true;
}

std::optional<std::string> wrong_result(const NativeJob &job, const Run &run, std::string_view &results) {
  auto code_bytes = take(results, 8);
  if (!code_bytes)
    return "native code ended without a result";
  std::int64_t code = 0;
  std::memcpy(&code, code_bytes->data(), 8);
  std::optional<std::string> problem;
  if (code != 0)
    problem = fmt::format("native code returned {}", code);
  for (const lowering::Buffer &output : job.loops.outputs) {
    const Tensor &expected = run.outputs.at(output.name);
    Tensor actual = expected;
    auto bytes = take(results, actual.bytes.size());
    if (!bytes)
      return "native code ended without a result";
    std::memcpy(actual.bytes.data(), bytes->data(), bytes->size());
    if (!problem && !same_bits(expected, actual) && !are_close(expected, actual, job.tolerance))
      problem =
          fmt::format("native code computes another {}: {}", output.name, first_difference(expected, actual));
  }
  return problem;
}

std::vector<NativeProblem> compare(const std::vector<NativeJob> &jobs, std::string_view results,
                                   const cbackend::Outcome &outcome) {
  std::vector<NativeProblem> problems;
  for (const NativeJob &job : jobs)
    for (const Run &run : job.runs)
      if (auto problem = wrong_result(job, run, results)) {
        bool ended = results.empty() && outcome.status != 0;
        problems.push_back({job.program, fmt::format("with {}: {}{}", describe(run), *problem,
                                                     ended ? "\n" + outcome.output : std::string())});
        if (ended)
          return problems;
      }
  if (problems.empty() && outcome.status != 0) // such as a leak, reported at the end
    problems.push_back({jobs.back().program, "native code failed at its end:\n" + outcome.output});
  return problems;
}

std::vector<NativeProblem> for_all(const std::vector<NativeJob> &jobs, const std::string &what) {
  return {{jobs.front().program, what}};
}

// At times the sanitizer's own tracer crashes, where threads end meanwhile.
bool leaks_were_not_found_out(const cbackend::Outcome &outcome) {
  return outcome.output.find("LeakSanitizer has encountered a fatal error") != std::string::npos;
}

// The C of every kernel says what its loop nest says.
std::vector<NativeProblem> read_back(const std::vector<NativeJob> &jobs) {
  std::vector<NativeProblem> problems;
  proofs::Prover prover;
  for (const NativeJob &job : jobs) {
    const driver::Library library = driver::make_library("fuzz", {job.loops}, prover);
    if (!library.ok())
      problems.push_back(
          {job.program, "the C is not read back: " + render(library.problems[0], library.sources)});
  }
  return problems;
}

} // namespace

std::vector<NativeProblem> run_native(const std::vector<NativeJob> &jobs, const NativeOptions &options) {
  if (jobs.empty())
    return {};
  if (options.read_back)
    if (auto problems = read_back(jobs); !problems.empty())
      return problems;
  auto folder = cbackend::TempFolder::create(fs::temp_directory_path());
  if (!folder)
    return for_all(jobs, folder.errors()[0].message);
  fs::path kernels = folder->path() / "kernels.c", source = folder->path() / "main.c",
           program = folder->path() / "batch", calls = folder->path() / "calls",
           results = folder->path() / "results";
  std::ofstream(kernels) << kernels_text(jobs);
  std::ofstream(source) << main_text(jobs);
  std::ofstream(calls, std::ios::binary) << calls_of(jobs);
  std::vector<std::string> command = options.compiler;
  command.emplace_back("-std=c11");
  if (options.sanitize)
    command.insert(command.end(), {"-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"});
  command.insert(command.end(), {kernels, source, "-o", program, "-lm"});
  auto compiled = cbackend::run_program(command);
  if (!compiled || compiled->status != 0)
    return for_all(jobs, "the C does not compile:\n" +
                             (compiled ? compiled->output : compiled.errors()[0].message));
  auto outcome = cbackend::run_program({program, calls, results});
  for (int again = 0; again < 3 && outcome && leaks_were_not_found_out(*outcome); ++again)
    outcome = cbackend::run_program({program, calls, results});
  if (!outcome)
    return for_all(jobs, outcome.errors()[0].message);
  std::ifstream in(results, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return compare(jobs, bytes.str(), *outcome);
}

} // namespace atl::fuzz
