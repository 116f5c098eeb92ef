// Which schedule is tried next. Comes in: schedules to begin with, and how long each that was tried took.
// Goes out: one that was not tried. Nothing here depends on anything else, so a search whose results are
// known can be repeated. May use: the steps.
#pragma once
#include "driver/tune/numbers.h"

#include <deque>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>

namespace atl::driver {

class Search {
public:
  // The first is the one that is to be made faster.
  explicit Search(std::vector<std::vector<Step>> beginnings);

  // Nothing: all that the search knows was tried.
  std::optional<std::vector<Step>> next();

  // What became of it: seconds, or nothing if it was refused.
  void learn(std::optional<double> seconds);

  const std::vector<Step> &best() const { return best_; } // while nothing succeeded, the first

private:
  struct Candidate {
    std::vector<Step> steps;
    std::optional<std::size_t> number; // the only one that is not as it was in the best; none: several
  };
  bool add(Candidate candidate); // false: it was tried, or will be
  void add_neighbours();
  void add_leaps();

  std::vector<Step> best_;
  std::optional<double> best_seconds_;
  std::deque<Candidate> waiting_;
  std::optional<Candidate> current_;
  std::set<std::string> known_;                // the texts of all
  std::map<std::size_t, std::size_t> refused_; // by number: how often other values of it were refused
  bool around_best_ = false;                   // all its neighbours were added
  std::mt19937 random_{1};
};

} // namespace atl::driver
