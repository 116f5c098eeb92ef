// Two dimensions of a temporary whose cells depend on their sum only.
#include "atl/rewrites/rewrites.h"
#include "atl/syntax/names.h"

#include <fmt/format.h>

namespace atl::rewrites {

namespace {

// The dimension that becomes the sum, and the one that vanishes.
struct Pair {
  std::size_t kept, dropped;
};

std::optional<Pair> pair_of(const Index &sum, std::size_t rank) {
  if (sum->op != IndexOp::add)
    return std::nullopt;
  auto first = dimension_of(sum->a, rank), second = dimension_of(sum->b, rank);
  return first && second && *first != *second ? std::optional(Pair{*first, *second}) : std::nullopt;
}

// Indices of cells, without the dimension that vanishes.
std::vector<Index> joined(std::vector<Index> indices, const Pair &pair) {
  indices[pair.kept] = add(indices[pair.kept], indices[pair.dropped]);
  indices.erase(indices.begin() + static_cast<std::ptrdiff_t>(pair.dropped));
  return indices;
}

std::optional<Refusal> not_movable(const Work &work, const std::string &tensor, const ExprPtr &bound) {
  if (work.prophecies.contains(tensor))
    return Refusal{tensor + " holds a tensor of the algorithm, and keeps its dimensions",
                   {{std::nullopt, "`accumulate` makes temporaries that may lose one"}}};
  if (binds_prophecy(bound, work.prophecies))
    return Refusal{tensor +
                   " has temporaries of its own; bring its dimensions together before those are made"};
  return {};
}

} // namespace

Refused slide_dimensions(Work &work, const std::string &tensor, const Index &sum) {
  auto let = find_let(work.kernel, tensor);
  if (!let)
    return unknown_temporary(work.kernel, tensor);
  if (Refused refused = not_movable(work, tensor, let->bound))
    return refused;
  const Shape old = let->bound->type->shape;
  auto pair = pair_of(sum, old.size());
  if (!pair)
    return Refusal{fmt::format("{} is not the sum of two dimensions of {}", to_string(sum), tensor),
                   {{std::nullopt, "they are called d0, d1, ..."}}};

  std::set<std::string> taken = names_in(work.kernel);
  const std::string dropped = fresh_name(fmt::format("{}.p", tensor), taken);
  taken.insert(dropped);
  std::vector<std::string> vars;
  std::vector<Index> cell;
  for (std::size_t d = 0; d < old.size(); ++d) {
    vars.push_back(fresh_name(fmt::format("{}.p{}", tensor, d), taken));
    cell.push_back(variable(vars[d]));
  }
  cell[pair->dropped] = variable(dropped);
  cell[pair->kept] = sub(cell[pair->kept], variable(dropped));
  auto value = cell_of(let->bound, cell, {});
  if (!value)
    return Refusal{tensor + " is not a nest of loops: it has a concat"};
  const Known nothing_known;
  ExprPtr bound = simplified(*value, nothing_known);
  if (mentions_variable(bound, dropped))
    return Refusal{fmt::format("a cell of {} depends on d{} and d{} by more than their sum", tensor,
                               pair->kept, pair->dropped)};
  for (std::size_t d = old.size(); d-- > 0;)
    if (d != pair->dropped) {
      Index extent = d == pair->kept ? sub(add(old[d], old[pair->dropped]), constant(1)) : old[d];
      bound = gen_of(vars[d], constant(0), nothing_known.facts().simplify(extent), bound);
    }
  rebind(work, *let, tensor, bound, [&](const Access &a, const ExprPtr &access) {
    return access_of(tensor, joined(a.indices, *pair), access->type->elem, access->span);
  });
  return {};
}

} // namespace atl::rewrites
