// One result of a benchmark, and how it is measured.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace atl::bench {

// `ours` and the peers in the same unit, smaller is better.
struct Row {
  std::string suite, name, unit;
  double ours = 0;
  std::map<std::string, double> peers;
  double limit = 0; // what the machine allows, probed in the same rounds; 0: not probed

  std::string best_peer() const; // empty if there is none
  double ratio() const;          // best peer / ours: above 1, ours is faster
};

// How long a case is measured: at least so many rounds, and until they have taken as long.
struct Effort {
  int rounds;
  double ms;
};

struct Options {
  bool quick = false;     // fewer rounds and smaller inputs
  std::string only = {};  // cases whose name contains this
  bool automatic = false; // of the examples, not the schedules by hand, but those that atlc makes
  // Many rounds of a short case: on a busy machine, other programs then meet all contenders alike.
  Effort effort(int rounds) const { return quick ? Effort{3, 0} : Effort{rounds, 3000}; }
  bool wants(const std::string &name) const { return name.find(only) != std::string::npos; }
};

// The rows of a suite; each is printed as soon as it is there.
class Rows {
public:
  void push_back(Row row);
  const std::vector<Row> &all() const { return rows_; }

private:
  std::vector<Row> rows_;
};

Rows auto_suite(const Options &options);
Rows check_suite(const Options &options);
Rows conv_suite(const Options &options);
Rows coq_suite(const Options &options);
Rows image_suite(const Options &options);
Rows int8_suite(const Options &options);
Rows kernel_suite(const Options &options);
Rows ladder_suite(const Options &options);
Rows sgemm_suite(const Options &options);
Rows sweep_suite(const Options &options);
Rows tutorial_suite(const Options &options);

// Of the ratios to each peer, and to the best peer of each row ("the best peer"): how many there are, and
// their geometric mean.
struct Mean {
  std::size_t cases = 0;
  double ratio = 0;
};
std::map<std::string, Mean> means(const std::vector<Row> &rows);

struct Contender {
  std::string name;
  std::function<void()> run;
  double part = 1; // of what one run does, which the time is for
};

double median_ms(int rounds, const std::function<void()> &run); // of one run

// The median time of one run of each, in milliseconds. The contenders take turns in every round, in an order
// that changes, so that a change of the machine's speed meets all of them.
std::map<std::string, double> measure(const std::vector<Contender> &contenders, const Effort &effort);

} // namespace atl::bench
