// A row of the table of steps: the usage, what the step is for, and a function that does it. The function's
// parameters behind the work are those of the usage, in order.
#pragma once
#include "atl/base/check.h"
#include "atl/schedule/steps/typed.h"

#include <functional>
#include <tuple>
#include <variant>

namespace atl::schedule {

// The step cannot be applied, for the reason given, if any; or a name in it means nothing.
using Outcome = std::variant<rewrites::Refused, Diagnostics>;

struct StepRow {
  std::string_view usage, summary;
  Signature signature;
  std::function<Outcome(rewrites::Work &, const Arguments &)> apply; // none: the runner does it
};
using StepRows = std::vector<StepRow>;

// Reads the arguments from the first to the last. What it returns after a problem does not matter.
class Reader {
public:
  Reader(const Arguments &arguments, const TypedKernel &kernel) : arguments_(arguments), kernel_(kernel) {}

  Diagnostics problems;

  template <class T>
  T next() {
    Result<T> value = Typed<T>::of(arguments_.at(next_++), kernel_);
    if (value)
      return std::move(*value);
    if (problems.empty())
      problems = value.errors();
    return T();
  }

private:
  const Arguments &arguments_;
  const TypedKernel &kernel_;
  std::size_t next_ = 0;
};

// `function` returns an Outcome or rewrites::Refused.
template <class Answer, class... Parameters>
StepRow step(std::string_view usage, std::string_view summary,
             Answer (*function)(rewrites::Work &, Parameters...)) {
  Signature signature = signature_of(usage);
  std::size_t next = 0;
  bool fits = signature.parameters.size() == sizeof...(Parameters) &&
              (Typed<std::decay_t<Parameters>>::fits(signature.parameters[next++]) && ...);
  ATL_CHECK(fits, "the function has other parameters than `" + std::string(usage) + "`");
  auto apply = [function](rewrites::Work &work, const Arguments &arguments) -> Outcome {
    Reader read(arguments, work.kernel);
    std::tuple<std::decay_t<Parameters>...> values{read.next<std::decay_t<Parameters>>()...};
    if (!read.problems.empty())
      return read.problems;
    return std::apply([&](const auto &...value) { return function(work, value...); }, values);
  };
  return {usage, summary, std::move(signature), std::move(apply)};
}

inline StepRow step_of_runner(std::string_view usage, std::string_view summary) {
  return {usage, summary, signature_of(usage), nullptr};
}

} // namespace atl::schedule
