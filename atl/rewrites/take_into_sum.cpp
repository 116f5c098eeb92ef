#include "atl/rewrites/rewrites.h"
#include "atl/syntax/names.h"
#include "atl/syntax/ops/reshape_op.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::rewrites {

namespace {

// What is added to the one read of a tensor, if it is read once, as an operand of an addition.
struct Added {
  std::string tensor;
  std::size_t reads = 0;
  const Access *cell = nullptr;
  ExprPtr start = nullptr;

  ExprPtr taken_out(const ExprPtr &e) {
    const Op *op = std::get_if<Op>(&e->node);
    for (std::size_t side = 0; op && op->op->name == "+" && op->args.size() == 2 && side < 2; ++side)
      if (const Access *access = is_read(op->args[side])) {
        cell = access;
        start = op->args[1 - side];
        reads += atl::reads(start, tensor) ? 2 : 1;
        return op->args[side];
      }
    if (is_read(e))
      reads += 2; // without an addition
    std::vector<ExprPtr> kids = children(*e);
    for (ExprPtr &kid : kids)
      kid = taken_out(kid);
    return rebuild(*e, std::move(kids));
  }

  const Access *is_read(const ExprPtr &e) const {
    const Access *access = std::get_if<Access>(&e->node);
    return access && access->tensor == tensor ? access : nullptr;
  }
};

// Whether it says in other places than this one what it is.
bool is_there_outside(const ExprPtr &e, const ExprPtr &place) {
  const std::set<std::string> names = names_in(place), own = names_in(e);
  return std::none_of(names.begin(), names.end(), [&](const std::string &name) {
    return !own.contains(name) && (reads(e, name) || mentions_variable(e, name));
  });
}

// The loops, guards and reshapes of a tensor around what is added in its scalar; nothing if there is more to
// it.
std::optional<ExprPtr> around(const ExprPtr &e, const Added &added) {
  const bool is_guard = std::holds_alternative<Guard>(e->node);
  if (e->type->shape.empty() && !is_guard) {
    const ExprPtr read = make(*added.cell, e->span, e->type);
    return is_there_outside(added.start, e) && is_there_outside(read, e) ? std::optional(added.start)
                                                                         : std::nullopt;
  }
  const bool is_plain =
      is_guard || std::holds_alternative<Gen>(e->node) || std::holds_alternative<Reshape>(e->node);
  auto inside = is_plain ? around(children(*e)[0], added) : std::nullopt;
  return inside ? std::optional(rebuild(*e, {*inside})) : std::nullopt;
}

// The tensor inside dimensions of one cell.
ExprPtr with_outer_dimensions(Work &work, ExprPtr e, std::size_t rank) {
  std::set<std::string> taken = names_in(work.kernel);
  while (e->type->shape.size() < rank) {
    e = loop_of({std::nullopt, fresh_name("one", taken), constant(0), constant(1), LoopMode::unrolled}, e);
    taken.insert(std::get<Gen>(e->node).var);
  }
  return e;
}

// `reader` has the shape of the sums, and reads of them at each cell this one.
void require_same_cells(Work &work, Known known, const ExprPtr &reader, const std::string &tensor,
                        const Shape &shape) {
  const std::string what = fmt::format("each cell of {} is read where it belongs", tensor);
  std::vector<Index> cell;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    work.require(known, compare(PredOp::eq, reader->type->shape.at(d), shape[d]), what,
                 {fmt::format("dimension {} of {} is ", d + 1, tensor), shape[d], ", of what reads it ",
                  reader->type->shape[d]});
    known.variables.push_back(work.fresh(fmt::format("cell{}", d)));
    cell.push_back(variable(known.variables.back()));
    known.assume(in_range(constant(0), cell[d], shape[d]));
  }
  ExprPtr value = cell_of(reader, cell, names_in(work.kernel)).value();
  for (const Guard *guard = std::get_if<Guard>(&value->node); guard;
       guard = std::get_if<Guard>(&value->node)) {
    known.assume(guard->pred);
    value = ExprPtr(guard->body);
  }
  Added added{tensor};
  added.taken_out(value);
  for (std::size_t d = 0; d < shape.size(); ++d)
    work.require(known, compare(PredOp::eq, added.cell->indices[d], cell[d]), what,
                 {"the cell ", cell[d], " reads ", added.cell->indices[d]});
}

// The contributions of both, one after the other, to a tensor of the extent n: the part of them that is the
// turn's comes to lie where the tensor is, and the other, of which nothing is written, is cut.
ExprPtr one_after_the_other(const ExprPtr &first, const ExprPtr &second, const Index &n,
                            const std::string &turn) {
  const Index now = variable(turn), distance = mul(now, n);
  ExprPtr both = concat_of(guard_of(compare(PredOp::eq, now, constant(0)), first),
                           guard_of(compare(PredOp::eq, now, constant(1)), second));
  ExprPtr here = reshape_of(padr_op, {distance}, reshape_of(truncl_op, {distance}, both));
  return loop_of({Reduction::sum, turn, constant(0), constant(2), LoopMode::unrolled},
                 reshape_of(truncr_op, {n}, here));
}

} // namespace

Refused take_into_sum(Work &work, const std::string &tensor, Requests::Term term) {
  auto refuse = [&](const std::string &why) {
    return Refusal{fmt::format("{} cannot {} what is added to it: {}", tensor,
                               term == Requests::Term::first ? "start from" : "end with", why)};
  };
  auto let = find_let(work.kernel, tensor);
  if (!let)
    return refuse("there is no such temporary");
  const Type &type = *let->bound->type;
  if (is_float(type.elem))
    return refuse("it holds floats, whose sums depend on the order of their terms");
  const auto reduction = filling_reduction(let->bound);
  if (reduction.value_or(Reduction::sum) != Reduction::sum || type.shape.empty())
    return refuse("it is not a sum that starts from zeros");
  const bool is_last = let->outermost && let->index + 1 == work.kernel.lets.size();
  if (let->outermost && (!is_last || work.kernel.results.size() > 1))
    return refuse("it is not read by one nest of loops");
  const Path body = let->outermost ? Path{false, 0, {}} : let->path.child(1);
  const ExprPtr reader = at(work.kernel, body);
  Added added{tensor};
  const ExprPtr rest = added.taken_out(reader);
  if (added.reads != 1)
    return refuse("it is not read once, with something added to it that is there before");
  auto start = around(reader, added);
  if (!start || reader->type->shape.size() > type.shape.size())
    return refuse("it is not read by one nest of loops");
  const std::size_t rank = type.shape.size();
  require_same_cells(work, known_at(work.kernel, body), with_outer_dimensions(work, reader, rank), tensor,
                     type.shape);
  ExprPtr first = with_outer_dimensions(work, retyped(*start), rank), second = let->bound;
  if (term == Requests::Term::last)
    std::swap(first, second);
  const ExprPtr bound = one_after_the_other(first, second, type.shape[0], work.fresh(tensor + ".turn"));
  replace(work.kernel, body, rest);
  if (let->outermost)
    work.kernel.lets[let->index].value = bound;
  else
    replace(work.kernel, let->path.child(0), bound);
  work.prophecies.erase(tensor);
  return {};
}

} // namespace atl::rewrites
