#include "atl/schedule/auto/nest.h"

#include "atl/syntax/fields.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

namespace atl::schedule {

namespace {

constexpr std::int64_t terms_written_out = 32, longest_period = 8; // cells

// Reductions inside each other, and the terms. Between them there may be guards.
struct Chain {
  std::vector<LoopHead> loops;
  ExprPtr terms;
  std::vector<std::size_t> guarded; // the loops that have a guard directly around them
  bool has_long_inside = false;     // in the terms, a chain that is not short
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

ExprPtr inside_guards(ExprPtr e) {
  while (const Guard *guard = std::get_if<Guard>(&e->node))
    e = guard->body;
  return e;
}

// With the reductions that are behind guards, too, if there are long ones: those of a few terms are written
// out, which decides such a guard once for all of them.
Chain chain_at(const ExprPtr &e) {
  Chain direct{{}, e, {}};
  for (; std::holds_alternative<Reduce>(direct.terms->node); direct.terms = loop_body(direct.terms))
    direct.loops.push_back(*loop_head(direct.terms));
  const ExprPtr next = inside_guards(direct.terms);
  if (next == direct.terms || !std::holds_alternative<Reduce>(next->node))
    return direct;
  Chain all = direct;
  const Chain rest = chain_at(next);
  const std::size_t before = direct.loops.size();
  all.guarded.push_back(before);
  for (const std::size_t loop : rest.guarded)
    all.guarded.push_back(before + loop);
  all.loops.insert(all.loops.end(), rest.loops.begin(), rest.loops.end());
  all.terms = rest.terms;
  const bool is_one_sum = std::all_of(all.loops.begin(), all.loops.end(), [&](const LoopHead &loop) {
    return loop.reduction == all.loops[0].reduction;
  });
  return is_short(all) || !is_one_sum ? direct : all;
}

// The reductions of a scalar, outer ones first; false where something inside is no scalar.
bool find_reductions(const ExprPtr &e, std::vector<Chain> &chains) {
  if (std::holds_alternative<Reduce>(e->node)) {
    const std::size_t own = chains.size();
    chains.push_back(chain_at(e));
    const bool are_scalars = find_reductions(chains[own].terms, chains);
    chains[own].has_long_inside =
        std::any_of(chains.begin() + static_cast<std::ptrdiff_t>(own) + 1, chains.end(),
                    [](const Chain &inside) { return !is_short(inside); });
    return are_scalars;
  }
  if (std::holds_alternative<Gen>(e->node) || std::holds_alternative<Concat>(e->node) ||
      std::holds_alternative<Reshape>(e->node) || std::holds_alternative<Tuple>(e->node))
    return false;
  for (const ExprPtr &child : children(*e))
    if (!find_reductions(child, chains))
      return false;
  return true;
}

void add_elems(const ExprPtr &e, std::set<Elem> &elems) {
  elems.insert(e->type->elem);
  for (const ExprPtr &child : children(*e))
    add_elems(child, elems);
}

bool is_product(const ExprPtr &e) {
  const Op *op = std::get_if<Op>(&e->node);
  return op && op->op->name == "*";
}

bool calls_function(const ExprPtr &e) {
  const Op *op = std::get_if<Op>(&e->node);
  const std::vector<ExprPtr> inside = children(*e);
  return (op && op->op->effort == Effort::call) || std::any_of(inside.begin(), inside.end(), calls_function);
}

// C compilers decide such a guard once for a sum, and skip it.
bool has_guard_around(const ExprPtr &e, const std::vector<LoopHead> &sums) {
  if (const Guard *guard = std::get_if<Guard>(&e->node);
      guard && std::none_of(sums.begin(), sums.end(),
                            [&](const LoopHead &sum) { return mentions(guard->pred, sum.var); }))
    return true;
  const std::vector<ExprPtr> inside = children(*e);
  return std::any_of(inside.begin(), inside.end(),
                     [&](const ExprPtr &child) { return has_guard_around(child, sums); });
}

void add_reads(const ExprPtr &e, Nest &nest) {
  for_each_access(e, [&](const Access &access) {
    if (!access.indices.empty())
      nest.reads.push_back(access);
  });
}

void set_sums(const Chain &chain, Nest &nest) {
  nest.sums = chain.loops;
  nest.guarded_sums = chain.guarded;
  nest.elem = chain.terms->type->elem;
  nest.calls = calls_function(chain.terms);
}

bool is_loop_plus_constant(const Index &index, const std::string &loop) {
  return is_variable(index, loop) ||
         (index->op == IndexOp::add && is_variable(index->a, loop) && as_constant(index->b));
}

// The constants by which indices divide a loop.
void add_divisors(const ExprPtr &e, const std::string &loop, std::set<std::int64_t> &divisors) {
  const auto add = [&](const Index &index) {
    if ((index->op == IndexOp::div || index->op == IndexOp::mod) && is_loop_plus_constant(index->a, loop))
      if (const auto divisor = as_constant(index->b))
        divisors.insert(*divisor);
  };
  for_each_part(
      *e, [&](const Index &index) { for_each_subexpression(index, add); },
      [&](const Pred &pred) { for_each_subexpression(pred, add); },
      [&](const ExprPtr &child) { add_divisors(child, loop, divisors); });
}

std::optional<std::int64_t> period_along(const ExprPtr &e, const std::string &loop) {
  std::set<std::int64_t> divisors;
  add_divisors(e, loop, divisors);
  const bool is_short = divisors.size() == 1 && *divisors.begin() > 1 && *divisors.begin() <= longest_period;
  return is_short ? std::optional(*divisors.begin()) : std::nullopt;
}

// `around`: the loops that are around `e`.
std::optional<Nest> nest_of(const std::string &tensor, ExprPtr e, std::vector<LoopHead> around = {}) {
  Nest nest{tensor, e->type->elem, std::move(around)};
  for (; std::holds_alternative<Gen>(e->node); e = loop_body(e))
    nest.loops.push_back(*loop_head(e));
  std::vector<Chain> chains;
  if (!find_reductions(e, chains))
    return std::nullopt;
  add_elems(e, nest.elems);
  ExprPtr read = e;
  for (const Chain &chain : chains) {
    if (is_short(chain)) {
      nest.short_sums.insert(nest.short_sums.end(), chain.loops.begin(), chain.loops.end());
      if (chain.loops.size() == 2 && chains.size() == 1) {
        nest.window = chain.loops;
        nest.weighs = is_product(chain.terms);
      }
      continue;
    }
    if (!nest.sums.empty())
      return std::nullopt;
    set_sums(chain, nest);
    read = chain.terms;
  }
  if (nest.loops.empty() && nest.sums.empty())
    return std::nullopt;
  if (!nest.loops.empty())
    nest.period = period_along(e, nest.loops.back().var);
  nest.cells_are_sums = !nest.sums.empty() && std::holds_alternative<Reduce>(e->node);
  nest.skips_sums = !nest.sums.empty() && has_guard_around(e, nest.sums);
  add_reads(read, nest);
  return nest;
}

bool has_loops(const ExprPtr &e) {
  const std::vector<ExprPtr> inside = children(*e);
  return loop_head(e) || std::any_of(inside.begin(), inside.end(), has_loops);
}

bool has_temporaries(const ExprPtr &e) {
  const Let *let = std::get_if<Let>(&e->node);
  const std::vector<ExprPtr> inside = children(*e);
  return (let && has_loops(let->bound)) || std::any_of(inside.begin(), inside.end(), has_temporaries);
}

bool depends_on(const Chain &chain, const std::string &loop) {
  return mentions_variable(chain.terms, loop) ||
         std::any_of(chain.loops.begin(), chain.loops.end(),
                     [&](const LoopHead &sum) { return mentions(sum.lo, loop) || mentions(sum.hi, loop); });
}

// One for each long reduction that has no other inside.
std::vector<Nest> nests_of_reductions(const std::string &tensor, ExprPtr e) {
  std::vector<LoopHead> loops;
  for (; std::holds_alternative<Gen>(e->node); e = loop_body(e))
    loops.push_back(*loop_head(e));
  std::vector<Chain> chains;
  if (has_temporaries(e) || !find_reductions(e, chains))
    return {};
  std::vector<Nest> nests;
  for (const Chain &chain : chains) {
    if (is_short(chain) || chain.has_long_inside)
      continue;
    Nest &nest = nests.emplace_back(Nest{tensor, e->type->elem, loops});
    set_sums(chain, nest);
    nest.varies = std::all_of(loops.begin(), loops.end(),
                              [&](const LoopHead &loop) { return depends_on(chain, loop.var); });
    add_elems(chain.terms, nest.elems);
    add_reads(chain.terms, nest);
  }
  return nests;
}

// What follows the temporaries, and each of these, which may have some inside, too. The loops around them are
// not the nest's: they run once for all of it.
void add_with_temporaries(const std::string &tensor, ExprPtr e, bool is_inside, std::vector<Nest> &nests) {
  std::vector<LoopHead> loops;
  bool has_temporaries = is_inside;
  for (;;) {
    if (const Let *let = std::get_if<Let>(&e->node)) {
      const bool is_of_cell = !has_loops(let->bound);
      if (is_of_cell && !has_loops(let->body))
        break;
      if (!is_of_cell) {
        has_temporaries = true;
        loops.clear();
        if (let->names.size() == 1)
          add_with_temporaries(let->names[0], let->bound, true, nests);
      }
      e = let->body;
    } else if (std::holds_alternative<Gen>(e->node)) {
      loops.push_back(*loop_head(e));
      e = loop_body(e);
    } else {
      break;
    }
  }
  if (!has_temporaries)
    return;
  if (auto nest = nest_of(tensor, e, std::move(loops))) {
    nest->is_inside = is_inside;
    nests.push_back(std::move(*nest));
  }
}

void for_each_tensor(const TypedKernel &kernel,
                     const std::function<void(const std::string &, const ExprPtr &)> &f) {
  for (const Binding &let : kernel.lets)
    f(let.name, let.value);
  for (std::size_t i = 0; i < kernel.results.size(); ++i)
    f(kernel.outputs.at(i).name, kernel.results[i]);
}

} // namespace

std::vector<Nest> nests_of(const TypedKernel &kernel) {
  std::vector<Nest> nests;
  for_each_tensor(kernel, [&](const std::string &tensor, const ExprPtr &value) {
    if (auto nest = nest_of(tensor, value))
      nests.push_back(std::move(*nest));
  });
  return nests;
}

std::vector<std::vector<Nest>> reductions_of_cells(const TypedKernel &kernel) {
  std::vector<std::vector<Nest>> found;
  for_each_tensor(kernel, [&](const std::string &tensor, const ExprPtr &value) {
    auto nests = nests_of_reductions(tensor, value);
    const bool vary = std::all_of(nests.begin(), nests.end(), [](const Nest &nest) { return nest.varies; });
    if (!nests.empty() && (!vary || !nest_of(tensor, value)))
      found.push_back(std::move(nests));
  });
  return found;
}

std::vector<Nest> nests_with_temporaries(const TypedKernel &kernel) {
  std::vector<Nest> nests;
  for_each_tensor(kernel, [&](const std::string &tensor, const ExprPtr &value) {
    if (!nest_of(tensor, value))
      add_with_temporaries(tensor, value, false, nests);
  });
  return nests;
}

std::vector<std::string> short_sums_of(const Nest &nest) {
  std::vector<std::string> names;
  for (const LoopHead &sum : nest.short_sums)
    if (std::find(names.begin(), names.end(), sum.var) == names.end())
      names.push_back(sum.var);
  return names;
}

} // namespace atl::schedule
