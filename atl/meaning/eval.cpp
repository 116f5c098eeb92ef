#include "atl/meaning/eval.h"

#include "atl/base/check.h"
#include "atl/base/deadline.h"
#include "atl/meaning/closures.h"
#include "atl/syntax/ops/reshape_op.h"

#include <algorithm>
#include <array>

namespace atl {

namespace {

using namespace closures;

using Kind = std::optional<Reduction>;

// How an expression's values get into the cells of the tensor that it is a part of.
// filling: the tensor's own reduction. An unwritten cell reads as its neutral value.
// combining: set inside that reduction: contributions combine with it. Else each cell gets one value, as it
// is.
struct Context {
  Kind filling, combining;
};

// Adds the contributions of an expression to a part of a tensor.
using TensorClosure = std::function<void(Frame &, const View &)>;
using Shapes = std::vector<IndexClosure>;

Scalar content_of_unwritten(Kind kind, Elem elem) {
  return kind ? neutral(*kind, elem) : zero(elem);
}

void contribute(Kind combining, Array &array, std::int64_t at, const Scalar &value) {
  std::uint8_t &written = array.written[static_cast<std::size_t>(at)];
  ATL_CHECK(combining || written == 0, "a cell without a reduction is written twice");
  array.tensor.set(at,
                   combining ? combiner(*combining).eval(std::array{array.tensor.get(at), value}) : value);
  written = 1;
}

// Calls visit(position in the view, position in row-major order) for every cell of a shape. `index` holds the
// current indices.
template <class Visit>
void for_each_cell(const std::vector<std::int64_t> &shape, const View &view, std::int64_t *index,
                   Visit visit) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end())
    return;
  std::int64_t count = 1;
  for (std::int64_t extent : shape)
    count *= extent;
  std::fill(index, index + shape.size(), 0);
  for (std::int64_t flat = 0; flat < count; ++flat) {
    std::int64_t at = view.offset;
    for (std::size_t d = 0; d < shape.size(); ++d)
      at += index[d] * view.strides[d];
    visit(at, flat);
    for (std::size_t d = shape.size(); d-- > 0 && ++index[d] == shape[d];)
      index[d] = 0;
  }
}

// Where a cell of a reshaped tensor is, in the result and in its operand.
struct CellPair {
  std::int64_t result, child;
};

void copy_cell(const Array &from, std::int64_t at, Array &to, std::int64_t place) {
  if (from.written[static_cast<std::size_t>(at)] == 0)
    return;
  to.tensor.set(place, from.tensor.get(at));
  to.written[static_cast<std::size_t>(place)] = 1;
}

class Closer {
public:
  Names names;

  // Computes e into the array in `slot`, whose kind is e's own.
  std::function<void(Frame &)> materialise(const Expr &e, Kind kind, std::size_t slot) {
    Shapes shape = close(e.type.value().shape, names);
    Scalar content = content_of_unwritten(kind, e.type->elem);
    return [shape, content, slot, code = tensor(e, {kind, std::nullopt})](Frame &f) {
      f.arrays[slot].reset(shape_of(shape, f), content);
      code(f, whole(f.arrays[slot]));
    };
  }

private:
  TensorClosure tensor(const Expr &e, Context context) {
    if (is_scalar_form(e))
      return [combining = context.combining, value = scalar(e)](Frame &f, const View &view) {
        contribute(combining, *view.array, view.offset, value(f));
      };
    return match(
        e, [&](const Gen &g) { return gen(g, context); },
        [&](const Reduce &r) { return reduce(r, e, context); },
        [&](const Guard &g) { return guard(g, context); }, [&](const Let &l) { return let(l, context); },
        [&](const Concat &c) { return concat(c, context); },
        [&](const Reshape &r) { return reshape(r, e, context); },
        [&](const auto &) -> TensorClosure { ATL_CHECK(false, "a form that a typed kernel does not have"); });
  }

  TensorClosure gen(const Gen &g, Context context) {
    IndexClosure lo = close(g.lo, names), hi = close(g.hi, names);
    std::size_t slot = names.bind_variable(g.var);
    TensorClosure body = tensor(*g.body, context);
    names.unbind_variable(g.var);
    return [lo, hi, slot, body](Frame &f, const View &view) {
      View slice{view.array, view.offset, view.strides + 1};
      std::int64_t first = lo(f), end = hi(f);
      for (std::int64_t i = first; i < end; ++i, slice.offset += *view.strides) {
        take_step();
        f.variables[slot] = i;
        body(f, slice);
      }
    };
  }

  TensorClosure reduce(const Reduce &r, const Expr &e, Context context) {
    bool own_accumulator = (context.combining ? context.combining : context.filling) != r.reduction;
    return own_accumulator ? separate_reduction(e, context) : reduction(r);
  }

  TensorClosure reduction(const Reduce &r) {
    IndexClosure lo = close(r.lo, names), hi = close(r.hi, names);
    std::size_t slot = names.bind_variable(r.var);
    TensorClosure body = tensor(*r.body, {r.reduction, r.reduction});
    names.unbind_variable(r.var);
    return [lo, hi, slot, body](Frame &f, const View &view) {
      std::int64_t first = lo(f), end = hi(f);
      for (std::int64_t i = first; i < end; ++i) {
        take_step();
        f.variables[slot] = i;
        body(f, view);
      }
    };
  }

  // A reduction of another kind than its tensor's has an accumulator of its own, all of whose cells have a
  // value.
  TensorClosure separate_reduction(const Expr &e, Context context) {
    std::size_t slot = names.new_array();
    auto fill = materialise(e, std::get<Reduce>(e.node).reduction, slot);
    return [combining = context.combining, slot, fill](Frame &f, const View &view) {
      fill(f);
      const Array &own = f.arrays[slot];
      std::vector<std::int64_t> index(own.tensor.shape.size());
      for_each_cell(own.tensor.shape, view, index.data(), [&](std::int64_t at, std::int64_t flat) {
        contribute(combining, *view.array, at, own.tensor.get(flat));
      });
    };
  }

  TensorClosure guard(const Guard &g, Context context) {
    return [pred = close(g.pred, names), body = tensor(*g.body, context)](Frame &f, const View &view) {
      if (pred(f))
        body(f, view);
    };
  }

  template <class CloseBody>
  auto with_let(const Let &l, CloseBody close_body) {
    ATL_CHECK(l.names.size() == 1, "a let of a typed kernel binds one name");
    std::size_t slot = names.new_array();
    auto bind = materialise(*l.bound, filling_reduction(l.bound), slot);
    names.bind_array(l.names.front(), slot);
    auto body = close_body(*l.body);
    names.unbind_array(l.names.front());
    return std::pair(bind, body);
  }

  TensorClosure let(const Let &l, Context context) {
    auto [bind, body] = with_let(l, [&](const Expr &e) { return tensor(e, context); });
    return [bind = bind, body = body](Frame &f, const View &view) {
      bind(f);
      body(f, view);
    };
  }

  TensorClosure concat(const Concat &c, Context context) {
    IndexClosure left_extent = close(c.left->type.value().shape.at(0), names);
    return [left_extent, left = tensor(*c.left, context),
            right = tensor(*c.right, context)](Frame &f, const View &view) {
      left(f, view);
      right(f, {view.array, view.offset + left_extent(f) * *view.strides, view.strides});
    };
  }

  // den (reshape e): the cell at an index is e's cell at the index pulled back, or N. The operand's
  // contributions are added to what the cells already hold, one after another, as if there were no reshape.
  TensorClosure reshape(const Reshape &r, const Expr &e, Context context) {
    std::size_t slot = names.new_array();
    auto pairs = cell_pairs(r, e, slot);
    Shapes child_shape = close(r.child->type.value().shape, names);
    Scalar content = content_of_unwritten(context.filling, e.type->elem);
    return [=, child = tensor(*r.child, context)](Frame &f, const View &view) {
      Array &inner = f.arrays[slot];
      inner.reset(shape_of(child_shape, f), content);
      std::vector<CellPair> moves = pairs(f, view);
      for (const CellPair &move : moves)
        copy_cell(*view.array, move.result, inner, move.child);
      child(f, whole(inner));
      for (const CellPair &move : moves)
        copy_cell(inner, move.child, *view.array, move.result);
    };
  }

  // For every cell of the result that is one of the child's: where both are. The child is the array in
  // `slot`.
  std::function<std::vector<CellPair>(Frame &, const View &)> cell_pairs(const Reshape &r, const Expr &e,
                                                                         std::size_t slot) {
    Shapes shape = close(e.type.value().shape, names);
    std::vector<Index> place;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      place.push_back(variable("#" + std::to_string(d))); // no name of a program
      names.bind_variable(place.back()->name);            // in consecutive slots
    }
    std::size_t first = names.variable(place.at(0)->name);
    Pullback back = r.op->pull(r.args, r.child->type.value().shape, place);
    Shapes indices = close(back.indices, names);
    PredClosure inside = close(back.inside, names);
    for (const Index &v : place)
      names.unbind_variable(v->name);
    return [=, op = std::string(r.op->name)](Frame &f, const View &view) {
      std::vector<CellPair> pairs;
      for_each_cell(shape_of(shape, f), view, &f.variables[first], [&](std::int64_t at, std::int64_t) {
        if (inside(f))
          pairs.push_back({at, cell(f.arrays[slot], indices, f, "the operand of " + op)});
      });
      return pairs;
    };
  }

  ScalarClosure scalar(const Expr &e) {
    Surroundings around{[this](const Access &a) { return access(a); },
                        [this](const Expr &x) { return value_of(x); }};
    return close(e, names, around);
  }

  ScalarClosure access(const Access &a) {
    return [slot = names.array(a.tensor), indices = close(a.indices, names), name = a.tensor](Frame &f) {
      const Array &array = f.arrays[slot];
      return array.tensor.get(cell(array, indices, f, name));
    };
  }

  // Tensor forms of rank 0 inside scalar arithmetic.
  ScalarClosure value_of(const Expr &e) {
    return match(
        e, [&](const Reduce &r) { return reduced_value(e, r); },
        [&](const Guard &g) { return guarded_value(g, e); }, [&](const Let &l) { return let_value(l); },
        [&](const auto &) -> ScalarClosure { ATL_CHECK(false, "a tensor inside scalar arithmetic"); });
  }

  ScalarClosure reduced_value(const Expr &e, const Reduce &r) {
    std::size_t slot = names.new_array();
    return [slot, fill = materialise(e, r.reduction, slot)](Frame &f) {
      fill(f);
      return f.arrays[slot].tensor.get(0);
    };
  }

  ScalarClosure guarded_value(const Guard &g, const Expr &e) {
    return [otherwise = zero(e.type.value().elem), pred = close(g.pred, names),
            body = scalar(*g.body)](Frame &f) { return pred(f) ? body(f) : otherwise; };
  }

  ScalarClosure let_value(const Let &l) {
    auto [bind, body] = with_let(l, [&](const Expr &e) { return scalar(e); });
    return [bind = bind, body = body](Frame &f) {
      bind(f);
      return body(f);
    };
  }
};

} // namespace

static void bind_parameters(Names &names, const TypedKernel &kernel) {
  for (const Param &param : kernel.params)
    if (param.kind == Param::Kind::size)
      names.bind_variable(param.name);
    else
      names.bind_array(param.name, names.new_array());
}

static void load_parameters(Frame &frame, const Names &names, const TypedKernel &kernel,
                            const Valuation &sizes, const Tensors &inputs) {
  for (const Param &param : kernel.params)
    if (param.kind == Param::Kind::size)
      frame.variables[names.variable(param.name)] = sizes.at(param.name);
  for (const Param &param : kernel.params) {
    if (param.kind == Param::Kind::size)
      continue;
    const Tensor &input = inputs.at(param.name);
    ATL_CHECK(input.elem == param.type.elem, "the input " + param.name + " has another element type");
    ATL_CHECK(input.shape == shape_of(close(param.type.shape, names), frame),
              "the input " + param.name + " has another shape");
    frame.arrays[names.array(param.name)].load(input);
  }
}

Tensors evaluate(const TypedKernel &kernel, const Valuation &sizes, const Tensors &inputs) {
  Closer closer;
  Names &names = closer.names;
  bind_parameters(names, kernel);
  std::vector<std::function<void(Frame &)>> steps;
  auto add_step = [&](const ExprPtr &e) {
    std::size_t slot = names.new_array();
    steps.push_back(closer.materialise(*e, filling_reduction(e), slot));
    return slot;
  };
  for (const Binding &let : kernel.lets)
    names.bind_array(let.name, add_step(let.value));
  std::vector<std::size_t> result_slots;
  for (const ExprPtr &result : kernel.results)
    result_slots.push_back(add_step(result));

  Frame frame = names.frame();
  load_parameters(frame, names, kernel, sizes, inputs);
  for (const auto &step : steps)
    step(frame);
  Tensors outputs;
  for (std::size_t i = 0; i < result_slots.size(); ++i)
    outputs[kernel.outputs.at(i).name] = std::move(frame.arrays[result_slots[i]].tensor);
  return outputs;
}

Scalar evaluate_scalar(const Expr &e, const Valuation &indices, const ReadElement &read) {
  Names names;
  for (const auto &[name, value] : indices)
    names.bind_variable(name);
  Surroundings around{
      [&](const Access &a) -> ScalarClosure {
        return [&, positions = close(a.indices, names)](Frame &f) {
          std::vector<std::int64_t> at;
          for (const IndexClosure &position : positions)
            at.push_back(position(f));
          return read(a.tensor, at);
        };
      },
      [](const Expr &) -> ScalarClosure { ATL_CHECK(false, "a tensor form where a scalar is evaluated"); }};
  ScalarClosure value = close(e, names, around);
  Frame frame = names.frame();
  for (const auto &[name, index] : indices)
    frame.variables[names.variable(name)] = index;
  return value(frame);
}

} // namespace atl
