#include "atl/equality/equality.h"

#include "atl/base/check.h"
#include "atl/equality/compare.h"
#include "atl/equality/walk.h"
#include "atl/syntax/path.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::equality {

namespace {

// Names for the dimensions of a tensor: those of its outermost loops, where it has some.
std::vector<std::string> dimension_names(const ExprPtr &e, std::size_t rank) {
  std::vector<std::string> names;
  for (const Expr *at = e.get(); names.size() < rank;) {
    const Gen *gen = std::get_if<Gen>(&at->node);
    if (!gen)
      break;
    names.push_back(gen->var);
    at = gen->body.get();
  }
  while (names.size() < rank)
    names.push_back(fmt::format("cell.{}", names.size()));
  return names;
}

class Proof {
public:
  Proof(const TypedKernel &algorithm, const TypedKernel &scheduled, const Prophecies &prophecies, Span span,
        const Reindexing &reindexing)
      : algorithm_(algorithm), scheduled_(scheduled), prophecies_(prophecies),
        denoter_(prophecies, taken_names()), comparison_(
                                                 {ObligationKind::equal, Code::not_equal, span},
                                                 [this](const Read &r) { return unfold(r); }, reindexing) {
    auto scope = std::make_shared<const Scope>();
    for (const Binding &let : algorithm.lets) {
      tensors_[let.name] = {let.value, scope};
      Scope next = *scope;
      next.lets[let.name] = {Bound::Kind::opaque, let.value, nullptr, nullptr, {}};
      scope = std::make_shared<const Scope>(std::move(next));
    }
    algorithm_scope_ = scope;
  }

  Equality run() {
    Walk walk{known_in(scheduled_), std::make_shared<const Scope>(Scope{true, std::nullopt, {}, {}})};
    for (const Binding &let : scheduled_.lets)
      walk = after_let(let.name, let.value, walk);
    for (std::size_t i = 0; i < scheduled_.results.size(); ++i) {
      visit(scheduled_.results[i], walk);
      output(i, walk.scope);
    }
    return {std::move(comparison_.obligations),     std::move(comparison_.order),
            std::move(comparison_.order_of_floats), std::move(comparison_.laws),
            std::move(comparison_.laws_of_floats),  std::move(comparison_.renumbered)};
  }

private:
  std::set<std::string> taken_names() const {
    std::set<std::string> names;
    for (const std::string &size : scheduled_.size_names())
      names.insert(size);
    for (const TypedKernel *kernel : {&algorithm_, &scheduled_})
      names.merge(names_of_loops(*kernel));
    for (const auto &[name, prophecy] : prophecies_)
      names.insert(prophecy.cell.begin(), prophecy.cell.end());
    return names;
  }

  // The value that reading a cell of a tensor of the algorithm gives.
  std::optional<PointPtr> unfold(const Read &r) {
    auto found = tensors_.find(r.tensor);
    if (found == tensors_.end())
      return std::nullopt;
    const auto &[value, scope] = found->second;
    return denoter_.value(value, r.indices, scope);
  }

  // Inner temporaries with a prophecy, wherever they are.
  void visit(const ExprPtr &e, const Walk &walk) {
    if (const Let *let = std::get_if<Let>(&e->node)) {
      visit(let->body, after_let(let->names.at(0), let->bound, walk));
      return;
    }
    std::vector<ExprPtr> kids = children(*e);
    for (std::size_t i = 0; i < kids.size(); ++i)
      visit(kids[i], walk.below(*e, i));
  }

  Walk after_let(const std::string &name, const ExprPtr &value, const Walk &walk) {
    visit(value, walk);
    auto prophecy = prophecies_.find(name);
    if (prophecy != prophecies_.end())
      temporary(name, value, prophecy->second, walk);
    Walk after = walk;
    after.scope = denoter_.bind(name, value, walk.scope);
    return after;
  }

  const Shape &shape_of(const std::string &tensor) const {
    auto found = tensors_.find(tensor);
    if (found != tensors_.end())
      return found->second.first->type->shape;
    for (const Param &param : algorithm_.params)
      if (param.name == tensor)
        return param.type.shape;
    ATL_CHECK(false, "a prophecy about an unknown tensor " + tensor);
  }

  void temporary(const std::string &name, const ExprPtr &value, const Prophecy &prophecy, const Walk &walk) {
    Known known = walk.known;
    std::vector<Index> cell;
    for (std::size_t d = 0; d < prophecy.cell.size(); ++d) {
      known.enter({prophecy.cell[d], constant(0), value->type->shape.at(d)});
      cell.push_back(variable(prophecy.cell[d]));
    }
    known.assume(prophecy.known);
    ExprPtr unwritten = unwritten_value(value);
    PointPtr held = read(prophecy.tensor, prophecy.indices);
    PointPtr meant = unfold(std::get<Read>(held->node)).value_or(held);
    const PointPtr made = denoter_.value(value, cell, walk.scope);
    comparison_.state(fmt::format("{} holds {}", name, describe(held)), known,
                      choose(prophecy.valid, meant, apply(unwritten, {})), made,
                      in_shape(name, prophecy, describe(held)));
    name_renumbered(name, prophecy.cell);
  }

  std::vector<Claim> in_shape(const std::string &name, const Prophecy &prophecy,
                              const std::string &held) const {
    std::vector<Claim> claims;
    const Shape &shape = shape_of(prophecy.tensor);
    for (std::size_t d = 0; d < shape.size(); ++d)
      claims.push_back(
          {disj(positive_form(neg(prophecy.valid)), in_range(constant(0), prophecy.indices.at(d), shape[d])),
           {fmt::format("{} holds {}, which does not exist", name, held)}});
    return claims;
  }

  // Whatever is around the expressions that changed it: also where nothing is ever written.
  void same_shape(std::size_t i) {
    const Output &output = algorithm_.outputs[i];
    const Shape &made = scheduled_.results[i]->type->shape;
    std::vector<Claim> claims;
    for (std::size_t d = 0; d < made.size(); ++d)
      claims.push_back({compare(PredOp::eq, made[d], output.type.shape.at(d)),
                        {fmt::format("dimension {} of {} is ", d + 1, output.name), output.type.shape[d],
                         ", that of the schedule ", made[d]}});
    comparison_.state(fmt::format("{} has its shape", output.name), known_in(scheduled_), nothing(),
                      nothing(), claims);
  }

  void output(std::size_t i, const ScopePtr &scope) {
    const ExprPtr &meant = algorithm_.results[i], &made = scheduled_.results[i];
    same_shape(i);
    Known known = known_in(scheduled_);
    std::vector<Index> cell;
    const Shape &shape = algorithm_.outputs[i].type.shape;
    // The variables of loops are substituted wherever an output is denoted, so that their names are free.
    for (const std::string &name : dimension_names(meant, shape.size())) {
      known.enter({name, constant(0), shape[cell.size()]});
      cell.push_back(variable(name));
    }
    const PointPtr wanted = denoter_.value(meant, cell, algorithm_scope_);
    const PointPtr found = denoter_.value(made, cell, scope);
    comparison_.state(fmt::format("{} is what the algorithm says", algorithm_.outputs[i].name), known, wanted,
                      found);
    name_renumbered(algorithm_.outputs[i].name, known.variables);
  }

  // What was noted in the last comparison is about this tensor.
  void name_renumbered(const std::string &tensor, const std::vector<std::string> &cell) {
    for (Renumbered &r : comparison_.renumbered)
      if (r.tensor.empty()) {
        r.tensor = tensor;
        r.cell = cell;
      }
  }

  const TypedKernel &algorithm_, &scheduled_;
  const Prophecies &prophecies_;
  Denoter denoter_;
  Comparison comparison_;
  std::map<std::string, std::pair<ExprPtr, ScopePtr>> tensors_; // of the algorithm
  ScopePtr algorithm_scope_;
};

} // namespace

Equality equal_obligations(const TypedKernel &algorithm, const TypedKernel &scheduled,
                           const Prophecies &prophecies, Span span, const Reindexing &reindexing) {
  return Proof(algorithm, scheduled, prophecies, span, reindexing).run();
}

} // namespace atl::equality
