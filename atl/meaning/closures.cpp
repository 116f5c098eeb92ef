#include "atl/meaning/closures.h"

#include "atl/base/check.h"
#include "atl/syntax/literal.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace atl::closures {

void Array::reset(std::vector<std::int64_t> shape, const Scalar &content) {
  bool reusable = !written.empty() && tensor.elem == content.elem && tensor.shape == shape;
  if (reusable)
    std::fill(tensor.bytes.begin(), tensor.bytes.end(), std::byte{0});
  else
    tensor = make_tensor(content.elem, std::move(shape));
  strides.assign(tensor.shape.size(), 1);
  for (std::size_t d = strides.size(); d-- > 1;) // the product may overflow if there are no cells
    strides[d - 1] = static_cast<std::int64_t>(static_cast<std::uint64_t>(strides[d]) *
                                               static_cast<std::uint64_t>(tensor.shape[d]));
  written.assign(static_cast<std::size_t>(tensor.element_count()), 0);
  if (!same_bits(content, zero(content.elem)))
    for (std::int64_t i = 0; i < tensor.element_count(); ++i)
      tensor.set(i, content);
}

void Array::load(Tensor values) {
  reset(values.shape, zero(values.elem));
  tensor = std::move(values);
  std::fill(written.begin(), written.end(), std::uint8_t{1});
}

std::size_t Names::bind_variable(const std::string &name) {
  variables_[name].push_back(variable_count_);
  return variable_count_++;
}

std::size_t Names::find(const Slots &slots, const std::string &name) {
  auto found = slots.find(name);
  ATL_CHECK(found != slots.end() && !found->second.empty(), "the name " + name + " is not in scope");
  return found->second.back();
}

Frame Names::frame() const {
  return {std::vector<std::int64_t>(variable_count_), std::vector<Array>(array_count_)};
}

namespace {

// Most operands are a constant or a variable: these are read without a call.
class Operand {
public:
  Operand(const Index &e, const Names &names) : kind_(e->op), value_(e->value) {
    if (kind_ == IndexOp::variable)
      slot_ = names.variable(e->name);
    else if (kind_ != IndexOp::constant)
      closure_ = close(e, names);
  }
  std::int64_t operator()(const Frame &frame) const {
    switch (kind_) {
    case IndexOp::constant: return value_;
    case IndexOp::variable: return frame.variables[slot_];
    default: return closure_(frame);
    }
  }

private:
  IndexOp kind_;
  std::int64_t value_;
  std::size_t slot_ = 0;
  IndexClosure closure_;
};

} // namespace

IndexClosure close(const Index &e, const Names &names) {
  if (e->op == IndexOp::constant || e->op == IndexOp::variable)
    return Operand(e, names);
  return [a = Operand(e->a, names), b = Operand(e->b, names), &op = info(e->op)](const Frame &frame) {
    std::optional<std::int64_t> value = op.value(a(frame), b(frame));
    ATL_CHECK(value, "an index does not fit 64 bits, or a divisor is not positive");
    return *value;
  };
}

PredClosure close(const Pred &p, const Names &names) {
  switch (p->op) {
  case PredOp::truth: return [value = p->value](const Frame &) { return value; };
  case PredOp::conj:
    return [a = close(p->a, names), b = close(p->b, names)](const Frame &f) { return a(f) && b(f); };
  case PredOp::disj:
    return [a = close(p->a, names), b = close(p->b, names)](const Frame &f) { return a(f) || b(f); };
  case PredOp::neg: return [a = close(p->a, names)](const Frame &f) { return !a(f); };
  default:
    return [a = Operand(p->lhs, names), b = Operand(p->rhs, names), op = p->op](const Frame &f) {
      return holds(op, a(f), b(f));
    };
  }
}

std::vector<IndexClosure> close(const std::vector<Index> &list, const Names &names) {
  std::vector<IndexClosure> closures;
  for (const Index &e : list)
    closures.push_back(close(e, names));
  return closures;
}

// What a user writes has no negative extents. A temporary that a schedule made can have one where nobody
// reads it, such as the partial results of a reduction over an empty range: there it has no cells.
std::vector<std::int64_t> shape_of(const std::vector<IndexClosure> &shape, const Frame &frame) {
  std::vector<std::int64_t> extents(shape.size());
  for (std::size_t d = 0; d < shape.size(); ++d)
    extents[d] = std::max<std::int64_t>(shape[d](frame), 0);
  return extents;
}

std::int64_t cell(const Array &array, const std::vector<IndexClosure> &indices, const Frame &frame,
                  const std::string &name) {
  ATL_CHECK(indices.size() == array.tensor.shape.size(), "an access to " + name + " with another rank");
  std::int64_t flat = 0;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    std::int64_t index = indices[d](frame), extent = array.tensor.shape[d];
    ATL_CHECK(index >= 0 && index < extent,
              fmt::format("index {} of dimension {} of {} is outside 0..{}", index, d, name, extent));
    flat += index * array.strides[d];
  }
  return flat;
}

namespace {

class ScalarCloser {
public:
  ScalarCloser(const Names &names, const Surroundings &around) : names_(names), around_(around) {}

  ScalarClosure operator()(const Expr &e) const {
    return match(
        e, [&](const Access &a) { return around_.access(a); },
        [&](const Literal &l) { return literal(l, e); }, [&](const Op &o) { return operation(o); },
        [&](const Convert &c) { return conversion(c); }, [&](const Select &s) { return selection(s); },
        [&](const FromIndex &f) { return from_index(f); }, [&](const Test &t) { return test(t); },
        [&](const auto &) { return around_.other(e); });
  }

private:
  static ScalarClosure literal(const Literal &l, const Expr &e) {
    ATL_CHECK(e.type.has_value(), "a literal without a type");
    const Scalar value = value_of(l, e.type->elem);
    return [value](Frame &) { return value; };
  }

  ScalarClosure operation(const Op &o) const {
    if (o.op->right_where)
      return lazy(o);
    if (o.args.size() == 1)
      return [eval = o.op->eval, a = (*this)(*o.args[0])](Frame &f) { return eval(std::array{a(f)}); };
    if (o.args.size() == 3)
      return [eval = o.op->eval, a = (*this)(*o.args[0]), b = (*this)(*o.args[1]),
              c = (*this)(*o.args[2])](Frame &f) {
        return eval(std::array{a(f), b(f), c(f)});
      };
    ATL_CHECK(o.args.size() == 2, "an operation with more than three operands");
    return [eval = o.op->eval, a = (*this)(*o.args[0]), b = (*this)(*o.args[1])](Frame &f) {
      return eval(std::array{a(f), b(f)});
    };
  }

  // The right side of `and` is evaluated only if the left one is true, that of `or` only if it is false.
  ScalarClosure lazy(const Op &o) const {
    return [decided_by = !*o.op->right_where, a = (*this)(*o.args[0]), b = (*this)(*o.args[1])](Frame &f) {
      Scalar left = a(f);
      return (left.integer != 0) == decided_by ? left : b(f);
    };
  }

  ScalarClosure conversion(const Convert &c) const {
    return [mode = c.mode, to = c.to, arg = (*this)(*c.arg)](Frame &f) { return convert(arg(f), to, mode); };
  }

  ScalarClosure selection(const Select &s) const {
    return [cond = (*this)(*s.cond), then = (*this)(*s.then), otherwise = (*this)(*s.otherwise)](Frame &f) {
      return cond(f).integer != 0 ? then(f) : otherwise(f);
    };
  }

  ScalarClosure from_index(const FromIndex &i) const {
    return [to = i.to, value = close(i.value, names_)](Frame &f) {
      return convert({Elem::i64, 0, value(f)}, to, ConvertMode::wrap);
    };
  }

  ScalarClosure test(const Test &t) const {
    return [pred = close(t.pred, names_)](Frame &f) { return make_bool(pred(f)); };
  }

  const Names &names_;
  const Surroundings &around_;
};

} // namespace

ScalarClosure close(const Expr &e, const Names &names, const Surroundings &around) {
  return ScalarCloser(names, around)(e);
}

} // namespace atl::closures
