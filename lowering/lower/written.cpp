#include "lowering/lower/written.h"

#include "atl/base/check.h"
#include "atl/syntax/ops/reshape_op.h"

namespace atl::lowering {

namespace {

// Follows one symbolic cell of the tensor down to the scalars, as the denotation does (atl/meaning/eval.h).
class CellWalk {
public:
  explicit CellWalk(std::vector<std::string> variables) : variables_(std::move(variables)) {}

  void walk(const ExprPtr &e, const std::vector<Index> &cell, Subst vars, std::vector<Pred> hypotheses) {
    if (const Gen *gen = std::get_if<Gen>(&e->node)) {
      vars[gen->var] = add(substitute(gen->lo, vars), cell[0]);
      walk(gen->body, {cell.begin() + 1, cell.end()}, vars, hypotheses);
    } else if (const Guard *guard = std::get_if<Guard>(&e->node)) {
      Pred pred = substitute(guard->pred, vars);
      claim(pred, hypotheses, e->span);
      hypotheses.push_back(pred);
      walk(guard->body, cell, vars, hypotheses);
    } else if (const Let *let = std::get_if<Let>(&e->node)) {
      walk(let->body, cell, vars, hypotheses);
    } else if (const Concat *concat = std::get_if<Concat>(&e->node)) {
      walk_concat(*concat, cell, vars, hypotheses);
    } else if (const Reshape *reshape = std::get_if<Reshape>(&e->node)) {
      walk_reshape(*reshape, *e, cell, vars, hypotheses);
    } // a Reduce or a scalar: written
  }

  std::vector<WrittenCondition> conditions;

private:
  void claim(const Pred &pred, const std::vector<Pred> &hypotheses, Span span) {
    conditions.push_back({variables_, hypotheses, pred, span});
  }

  void walk_concat(const Concat &concat, const std::vector<Index> &cell, const Subst &vars,
                   const std::vector<Pred> &hypotheses) {
    Index seam = substitute(concat.left->type->shape[0], vars);
    auto with = [&](const Pred &p) {
      std::vector<Pred> all = hypotheses;
      all.push_back(p);
      return all;
    };
    walk(concat.left, cell, vars, with(compare(PredOp::lt, cell[0], seam)));
    std::vector<Index> right = cell;
    right[0] = sub(cell[0], seam);
    walk(concat.right, right, vars, with(compare(PredOp::ge, cell[0], seam)));
  }

  void walk_reshape(const Reshape &reshape, const Expr &e, const std::vector<Index> &cell, const Subst &vars,
                    const std::vector<Pred> &hypotheses) {
    Args args;
    for (const Index &arg : reshape.args)
      args.push_back(substitute(arg, vars));
    Shape child_shape;
    for (const Index &extent : reshape.child->type->shape)
      child_shape.push_back(substitute(extent, vars));
    Pullback from = reshape.op->pull(args, child_shape, cell);
    if (from.inside->op != PredOp::truth)
      claim(from.inside, hypotheses, e.span);
    std::vector<Pred> inside = hypotheses;
    for (std::size_t d = 0; d < from.indices.size(); ++d) // a cell of the result is a cell of the operand
      inside.push_back(in_range(constant(0), from.indices[d], child_shape[d]));
    walk(reshape.child, from.indices, vars, inside);
  }

  std::vector<std::string> variables_;
};

} // namespace

std::vector<WrittenCondition> written_conditions(const ExprPtr &e) {
  std::vector<std::string> variables;
  std::vector<Index> cell;
  std::vector<Pred> ranges;
  for (std::size_t d = 0; d < e->type->shape.size(); ++d) {
    variables.push_back("cell." + std::to_string(d));
    cell.push_back(variable(variables.back()));
    ranges.push_back(in_range(constant(0), cell.back(), e->type->shape[d]));
  }
  CellWalk walk(variables);
  walk.walk(e, cell, {}, ranges);
  return std::move(walk.conditions);
}

} // namespace atl::lowering
