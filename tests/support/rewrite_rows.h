// One test for all rewrites: a table of small programs with one step each. Where the step applies, the
// program is the one expected, its conditions and its equality to the algorithm are proved by Z3, and both
// compute the same on random inputs. Where it does not, the message says why.
#pragma once
#include <string>
#include <vector>

namespace atl::testing {

struct RewriteRow {
  std::string signature; // (N: size, A: f32[N]) -> f32[N], with a where clause if need be
  std::string body, steps;
  std::string expected; // the body after the steps; or what the message begins with
};

void applies(const std::vector<RewriteRow> &rows); // the same results bit by bit, also those of floats
void applies_up_to_rounding(const std::vector<RewriteRow> &rows);
void refuses(const std::vector<RewriteRow> &rows);

} // namespace atl::testing
