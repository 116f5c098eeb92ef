#include "accel/lanes/validate.h"

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

ExprPtr op(std::string_view name, std::vector<ExprPtr> args) {
  Span span = args[0]->span;
  std::optional<Type> type = args[0]->type;
  const ScalarOp *row = find_scalar_op(name, static_cast<int>(args.size()));
  return make(Op{row, std::move(args)}, span, type);
}

// What a lane gets from an instruction, in terms of the loop: the meaning with its operands put in.
class Meaning {
public:
  Meaning(std::string lane, std::set<std::string> locals)
      : lane_(std::move(lane)), locals_(std::move(locals)) {}

  ExprPtr of(const LaneCall &call) const { return of(call, variable(lane_)); }

  ExprPtr of(const Register &r, const std::optional<Type> &type, Span span) const {
    return of(r, variable(lane_), type, span);
  }

  // A part of an instruction's meaning, with its operands put in.
  ExprPtr part(const ExprPtr &e, const LaneCall &call) const { return put_in(e, call); }

private:
  // What lane `at` gets.
  ExprPtr of(const LaneCall &call, const Index &at) const {
    const ExprPtr &body = call.instruction->meaning.body;
    const Gen *gen = std::get_if<Gen>(&body->node);
    ATL_CHECK(gen, "the meaning of an instruction is a gen");
    Subst sizes{{gen->var, at}};
    for (const auto &[name, operand] : call.operands)
      if (const Index *size = std::get_if<Index>(&operand))
        sizes[name] = *size;
    return put_in(substitute(with_own_variables(gen->body), sizes), call);
  }

  // Variables of sums under names that no operand has.
  ExprPtr with_own_variables(const ExprPtr &e) const {
    std::vector<ExprPtr> kids = children(*e);
    for (ExprPtr &kid : kids)
      kid = with_own_variables(kid);
    const Reduce *sum = std::get_if<Reduce>(&e->node);
    if (!sum)
      return rebuild(*e, std::move(kids));
    Reduce own = *sum;
    own.var = fmt::format("{}'{}", sum->var, variables_++);
    own.body = substitute(kids.at(0), {{sum->var, variable(own.var)}});
    return make(std::move(own), e->span, e->type);
  }

  ExprPtr of(const Register &r, const Index &at, const std::optional<Type> &type, Span span) const {
    std::vector<Index> indices;
    for (std::int64_t number : r.indices)
      indices.push_back(constant(number));
    if (!locals_.contains(r.buffer))
      indices.push_back(at);
    return make(Access{r.buffer, std::move(indices)}, span, type);
  }

  ExprPtr put_in(const ExprPtr &e, const LaneCall &call) const {
    if (const Access *access = std::get_if<Access>(&e->node)) {
      for (const auto &[name, operand] : call.operands)
        if (name == access->tensor)
          return value(call, operand, *access, e);
      ATL_CHECK(false, "an operand without a value: " + access->tensor);
    }
    std::vector<ExprPtr> kids = children(*e);
    for (ExprPtr &kid : kids)
      kid = put_in(kid, call);
    return rebuild(*e, std::move(kids));
  }

  // How many elements a row lies behind the one before.
  static Index stride(const LaneCall &call, const std::string &operand, Elem elem) {
    for (const auto &[name, value] : call.operands)
      if (name == operand + ".stride")
        return floor_div(std::get<Index>(value), constant(info(elem).bits / 8));
    ATL_CHECK(false, "rows without a stride: " + operand);
  }

  ExprPtr value(const LaneCall &call, const LaneOperand &operand, const Access &read,
                const ExprPtr &e) const {
    const Index &at = read.indices.empty() ? constant(0) : read.indices.back(); // of an operand with lanes
    return std::visit(Overloaded{
                          [&](const std::shared_ptr<const LaneCall> &inner) { return of(*inner, at); },
                          [&](const Register &r) { return of(r, at, e->type, e->span); },
                          [&](const FirstElement &first) {
                            Access access{first.buffer, first.indices};
                            access.indices.back() = add(access.indices.back(), at);
                            if (read.indices.size() == 2)
                              access.indices.back() =
                                  add(access.indices.back(),
                                      mul(read.indices[0], stride(call, read.tensor, e->type->elem)));
                            return make(std::move(access), e->span, e->type);
                          },
                          [&](const ExprPtr &scalar) { return scalar; },
                          [&](const Index &) -> ExprPtr { ATL_CHECK(false, "a size is no value"); },
                      },
                      operand);
  }

  mutable int variables_ = 0;
  std::string lane_;
  std::set<std::string> locals_; // scalars of the loop body
};

class Comparison {
public:
  Comparison(Facts facts, const LoopSurroundings &around) : facts_(std::move(facts)), around_(around) {}

  bool same(const ExprPtr &given_a, const ExprPtr &given_b) const {
    ExprPtr a = simple(given_a), b = simple(given_b);
    if (around_.contracts && is_sum(a) && is_sum(b)) {
      auto [a0, a1] = operands(a);
      auto [b0, b1] = operands(b);
      return (same(a0, b0) && same(a1, b1)) || (same(a0, b1) && same(a1, b0));
    }
    if (is_zero(a) && is_zero(b))
      return true;
    if (const Guard *guard = std::get_if<Guard>(&a->node))
      return same_in_both_cases(*guard, b);
    const Select *select = std::get_if<Select>(&a->node);
    if (select && !std::holds_alternative<Select>(b->node))
      return same_in_both_cases(*select, b);
    if (a->node.index() != b->node.index())
      return false;
    if (const Reduce *sum = std::get_if<Reduce>(&a->node))
      return same_sum(*sum, std::get<Reduce>(b->node));
    if (!same_node(a, b))
      return false;
    std::vector<ExprPtr> as = children(*a), bs = children(*b);
    return as.size() == bs.size() &&
           std::equal(as.begin(), as.end(), bs.begin(),
                      [&](const ExprPtr &x, const ExprPtr &y) { return same(x, y); });
  }

  bool same_index(const Index &a, const Index &b) const {
    return as_constant(facts_.simplify(without_remainders(sub(a, b)))) == 0;
  }
  bool same_indices(const std::vector<Index> &a, const std::vector<Index> &b) const {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](const Index &x, const Index &y) { return same_index(x, y); });
  }

  // The same element, also where an index runs on into the next row.
  bool same_place(const Access &a, const Access &b) const {
    if (same_indices(a.indices, b.indices))
      return true;
    auto buffer = around_.buffers.find(a.tensor);
    if (buffer == around_.buffers.end() || !buffer->second.memory.empty())
      return false;
    const Shape &dims = buffer->second.dims;
    return same_index(row_major(dims, a.indices), row_major(dims, b.indices));
  }

private:
  Comparison with(const Pred &fact) const {
    Facts facts = facts_;
    facts.assume(fact);
    return {std::move(facts), around_};
  }

  // A guard that nothing decides: an integer that is 0 where it is false.
  bool same_in_both_cases(const Guard &guard, const ExprPtr &b) const {
    return with(guard.pred).same(guard.body, b) && with(neg(guard.pred)).is_zero(b);
  }

  bool same_in_both_cases(const Select &select, const ExprPtr &b) const {
    const Test *test = std::get_if<Test>(&select.cond->node);
    return test && with(test->pred).same(select.then, b) && with(neg(test->pred)).same(select.otherwise, b);
  }

  bool same_sum(const Reduce &a, const Reduce &b) const {
    if (a.reduction != b.reduction || !same_index(a.lo, b.lo) || !same_index(a.hi, b.hi))
      return false;
    const ExprPtr renamed = substitute(b.body, {{b.var, variable(a.var)}});
    return with(in_range(a.lo, variable(a.var), a.hi)).same(a.body, renamed);
  }

  // An integer that is 0 because of a guard: by itself, converted, or as a factor.
  bool is_zero(const ExprPtr &e) const {
    if (is_float(e->type->elem))
      return false;
    auto zero = [&](const ExprPtr &part) { return is_zero(part); };
    return match(
        e, [&](const Guard &guard) { return facts_.proves(neg(guard.pred)) || is_zero(guard.body); },
        [&](const Literal &literal) { return literal.integer == 0; },
        [&](const Convert &convert) { return is_zero(convert.arg); },
        [&](const Op &o) { return o.op->name == "*" && std::any_of(o.args.begin(), o.args.end(), zero); },
        [](const auto &) { return false; });
  }

  static bool is_sum(const ExprPtr &e) {
    const Op *o = std::get_if<Op>(&e->node);
    return o && o->op->name == "+";
  }
  static std::pair<ExprPtr, ExprPtr> operands(const ExprPtr &e) {
    const Op &o = std::get<Op>(e->node);
    return {o.args[0], o.args[1]};
  }
  static bool is_negation(const ExprPtr &e) {
    const Op *o = std::get_if<Op>(&e->node);
    return o && o->op->name == "-" && o->args.size() == 1;
  }

  // Conditions on the lane are decided by what is known of it; a rounding that is allowed is undone.
  ExprPtr simple(const ExprPtr &e) const {
    if (const Guard *guard = std::get_if<Guard>(&e->node)) {
      if (facts_.proves(guard->pred))
        return simple(guard->body);
      if (facts_.proves(neg(guard->pred)))
        return make(Literal{is_float(e->type->elem), 0, 0.0, std::nullopt}, e->span, e->type);
    }
    if (const Select *select = std::get_if<Select>(&e->node))
      if (const Test *test = std::get_if<Test>(&select->cond->node)) {
        if (facts_.proves(test->pred))
          return simple(select->then);
        if (facts_.proves(neg(test->pred)))
          return simple(select->otherwise);
      }
    const Op *o = std::get_if<Op>(&e->node);
    if (around_.contracts && o && o->op->name == "fma")
      return unfused(*o);
    return e;
  }

  static ExprPtr unfused(const Op &fma) {
    const ExprPtr &a = fma.args[0], &b = fma.args[1], &c = fma.args[2];
    if (is_negation(a))
      return op("-", {c, op("*", {std::get<Op>(a->node).args[0], b})});
    if (is_negation(c))
      return op("-", {op("*", {a, b}), std::get<Op>(c->node).args[0]});
    return op("+", {c, op("*", {a, b})});
  }

  bool same_node(const ExprPtr &a, const ExprPtr &b) const {
    return match(
        a,
        [&](const Access &x) {
          const Access &y = std::get<Access>(b->node);
          return x.tensor == y.tensor && same_place(x, y);
        },
        [&](const Op &x) { return x.op == std::get<Op>(b->node).op; },
        [&](const Convert &x) {
          const Convert &y = std::get<Convert>(b->node);
          return x.to == y.to && x.mode == y.mode;
        },
        [&](const Select &) { return true; }, [&](const Literal &) { return same_literal(a, b); },
        [&](const FromIndex &x) {
          const FromIndex &y = std::get<FromIndex>(b->node);
          return x.to == y.to && same_index(x.value, y.value);
        },
        [&](const Test &x) { return equal(x.pred, std::get<Test>(b->node).pred); },
        [&](const auto &) { return false; });
  }

  // 0.0 of an instruction is the literal of the loop.
  static bool same_literal(const ExprPtr &a, const ExprPtr &b) {
    const Literal &x = std::get<Literal>(a->node), &y = std::get<Literal>(b->node);
    return x.is_float == y.is_float && x.integer == y.integer &&
           same_bits(make_real(Elem::f64, x.real), make_real(Elem::f64, y.real));
  }

  Facts facts_;
  const LoopSurroundings &around_;
};

class LoopComparison {
public:
  LoopComparison(const For &loop, const LaneCode &code, const LoopSurroundings &around)
      : loop_(loop), around_(around),
        meaning_(loop.var, locals_of(code)), shift_{{loop.var, add(loop.lo, variable(loop.var))}} {}

  // With and without the lane running.
  bool same(const Wanted &wanted, const LaneStatement &given) const {
    const Pred runs = substitute(wanted.runs, shift_);
    Facts lane = around_.facts;
    lane.assume(in_range(constant(0), variable(loop_.var), count()));
    Facts running = lane;
    running.assume(runs);
    const std::vector<Pred> needed = conjuncts(runs); // a lane is idle where one of them is false
    return running.proves(given.condition) && value_is_stored(wanted, given, running) &&
           std::all_of(needed.begin(), needed.end(), [&](const Pred &one) {
             Facts idle = lane;
             idle.assume(neg(one));
             return nothing_changes(wanted, given, idle);
           });
  }

private:
  static std::set<std::string> locals_of(const LaneCode &code) {
    std::set<std::string> names;
    for (const LaneLocal &local : code.locals)
      names.insert(local.name);
    return names;
  }

  Index count() const { return around_.facts.simplify(sub(loop_.hi, loop_.lo)); }

  std::vector<Index> indices(const Store &store) const {
    std::vector<Index> all;
    for (const Index &index : store.indices)
      all.push_back(substitute(index, shift_));
    return all;
  }

  ExprPtr before(const Store &store, const ExprPtr &value) const {
    return make(Access{store.buffer, indices(store)}, value->span, value->type);
  }

  ExprPtr given_value(const LaneStatement &given, const ExprPtr &like) const {
    if (const Register *r = std::get_if<Register>(&given.value))
      return meaning_.of(*r, like->type, like->span);
    return meaning_.of(*std::get<std::shared_ptr<const LaneCall>>(given.value));
  }

  static const FirstElement *destination(const LaneStatement &given) {
    const LaneCall &call = *std::get<std::shared_ptr<const LaneCall>>(given.value);
    for (const auto &[name, operand] : call.operands)
      if (name == "out")
        return &std::get<FirstElement>(operand);
    return nullptr;
  }

  bool value_is_stored(const Wanted &wanted, const LaneStatement &given, const Facts &facts) const {
    const Store &store = wanted.store;
    Comparison compare(facts, around_);
    ExprPtr value = substitute(store.value, shift_);
    if (store.combine)
      value = make(Op{&combiner(*store.combine), {before(store, value), value}}, value->span, value->type);
    if (!compare.same(value, given_value(given, value)))
      return false;
    if (given.target)
      return compare.same(before(store, value), meaning_.of(*given.target, value->type, value->span));
    const FirstElement *first = destination(given);
    std::vector<Index> stored = indices(store);
    if (!first || first->buffer != store.buffer)
      return false;
    std::vector<Index> at = first->indices;
    at.back() = add(at.back(), variable(loop_.var));
    return compare.same_place({store.buffer, at}, {store.buffer, stored}) && facts.proves(is_active(given));
  }

  // Of an instruction that stores: that the lane is one of those that it stores.
  Pred is_active(const LaneStatement &given) const {
    const LaneCall &call = *std::get<std::shared_ptr<const LaneCall>>(given.value);
    const Gen &gen = std::get<Gen>(call.instruction->meaning.body->node);
    Subst sizes;
    for (const auto &[name, operand] : call.operands)
      if (const Index *size = std::get_if<Index>(&operand))
        sizes[name] = *size;
    return compare(PredOp::lt, variable(loop_.var), substitute(gen.hi, sizes));
  }

  // A lane that does not run keeps its register, and stores nothing.
  bool nothing_changes(const Wanted &wanted, const LaneStatement &given, const Facts &idle) const {
    if (idle.proves(truth(false)) || idle.proves(neg(given.condition)) || wanted.runs->op == PredOp::truth)
      return true;
    Facts facts = idle;
    facts.assume(given.condition);
    const ExprPtr &value = wanted.store.value;
    if (!given.target)
      return facts.proves(neg(is_active(given)));
    return Comparison(facts, around_)
        .same(given_value(given, value), meaning_.of(*given.target, value->type, value->span));
  }

  const For &loop_;
  const LoopSurroundings &around_;
  Meaning meaning_;
  Subst shift_; // lanes count from 0
};

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
  const auto count = as_constant(around.facts.simplify(sub(loop.hi, loop.lo)));
  bool same = count == static_cast<std::int64_t>(terms.size());
  const Comparison compare(around.facts, around);
  for (std::int64_t n = 0; same && n < *count; ++n) { // each lane is some term, which is then taken
    const ExprPtr wanted = substitute(store.value, {{loop.var, add(loop.lo, constant(n))}});
    auto found = std::find_if(terms.begin(), terms.end(), [&](const ExprPtr &term) {
      return compare.same(wanted, meaning.part(term, *total.call));
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
  LoopComparison comparison(loop, code, around);
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (!comparison.same(wanted[i], code.statements[i]))
      return fmt::format("the instructions for {} = {} do not mean it", wanted[i].store.buffer,
                         atl::print(wanted[i].store.value));
  return std::nullopt;
}

} // namespace atl::accel
