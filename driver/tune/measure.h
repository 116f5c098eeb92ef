// How long a kernel takes with some sizes. Comes in: the kernel as it is written, what schedules make of it,
// and the sizes. Goes out: seconds; or a diagnostic, if a result is not that of the kernel as it is written.
// May use: the C compiler.
#pragma once
#include "driver/functions.h"
#include "driver/io/bind.h"
#include "driver/library.h"

namespace atl::driver {

// A size must be one that the kernel takes (E8005, E8006, E8009). The numbers in the tensors are drawn, with
// the same seed each time.
Result<Inputs> drawn_inputs(const TypedKernel &algorithm, const Valuation &sizes);

class Stopwatch {
public:
  // Compiles the kernel as it is written, and runs it once.
  static Result<Stopwatch> make(const Compiled &written, Inputs inputs, proofs::Prover &prover);

  // The median of several runs; one run, where that took much longer than `best`.
  Result<double> measure(const Compiled &scheduled, proofs::Prover &prover, std::optional<double> best);

  double as_written() const { return as_written_; } // seconds, of one run

private:
  std::shared_ptr<const Inputs> inputs_;
  std::string name_; // of the kernel
  Tensors expected_;
  double as_written_ = 0;
};

} // namespace atl::driver
