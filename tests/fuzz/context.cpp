#include "fuzz/context.h"

#include <algorithm>

namespace atl::fuzz {

static constexpr std::size_t most_samples = 60;

bool Context::always(const Pred &p) const {
  return std::all_of(samples.begin(), samples.end(),
                     [&](const Valuation &v) { return evaluate(p, v).value_or(false); });
}

std::int64_t Context::greatest(const Index &e) const {
  std::int64_t result = 0;
  for (const Valuation &v : samples)
    result = std::max(result, evaluate(e, v).value_or(0));
  return result;
}

void Context::add_size(const std::string &name) {
  std::vector<Valuation> more;
  for (const Valuation &v : samples)
    for (std::int64_t value : {0, 1, 2, 3, 4, 5, 7, 8, 11}) {
      more.push_back(v);
      more.back()[name] = value;
    }
  samples = std::move(more);
  variables.push_back({name, nullptr, nullptr});
  names.insert(name);
}

void Context::add_constant(const std::string &name, std::int64_t value) {
  for (Valuation &v : samples)
    v[name] = value;
  variables.push_back({name, nullptr, nullptr});
  names.insert(name);
}

// The first, the last and one value in between, for every sample so far.
void Context::add_loop(const std::string &name, const Index &lo, const Index &hi, Random &random) {
  std::int64_t longest = 1;
  std::vector<Valuation> more;
  for (const Valuation &v : samples) {
    auto first = evaluate(lo, v), end = evaluate(hi, v);
    if (!first || !end || *first >= *end)
      continue;
    longest = std::max(longest, *end - *first);
    std::set<std::int64_t> values{
        *first, *end - 1,
        *first + random.below(static_cast<int>(std::min<std::int64_t>(*end - *first, 1000)))};
    for (std::int64_t value : values) {
      more.push_back(v);
      more.back()[name] = value;
    }
  }
  for (std::size_t i = 0; i + 1 < more.size(); ++i) // a random selection, if there are too many
    std::swap(more[i], more[i + static_cast<std::size_t>(random.below(static_cast<int>(more.size() - i)))]);
  more.resize(std::min(more.size(), most_samples));
  samples = std::move(more);
  volume *= longest;
  variables.push_back({name, lo, hi});
  names.insert(name);
}

void Context::add_tensor(const std::string &name, Type type) {
  tensors.push_back({name, std::move(type)});
  names.insert(name);
}

Context Context::where(const Pred &p) const {
  Context inner = *this;
  std::erase_if(inner.samples, [&](const Valuation &v) { return !evaluate(p, v).value_or(false); });
  return inner;
}

// Names that C, the emitted code or the compiler use themselves are names like any other.
std::string Context::fresh_name(Random &random) const {
  static const std::vector<std::string> pool{
      "i",   "j",         "k",    "x",   "y",   "acc",    "z0",     "c0",       "i0",     "i_2",  "acc_2",
      "int", "INT32_MAX", "free", "t",   "end", "double", "status", "restrict", "a",      "b",    "p",
      "tmp", "row",       "q",    "i.o", "i_o", "step",   "by",     "i.i",      "free.x", "x.i.o"};
  for (int attempt = 0; attempt < 4; ++attempt)
    if (const std::string &name = random.pick(pool); !names.contains(name))
      return name;
  std::string name;
  for (int n = 1; names.contains(name = "v" + std::to_string(n)); ++n) {
  }
  return name;
}

} // namespace atl::fuzz
