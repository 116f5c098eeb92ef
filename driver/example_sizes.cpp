#include "driver/example_sizes.h"

#include <fmt/format.h>

namespace atl::driver {

namespace {

std::string how_to_name_them(const std::vector<std::string> &sizes) {
  std::string text;
  for (const std::string &size : sizes)
    text += fmt::format("{}{} = ...", text.empty() ? "" : ", ", size);
  return fmt::format("name some at the end of the where clause: such as {}", text);
}

} // namespace

Result<Valuation> example_sizes(const TypedKernel &kernel, proofs::Prover &prover) {
  Valuation values;
  for (const SizeValue &size : kernel.such_as)
    values[size.name] = size.value;
  if (!values.empty())
    return values;
  const std::vector<std::string> sizes = kernel.size_names();
  if (kernel.where.empty()) {
    for (const std::string &size : sizes)
      values[size] = 0;
    return values;
  }
  proofs::Satisfiability found = prover.satisfiable(kernel.assumptions, sizes);
  using enum proofs::Satisfiability::Answer;
  if (found.answer == yes)
    return std::move(found.values);
  const Span place = kernel.where[0].span;
  if (found.answer == no)
    return Diagnostic{
        Code::contradictory_where, place, "no sizes satisfy the where clause of " + kernel.name, {}};
  return Diagnostic{Code::contradictory_where,
                    place,
                    "no sizes were found that satisfy the where clause of " + kernel.name,
                    {{std::nullopt, found.reason}, {std::nullopt, how_to_name_them(sizes)}}};
}

} // namespace atl::driver
