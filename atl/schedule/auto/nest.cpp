#include "atl/schedule/auto/nest.h"

#include <optional>

namespace atl::schedule {

namespace {

constexpr std::int64_t terms_written_out = 32;

// Reductions directly inside each other, and the terms.
struct Chain {
  std::vector<LoopHead> loops;
  ExprPtr terms;
};

bool is_short(const Chain &chain) {
  std::int64_t terms = 1;
  for (const LoopHead &loop : chain.loops) {
    const auto extent = as_constant(sub(loop.hi, loop.lo));
    if (!extent || *extent > terms_written_out)
      return false;
    terms *= *extent;
  }
  return terms <= terms_written_out;
}

// The reductions of a scalar, outer ones first; false where something inside is no scalar.
bool find_reductions(const ExprPtr &e, std::vector<Chain> &chains) {
  if (std::holds_alternative<Reduce>(e->node)) {
    Chain chain{{}, e};
    for (; std::holds_alternative<Reduce>(chain.terms->node); chain.terms = loop_body(chain.terms))
      chain.loops.push_back(*loop_head(chain.terms));
    chains.push_back(chain);
    return find_reductions(chain.terms, chains);
  }
  if (std::holds_alternative<Gen>(e->node) || std::holds_alternative<Concat>(e->node) ||
      std::holds_alternative<Reshape>(e->node) || std::holds_alternative<Tuple>(e->node))
    return false;
  for (const ExprPtr &child : children(*e))
    if (!find_reductions(child, chains))
      return false;
  return true;
}

std::optional<Nest> nest_of(const std::string &tensor, ExprPtr e) {
  Nest nest{tensor, e->type->elem, {}, {}, {}, {}};
  for (; std::holds_alternative<Gen>(e->node); e = loop_body(e))
    nest.loops.push_back(*loop_head(e));
  std::vector<Chain> chains;
  if (!find_reductions(e, chains))
    return std::nullopt;
  ExprPtr read = e;
  for (const Chain &chain : chains) {
    if (is_short(chain)) {
      nest.short_sums.insert(nest.short_sums.end(), chain.loops.begin(), chain.loops.end());
      continue;
    }
    if (!nest.sums.empty())
      return std::nullopt;
    nest.sums = chain.loops;
    nest.elem = chain.terms->type->elem;
    read = chain.terms;
  }
  if (nest.loops.empty() && nest.sums.empty())
    return std::nullopt;
  for_each_access(read, [&](const Access &access) {
    if (!access.indices.empty())
      nest.reads.push_back(access);
  });
  return nest;
}

} // namespace

std::vector<Nest> nests_of(const TypedKernel &kernel) {
  std::vector<Nest> nests;
  auto add = [&](const std::string &tensor, const ExprPtr &value) {
    if (auto nest = nest_of(tensor, value))
      nests.push_back(std::move(*nest));
  };
  for (const Binding &let : kernel.lets)
    add(let.name, let.value);
  for (std::size_t i = 0; i < kernel.results.size(); ++i)
    add(kernel.outputs.at(i).name, kernel.results[i]);
  return nests;
}

} // namespace atl::schedule
