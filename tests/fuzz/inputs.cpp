#include "fuzz/inputs.h"

#include <fmt/format.h>
#include <limits>

namespace atl::fuzz {

// Mostly small numbers, on which arithmetic shows what it does; now and then the edges of the type.
static Scalar random_scalar(Elem elem, Random &random) {
  if (elem == Elem::boolean)
    return make_bool(random.chance(50));
  if (is_float(elem)) {
    if (random.chance(8)) {
      constexpr double inf = std::numeric_limits<double>::infinity();
      static const std::vector<double> edges{
          0.0,    -0.0,    inf,    -inf,   std::numeric_limits<double>::quiet_NaN(),
          1e-45,  -1e-310, 3.4e38, -1e300, 2147483648.0,
          -129.0, 65536.5};
      return make_real(elem, random.pick(edges));
    }
    return make_real(elem, static_cast<double>(random.between(-64, 64)) / 8.0);
  }
  if (random.chance(15)) {
    const std::vector<std::int64_t> edges{least_integer(elem), greatest_integer(elem),
                                          greatest_integer(elem) / 2 + 1};
    return make_integer(elem, random.pick(edges));
  }
  return make_integer(elem, random.between(-9, 9));
}

static bool allowed(const TypedKernel &kernel, const Valuation &sizes) {
  for (const Pred &p : kernel.assumptions)
    if (!evaluate(p, sizes).value_or(false))
      return false;
  return true;
}

static std::optional<std::vector<std::int64_t>> shape_with(const Shape &shape, const Valuation &sizes) {
  std::vector<std::int64_t> extents;
  for (const Index &extent : shape) {
    auto value = evaluate(extent, sizes);
    if (!value || *value < 0)
      return std::nullopt;
    extents.push_back(*value);
  }
  return extents;
}

std::optional<Run> draw_run(const TypedKernel &kernel, Random &random,
                            const std::vector<std::int64_t> &values_of_sizes,
                            const std::function<bool(const Valuation &)> &suit) {
  Run run;
  int attempts = 0;
  do {
    if (++attempts > 60)
      return std::nullopt;
    for (const std::string &name : kernel.size_names())
      run.sizes[name] = random.pick(values_of_sizes);
  } while (!allowed(kernel, run.sizes) || (suit && !suit(run.sizes)));
  for (const Output &output : kernel.outputs)
    if (!shape_with(output.type.shape, run.sizes))
      return std::nullopt;
  for (const Param &param : kernel.params) {
    if (param.kind == Param::Kind::size)
      continue;
    auto shape = shape_with(param.type.shape, run.sizes);
    if (!shape)
      return std::nullopt;
    Tensor tensor = make_tensor(param.type.elem, *shape);
    for (std::int64_t i = 0; i < tensor.element_count(); ++i)
      tensor.set(i, random_scalar(param.type.elem, random));
    run.inputs[param.name] = std::move(tensor);
  }
  return run;
}

std::string describe(const Valuation &values) {
  std::string text;
  for (const auto &[name, value] : values)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
  return text.empty() ? "no sizes" : text;
}

std::string first_difference(const Tensor &expected, const Tensor &actual) {
  if (expected.shape != actual.shape || expected.elem != actual.elem)
    return fmt::format("another type: {}[{}] instead of {}[{}]", name(actual.elem),
                       fmt::join(actual.shape, ", "), name(expected.elem), fmt::join(expected.shape, ", "));
  for (std::int64_t i = 0; i < expected.element_count(); ++i)
    if (!same_bits(expected.get(i), actual.get(i)))
      return fmt::format("element {} of shape [{}] is {}, expected {}", i, fmt::join(expected.shape, ", "),
                         to_string(actual.get(i)), to_string(expected.get(i)));
  return "no difference";
}

} // namespace atl::fuzz
