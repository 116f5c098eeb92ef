#include "lowering/normal/normal_form.h"

#include "atl/base/check.h"
#include "atl/equality/denote.h"
#include "atl/syntax/build.h"
#include "atl/syntax/ops/reshape_op.h"
#include "lowering/normal/normalize.h"

#include <algorithm>
#include <functional>

namespace atl::lowering {

namespace {

constexpr std::int64_t largest_accumulator = 64; // elements of a reduction that is kept in a local array

// A reduction, perhaps guarded, by itself: its buffer is its accumulator.
bool is_reduction(const ExprPtr &e) {
  const Guard *guard = std::get_if<Guard>(&e->node);
  return guard ? is_reduction(guard->body) : std::holds_alternative<Reduce>(e->node);
}

// Whether every outermost reduction in e can run in an accumulator: its result is a scalar or a small array.
bool accumulates_locally(const ExprPtr &e) {
  if (is_scalar_form(*e))
    return true;
  if (std::holds_alternative<Reduce>(e->node))
    return constant_count(e->type->shape).value_or(largest_accumulator + 1) <= largest_accumulator;
  if (const Let *let = std::get_if<Let>(&e->node))
    return accumulates_locally(let->body);
  std::vector<ExprPtr> parts = children(*e);
  return std::all_of(parts.begin(), parts.end(), accumulates_locally);
}

bool has_reduction(const ExprPtr &e) {
  std::vector<ExprPtr> parts = children(*e);
  return std::holds_alternative<Reduce>(e->node) || std::any_of(parts.begin(), parts.end(), has_reduction);
}

// Whether reductions would contribute to cells that lie over each other.
bool overlaps_reduction(const ExprPtr &e) {
  if (const Reshape *reshape = std::get_if<Reshape>(&e->node); reshape && is_overlapping(*reshape->op))
    return has_reduction(e);
  std::vector<ExprPtr> parts = children(*e);
  return !std::holds_alternative<Reduce>(e->node) &&
         std::any_of(parts.begin(), parts.end(), overlaps_reduction);
}

// For a cell of the expression: that no truncation around it cuts it.
using Kept = std::function<Pred(std::vector<Index>)>;

Kept inside_loop(const Index &first, const Kept &kept) {
  return [first, kept](std::vector<Index> rest) {
    rest.insert(rest.begin(), first);
    return kept(std::move(rest));
  };
}

Kept behind(const Index &seam, const Kept &kept) {
  return [seam, kept](std::vector<Index> cell) {
    cell.at(0) = add(cell[0], seam);
    return kept(std::move(cell));
  };
}

Kept below(const Reshape &r, const Kept &kept) {
  return [&r, kept](const std::vector<Index> &cell) {
    const Shape &operand = r.child->type->shape;
    std::vector<Index> moved = r.op->push(r.args, operand, cell);
    Pred here =
        is_truncation(*r.op) ? in_range(constant(0), moved[0], r.op->shape(r.args, operand)[0]) : truth(true);
    return conj(here, kept(std::move(moved)));
  };
}

class Normalizer {
public:
  explicit Normalizer(const TypedKernel &kernel) : names_(kernel) {}

  std::map<std::string, ExprPtr> unwritten;

  enum class Role { temporary, output };

  // What fills the buffer `name`.
  ExprPtr tensor(const ExprPtr &e, const std::string &name, Role role) {
    unwritten[name] = equality::unwritten_value(e);
    auto in_place = filling_reduction(e);
    bool is_accumulator = role == Role::temporary && is_reduction(e);
    if (!is_accumulator && (accumulates_locally(e) || overlaps_reduction(e)))
      in_place = std::nullopt;
    return walk(e, in_place, [](const std::vector<Index> &) { return truth(true); });
  }

private:
  ExprPtr walk(const ExprPtr &e, std::optional<Reduction> in_place, const Kept &kept) {
    if (is_scalar_form(*e))
      return scalar(e);
    return match(
        e,
        [&](const Gen &g) {
          return rebuild(*e, {walk(g.body, in_place, inside_loop(sub(variable(g.var), g.lo), kept))});
        },
        [&](const Reduce &r) {
          return in_place == r.reduction ? rebuild(*e, {walk(r.body, in_place, kept)}) : accumulator(e, kept);
        },
        [&](const Guard &g) { return rebuild(*e, {walk(g.body, in_place, kept)}); },
        [&](const Let &l) {
          ExprPtr bound = tensor(l.bound, l.names[0], Role::temporary);
          return rebuild(*e, {bound, walk(l.body, in_place, kept)});
        },
        [&](const Concat &c) {
          ExprPtr left = walk(c.left, in_place, kept);
          return rebuild(*e, {left, walk(c.right, in_place, behind(c.left->type->shape[0], kept))});
        },
        [&](const Reshape &r) { return rebuild(*e, {walk(r.child, in_place, below(r, kept))}); },
        [&](const auto &) -> ExprPtr { ATL_CHECK(false, "not a tensor form of a typed tree"); });
  }

  // A reduction with a buffer of its own, and a copy of its cells. Of what nothing contributed to, a
  // truncation may cut cells; the others get the neutral value.
  ExprPtr accumulator(const ExprPtr &e, const Kept &kept) {
    std::string name = names_.fresh("acc");
    ExprPtr bound = tensor(e, name, Role::temporary);
    std::vector<std::string> vars;
    std::vector<Index> cell;
    for (std::size_t d = 0; d < e->type->shape.size(); ++d) {
      vars.push_back(names_.fresh("c" + std::to_string(d)));
      cell.push_back(variable(vars.back()));
    }
    ExprPtr copy = guard_of(kept(cell), access_of(name, cell, e->type->elem, e->span));
    for (std::size_t d = vars.size(); d-- > 0;)
      copy = gen_of(vars[d], constant(0), e->type->shape[d], copy);
    return let_of(name, bound, copy);
  }

  ExprPtr scalar(const ExprPtr &e) {
    PureScalar pure = purify(e, names_);
    ExprPtr result = pure.value;
    std::vector<ExprPtr> bound;
    for (const Binding &let : pure.lets)
      bound.push_back(tensor(let.value, let.name, Role::temporary));
    for (std::size_t i = bound.size(); i-- > 0;)
      result = let_of(pure.lets[i].name, bound[i], result);
    return result;
  }

  Names names_;
};

} // namespace

NormalKernel normal_form(const padtypes::CheckedKernel &checked) {
  TypedKernel kernel = checked.kernel;
  rename_lets(kernel);
  Normalizer normalizer(kernel);
  for (Binding &let : kernel.lets)
    let.value = normalizer.tensor(let.value, let.name, Normalizer::Role::temporary);
  for (std::size_t i = 0; i < kernel.results.size(); ++i)
    kernel.results[i] =
        normalizer.tensor(kernel.results[i], kernel.outputs[i].name, Normalizer::Role::output);
  return {std::move(kernel), std::move(normalizer.unwritten)};
}

} // namespace atl::lowering
