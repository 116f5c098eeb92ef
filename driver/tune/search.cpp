#include "driver/tune/search.h"

#include "atl/syntax/print_schedule.h"

#include <algorithm>
#include <array>
#include <utility>

namespace atl::driver {

namespace {

// Less is not distinguished from noise.
constexpr double is_faster = 0.99;

// The likeliest first.
std::vector<std::int64_t> other_values(std::int64_t value) {
  std::vector<std::int64_t> values;
  for (std::int64_t other : {2 * value, value / 2, value + 1, value - 1, 4 * value, value / 4, value + 2,
                             value - 2, 3 * value / 2, 3 * value / 4})
    if (other >= 1 && other <= 65536 && other != value &&
        std::find(values.begin(), values.end(), other) == values.end())
      values.push_back(other);
  return values;
}

} // namespace

Search::Search(std::vector<std::vector<Step>> beginnings) : best_(beginnings.at(0)) {
  for (std::vector<Step> &steps : beginnings)
    add({std::move(steps), {}});
}

bool Search::add(Candidate candidate) {
  if (!known_.insert(print(candidate.steps)).second)
    return false;
  waiting_.push_back(std::move(candidate));
  return true;
}

std::optional<std::vector<Step>> Search::next() {
  if (waiting_.empty() && !around_best_)
    add_neighbours();
  if (waiting_.empty())
    add_leaps();
  if (waiting_.empty())
    return std::nullopt;
  current_ = std::move(waiting_.front());
  waiting_.pop_front();
  return current_->steps;
}

// A step from the best one that helps is taken at once.
void Search::learn(std::optional<double> seconds) {
  const Candidate tried = *std::exchange(current_, std::nullopt);
  if (!seconds) {
    if (tried.number)
      ++refused_[*tried.number];
    return;
  }
  if (best_seconds_ && *seconds > is_faster * *best_seconds_)
    return;
  best_ = tried.steps;
  best_seconds_ = seconds;
  around_best_ = false;
  std::erase_if(waiting_, [&](const Candidate &candidate) {
    if (candidate.number)
      known_.erase(print(candidate.steps));
    return candidate.number.has_value();
  });
  if (!tried.number)
    refused_.clear(); // these are other numbers
}

// All that differ in one number. Those that would not take other values so far, as the lanes of a vector, are
// tried last.
void Search::add_neighbours() {
  around_best_ = true;
  std::vector<std::pair<std::size_t, Candidate>> found; // by how often, and in which order
  const std::vector<std::int64_t> numbers = numbers_of(best_);
  for (std::size_t at = 0; at < numbers.size(); ++at) {
    std::size_t rank = 4 * refused_[at];
    for (std::int64_t value : other_values(numbers[at]))
      found.emplace_back(rank++, Candidate{with_number(best_, at, value), at});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto &a, const auto &b) { return a.first < b.first; });
  for (auto &[rank, candidate] : found)
    add(std::move(candidate));
}

// Some that differ in two or three numbers.
void Search::add_leaps() {
  const std::vector<std::int64_t> numbers = numbers_of(best_);
  constexpr int most = 200, together = 8;
  for (int i = 0, added = 0; i < most && added < together && numbers.size() > 1; ++i) {
    std::vector<Step> steps = best_;
    for (unsigned changes = 2 + random_() % 2; changes > 0; --changes) {
      const std::size_t at = random_() % numbers.size();
      const std::vector<std::int64_t> values = other_values(numbers[at]);
      if (!values.empty())
        steps = with_number(std::move(steps), at, values[random_() % values.size()]);
    }
    added += add({std::move(steps), {}});
  }
}

} // namespace atl::driver
