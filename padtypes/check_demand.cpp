// The demand-driven check. Every scalar stores at one index of the tensor around it, an expression in the
// loop variables: a gen puts its variable in front, a reshape pushes the index forward, the right side of a
// concat shifts it. Where that index passes a truncation it is an index of the truncation's operand, and must
// not be one of those that are cut, under the loops and guards around the store. So no shape of program is
// special, and the obligation speaks of the user's variables.
#include "padtypes/demand.h"

#include "atl/base/check.h"
#include "atl/syntax/ops/reshape_op.h"
#include "atl/syntax/path.h"
#include "padtypes/infer_pad.h"

#include <fmt/format.h>

#include <algorithm>

namespace atl::padtypes {

namespace {

// One step on the way from the root of a tensor to a store; turns the index below into the index above.
struct GenStep {
  std::string var;
  Index lo;
};
struct ShiftStep { // the right side of a concat
  Index by;
};
struct ReshapeStep {
  const Reshape *reshape;
  Span span;
  bool by_type; // a truncation that cuts only padding, as the operand's pad type says
};
using Step = std::variant<GenStep, ShiftStep, ReshapeStep>;

struct Cut {
  const ReshapeStep *truncation;
  std::vector<Index> cell; // of its operand, that the store is to
};

const Index &amount_of(const ReshapeStep &truncation) {
  return truncation.reshape->args[0];
}

const Index &operand_extent(const ReshapeStep &truncation) {
  return truncation.reshape->child->type.value().shape[0];
}

bool cuts_right(const ReshapeStep &truncation) {
  return truncation.reshape->op == &truncr_op;
}

// The cell is among those that the truncation drops.
Pred is_cut(const Cut &cut) {
  const ReshapeStep &t = *cut.truncation;
  if (cuts_right(t))
    return compare(PredOp::ge, cut.cell[0], sub(operand_extent(t), amount_of(t)));
  return compare(PredOp::lt, cut.cell[0], amount_of(t));
}

Template how_it_fails(const Cut &cut) {
  const ReshapeStep &t = *cut.truncation;
  std::string slice = cut.cell.size() == 1 ? "computes cell " : "computes a cell of slice ";
  if (cuts_right(t))
    return {slice,
            cut.cell[0],
            " of ",
            operand_extent(t),
            ", but truncr keeps only the first ",
            sub(operand_extent(t), amount_of(t))};
  return {slice, cut.cell[0], " of ", operand_extent(t), ", but truncl drops the first ", amount_of(t)};
}

std::string describe(const ReshapeStep &t) {
  std::string amount = to_string(amount_of(t), precedence::atom);
  return fmt::format("{} {} cuts the {} {} of {} here", t.reshape->op->name, amount,
                     cuts_right(t) ? "last" : "first", amount,
                     to_string(Facts().simplify(operand_extent(t))));
}

class Walk {
public:
  Walk(const TypedKernel &kernel, ByType by_type) : kernel_(kernel), by_type_(by_type) {
    place_.known = known_in(kernel);
    place_.truncations = &truncations_;
  }

  // A tensor that has a buffer of its own: a result, what a let binds, an accumulator.
  void tensor(const ExprPtr &e) {
    std::vector<Step> outer_path;
    path_.swap(outer_path);
    auto outer_filling = place_.filling;
    place_.filling = filling_reduction(e);
    visit(e);
    place_.filling = outer_filling;
    path_.swap(outer_path);
  }

  std::vector<Obligation> obligations;

private:
  void visit(const ExprPtr &e) {
    if (is_scalar_form(*e))
      return store(*e);
    match(
        e,
        [&](const Gen &g) {
          Context context(*this);
          loop(g.var, g.lo, g.hi);
          path_.push_back(GenStep{g.var, g.lo});
          visit(g.body);
        },
        [&](const Reduce &r) { visit_reduce(r, e); },
        [&](const Guard &g) {
          Context context(*this);
          assume(g.pred);
          visit(g.body);
        },
        [&](const Let &l) {
          tensor(l.bound);
          visit(l.body);
        },
        [&](const Concat &c) {
          visit(c.left);
          Context context(*this);
          path_.push_back(ShiftStep{c.left->type.value().shape[0]});
          visit(c.right);
        },
        [&](const Reshape &r) {
          Context context(*this);
          path_.push_back(ReshapeStep{
              &r, e->span, is_truncation(*r.op) && cuts_only_padding(r, place_, place_.known.loops)});
          visit(r.child);
        },
        [&](const auto &) { ATL_CHECK(false, "not a form of a typed tensor expression"); });
  }

  void visit_reduce(const Reduce &r, const ExprPtr &e) {
    if (r.reduction != place_.filling) { // an accumulator, of which then every cell is stored
      tensor(e);
      return store_all(*e);
    }
    Context context(*this);
    loop(r.var, r.lo, r.hi);
    visit(r.body);
  }

  // Tensor forms inside a scalar are tensors of their own; a guard or a let there has a scalar for its body.
  void inside_scalar(const ExprPtr &e) {
    Context context(*this);
    if (const Guard *guard = std::get_if<Guard>(&e->node))
      assume(guard->pred);
    if (std::holds_alternative<Reduce>(e->node))
      return tensor(e);
    if (const Let *let = std::get_if<Let>(&e->node)) {
      tensor(let->bound);
      return inside_scalar(let->body);
    }
    for (const ExprPtr &child : children(*e))
      inside_scalar(child);
  }

  void store(const Expr &scalar) {
    for (const ExprPtr &child : children(scalar))
      inside_scalar(child);
    demand_at(scalar, {});
  }

  void store_all(const Expr &e) {
    Context context(*this);
    std::vector<Index> cell;
    for (const Index &extent : e.type.value().shape) {
      std::string name = unused_name(fmt::format("cell{}", cell.size()));
      loop(name, constant(0), extent);
      cell.push_back(variable(name));
    }
    demand_at(e, cell);
  }

  // One obligation per truncation on the way up, innermost first. What an inner one cuts does not get to an
  // outer one.
  void demand_at(const Expr &scalar, std::vector<Index> cell) {
    std::vector<Pred> kept;
    for (auto step = path_.rbegin(); step != path_.rend(); ++step) {
      if (const GenStep *gen = std::get_if<GenStep>(&*step)) {
        cell.insert(cell.begin(), sub(variable(gen->var), gen->lo));
      } else if (const ShiftStep *shift = std::get_if<ShiftStep>(&*step)) {
        cell[0] = add(cell[0], shift->by);
      } else {
        const ReshapeStep &reshape = std::get<ReshapeStep>(*step);
        if (is_truncation(*reshape.reshape->op)) {
          Cut cut{&reshape, cell};
          if (by_type_ == ByType::include || !reshape.by_type)
            demand(scalar, cut, kept);
          kept.push_back(neg(is_cut(cut)));
        }
        cell = reshape.reshape->op->push(reshape.reshape->args, reshape.reshape->child->type.value().shape,
                                         cell);
      }
    }
  }

  void demand(const Expr &scalar, const Cut &cut, const std::vector<Pred> &kept) {
    const ReshapeStep &truncation = *cut.truncation;
    Known there = place_.known;
    for (const Pred &p : kept)
      there.assume(p);
    there.assume(is_cut(cut));
    obligations.push_back(
        there.obligation(ObligationKind::pad, Code::truncates_data, scalar.span,
                         fmt::format("nothing is computed where {} {} cuts", truncation.reshape->op->name,
                                     to_string(amount_of(truncation), precedence::atom)),
                         {{truth(false), how_it_fails(cut)}}, {{truncation.span, describe(truncation)}}));
  }

  std::string unused_name(std::string name) const {
    std::vector<std::string> taken = kernel_.size_names();
    taken.insert(taken.end(), place_.known.variables.begin(), place_.known.variables.end());
    while (std::find(taken.begin(), taken.end(), name) != taken.end())
      name += "_";
    return name;
  }

  void loop(const std::string &var, const Index &lo, const Index &hi) { place_.known.enter({var, lo, hi}); }

  void assume(const Pred &p) { place_.known.assume(p); }

  // Leaves loops, guards and the path as they were.
  class Context {
  public:
    explicit Context(Walk &walk) : walk_(walk), known_(walk.place_.known), path_(walk.path_.size()) {}
    ~Context() {
      walk_.place_.known = std::move(known_);
      walk_.path_.erase(walk_.path_.begin() + static_cast<std::ptrdiff_t>(path_), walk_.path_.end());
    }
    Context(const Context &) = delete;
    Context &operator=(const Context &) = delete;

  private:
    Walk &walk_;
    Known known_;
    std::size_t path_;
  };

  const TypedKernel &kernel_;
  ByType by_type_;
  Place place_;
  std::map<const Reshape *, bool> truncations_;
  std::vector<Step> path_;
};

} // namespace

std::vector<Obligation> truncation_demands(const TypedKernel &kernel, ByType by_type) {
  Walk walk(kernel, by_type);
  for (const Binding &let : kernel.lets)
    walk.tensor(let.value);
  for (const ExprPtr &result : kernel.results)
    walk.tensor(result);
  return std::move(walk.obligations);
}

CheckedKernel check_pads(TypedKernel kernel) {
  std::vector<Obligation> obligations = truncation_demands(kernel, ByType::leave_out);
  return {std::move(kernel), std::move(obligations)};
}

} // namespace atl::padtypes
