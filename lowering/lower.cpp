// Lowering: L e dest th (design.md section 3). Reshapes emit nothing and compose their index maps into `th`;
// a scalar is one store at dest[th([])]. Reductions to a scalar, or to a small array, run in an accumulator
// of their own and store once; the others accumulate in the destination.
#include "lowering/lower.h"

#include "atl/check.h"
#include "atl/equality/overlaps.h"
#include "atl/ops/reshape_op.h"
#include "lowering/capacity.h"
#include "lowering/normalize.h"
#include "lowering/simplify_scalar.h"
#include "lowering/versions.h"
#include "lowering/written.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace atl::lowering {

namespace {

constexpr std::int64_t largest_accumulator = 64; // elements of a reduction that is kept in a local array
constexpr std::int64_t largest_stack_bytes = 1024;

// A cell of the destination, and what must hold for it to be that: no truncation on the way cuts it.
// `counts`: whether it is the cell that stands for all that lie over it.
struct Target {
  std::vector<Index> indices;
  Pred kept, counts;
};

// Where a cell of the expression being lowered goes.
using Reindex = std::function<Target(std::vector<Index>)>;

Target same_cell(std::vector<Index> cell) {
  return {std::move(cell), truth(true), truth(true)};
}

struct Destination {
  Buffer buffer;
  std::optional<Reduction>
      combine; // stores accumulate with it; none: each cell is stored once, reductions in accumulators
  bool reducing =
      false; // inside that reduction; outside, next to it in a concat, a cell gets its value as it is
};

// Where we are in the loop nest.
struct Place {
  Facts facts;
  std::vector<LoopRange> loops;

  Place inside_loop(const std::string &var, const Index &lo, const Index &hi) const {
    Place inner = *this;
    inner.loops.push_back({var, lo, hi});
    inner.facts.assume(in_range(lo, variable(var), hi));
    return inner;
  }
  Place where(const Pred &pred) const {
    Place inner = *this;
    inner.facts.assume(pred);
    return inner;
  }
};

// The number of elements, if the shape is constant.
std::optional<std::int64_t> constant_count(const Shape &shape) {
  std::int64_t count = 1;
  for (const Index &extent : shape) {
    auto n = as_constant(extent);
    if (!n || __builtin_mul_overflow(count, std::max<std::int64_t>(*n, 0), &count))
      return std::nullopt;
  }
  return count;
}

ExprPtr neutral_literal(std::optional<Reduction> reduction, Elem elem, Span span) {
  Scalar value = reduction ? neutral(*reduction, elem) : zero(elem);
  return make(Literal{is_float(elem), value.integer, value.real, elem}, span, Type{elem, {}});
}

class Lowering {
public:
  explicit Lowering(const TypedKernel &kernel) : kernel_(kernel), names_(kernel) {
    for (const Pred &assumption : kernel.assumptions)
      sizes_.assume(assumption);
  }

  Diagnostics errors;
  std::vector<Obligation> obligations;

  Block run(const std::vector<Buffer> &outputs) {
    Block body;
    lower_lets(kernel_.lets, Place{sizes_, {}}, body, [&](Block &inner) {
      for (std::size_t i = 0; i < outputs.size(); ++i)
        fill_buffer(outputs[i], kernel_.results[i], Place{sizes_, {}}, inner);
    });
    return body;
  }

private:
  using Continue = std::function<void(Block &)>;

  // Allocates and computes each let in turn, nested, then goes on inside.
  void lower_lets(const std::vector<Binding> &lets, const Place &place, Block &out, const Continue &rest,
                  std::size_t next = 0) {
    if (next == lets.size())
      return rest(out);
    const Binding &let = lets[next];
    allocate(let.name, *let.value->type, let.value->span, place, out, [&](const Buffer &buffer, Block &body) {
      fill_buffer(buffer, let.value, place, body);
      lower_lets(lets, place, body, rest, next + 1);
    });
  }

  void allocate(const std::string &name, const Type &type, Span span, const Place &place, Block &out,
                const std::function<void(const Buffer &, Block &)> &body) {
    Alloc alloc{{name, type.elem, {}, Buffer::Role::temporary}, {}, Alloc::Storage::heap, {}};
    for (const Index &extent : type.shape) {
      Index dim = place.facts.simplify(extent);
      if (!place.facts.proves_nonnegative(dim)) // where it is not used, its extents may be anything
        dim = binary(IndexOp::max, dim, constant(0));
      alloc.buffer.dims.push_back(dim);
      auto bound = upper_bound(alloc.buffer.dims.back(), place.loops, sizes_);
      if (!bound)
        errors.push_back(
            {Code::unbounded_temporary,
             span,
             "no upper bound in the sizes was found for the extent " + to_string(extent) + " of " + name,
             {{std::nullopt, "state one with min(...), or compute the tensor outside the loop"}}});
      alloc.capacity.push_back(bound.value_or(constant(0)));
    }
    if (type.shape.empty())
      alloc.storage = Alloc::Storage::scalar;
    else if (auto count = constant_count(alloc.buffer.dims);
             count && *count <= largest_stack_bytes / static_cast<std::int64_t>(byte_size(type.elem)))
      alloc.storage = Alloc::Storage::stack;
    Buffer buffer = alloc.buffer;
    body(buffer, alloc.body);
    out.push_back({std::move(alloc)});
  }

  // Computes e into a buffer whose content is arbitrary.
  void fill_buffer(const Buffer &buffer, const ExprPtr &e, const Place &place, Block &out) {
    Destination dest{buffer, filling_reduction(e)};
    std::optional<Reduction> filling = dest.combine;
    bool is_accumulator = buffer.role == Buffer::Role::temporary && is_reduction(e);
    if (dest.combine && !is_accumulator && (accumulates_locally(e) || overlaps_reduction(e)))
      dest.combine = std::nullopt;
    if (dest.combine || !is_fully_written(e, buffer, place))
      store_everywhere(buffer, neutral_literal(filling, buffer.elem, e->span), out);
    lower(e, dest, same_cell, place, out);
  }

  // A reduction, perhaps guarded, by itself: its buffer is its accumulator.
  static bool is_reduction(const ExprPtr &e) {
    const Guard *guard = std::get_if<Guard>(&e->node);
    return guard ? is_reduction(guard->body) : std::holds_alternative<Reduce>(e->node);
  }

  // Decides by the quick procedure; what it decides is an obligation as well.
  bool is_fully_written(const ExprPtr &e, const Buffer &buffer, const Place &place) {
    std::vector<WrittenCondition> conditions = written_conditions(e);
    std::vector<Obligation> claims;
    for (const WrittenCondition &c : conditions) {
      Facts facts = place.facts;
      for (const Pred &p : c.hypotheses)
        facts.assume(p);
      if (!facts.proves(c.claim))
        return false;
      Obligation o{ObligationKind::once,
                   Code::written_twice,
                   c.span,
                   kernel_.name,
                   "every cell of " + buffer.name + " is written",
                   kernel_.size_names(),
                   {},
                   place.facts.all(),
                   {{c.claim, {"a cell of " + buffer.name + " is not written"}}},
                   {}};
      for (const LoopRange &loop : place.loops)
        o.variables.push_back(loop.var);
      o.variables.insert(o.variables.end(), c.variables.begin(), c.variables.end());
      o.hypotheses.insert(o.hypotheses.end(), c.hypotheses.begin(), c.hypotheses.end());
      claims.push_back(std::move(o));
    }
    obligations.insert(obligations.end(), claims.begin(), claims.end());
    return true;
  }

  void store_everywhere(const Buffer &buffer, const ExprPtr &value, Block &out) {
    std::vector<Index> indices;
    std::vector<std::string> vars;
    for (std::size_t d = 0; d < buffer.dims.size(); ++d) {
      vars.push_back(names_.fresh("z" + std::to_string(d)));
      indices.push_back(variable(vars.back()));
    }
    Stmt stmt{Store{buffer.name, indices, std::nullopt, value, true, value->span}};
    for (std::size_t d = buffer.dims.size(); d-- > 0;)
      stmt = {For{vars[d], constant(0), buffer.dims[d], {std::move(stmt)}}};
    out.push_back(std::move(stmt));
  }

  // Whether every outermost reduction in e can run in an accumulator: its result is a scalar or a small
  // array.
  static bool accumulates_locally(const ExprPtr &e) {
    if (is_scalar_form(*e))
      return true;
    if (std::holds_alternative<Reduce>(e->node))
      return constant_count(e->type->shape).value_or(largest_accumulator + 1) <= largest_accumulator;
    if (const Let *let = std::get_if<Let>(&e->node))
      return accumulates_locally(let->body);
    std::vector<ExprPtr> parts = children(*e);
    return std::all_of(parts.begin(), parts.end(), accumulates_locally);
  }

  static bool has_reduction(const ExprPtr &e) {
    std::vector<ExprPtr> parts = children(*e);
    return std::holds_alternative<Reduce>(e->node) || std::any_of(parts.begin(), parts.end(), has_reduction);
  }

  // Whether reductions would contribute to cells that lie over each other.
  static bool overlaps_reduction(const ExprPtr &e) {
    if (const Reshape *reshape = std::get_if<Reshape>(&e->node); reshape && is_overlapping(*reshape->op))
      return has_reduction(e);
    std::vector<ExprPtr> parts = children(*e);
    return !std::holds_alternative<Reduce>(e->node) &&
           std::any_of(parts.begin(), parts.end(), overlaps_reduction);
  }

  static Reindex cons(const Index &first, const Reindex &th) {
    return [first, th](std::vector<Index> rest) {
      rest.insert(rest.begin(), first);
      return th(std::move(rest));
    };
  }

  static Pred same_indices(const std::vector<Index> &a, const std::vector<Index> &b) {
    Pred same = truth(true);
    for (std::size_t d = 0; d < a.size(); ++d)
      if (!equal(a[d], b[d]))
        same = conj(same, compare(PredOp::eq, a[d], b[d]));
    return same;
  }

  static Reindex pushed(const Reshape &r, const Reindex &th) {
    return [&r, th](const std::vector<Index> &cell) {
      const Shape &operand = r.child->type->shape;
      std::vector<Index> moved = r.op->push(r.args, operand, cell);
      Pred kept = is_truncation(*r.op) ? in_range(constant(0), moved[0], r.op->shape(r.args, operand)[0])
                                       : truth(true);
      Pred counts = is_overlapping(*r.op) ? same_indices(r.op->pull(r.args, operand, moved).indices, cell)
                                          : truth(true);
      Target target = th(std::move(moved));
      target.kept = conj(kept, target.kept);
      target.counts = conj(counts, target.counts);
      return target;
    };
  }

  static Reindex after_concat(const Concat &c, const Reindex &th) {
    return [&c, th](std::vector<Index> cell) {
      cell[0] = add(cell[0], c.left->type->shape[0]);
      return th(std::move(cell));
    };
  }

  void lower(const ExprPtr &e, const Destination &dest, const Reindex &th, const Place &place, Block &out) {
    if (is_scalar_form(*e))
      return lower_scalar(e, dest, th, place, out);
    match(
        e,
        [&](const Gen &g) {
          loop({g.var, g.lo, g.hi, {}, g.mode, e->span}, place, out, [&](const Place &inner, Block &body) {
            lower(g.body, dest, cons(sub(variable(g.var), g.lo), th), inner, body);
          });
        },
        [&](const Reduce &r) {
          if (dest.combine != r.reduction)
            return accumulate(r, e, dest, th, place, out);
          Destination inside = dest;
          inside.reducing = true;
          loop({r.var, r.lo, r.hi, {}, r.mode, e->span}, place, out,
               [&](const Place &inner, Block &body) { lower(r.body, inside, th, inner, body); });
        },
        [&](const Guard &g) {
          when(g.pred, place, out,
               [&](const Place &inner, Block &body) { lower(g.body, dest, th, inner, body); });
        },
        [&](const Let &l) {
          lower_lets({{l.names[0], l.bound}}, place, out,
                     [&](Block &body) { lower(l.body, dest, th, place, body); });
        },
        [&](const Concat &c) {
          lower(c.left, dest, th, place, out);
          lower(c.right, dest, after_concat(c, th), place, out);
        },
        [&](const Reshape &r) { lower(r.child, dest, pushed(r, th), place, out); },
        [&](const auto &) { ATL_CHECK(false, "not a tensor form of a typed tree"); });
  }

  using Inside = std::function<void(const Place &, Block &)>;

  void loop(For stmt, const Place &place, Block &out, const Inside &body) {
    stmt.lo = place.facts.simplify(stmt.lo);
    stmt.hi = place.facts.simplify(stmt.hi);
    body(place.inside_loop(stmt.var, stmt.lo, stmt.hi), stmt.body);
    if (!stmt.body.empty())
      out.push_back({std::move(stmt)});
  }

  void when(const Pred &pred, const Place &place, Block &out, const Inside &body) {
    Pred simple = place.facts.simplify(pred);
    if (simple->op == PredOp::truth) {
      if (simple->value)
        body(place, out);
      return;
    }
    If stmt{simple, {}};
    body(place.where(simple), stmt.body);
    if (!stmt.body.empty())
      out.push_back({std::move(stmt)});
  }

  // A reduction with an accumulator of its own, then one store of each of its cells.
  void accumulate(const Reduce &r, const ExprPtr &e, const Destination &dest, const Reindex &th,
                  const Place &place, Block &out) {
    std::string name = names_.fresh("acc");
    allocate(name, *e->type, e->span, place, out, [&](const Buffer &buffer, Block &body) {
      store_everywhere(buffer, neutral_literal(r.reduction, buffer.elem, e->span), body);
      lower(e, {buffer, r.reduction}, same_cell, place, body);
      copy(buffer, e->span, dest, th, place, body);
    });
  }

  // Of what nothing contributed to, a truncation may cut cells; the others get the neutral value.
  void copy(const Buffer &from, Span span, const Destination &dest, const Reindex &th, const Place &place,
            Block &out, std::vector<Index> cell = {}) {
    std::size_t d = cell.size();
    if (d == from.dims.size()) {
      ExprPtr value = make(Access{from.name, cell}, span, Type{from.elem, {}});
      Target target = th(std::move(cell));
      when(target.kept, place, out,
           [&](const Place &inner, Block &body) { store(value, dest, target, inner, span, body); });
      return;
    }
    std::string var = names_.fresh("c" + std::to_string(d));
    loop({var, constant(0), from.dims[d], {}}, place, out, [&](const Place &inner, Block &body) {
      std::vector<Index> next = cell;
      next.push_back(variable(var));
      copy(from, span, dest, th, inner, body, next);
    });
  }

  void lower_scalar(const ExprPtr &e, const Destination &dest, const Reindex &th, const Place &place,
                    Block &out) {
    PureScalar pure = purify(e, names_);
    lower_lets(pure.lets, place, out,
               [&](Block &body) { store(pure.value, dest, th({}), place, e->span, body); });
  }

  // Cells that lie over each other are stored by each row, but contribute to a reduction once.
  void store(const ExprPtr &value, const Destination &dest, Target to, const Place &place, Span span,
             Block &out) {
    if (dest.reducing && to.counts->op != PredOp::truth) {
      Pred counts = std::exchange(to.counts, truth(true));
      return when(counts, place, out, [&](const Place &inner, Block &body) {
        store(value, dest, std::move(to), inner, span, body);
      });
    }
    for (Index &index : to.indices)
      index = place.facts.simplify(index);
    out.push_back({Store{dest.buffer.name, std::move(to.indices), dest.reducing ? dest.combine : std::nullopt,
                         simplify_scalar(value, place.facts), false, span, place.facts.simplify(to.counts)}});
  }

  const TypedKernel &kernel_;
  Names names_;
  Facts sizes_;
};

} // namespace

Result<LoopKernel> lower_unverified(const padtypes::CheckedKernel &checked) {
  TypedKernel kernel = checked.kernel;
  rename_lets(kernel);
  LoopKernel loops{kernel.name, kernel.span, kernel.params, {}, {}, kernel.where, kernel.assumptions, {}, {}};
  for (const Param &param : kernel.params)
    if (param.kind == Param::Kind::tensor)
      loops.inputs.push_back({param.name, param.type.elem, param.type.shape, Buffer::Role::input});
  for (const Output &output : kernel.outputs)
    loops.outputs.push_back({output.name, output.type.elem, output.type.shape, Buffer::Role::output});
  Lowering lowering(kernel);
  loops.body = lowering.run(loops.outputs);
  if (!lowering.errors.empty())
    return lowering.errors;
  loops.obligations = std::move(lowering.obligations);
  std::vector<Obligation> overlaps = equality::overlap_obligations(kernel);
  loops.obligations.insert(loops.obligations.end(), overlaps.begin(), overlaps.end());
  return loops;
}

Result<LoopKernel> lower(const padtypes::CheckedKernel &checked) {
  return lower({{truth(true), checked}}, checked.kernel.assumptions);
}

} // namespace atl::lowering
