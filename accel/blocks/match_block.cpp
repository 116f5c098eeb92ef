#include "accel/blocks/match_block.h"

#include "atl/base/check.h"
#include "atl/index/solve.h"
#include "atl/syntax/print.h"
#include "atl/syntax/tree.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace atl::accel {

using namespace lowering;

namespace {

bool is_commutative(const ExprPtr &e) {
  const Op *op = std::get_if<Op>(&e->node);
  return op && op->args.size() == 2 && (op->op->name == "+" || op->op->name == "*");
}

class Matcher {
public:
  Matcher(const BlockPattern &pattern, const Hardware &hardware, const BlockNest &nest, const Facts &facts,
          const Buffers &buffers, Conditions conditions)
      : pattern_(pattern), hardware_(hardware), nest_(nest), facts_(facts), buffers_(buffers), outer_(facts),
        conditions_(conditions) {
    for (const For *loop : nest.loops)
      facts_.assume(in_range(loop->lo, variable(loop->var), loop->hi));
  }

  BlockMatchResult run() {
    const Store &store = *nest_.store;
    if (nest_.loops.size() != pattern_.loops.size())
      return BlockRefusal{
          0, fmt::format("it has {} loops, the nest has {}", pattern_.loops.size(), nest_.loops.size())};
    if (store.combine != (pattern_.source->adds ? std::optional(Reduction::sum) : std::nullopt))
      return BlockRefusal{0,
                          pattern_.source->adds ? "it adds to the result" : "it does not add to the result"};
    if (reads(nest_.value, store.buffer))
      return BlockRefusal{0, "the nest reads what it stores"};
    std::vector<std::size_t> order(nest_.loops.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    do {
      if (auto found = with_loops(order))
        return *found;
    } while (std::next_permutation(order.begin(), order.end()));
    return farthest_;
  }

private:
  std::optional<BlockMatch> with_loops(const std::vector<std::size_t> &order) {
    match_ = {&pattern_, order, {}, {}, {}, {}, {pattern_.source, {}, truth(true)}, {}};
    stage_ = 1;
    bool fits = find_extents() && next() && bind_sizes() && next() && place_result() && next() &&
                unify(pattern_.value, nest_.value) && next() && complete_operands() && next() &&
                meets_conditions() && next() && find_needs();
    return fits ? std::optional(match_) : std::nullopt;
  }

  bool next() {
    ++stage_;
    return true;
  }

  bool refuse(std::string why) {
    int progress = 100 * stage_ + static_cast<int>(match_.call.operands.size());
    if (progress > farthest_.progress)
      farthest_ = {progress, std::move(why)};
    return false;
  }

  const For &loop(std::size_t p) const { return *nest_.loops[match_.loops[p]]; }

  bool find_extents() {
    starts_.clear();
    std::map<std::string, Index> ends;
    for (const For *loop : nest_.loops) {
      starts_[loop->var] = loop->lo;
      ends[loop->var] = loop->hi;
    }
    for (const Pred &guard : nest_.guards)
      if (!apply_guard(guard, ends))
        return refuse("the guard " + to_string(guard) + " does not bound one loop");
    for (std::size_t p = 0; p < pattern_.loops.size(); ++p) {
      Index &start = starts_.at(loop(p).var);
      start = outer_.simplify(start);
      Index extent = outer_.simplify(sub(ends.at(loop(p).var), start));
      match_.starts.push_back(start);
      match_.extents.push_back(extent);
      Pred some = compare(PredOp::ge, extent, constant(1));
      if (!outer_.proves(some))
        match_.call.condition = conj(match_.call.condition, some);
    }
    return true;
  }

  bool apply_guard(const Pred &guard, std::map<std::string, Index> &ends) {
    std::vector<std::string> bounded;
    for (const auto &[var, end] : ends)
      if (mentions(guard, var))
        bounded.push_back(var);
    if (bounded.empty()) {
      match_.call.condition = conj(match_.call.condition, guard);
      return true;
    }
    if (bounded.size() != 1)
      return false;
    const std::string &var = bounded[0];
    Solution solution = solve_exactly(guard, var, outer_);
    if (solution.before)
      ends[var] = binary(IndexOp::min, ends[var], solution.before);
    if (solution.from)
      starts_[var] = binary(IndexOp::max, starts_[var], solution.from);
    return solution.before || solution.from;
  }

  bool bind_sizes() {
    for (std::size_t p = 0; p < pattern_.loops.size(); ++p) {
      const Index &wanted = pattern_.loops[p].extent, &extent = match_.extents[p];
      Index known = as_constant(wanted) ? wanted : nullptr;
      if (!known) {
        auto [bound, is_new] = match_.sizes.emplace(wanted->name, extent);
        known = is_new ? extent : bound->second;
      }
      if (as_constant(outer_.simplify(sub(known, extent))) != 0)
        return refuse(
            fmt::format("{} has {} iterations, not {}", loop(p).var, to_string(extent), to_string(known)));
    }
    return true;
  }

  // The indices of an operand of the pattern, as numbers of its loops.
  std::optional<std::vector<std::size_t>> loops_of(const std::vector<Index> &indices) const {
    std::vector<std::size_t> numbers;
    for (const Index &index : indices) {
      auto found = std::find_if(pattern_.loops.begin(), pattern_.loops.end(), [&](const BlockLoop &l) {
        return index->op == IndexOp::variable && index->name == l.var;
      });
      if (found == pattern_.loops.end())
        return std::nullopt;
      numbers.push_back(static_cast<std::size_t>(found - pattern_.loops.begin()));
    }
    return numbers;
  }

  // What e changes by when a loop goes on; nothing if that is not the same for all iterations.
  Index step_of(const Index &e, const std::string &var) const {
    Index step = facts_.simplify(sub(substitute(e, {{var, add(variable(var), constant(1))}}), e));
    for (const For *loop : nest_.loops)
      if (mentions(step, loop->var))
        return nullptr;
    return step;
  }

  std::vector<Index> first_of(const std::vector<Index> &indices) const {
    std::vector<Index> first;
    for (const Index &index : indices)
      first.push_back(outer_.simplify(substitute(index, starts_)));
    return first;
  }

  // A tensor operand `name`, whose element at the loops `at` of the pattern is this one of the nest.
  bool place(const std::string &name, const std::vector<std::size_t> &at, const std::string &buffer,
             const std::vector<Index> &indices) {
    const Placed &tensor = buffers_.at(buffer);
    if (tensor.buffer.memory != memory_of(*pattern_.source, name))
      return refuse(fmt::format(
          "{} is not in {}", buffer,
          memory_of(*pattern_.source, name).empty() ? "plain memory" : memory_of(*pattern_.source, name)));
    if (at.empty() || at.size() > 2 || indices.empty())
      return refuse(buffer + " is no block of rows");
    return tensor.memory ? place_in_rows(name, at, tensor, indices)
                         : place_in_plain(name, at, tensor, indices);
  }

  bool place_in_plain(const std::string &name, const std::vector<std::size_t> &at, const Placed &tensor,
                      const std::vector<Index> &indices) {
    Index number = row_major(tensor.buffer.dims, indices);
    for (std::size_t p = 0; p < pattern_.loops.size(); ++p) {
      Index step = step_of(number, loop(p).var);
      bool is_row = at.size() == 2 && p == at[0];
      auto expected = p == at.back() ? 1 : 0;
      if (!step || (!is_row && as_constant(step) != expected))
        return refuse(fmt::format("the elements of {} along {} do not lie as {} has them", tensor.buffer.name,
                                  loop(p).var, name));
      if (is_row)
        match_.strides[name] = step;
    }
    return bind(name, FirstElement{tensor.buffer.name, first_of(indices)});
  }

  bool place_in_rows(const std::string &name, const std::vector<std::size_t> &at, const Placed &tensor,
                     const std::vector<Index> &indices) {
    const std::int64_t width = tensor.memory->rows->width;
    std::vector<Index> first = first_of(indices);
    Index across = sub(indices.back(), first.back());
    if (as_constant(outer_.simplify(modulo(first.back(), constant(width)))) != 0)
      return refuse(fmt::format("the columns of {} from {} on do not start a row", tensor.buffer.name,
                                to_string(first.back())));
    std::vector<Index> in_block = indices; // the rows, without the column
    in_block.back() = first.back();
    Index row = row_number(tensor, in_block);
    for (std::size_t p = 0; p < pattern_.loops.size(); ++p) {
      Index down = step_of(row, loop(p).var), right = step_of(across, loop(p).var);
      bool fits = down && right && as_constant(down) == (at.size() == 2 && p == at[0] ? 1 : 0) &&
                  as_constant(right) == (p == at.back() ? 1 : 0);
      if (!fits)
        return refuse(fmt::format("the rows of {} along {} do not lie as {} has them", tensor.buffer.name,
                                  loop(p).var, name));
    }
    Index address = outer_.simplify(add(tensor.address, row_number(tensor, first)));
    match_.strides[name] = constant(tensor.block());
    return bind(name, RowBlock{tensor.buffer.name, first, address});
  }

  bool bind(const std::string &name, BlockOperand operand) {
    for (const auto &[other, value] : match_.call.operands)
      if (other == name)
        return refuse(name + " is used twice");
    match_.call.operands.emplace_back(name, std::move(operand));
    return true;
  }

  bool place_result() {
    std::vector<std::size_t> at(pattern_.kept);
    std::iota(at.begin(), at.end(), std::size_t{0});
    const Elem elem = pattern_.source->meaning.outputs[0].type.elem;
    if (nest_.value->type->elem != elem)
      return refuse(fmt::format("the result is {}, not {}", name(nest_.value->type->elem), name(elem)));
    return place("out", at, nest_.store->buffer, nest_.store->indices);
  }

  bool unify(const ExprPtr &p, const ExprPtr &e) {
    if (const Access *access = std::get_if<Access>(&p->node))
      return unify_operand(*access, p, e);
    if (!same_operation(p, e))
      return refuse(fmt::format("{} is not {}", atl::print(e), atl::print(p)));
    std::vector<ExprPtr> ps = children(*p), es = children(*e);
    BlockMatch before = match_;
    if (unify_all(ps, es))
      return true;
    if (!is_commutative(p))
      return false;
    match_ = std::move(before);
    std::swap(es[0], es[1]);
    return unify_all(ps, es);
  }

  bool unify_all(const std::vector<ExprPtr> &ps, const std::vector<ExprPtr> &es) {
    for (std::size_t i = 0; i < ps.size(); ++i)
      if (!unify(ps[i], es[i]))
        return false;
    return true;
  }

  bool unify_operand(const Access &access, const ExprPtr &p, const ExprPtr &e) {
    const Param &param = *find_operand(*pattern_.source, access.tensor);
    if (p->type->elem != e->type->elem)
      return refuse(fmt::format("{} is {}, not {}", atl::print(e), name(e->type->elem), name(p->type->elem)));
    if (param.type.shape.empty())
      return unify_scalar(access.tensor, e);
    const Access *read = std::get_if<Access>(&e->node);
    auto at = loops_of(access.indices);
    if (!read || !at)
      return refuse(atl::print(e) + " is no element of a tensor");
    return place(access.tensor, *at, read->tensor, read->indices);
  }

  bool unify_scalar(const std::string &operand, const ExprPtr &e) {
    for (const For *loop : nest_.loops)
      if (mentions_variable(e, loop->var))
        return refuse(atl::print(e) + " is not the same for all elements");
    for (const auto &[buffer, placed] : buffers_)
      if (placed.buffer.role != Buffer::Role::input && reads(e, buffer))
        return refuse(
            fmt::format("the CPU reads {}, and {} is computed by instructions", atl::print(e), buffer));
    return bind(operand, e);
  }

  bool complete_operands() {
    if (pattern_.source->adds && pattern_.source->c.find("{adds}") != std::string::npos)
      match_.call.operands.emplace_back("adds", constant(1));
    for (const auto &[size, value] : match_.sizes)
      match_.call.operands.emplace_back(size, value);
    for (const Param &param : pattern_.source->meaning.params) {
      bool bound = std::any_of(match_.call.operands.begin(), match_.call.operands.end(),
                               [&](const auto &operand) { return operand.first == param.name; });
      if (!bound)
        return refuse("nothing says what " + param.name + " is");
    }
    return true;
  }

  bool meets_conditions() {
    Subst sizes(match_.sizes.begin(), match_.sizes.end());
    for (const Where &where : pattern_.source->meaning.where)
      if (conditions_ == Conditions::known && !outer_.proves(substitute(where.pred, sizes)))
        return refuse(fmt::format("it needs {}, and that is not known of {}", to_string(where.pred),
                                  to_string(substitute(where.pred, sizes))));
    return true;
  }

  bool find_needs() {
    for (const Need &need : pattern_.source->needs) {
      auto configuration = std::find_if(hardware_.configurations.begin(), hardware_.configurations.end(),
                                        [&](const Configuration &c) { return c.name == need.configuration; });
      Setting setting{&*configuration, {}};
      for (const auto &value : need.values)
        if (const std::string *word = std::get_if<std::string>(&value)) {
          if (!find_value(*word, setting))
            return false;
        } else {
          setting.values.emplace_back(constant(std::get<std::int64_t>(value)));
        }
      match_.needs.push_back(std::move(setting));
    }
    return true;
  }

  bool find_value(const std::string &word, Setting &setting) {
    std::size_t dot = word.find('.');
    if (dot != std::string::npos) {
      std::string operand = word.substr(0, dot), what = word.substr(dot + 1);
      auto stride = match_.strides.find(operand);
      bool in_rows = memory_of(*pattern_.source, operand).empty() == (what == "block");
      if (stride == match_.strides.end() || in_rows || (what != "block" && what != "stride"))
        return refuse("there is no " + word);
      std::int64_t bytes = what == "block" ? 1 : static_cast<std::int64_t>(byte_size(elem_of(operand)));
      setting.values.emplace_back(outer_.simplify(mul(stride->second, constant(bytes))));
      return true;
    }
    for (const auto &[name, operand] : match_.call.operands)
      if (name == word) {
        if (const Index *size = std::get_if<Index>(&operand))
          setting.values.emplace_back(*size);
        else
          setting.values.emplace_back(std::get<ExprPtr>(operand));
        return true;
      }
    return refuse("there is no " + word);
  }

  Elem elem_of(const std::string &operand) const {
    const Param *param = find_operand(*pattern_.source, operand);
    return param ? param->type.elem : pattern_.source->meaning.outputs[0].type.elem;
  }

  const BlockPattern &pattern_;
  const Hardware &hardware_;
  const BlockNest &nest_;
  Facts facts_; // with the ranges of the loops
  const Buffers &buffers_;
  const Facts &outer_;
  const Conditions conditions_;
  BlockMatch match_{};
  Subst starts_; // by the loops of the nest
  int stage_ = 0;
  BlockRefusal farthest_;
};

} // namespace

BlockMatchResult match_block(const BlockPattern &pattern, const Hardware &hardware, const BlockNest &nest,
                             const Facts &facts, const Buffers &buffers, Conditions conditions) {
  return Matcher(pattern, hardware, nest, facts, buffers, conditions).run();
}

} // namespace atl::accel
