// Lowering: L e dest th, of a kernel in normal form. Reshapes emit nothing and compose
// their index maps into `th`; a scalar is one store at dest[th([])], inside a reduction one that combines.
#include "lowering/lower/lower.h"

#include "atl/base/check.h"
#include "atl/equality/overlaps.h"
#include "atl/syntax/ops/reshape_op.h"
#include "atl/syntax/path.h"
#include "lowering/lower/written.h"
#include "lowering/normal/normalize.h"
#include "lowering/normal/simplify_scalar.h"
#include "lowering/requests/last_instruction.h"
#include "lowering/requests/prefetch.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace atl::lowering {

namespace {

constexpr std::int64_t largest_stack_bytes = 1024;
constexpr std::size_t longest_index = 1000; // operations and operands; what is written by hand has tens

// A cell of the destination, and whether it is the one that stands for all that lie over it.
struct Target {
  std::vector<Index> indices;
  Pred counts;
};

// How many operations and operands e has when it is printed, or `most` if it has more. Takes so many steps.
std::size_t count_up_to(std::size_t most, const Index &e) {
  if (is_leaf(e) || most <= 1)
    return std::min<std::size_t>(most, 1);
  const std::size_t left = 1 + count_up_to(most - 1, e->a);
  return left + count_up_to(most - left, e->b);
}

bool is_too_long(const Index &e) {
  return count_up_to(longest_index + 1, e) > longest_index;
}

bool is_too_long(const Pred &p) {
  return (p->lhs && (is_too_long(p->lhs) || is_too_long(p->rhs))) || (p->a && is_too_long(p->a)) ||
         (p->b && is_too_long(p->b));
}

bool is_too_long(const WrittenCondition &c) {
  return is_too_long(c.claim) ||
         std::any_of(c.hypotheses.begin(), c.hypotheses.end(), [](const Pred &p) { return is_too_long(p); });
}

// Where a cell of the expression being lowered goes.
using Reindex = std::function<Target(std::vector<Index>)>;

Target same_cell(std::vector<Index> cell) {
  return {std::move(cell), truth(true)};
}

struct Destination {
  Buffer buffer;
  std::optional<Reduction> reducing; // the reduction around: stores combine; outside, a cell gets its value
};

class Lowering {
public:
  Lowering(const NormalKernel &form, const Hardware *hardware)
      : kernel_(form.kernel), unwritten_(form.unwritten), hardware_(hardware), names_(form.kernel),
        sizes_(known_in(form.kernel)) {}

  Diagnostics errors;
  std::vector<Obligation> obligations;

  Block run(const std::vector<Buffer> &outputs) {
    Block body;
    lower_lets(kernel_.lets, sizes_, body, [&](Block &inner) {
      for (std::size_t i = 0; i < outputs.size(); ++i)
        fill_buffer(outputs[i], kernel_.results[i], sizes_, inner);
    });
    return body;
  }

private:
  using Continue = std::function<void(Block &)>;

  // Allocates and computes each let in turn, nested, then goes on inside.
  void lower_lets(const std::vector<Binding> &lets, const Known &place, Block &out, const Continue &rest,
                  std::size_t next = 0) {
    if (next == lets.size())
      return rest(out);
    const Binding &let = lets[next];
    allocate(let, place, out, [&](const Buffer &buffer, Block &body) {
      fill_buffer(buffer, let.value, place, body);
      lower_lets(lets, place, body, rest, next + 1);
    });
  }

  static Index at_least_zero(const Index &e, const Facts &facts) {
    return facts.proves_nonnegative(e) ? e : binary(IndexOp::max, e, constant(0));
  }

  // At least every value of the extent while the loops run, in terms of the sizes; null if none is known.
  Index capacity(const Index &extent, const Known &place) const {
    Index most = bounds_of(extent, place.loops, place.facts()).hi;
    return most ? at_least_zero(with_positive_divisors(sizes_.facts().simplify(most)), sizes_.facts())
                : nullptr;
  }

  // Memory is taken before any guard runs: a divisor that is positive only behind one is at least 1 there.
  Index with_positive_divisors(const Index &e) const {
    if (is_leaf(e))
      return e;
    Index a = with_positive_divisors(e->a), b = with_positive_divisors(e->b);
    if (divides(e->op) && !sizes_.facts().proves(compare(PredOp::ge, b, constant(1))))
      b = binary(IndexOp::max, b, constant(1));
    return binary(e->op, a, b);
  }

  void allocate(const Binding &let, const Known &place, Block &out,
                const std::function<void(const Buffer &, Block &)> &body) {
    const Type &type = *let.value->type;
    Alloc alloc{{let.name, type.elem, {}, Buffer::Role::temporary, let.memory}, {}, Alloc::Storage::heap, {}};
    for (const Index &extent : type.shape) {
      // Where it is not used, its extents may be anything.
      alloc.buffer.dims.push_back(at_least_zero(place.facts().simplify(extent), place.facts()));
      Index bound = capacity(alloc.buffer.dims.back(), place);
      if (!bound)
        errors.push_back(
            {Code::unbounded_temporary,
             let.value->span,
             "no upper bound in the sizes was found for the extent " + to_string(extent) + " of " + let.name,
             {{std::nullopt, "state one with min(...), or compute the tensor outside the loop"}}});
      alloc.capacity.push_back(bound ? bound : constant(0));
    }
    if (type.shape.empty())
      alloc.storage = Alloc::Storage::scalar;
    else if (auto count = constant_count(alloc.buffer.dims);
             count && (is_in_registers(let.memory) ||
                       *count <= largest_stack_bytes / static_cast<std::int64_t>(byte_size(type.elem))))
      alloc.storage = Alloc::Storage::stack;
    Buffer buffer = alloc.buffer;
    body(buffer, alloc.body);
    out.push_back({std::move(alloc)});
  }

  // Computes e into a buffer whose content is arbitrary.
  void fill_buffer(const Buffer &buffer, const ExprPtr &e, const Known &place, Block &out) {
    if (filling_reduction(e) || !is_fully_written(e, buffer, place))
      store_everywhere(buffer, unwritten_.at(buffer.name), out);
    lower(e, {buffer, std::nullopt}, same_cell, place, out);
  }

  // Decides by the quick procedure; what it decides is an obligation as well.
  bool is_fully_written(const ExprPtr &e, const Buffer &buffer, const Known &place) {
    std::vector<WrittenCondition> conditions = written_conditions(e);
    std::vector<Obligation> claims;
    for (const WrittenCondition &c : conditions) {
      if (is_too_long(c)) {
        refuse_long_index(buffer, c.span);
        return false;
      }
      Known there = place;
      there.variables.insert(there.variables.end(), c.variables.begin(), c.variables.end());
      there.hypotheses.insert(there.hypotheses.end(), c.hypotheses.begin(), c.hypotheses.end());
      if (!there.facts().proves(c.claim))
        return false;
      claims.push_back(there.obligation(ObligationKind::once, Code::written_twice, c.span,
                                        "every cell of " + buffer.name + " is written",
                                        {{c.claim, {"a cell of " + buffer.name + " is not written"}}}));
    }
    obligations.insert(obligations.end(), claims.begin(), claims.end());
    return true;
  }

  bool is_in_registers(const std::string &name) const {
    const Memory *memory = hardware_ ? hardware_->find_memory(name) : nullptr;
    return !name.empty() && !(memory && memory->rows);
  }

  // Registers have no addresses: each is named, and written as a whole.
  LoopMode mode_over(const Buffer &buffer, std::size_t dimension) const {
    if (!is_in_registers(buffer.memory))
      return LoopMode::sequential;
    return dimension + 1 == buffer.dims.size() ? LoopMode::vectorized : LoopMode::unrolled;
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
      stmt = {For{vars[d], constant(0), buffer.dims[d], {std::move(stmt)}, mode_over(buffer, d)}};
    out.push_back(std::move(stmt));
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
      Pred counts = is_overlapping(*r.op) ? same_indices(r.op->pull(r.args, operand, moved).indices, cell)
                                          : truth(true);
      Target target = th(std::move(moved));
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

  void lower(const ExprPtr &e, const Destination &dest, const Reindex &th, const Known &place, Block &out) {
    if (is_scalar_form(*e))
      return store(e, dest, th({}), place, e->span, out);
    match(
        e,
        [&](const Gen &g) {
          loop({g.var, g.lo, g.hi, {}, g.mode, e->span}, place, out, [&](const Known &inner, Block &body) {
            lower(g.body, dest, cons(sub(variable(g.var), g.lo), th), inner, body);
          });
        },
        [&](const Reduce &r) {
          loop({r.var, r.lo, r.hi, {}, r.mode, e->span}, place, out, [&](const Known &inner, Block &body) {
            lower(r.body, {dest.buffer, r.reduction}, th, inner, body);
          });
        },
        [&](const Guard &g) {
          when(g.pred, place, out,
               [&](const Known &inner, Block &body) { lower(g.body, dest, th, inner, body); });
        },
        [&](const Let &l) {
          lower_lets({{l.names[0], l.bound, l.memory}}, place, out,
                     [&](Block &body) { lower(l.body, dest, th, place, body); });
        },
        [&](const Concat &c) {
          lower(c.left, dest, th, place, out);
          lower(c.right, dest, after_concat(c, th), place, out);
        },
        [&](const Reshape &r) { lower(r.child, dest, pushed(r, th), place, out); },
        [&](const auto &) { ATL_CHECK(false, "not a tensor form of a typed tree"); });
  }

  using Inside = std::function<void(const Known &, Block &)>;

  void loop(For stmt, const Known &place, Block &out, const Inside &body) {
    stmt.lo = place.facts().simplify(stmt.lo);
    stmt.hi = place.facts().simplify(stmt.hi);
    body(place.inside({stmt.var, stmt.lo, stmt.hi}), stmt.body);
    if (!stmt.body.empty())
      out.push_back({std::move(stmt)});
  }

  void when(const Pred &pred, const Known &place, Block &out, const Inside &body) {
    Pred simple = place.facts().simplify(pred);
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

  // Each of many reshapes may mention the index before it twice: what goes through it would not end.
  void refuse_long_index(const Buffer &buffer, Span span) {
    if (!errors.empty() && errors.back().code == Code::too_deep)
      return; // said of the condition under which it is written
    errors.push_back({Code::too_deep,
                      span,
                      "reshapes are nested so deeply that an index of " + buffer.name + " has more than " +
                          std::to_string(longest_index) + " operations",
                      {{std::nullopt, "keep what some of them make in a `let`"}}});
  }

  // Cells that lie over each other are stored by each row, but contribute to a reduction once.
  void store(const ExprPtr &value, const Destination &dest, Target to, const Known &place, Span span,
             Block &out) {
    if (dest.reducing && to.counts->op != PredOp::truth) {
      Pred counts = std::exchange(to.counts, truth(true));
      return when(counts, place, out, [&](const Known &inner, Block &body) {
        store(value, dest, std::move(to), inner, span, body);
      });
    }
    if (std::any_of(to.indices.begin(), to.indices.end(), [](const Index &e) { return is_too_long(e); }))
      return refuse_long_index(dest.buffer, span);
    for (Index &index : to.indices)
      index = place.facts().simplify(index);
    out.push_back(
        {Store{dest.buffer.name, std::move(to.indices), dest.reducing, simplify_scalar(value, place.facts()),
               false, span, place.facts().simplify(to.counts)}});
  }

  const TypedKernel &kernel_;
  const std::map<std::string, ExprPtr> &unwritten_;
  const Hardware *hardware_;
  Names names_;
  Known sizes_;
};

} // namespace

Result<LoopKernel> lower_unverified(const NormalKernel &normal, const Hardware *hardware,
                                    const std::optional<Requests> &requests) {
  const TypedKernel &kernel = normal.kernel;
  LoopKernel loops{kernel.name, kernel.span, kernel.params, {}, {}, kernel.where, kernel.assumptions, {}, {}};
  for (const Param &param : kernel.params)
    if (param.kind == Param::Kind::tensor)
      loops.inputs.push_back({param.name, param.type.elem, param.type.shape, Buffer::Role::input});
  for (const Output &output : kernel.outputs)
    loops.outputs.push_back({output.name, output.type.elem, output.type.shape, Buffer::Role::output});
  Lowering lowering(normal, hardware);
  loops.body = lowering.run(loops.outputs);
  if (!lowering.errors.empty())
    return lowering.errors;
  loops.requests = requests;
  if (requests) {
    if (Diagnostics problems = mark_prefetches(loops.body, requests->prefetches); !problems.empty())
      return problems;
    if (Diagnostics problems = mark_last_instructions(loops.body, requests->last); !problems.empty())
      return problems;
  }
  loops.obligations = std::move(lowering.obligations);
  std::vector<Obligation> overlaps = equality::overlap_obligations(kernel);
  loops.obligations.insert(loops.obligations.end(), overlaps.begin(), overlaps.end());
  return loops;
}

} // namespace atl::lowering
