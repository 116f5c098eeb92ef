#include "tests/support/agree.h"

#include <algorithm>

namespace atl::testing {

namespace {

Tensor noise(Elem elem, std::vector<std::int64_t> shape, std::mt19937 &random, Numbers numbers) {
  Tensor t = make_tensor(elem, std::move(shape));
  double unit = numbers == Numbers::exact ? 8 : 7;
  for (std::int64_t i = 0; i < t.element_count(); ++i)
    t.set(i, is_float(elem) ? make_real(elem, static_cast<double>(random() % 64) / unit - 4)
                            : make_integer(elem, static_cast<std::int64_t>(random() % 64) - 32));
  return t;
}

bool allowed(const TypedKernel &kernel, const Valuation &sizes) {
  return std::all_of(kernel.assumptions.begin(), kernel.assumptions.end(),
                     [&](const Pred &p) { return evaluate(p, sizes).value_or(false); });
}

Valuation draw_sizes(const TypedKernel &kernel, std::mt19937 &random, int largest) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    Valuation sizes;
    for (const std::string &size : kernel.size_names())
      sizes[size] = static_cast<std::int64_t>(random() % static_cast<unsigned>(largest + 1 + attempt / 20));
    if (allowed(kernel, sizes))
      return sizes;
  }
  FAIL("no sizes were found that satisfy the where clause of ", kernel.name);
  return {};
}

std::string in_words(const Valuation &sizes) {
  std::string text;
  for (const auto &[name, value] : sizes)
    text += name + " = " + std::to_string(value) + " ";
  return text;
}

// Laws of arithmetic do not hold for the sign of 0.
bool same_numbers(const Tensor &a, const Tensor &b) {
  if (a.shape != b.shape)
    return false;
  for (std::int64_t i = 0; i < a.element_count(); ++i)
    if (a.get(i).real != b.get(i).real || a.get(i).integer != b.get(i).integer)
      return false;
  return true;
}

void check_same(const Tensors &found, const Tensors &expected, Numbers numbers) {
  for (const auto &[name, tensor] : expected)
    CHECK((numbers == Numbers::exact ? same_numbers(found.at(name), tensor)
                                     : same_bits(found.at(name), tensor)));
}

} // namespace

Draw draw(const TypedKernel &kernel, std::mt19937 &random, int largest, Numbers numbers) {
  Draw result{draw_sizes(kernel, random, largest), {}};
  for (const Param &param : kernel.params) {
    if (param.kind == Param::Kind::size)
      continue;
    std::vector<std::int64_t> shape;
    for (const Index &extent : param.type.shape)
      shape.push_back(evaluate(extent, result.sizes).value());
    result.inputs[param.name] = noise(param.type.elem, shape, random, numbers);
  }
  return result;
}

void check_agreement(const ScheduledText &scheduled, Numbers numbers) {
  std::mt19937 random(7);
  for (int i = 0; i < 6; ++i) {
    const Draw drawn = draw(scheduled.algorithm, random, i == 0 ? 1 : 11, numbers);
    const Valuation &sizes = drawn.sizes;
    Tensors expected = evaluate(scheduled.algorithm, sizes, drawn.inputs);
    INFO("sizes: ", in_words(sizes));
    auto version = std::find_if(scheduled.versions.begin(), scheduled.versions.end(),
                                [&](const auto &v) { return evaluate(v.when, sizes).value(); });
    REQUIRE(version != scheduled.versions.end());
    check_same(evaluate(version->normal.kernel, sizes, drawn.inputs), expected, numbers);
    check_same(lowering::run(scheduled.loops, sizes, drawn.inputs), expected, numbers);
  }
}

} // namespace atl::testing
