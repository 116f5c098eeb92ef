#include "tests/proofs/layers/compare_runs.h"

#include "atl/base/check.h"
#include "fuzz/inputs.h"
#include "fuzz/native_batch.h"
#include "lowering/nest/run_loops.h"

#include <stdexcept>

namespace atl::layers {

namespace {

const std::vector<std::vector<std::int64_t>> sizes_tried{{0}, {1}, {2}, {5}, {8}, {33}, {0, 1, 3, 4, 9, 17}};
constexpr int draws = 4; // of each of these

// Small integers, of which sums do not round.
void make_exact(Tensors &inputs) {
  for (auto &[name, tensor] : inputs)
    for (std::int64_t i = 0; is_float(tensor.elem) && i < tensor.element_count(); ++i)
      tensor.set(i, make_real(tensor.elem, static_cast<double>((i * 7 + 3) % 17 - 8)));
}

std::vector<fuzz::Run> draw_runs(const driver::Compiled &kernel) {
  fuzz::Random random(1, 0);
  std::vector<fuzz::Run> runs;
  for (const std::vector<std::int64_t> &sizes : sizes_tried)
    for (int n = 0; n < draws; ++n)
      if (auto run = fuzz::draw_run(kernel.algorithm, random, sizes)) {
        if (!kernel.laws.empty())
          make_exact(run->inputs);
        run->outputs = evaluate(kernel.algorithm, run->sizes, run->inputs);
        runs.push_back(std::move(*run));
      }
  if (runs.empty())
    throw std::runtime_error("no sizes were found that the kernel allows");
  return runs;
}

// A law that floats do not obey may change the sign of a zero.
bool same(const Tensor &a, const Tensor &b, bool exact) {
  bool all = exact ? same_bits(a, b) : a.shape == b.shape;
  for (std::int64_t i = 0; all && !exact && i < a.element_count(); ++i)
    all = a.get(i).real == b.get(i).real && a.get(i).integer == b.get(i).integer;
  return all;
}

std::string of_loops(const driver::Compiled &kernel, const fuzz::Run &run) {
  for (auto order : lowering::orders_of(*kernel.loops))
    try {
      const Tensors results = lowering::run(*kernel.loops, run.sizes, run.inputs, order);
      for (const auto &[output, expected] : run.outputs)
        if (!same(expected, results.at(output), kernel.laws.empty()))
          return "the loop nest computes another " + output;
    } catch (const InternalError &error) {
      return error.what();
    }
  return "";
}

} // namespace

std::string compare_runs(const driver::Compiled &kernel) {
  const std::vector<fuzz::Run> runs = draw_runs(kernel);
  for (const fuzz::Run &run : runs)
    if (std::string problem = of_loops(kernel, run); !problem.empty())
      return problem;
  const double tolerance = kernel.laws.empty() ? 0 : 1e-6;
  const auto problems =
      fuzz::run_native({{kernel.name, *kernel.loops, runs, tolerance}}, {{"cc", "-O0", "-w"}, true, false});
  return problems.empty() ? "" : problems[0].what;
}

} // namespace atl::layers
