#include "atl/schedule/auto/block_sums.h"

#include <functional>

namespace atl::schedule {

namespace {

using Test = std::function<bool(const Expr &)>;

bool is_operation(const Expr &e, std::string_view name) {
  const Op *op = std::get_if<Op>(&e.node);
  return op && op->op->name == name;
}

ExprPtr without_gens(ExprPtr e, std::vector<LoopHead> &loops) {
  for (; std::holds_alternative<Gen>(e->node); e = loop_body(e))
    loops.push_back(*loop_head(e));
  return e;
}

// The additions directly around what is sought; nothing if it is not there.
struct Found {
  int additions = 0;
  bool is_open = true; // nothing else is around it so far
};
std::optional<Found> additions_around(const Expr &e, const Test &sought) {
  if (sought(e))
    return Found{};
  for (const ExprPtr &child : children(e))
    if (auto found = additions_around(*child, sought)) {
      found->is_open = found->is_open && is_operation(e, "+");
      found->additions += found->is_open ? 1 : 0;
      return found;
    }
  return std::nullopt;
}

void collect_scalars(const Expr &e, std::vector<std::string> &names) {
  if (const Let *let = std::get_if<Let>(&e.node))
    names.insert(names.end(), let->names.begin(), let->names.end());
  for (const ExprPtr &child : children(e))
    collect_scalars(*child, names);
}

int count(const Expr &e, const Test &sought) {
  if (sought(e))
    return 1;
  int all = 0;
  for (const ExprPtr &child : children(e))
    all += count(*child, sought);
  return all;
}

bool is_loop(const Expr &e) {
  return std::holds_alternative<Gen>(e.node) || std::holds_alternative<Reduce>(e.node);
}

ExprPtr find_loop(const ExprPtr &e) {
  if (is_loop(*e))
    return e;
  for (const ExprPtr &child : children(*e))
    if (ExprPtr found = find_loop(child))
      return found;
  return nullptr;
}

std::vector<Access> accesses_in(const ExprPtr &e) {
  std::vector<Access> all;
  for_each_access(e, [&](const Access &access) { all.push_back(access); });
  return all;
}

// i32(A[i, k]) * i32(B[k, j]), also under a condition on the indices
bool take_terms(ExprPtr e, BlockSum &sum) {
  while (std::holds_alternative<Guard>(e->node))
    e = children(*e)[0];
  const std::vector<Access> reads = accesses_in(e);
  if (!is_operation(*e, "*") || reads.size() != 2 || find_loop(e))
    return false;
  sum.left = reads[0];
  sum.right = reads[1];
  return true;
}

std::optional<BlockSum> block_sum_of(const std::string &tensor, const ExprPtr &value, bool is_temporary) {
  BlockSum sum{tensor, is_temporary, false, {}, {}, {}, {}};
  const ExprPtr cell = without_gens(value, sum.loops);
  ExprPtr e = find_loop(cell);
  if (!e || !std::holds_alternative<Reduce>(e->node) || count(*cell, is_loop) != 1)
    return std::nullopt;
  sum.is_alone = e == cell;
  collect_scalars(*cell, sum.scalars);
  sum.added = additions_around(*cell, is_loop)->additions;
  for (; std::holds_alternative<Reduce>(e->node); e = loop_body(e)) {
    sum.sums.push_back(*loop_head(e));
    if (sum.sums.back().reduction != Reduction::sum)
      return std::nullopt;
  }
  return take_terms(e, sum) ? std::optional(sum) : std::nullopt;
}

void for_each_value(
    const TypedKernel &kernel,
    const std::function<void(const std::string &tensor, const ExprPtr &value, bool is_temporary)> &f) {
  for (const Binding &let : kernel.lets)
    f(let.name, let.value, true);
  for (std::size_t i = 0; i < kernel.results.size(); ++i)
    f(kernel.outputs.at(i).name, kernel.results[i], false);
}

bool reads_same_cell(const Access &access, const std::vector<LoopHead> &loops) {
  if (access.indices.size() != loops.size())
    return false;
  for (std::size_t d = 0; d < loops.size(); ++d)
    if (!equal(access.indices[d], variable(loops[d].var)))
      return false;
  return true;
}

} // namespace

std::optional<BlockSum> next_block_sum(const TypedKernel &kernel, const std::set<std::string> &decided) {
  std::optional<BlockSum> first;
  for_each_value(kernel, [&](const std::string &tensor, const ExprPtr &value, bool is_temporary) {
    if (!first && !decided.contains(tensor))
      first = block_sum_of(tensor, value, is_temporary);
  });
  return first;
}

std::optional<Reader> only_reader_of(const TypedKernel &kernel, const BlockSum &sum) {
  std::vector<Reader> readers;
  bool fits = true;
  for_each_value(kernel, [&](const std::string &tensor, const ExprPtr &value, bool) {
    if (!reads(value, sum.tensor))
      return;
    Reader reader{tensor, {}};
    const ExprPtr cell = without_gens(value, reader.loops);
    const Test is_read = [&](const Expr &e) {
      const Access *access = std::get_if<Access>(&e.node);
      return access && access->tensor == sum.tensor;
    };
    fits = fits && count(*cell, is_read) == 1 && !find_loop(cell);
    for (const Access &access : accesses_in(cell))
      fits = fits && (access.tensor != sum.tensor || reads_same_cell(access, reader.loops));
    if (auto found = additions_around(*cell, is_read))
      reader.added = found->additions;
    readers.push_back(std::move(reader));
  });
  return fits && readers.size() == 1 ? std::optional(readers[0]) : std::nullopt;
}

} // namespace atl::schedule
