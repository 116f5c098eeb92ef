#include "proofs/refute/counterexample.h"
#include "proofs/z3/ranges.h"

#include <algorithm>
#include <functional>

namespace atl::proofs {

namespace {

// The least value in [lo, hi] that satisfies the test, if the values that do are those above some value; it
// holds at hi.
std::int64_t least(std::int64_t lo, std::int64_t hi, const std::function<bool(std::int64_t)> &test) {
  while (lo < hi) {
    std::int64_t middle = lo + (hi - lo) / 2;
    if (test(middle))
      hi = middle;
    else
      lo = middle + 1;
  }
  return hi;
}

class CornerSearch {
public:
  CornerSearch(const Obligation &obligation, bool upper)
      : obligation_(obligation), upper_(upper), names_(obligation.sizes) {
    names_.insert(names_.end(), obligation.variables.begin(), obligation.variables.end());
    ranges_.emplace(obligation.hypotheses, names_);
    for (std::size_t i = 0; i < obligation.sizes.size(); ++i) {
      Range range = ranges_->of(i, {});
      lo_.push_back(std::max<std::int64_t>(range.lo.value_or(0), 0));
      hi_.push_back(std::max(range.hi.value_or(INT64_MAX), lo_.back()));
    }
  }

  std::optional<Valuation> run() {
    std::int64_t scale = hi_.empty() ? 0 : *std::max_element(hi_.begin(), hi_.end());
    while (!violated(all_alike(scale)) && scale > 0)
      scale /= 4;
    if (!violated(all_alike(scale)))
      return std::nullopt;
    auto test = [&](std::int64_t smaller) { return violated(all_alike(smaller)); };
    std::vector<std::int64_t> sizes = all_alike(least(0, scale, test));
    for (std::size_t i = 0; i < sizes.size(); ++i)
      sizes[i] = least(lo_[i], sizes[i], [&](std::int64_t smaller) {
        std::vector<std::int64_t> changed = sizes;
        changed[i] = smaller;
        return violated(changed);
      });
    return with_smaller_variables(at_corner(sizes));
  }

private:
  std::vector<std::int64_t> all_alike(std::int64_t value) const {
    std::vector<std::int64_t> sizes;
    for (std::size_t i = 0; i < lo_.size(); ++i)
      sizes.push_back(std::clamp(value, lo_[i], hi_[i]));
    return sizes;
  }

  Valuation at_corner(const std::vector<std::int64_t> &sizes) const {
    Valuation values;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      values[names_[i]] = sizes[i];
    for (std::size_t i = sizes.size(); i < names_.size(); ++i) {
      Range range = ranges_->of(i, values);
      values[names_[i]] = (upper_ ? range.hi : range.lo).value_or(0);
    }
    return values;
  }

  bool violated(const std::vector<std::int64_t> &sizes) const {
    return violated_claim(obligation_, at_corner(sizes)) != nullptr;
  }

  Valuation with_smaller_variables(Valuation values) const {
    for (const std::string &name : obligation_.variables)
      if (values[name] > 0)
        values[name] = least(0, values[name], [&](std::int64_t smaller) {
          Valuation changed = values;
          changed[name] = smaller;
          return violated_claim(obligation_, changed) != nullptr;
        });
    return values;
  }

  const Obligation &obligation_;
  bool upper_;
  std::vector<std::string> names_;
  std::optional<Ranges> ranges_;
  std::vector<std::int64_t> lo_, hi_; // of each size
};

} // namespace

std::optional<Valuation> search_corners(const Obligation &obligation) {
  for (bool upper : {true, false})
    if (std::optional<Valuation> found = CornerSearch(obligation, upper).run())
      return found;
  return std::nullopt;
}

} // namespace atl::proofs
