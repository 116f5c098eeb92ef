#include "lowering/verify/two_iterations.h"

namespace atl::lowering {

TwoExecutions side_by_side(const Site &first, const Site &second, const Outside &outside) {
  TwoExecutions both{first.known, {}, truth(false)};
  const Known &other = second.known;
  for (std::size_t v = outside.variables; v < other.variables.size(); ++v) {
    std::string name = other.variables[v] + "'";
    both.primed[other.variables[v]] = variable(name);
    both.known.variables.push_back(std::move(name));
  }
  for (std::size_t h = outside.hypotheses; h < other.hypotheses.size(); ++h)
    both.known.hypotheses.push_back(substitute(other.hypotheses[h], both.primed));
  for (std::size_t d = 0; d < first.indices.size(); ++d)
    both.different_cells = disj(both.different_cells, compare(PredOp::ne, first.indices[d],
                                                              substitute(second.indices[d], both.primed)));
  return both;
}

Template cell_text(const Site &site) {
  Template text{site.buffer};
  for (std::size_t d = 0; d < site.indices.size(); ++d)
    text.insert(text.end(), {d == 0 ? "[" : ", ", site.indices[d]});
  if (!site.indices.empty())
    text.emplace_back("]");
  return text;
}

} // namespace atl::lowering
