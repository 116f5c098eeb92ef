// The order in which a temporary is stored, and computed.
#include "atl/rewrites/rewrites.h"
#include "atl/syntax/names.h"

#include <fmt/format.h>

namespace atl::rewrites {

namespace {

struct Dimension {
  std::size_t of; // the old one
  IndexOp part;   // variable (all of it), div or mod
  Index by;
};

std::optional<Dimension> dimension(const Index &e, std::size_t rank) {
  if (auto whole = dimension_of(e, rank))
    return Dimension{*whole, IndexOp::variable, nullptr};
  if (e->op != IndexOp::div && e->op != IndexOp::mod)
    return std::nullopt;
  auto part = dimension_of(e->a, rank);
  auto by = as_constant(e->b);
  return part && by && *by >= 1 ? std::optional(Dimension{*part, e->op, e->b}) : std::nullopt;
}

class Layout {
public:
  Layout(std::vector<Dimension> dimensions, Shape old)
      : dimensions_(std::move(dimensions)), old_(std::move(old)) {}

  // Each old dimension once whole, or once as quotient and once as remainder by the same number.
  bool is_bijective() const {
    for (std::size_t d = 0; d < old_.size(); ++d) {
      int whole = 0, quotients = 0, remainders = 0;
      Index by;
      for (const Dimension &n : dimensions_) {
        if (n.of != d)
          continue;
        whole += n.part == IndexOp::variable;
        quotients += n.part == IndexOp::div;
        remainders += n.part == IndexOp::mod;
        if (by && n.by && !equal(by, n.by))
          return false;
        by = n.by;
      }
      if (!(whole == 1 && quotients + remainders == 0) && !(whole == 0 && quotients == 1 && remainders == 1))
        return false;
    }
    return true;
  }

  Shape extents() const {
    Shape result;
    for (const Dimension &n : dimensions_)
      result.push_back(n.part == IndexOp::variable ? old_[n.of]
                       : n.part == IndexOp::div    ? ceil_div(old_[n.of], n.by)
                                                   : n.by);
    return result;
  }

  std::vector<Index> to_new(const std::vector<Index> &old) const {
    std::vector<Index> result;
    for (const Dimension &n : dimensions_)
      result.push_back(n.part == IndexOp::variable ? old[n.of]
                       : n.part == IndexOp::div    ? floor_div(old[n.of], n.by)
                                                   : modulo(old[n.of], n.by));
    return result;
  }

  std::vector<Index> to_old(const std::vector<Index> &cell) const {
    std::vector<Index> result(old_.size(), constant(0));
    for (std::size_t i = 0; i < dimensions_.size(); ++i) {
      const Dimension &n = dimensions_[i];
      result[n.of] = add(result[n.of], n.part == IndexOp::div ? mul(cell[i], n.by) : cell[i]);
    }
    return result;
  }

  // A cell of the last, incomplete tile means nothing.
  Pred exists(const std::vector<Index> &old_cell) const {
    Pred result = truth(true);
    for (const Dimension &n : dimensions_)
      if (n.part == IndexOp::mod)
        result = conj(result, compare(PredOp::lt, old_cell[n.of], old_[n.of]));
    return result;
  }

private:
  std::vector<Dimension> dimensions_;
  Shape old_;
};

} // namespace

std::optional<std::size_t> dimension_of(const Index &e, std::size_t rank) {
  for (std::size_t d = 0; e->op == IndexOp::variable && d < rank; ++d)
    if (e->name == fmt::format("d{}", d))
      return d;
  return std::nullopt;
}

void rebind(Work &work, const LetPlace &let, const std::string &tensor, const ExprPtr &bound,
            const AccessMap &by) {
  auto rewritten = [&](const ExprPtr &e) { return replace_accesses(e, tensor, by); };
  if (let.outermost) {
    work.kernel.lets[let.index].value = bound;
    for (std::size_t i = let.index + 1; i < work.kernel.lets.size(); ++i)
      work.kernel.lets[i].value = rewritten(work.kernel.lets[i].value);
    for (ExprPtr &result : work.kernel.results)
      result = rewritten(result);
    return;
  }
  const Let inner = std::get<Let>(at(work.kernel, let.path)->node);
  replace(work.kernel, let.path, let_of(tensor, bound, rewritten(inner.body)));
}

Refused change_layout(Work &work, const std::string &tensor, const std::vector<Index> &dimensions) {
  auto let = find_let(work.kernel, tensor);
  if (!let)
    return unknown_temporary(work.kernel, tensor, "; copy an input with stage, or pack it");
  if (binds_prophecy(let->bound, work.prophecies))
    return Refusal{tensor + " has temporaries of its own; change its layout before those are made"};
  const Shape old = let->bound->type->shape;
  std::vector<Dimension> parsed;
  for (const Index &e : dimensions) {
    auto d = dimension(e, old.size());
    if (!d)
      return Refusal{
          to_string(e) + " is no dimension of the new layout",
          {{std::nullopt, "a dimension is d0, d1, ... or a quotient and a remainder: d1 / 16, d1 % 16"}}};
    parsed.push_back(*d);
  }
  Layout layout(parsed, old);
  if (!layout.is_bijective())
    return Refusal{"each dimension of " + tensor +
                   " is in the new layout once, or once as quotient and as remainder"};

  Shape extents = layout.extents();
  std::set<std::string> taken = names_in(work.kernel);
  std::vector<std::string> vars, cells;
  std::vector<Index> cell, other_cell;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    vars.push_back(fresh_name(fmt::format("{}.p{}", tensor, i), taken));
    cells.push_back(fresh_name(fmt::format("{}.cell.p{}", tensor, i), taken));
    cell.push_back(variable(vars[i]));
    other_cell.push_back(variable(cells[i]));
  }
  std::vector<Index> place = layout.to_old(cell), other_place = layout.to_old(other_cell);
  auto value = cell_of(let->bound, place, {});
  if (!value)
    return Refusal{tensor + " is not a nest of loops: it has a concat"};
  ExprPtr bound = guard_of(layout.exists(place), *value);
  for (std::size_t i = extents.size(); i-- > 0;)
    bound = gen_of(vars[i], constant(0), extents[i], bound);
  rebind(work, *let, tensor, bound, [&](const Access &a, const ExprPtr &access) {
    return access_of(tensor, layout.to_new(a.indices), access->type->elem, access->span);
  });
  if (auto found = work.prophecies.find(tensor); found != work.prophecies.end()) {
    found->second = equality::renumbered(found->second, cells, other_place);
    found->second.valid = conj(found->second.valid, layout.exists(other_place));
  }
  return {};
}

} // namespace atl::rewrites
