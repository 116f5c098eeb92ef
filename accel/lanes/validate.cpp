#include "accel/lanes/validate.h"

#include "accel/lanes/meaning.h"
#include "atl/base/check.h"
#include "atl/syntax/print.h"
#include "atl/syntax/tree.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace atl::accel {

using namespace lowering;

namespace {

// A store of the loop body, and when it runs. Inside a loop, it stores the sum of what it adds there.
struct Wanted {
  Store store;
  Pred runs;
};

ExprPtr guarded(const Pred &pred, const ExprPtr &e) {
  return pred->op == PredOp::truth && pred->value ? e : make(Guard{pred, e}, e->span, e->type);
}

void collect_sums(const For &loop, const Pred &runs, std::vector<Wanted> &into);

void collect(const Block &body, const Pred &runs, std::vector<Wanted> &into) {
  for (const Stmt &stmt : body)
    match(
        stmt, [&](const For &loop) { collect_sums(loop, runs, into); },
        [&](const If &branch) { collect(branch.body, conj(runs, branch.pred), into); },
        [&](const Alloc &alloc) { collect(alloc.body, runs, into); },
        [&](const Store &store) {
          into.push_back({store, runs});
        });
}

void collect_sums(const For &loop, const Pred &runs, std::vector<Wanted> &into) {
  std::vector<Wanted> added;
  collect(loop.body, truth(true), added);
  ATL_CHECK(added.size() == 1 && added[0].store.combine == Reduction::sum &&
                !is_float(added[0].store.value->type->elem) &&
                !reads(added[0].store.value, added[0].store.buffer),
            "a loop inside a mapped loop that does not add up integers");
  Store store = added[0].store;
  for (const Index &index : store.indices)
    ATL_CHECK(!mentions(index, loop.var), "a loop inside a mapped loop that stores to several places");
  Pred of_store = runs, of_terms = truth(true);
  for (const Pred &part : conjuncts(added[0].runs))
    (mentions(part, loop.var) ? of_terms : of_store) =
        conj(mentions(part, loop.var) ? of_terms : of_store, part);
  store.value = make(Reduce{Reduction::sum, loop.var, loop.lo, loop.hi, guarded(of_terms, store.value)},
                     store.value->span, store.value->type);
  into.push_back({std::move(store), of_store});
}

// One store of a loop and the statement that it has become.
struct Pair {
  const For &loop;
  const Meaning &meaning;
  const Store &store;
  const LaneStatement &given;

  Subst shift() const { return {{loop.var, add(loop.lo, variable(loop.var))}}; } // lanes count from 0
};

const LaneCall &call_of(const LaneStatement &given) {
  return *std::get<std::shared_ptr<const LaneCall>>(given.value);
}

// The cell that the loop stores to, in terms of the lane.
Access stored_cell(const Pair &pair) {
  Access cell{pair.store.buffer, {}};
  for (const Index &index : pair.store.indices)
    cell.indices.push_back(substitute(index, pair.shift()));
  return cell;
}

ExprPtr value_before(const Pair &pair) {
  return make(stored_cell(pair), pair.store.value->span, pair.store.value->type);
}

ExprPtr wanted_value(const Pair &pair) {
  const Store &store = pair.store;
  ExprPtr value = substitute(store.value, pair.shift());
  if (!store.combine)
    return value;
  return make(Op{&combiner(*store.combine), {value_before(pair), value}}, value->span, value->type);
}

ExprPtr given_value(const Pair &pair) {
  if (const Register *r = std::get_if<Register>(&pair.given.value))
    return pair.meaning.of(*r, pair.store.value->type, pair.store.value->span);
  return pair.meaning.of(call_of(pair.given));
}

ExprPtr target_register(const Pair &pair) {
  return pair.meaning.of(*pair.given.target, pair.store.value->type, pair.store.value->span);
}

const FirstElement *destination(const LaneStatement &given) {
  for (const auto &[name, operand] : call_of(given).operands)
    if (name == "out")
      return &std::get<FirstElement>(operand);
  return nullptr;
}

// Of an instruction that stores: that the lane is one of those that it stores.
Pred is_active(const Pair &pair) {
  const LaneCall &call = call_of(pair.given);
  const Gen &gen = std::get<Gen>(call.instruction->meaning.body->node);
  return compare(PredOp::lt, variable(pair.loop.var), substitute(gen.hi, sizes_of(call)));
}

bool value_is_stored(const Pair &pair, const LoopSurroundings &running) {
  if (!same_value(wanted_value(pair), given_value(pair), running))
    return false;
  if (pair.given.target)
    return same_value(value_before(pair), target_register(pair), running);
  const FirstElement *first = destination(pair.given);
  if (!first || first->buffer != pair.store.buffer)
    return false;
  Access cell{first->buffer, first->indices};
  cell.indices.back() = add(cell.indices.back(), variable(pair.loop.var));
  return same_place(cell, stored_cell(pair), running) && running.proves(is_active(pair));
}

// Facts are no help with `i != j`; but what is asked for word by word is known.
bool all_hold(const std::vector<Pred> &asked, const std::vector<Pred> &known,
              const LoopSurroundings &running) {
  return std::all_of(asked.begin(), asked.end(),
                     [&](const Pred &p) { return is_among(p, known) || running.proves(p); });
}

// What a lane leaves in its register where what is needed is false is not read there.
bool is_unread(const Pair &pair, const Pred &needed, const LoopSurroundings &lane) {
  auto reads = lane.reads.find(pair.store.buffer);
  return reads != lane.reads.end() && lane.premises.attempt([&] {
    return reads->second.only_where(needed, pair.loop.var, stored_cell(pair).indices, lane.premises);
  });
}

// A lane that does not run, as what is needed is false, keeps its register, or nobody reads what it leaves
// there; and it stores nothing.
bool nothing_changes(const Pair &pair, const Pred &needed, const LoopSurroundings &lane) {
  if (is_among(needed, conjuncts(pair.given.condition)) && !mentions(needed, pair.loop.var))
    return true; // the statement does not run
  const LoopSurroundings idle = lane.where(neg(needed));
  if (idle.proves(truth(false)) || idle.proves(neg(pair.given.condition)))
    return true;
  const LoopSurroundings reached = idle.where(pair.given.condition);
  if (!pair.given.target)
    return reached.proves(neg(is_active(pair)));
  return lane.premises.attempt([&] {
    return same_value(given_value(pair), target_register(pair), reached);
  }) || is_unread(pair, needed, lane);
}

// Asked quickly, and then by all that is known together. That comes last: in a place that is never reached,
// it says yes to a condition and to its opposite, and no two values need be the same.
template <class Question>
bool at_last(const Question &is_so, const LoopSurroundings &lane) {
  LoopSurroundings by_all = lane;
  by_all.at_last = true;
  return lane.premises.attempt([&] { return is_so(lane); }) || is_so(by_all);
}

// With and without the lane running.
bool is_done(const Pair &pair, const Pred &when, const LoopSurroundings &lane) {
  const Pred runs = substitute(when, pair.shift());
  const LoopSurroundings running = lane.where(runs);
  const std::vector<Pred> needed = conjuncts(runs); // a lane is idle where one of them is false
  if (!all_hold(conjuncts(pair.given.condition), needed, running))
    return false;
  if (!at_last([&](const auto &around) { return value_is_stored(pair, around.where(runs)); }, lane))
    return false;
  return when->op == PredOp::truth || std::all_of(needed.begin(), needed.end(), [&](const Pred &one) {
           return at_last([&](const auto &around) { return nothing_changes(pair, one, around); }, lane);
         });
}

// The terms of what an instruction combines, lane by lane.
void collect_terms(const ExprPtr &e, const ScalarOp &combines, std::vector<ExprPtr> &into) {
  const Op *op = std::get_if<Op>(&e->node);
  if (!op || op->op != &combines)
    return into.push_back(e);
  for (const ExprPtr &arg : op->args)
    collect_terms(arg, combines, into);
}

std::vector<ExprPtr> terms_of(const ExprPtr &meaning, Reduction reduction) {
  std::vector<ExprPtr> terms;
  const Reduce *reduce = std::get_if<Reduce>(&meaning->node);
  if (!reduce)
    collect_terms(meaning, combiner(reduction), terms);
  else if (reduce->reduction == reduction)
    for (std::int64_t n = 0; n < as_constant(reduce->hi).value(); ++n)
      terms.push_back(substitute(reduce->body, {{reduce->var, constant(n)}}));
  return terms;
}

} // namespace

std::optional<std::string> total_differs(const For &loop, const LoopSurroundings &around) {
  const LaneTotal &total = *loop.total;
  const Store &store = std::get<Store>(loop.body.at(0).node);
  const Meaning meaning(loop.var, {});
  std::vector<ExprPtr> terms = terms_of(total.call->instruction->meaning.body, *store.combine);
  const auto count = static_cast<std::int64_t>(terms.size());
  bool same = around.premises.are_equal(sub(loop.hi, loop.lo), constant(count), around.known);
  for (std::int64_t n = 0; same && n < count; ++n) { // each lane is some term, which is then taken
    const ExprPtr wanted = substitute(store.value, {{loop.var, add(loop.lo, constant(n))}});
    auto found = std::find_if(terms.begin(), terms.end(), [&](const ExprPtr &term) {
      return same_value(wanted, meaning.put_in(term, *total.call), around);
    });
    same = found != terms.end();
    if (same)
      terms.erase(found);
  }
  if (same)
    return std::nullopt;
  return fmt::format("the instruction for {} does not combine what its iterations do", loop.var);
}

std::optional<std::string> mapping_differs(const For &loop, const LaneCode &code,
                                           const LoopSurroundings &around) {
  std::vector<Wanted> wanted;
  collect(loop.body, truth(true), wanted);
  if (wanted.size() != code.statements.size())
    return fmt::format("{} stores have {} statements", wanted.size(), code.statements.size());
  std::set<std::string> locals;
  for (const LaneLocal &local : code.locals)
    locals.insert(local.name);
  const Meaning meaning(loop.var, std::move(locals));
  const LoopSurroundings lane = around.inside({loop.var, constant(0), sub(loop.hi, loop.lo)});
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Store &store = wanted[i].store;
    if (!is_done({loop, meaning, store, code.statements[i]}, wanted[i].runs, lane))
      return fmt::format("the instructions for {} = {} do not mean it", store.buffer,
                         atl::print(store.value));
  }
  return std::nullopt;
}

} // namespace atl::accel
