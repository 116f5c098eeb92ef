#include "atl/equality/witness.h"

#include "atl/base/check.h"
#include "atl/meaning/eval.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace atl::equality {

namespace {

constexpr double most_work = 300'000; // nodes of expressions that are evaluated in one run, about
constexpr std::int64_t most_elements = 1'000'000;
constexpr std::array special_values{0.0, -0.0, std::numeric_limits<double>::infinity(),
                                    -std::numeric_limits<double>::infinity(),
                                    std::numeric_limits<double>::quiet_NaN()};
constexpr int runs = 3, runs_of_special_values = special_values.size(); // each input has each of them once
constexpr double closeness = 1e-4; // of floats, compared with the largest of them

// Values of loop variables at the two ends of their ranges: how long a range is that depends on others.
struct Ends {
  Valuation first, last;
};

std::int64_t at(const Index &e, const Valuation &values) {
  return evaluate(e, values).value_or(0);
}

double work_of(const ExprPtr &e, const Ends &ends);

double work_of_loop(const std::string &var, const Index &lo, const Index &hi, const ExprPtr &body,
                    Ends ends) {
  std::int64_t length = 1;
  for (Valuation *values : {&ends.first, &ends.last})
    length = std::max(length, at(hi, *values) - at(lo, *values));
  ends.first[var] = at(lo, ends.first);
  ends.last[var] = at(hi, ends.last) - 1;
  return static_cast<double>(length) * work_of(body, ends);
}

double work_of(const ExprPtr &e, const Ends &ends) {
  if (const Gen *gen = std::get_if<Gen>(&e->node))
    return work_of_loop(gen->var, gen->lo, gen->hi, gen->body, ends);
  if (const Reduce *reduce = std::get_if<Reduce>(&e->node))
    return work_of_loop(reduce->var, reduce->lo, reduce->hi, reduce->body, ends);
  double work = 1;
  for (const Index &extent : e->type->shape) // a let or a reshape copies cells
    work *= static_cast<double>(std::max<std::int64_t>(1, at(extent, ends.last)));
  for (const ExprPtr &child : children(*e))
    work += work_of(child, ends);
  return work;
}

double work_of(const TypedKernel &kernel, const Valuation &sizes) {
  double work = 0;
  for (const Binding &let : kernel.lets)
    work += work_of(let.value, {sizes, sizes});
  for (const ExprPtr &result : kernel.results)
    work += work_of(result, {sizes, sizes});
  return work;
}

// Small integers, of which most sums and products are exact; then fractions, which are rounded; then larger
// integers; then what floats have besides numbers.
Scalar input_value(Elem elem, std::uint64_t number, int run) {
  std::uint64_t mixed = (number + 1) * 0x9e3779b97f4a7c15ULL * static_cast<std::uint64_t>(2 * run + 1);
  mixed ^= mixed >> 29;
  const auto value = static_cast<std::int64_t>(mixed % (run == 2 ? 1999 : 17)) - (run == 2 ? 999 : 8);
  if (is_float(elem) && run >= runs)
    return make_real(elem,
                     special_values.at((number + static_cast<std::uint64_t>(run)) % special_values.size()));
  if (elem == Elem::boolean)
    return make_integer(elem, static_cast<std::int64_t>(mixed % 2));
  if (is_float(elem))
    return make_real(elem, static_cast<double>(value) / (run == 1 ? 7 : 1));
  return make_integer(elem, value);
}

// Nothing if they are too large.
std::optional<Tensors> inputs_of(const TypedKernel &kernel, const Valuation &sizes, int run) {
  Tensors inputs;
  std::uint64_t number = 0;
  for (const Param &param : kernel.params) {
    if (param.kind == Param::Kind::size)
      continue;
    std::vector<std::int64_t> shape;
    double elements = 1;
    for (const Index &extent : param.type.shape) {
      shape.push_back(at(extent, sizes));
      elements *= static_cast<double>(shape.back());
    }
    if (elements > static_cast<double>(most_elements))
      return std::nullopt;
    Tensor tensor = make_tensor(param.type.elem, shape);
    for (std::int64_t i = 0; i < tensor.element_count(); ++i)
      tensor.set(i, input_value(param.type.elem, number++, run));
    inputs.emplace(param.name, std::move(tensor));
  }
  return inputs;
}

// A schedule may add up or multiply floats in another order, and then says so.
bool adds_floats(const ExprPtr &e) {
  const Reduce *reduce = std::get_if<Reduce>(&e->node);
  const bool combines =
      reduce && (reduce->reduction == Reduction::sum || reduce->reduction == Reduction::prod);
  const std::vector<ExprPtr> kids = children(*e);
  return (combines && is_float(e->type->elem)) || std::any_of(kids.begin(), kids.end(), adds_floats);
}

bool adds_floats(const TypedKernel &kernel) {
  return std::any_of(kernel.lets.begin(), kernel.lets.end(),
                     [](const Binding &let) { return adds_floats(let.value); }) ||
         std::any_of(kernel.results.begin(), kernel.results.end(),
                     [](const ExprPtr &e) { return adds_floats(e); });
}

bool is_close(const Scalar &a, const Scalar &b, double largest) {
  if (!is_float(a.elem))
    return a.integer == b.integer;
  if (!std::isfinite(a.real) || !std::isfinite(b.real))
    return a.real == b.real || (std::isnan(a.real) && std::isnan(b.real));
  return std::abs(a.real - b.real) <= closeness * largest;
}

bool is_close(const Tensor &a, const Tensor &b) {
  if (a.shape != b.shape)
    return false;
  double largest = 0;
  for (std::int64_t i = 0; is_float(a.elem) && i < a.element_count(); ++i)
    if (std::isfinite(a.get(i).real))
      largest = std::max(largest, std::abs(a.get(i).real));
  for (std::int64_t i = 0; i < a.element_count(); ++i)
    if (!is_close(a.get(i), b.get(i), largest))
      return false;
  return true;
}

// Nothing if it reads outside of a tensor.
std::optional<Tensors> results_of(const TypedKernel &kernel, const Valuation &sizes, const Tensors &inputs) {
  try {
    return evaluate(kernel, sizes, inputs);
  } catch (const InternalError &) {
    return std::nullopt;
  }
}

} // namespace

Witness run_both(const TypedKernel &a, const TypedKernel &b, const Valuation &model) {
  Valuation sizes; // the rest are variables of the claim
  for (const std::string &name : a.size_names())
    sizes[name] = model.at(name);
  if (work_of(a, sizes) > most_work || work_of(b, sizes) > most_work)
    return Witness::too_large;
  const bool rounds_otherwise = adds_floats(a) || adds_floats(b) || !a.rounding.allowed.empty();
  for (int run = 0; run < (rounds_otherwise ? runs : runs + runs_of_special_values); ++run) {
    auto inputs = inputs_of(a, sizes, run);
    if (!inputs)
      return Witness::too_large;
    const auto of_a = results_of(a, sizes, *inputs);
    if (!of_a)
      return Witness::not_run;
    const auto of_b = results_of(b, sizes, *inputs);
    if (!of_b)
      return Witness::different;
    for (const auto &[name, tensor] : *of_a)
      if (rounds_otherwise ? !is_close(tensor, of_b->at(name)) : !same_bits(tensor, of_b->at(name)))
        return Witness::different;
  }
  return Witness::same;
}

} // namespace atl::equality
