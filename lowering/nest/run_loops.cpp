// Statements as closures over the slots of buffers and loop variables, as in the reference interpreter.
#include "lowering/nest/run_loops.h"

#include "atl/base/check.h"
#include "atl/meaning/closures.h"
#include "lowering/nest/walk.h"

#include <array>

namespace atl::lowering {

namespace {

using namespace closures;
using StmtClosure = std::function<void(Frame &)>;

bool in_any_order(const For &loop) {
  return loop.mode == LoopMode::parallel || loop.mode == LoopMode::vectorized;
}

std::int64_t count(const std::vector<std::int64_t> &shape) {
  std::int64_t product = 1;
  for (std::int64_t extent : shape)
    ATL_CHECK(!__builtin_mul_overflow(product, extent, &product), "a buffer of more than 2^63-1 elements");
  return product;
}

class Closer {
public:
  explicit Closer(ParallelOrder order) : order_(order) {}

  Names names;

  StmtClosure block(const Block &body) {
    std::vector<StmtClosure> steps;
    for (const Stmt &s : body)
      steps.push_back(match(
          s, [&](const For &loop) { return for_loop(loop); },
          [&](const If &branch) { return if_statement(branch); },
          [&](const Alloc &alloc) { return allocation(alloc); },
          [&](const Store &store) { return assignment(store); }));
    if (steps.size() == 1)
      return steps.front();
    return [steps = std::move(steps)](Frame &f) {
      for (const StmtClosure &step : steps)
        step(f);
    };
  }

private:
  StmtClosure for_loop(const For &loop) {
    IndexClosure lo = close(loop.lo, names), hi = close(loop.hi, names);
    std::size_t slot = names.bind_variable(loop.var);
    StmtClosure body = block(loop.body);
    names.unbind_variable(loop.var);
    if (in_any_order(loop) && order_ == ParallelOrder::backward)
      return [lo = std::move(lo), hi = std::move(hi), slot, body = std::move(body)](Frame &f) {
        std::int64_t first = lo(f);
        for (std::int64_t i = hi(f); i-- > first;) {
          f.variables[slot] = i;
          body(f);
        }
      };
    return [lo = std::move(lo), hi = std::move(hi), slot, body = std::move(body)](Frame &f) {
      std::int64_t first = lo(f), end = hi(f);
      for (std::int64_t i = first; i < end; ++i) {
        f.variables[slot] = i;
        body(f);
      }
    };
  }

  StmtClosure if_statement(const If &branch) {
    return [pred = close(branch.pred, names), body = block(branch.body)](Frame &f) {
      if (pred(f))
        body(f);
    };
  }

  StmtClosure allocation(const Alloc &alloc) {
    std::vector<IndexClosure> dims = close(alloc.buffer.dims, names), capacity = close(alloc.capacity, names);
    std::size_t slot = names.new_array();
    names.bind_array(alloc.buffer.name, slot);
    StmtClosure body = block(alloc.body);
    names.unbind_array(alloc.buffer.name);
    return [=, content = zero(alloc.buffer.elem), name = alloc.buffer.name](Frame &f) {
      std::vector<std::int64_t> shape = shape_of(dims, f);
      ATL_CHECK(count(shape) <= count(shape_of(capacity, f)),
                "the temporary " + name + " exceeds its capacity");
      f.arrays[slot].reset(std::move(shape), content);
      body(f);
    };
  }

  StmtClosure assignment(const Store &store) {
    std::size_t slot = names.array(store.buffer);
    std::vector<IndexClosure> indices = close(store.indices, names);
    Surroundings around{[this](const Access &a) { return read(a); },
                        [](const Expr &) -> ScalarClosure { ATL_CHECK(false, "a tensor form in a store"); }};
    ScalarClosure value = close(*store.value, names, around);
    if (!store.combine)
      return [slot, indices, value, name = store.buffer](Frame &f) {
        Array &array = f.arrays[slot];
        write(array, cell(array, indices, f, name), value(f));
      };
    return [slot, indices, value, combine = combiner(*store.combine).eval, name = store.buffer](Frame &f) {
      Array &array = f.arrays[slot];
      std::int64_t at = cell(array, indices, f, name);
      Scalar contribution = value(f);
      write(array, at, combine(std::array{stored(array, at, name), contribution}));
    };
  }

  ScalarClosure read(const Access &a) {
    return [slot = names.array(a.tensor), indices = close(a.indices, names), name = a.tensor](Frame &f) {
      const Array &array = f.arrays[slot];
      return stored(array, cell(array, indices, f, name), name);
    };
  }

  static void write(Array &array, std::int64_t at, const Scalar &value) {
    array.tensor.set(at, value);
    array.written[static_cast<std::size_t>(at)] = 1;
  }

  static Scalar stored(const Array &array, std::int64_t at, const std::string &name) {
    ATL_CHECK(array.written[static_cast<std::size_t>(at)] != 0,
              "a cell of " + name + " is read before it is stored");
    return array.tensor.get(at);
  }

  ParallelOrder order_;
};

void load_inputs(Frame &frame, const Names &names, const LoopKernel &kernel, const Valuation &sizes,
                 const Tensors &inputs) {
  for (const Param &param : kernel.params)
    if (param.kind == Param::Kind::size)
      frame.variables[names.variable(param.name)] = sizes.at(param.name);
  for (const Buffer &buffer : kernel.inputs) {
    const Tensor &input = inputs.at(buffer.name);
    ATL_CHECK(input.elem == buffer.elem, "the input " + buffer.name + " has another element type");
    ATL_CHECK(input.shape == shape_of(close(buffer.dims, names), frame),
              "the input " + buffer.name + " has another shape");
    frame.arrays[names.array(buffer.name)].load(input);
  }
}

Tensor result(Array array, const std::string &name) {
  for (std::uint8_t written : array.written)
    ATL_CHECK(written != 0, "a cell of the output " + name + " is never stored");
  return std::move(array.tensor);
}

} // namespace

std::vector<ParallelOrder> orders_of(const LoopKernel &kernel) {
  if (any_of<For>(kernel.body, in_any_order))
    return {ParallelOrder::forward, ParallelOrder::backward};
  return {ParallelOrder::forward};
}

Tensors run(const LoopKernel &kernel, const Valuation &sizes, const Tensors &inputs, ParallelOrder order) {
  for (const Pred &assumption : kernel.assumptions)
    ATL_CHECK(evaluate(assumption, sizes).value_or(false), "sizes that " + kernel.name + " refuses");
  Closer closer(order);
  Names &names = closer.names;
  for (const Param &param : kernel.params)
    if (param.kind == Param::Kind::size)
      names.bind_variable(param.name);
  for (const std::vector<Buffer> *buffers : {&kernel.inputs, &kernel.outputs})
    for (const Buffer &buffer : *buffers)
      names.bind_array(buffer.name, names.new_array());
  StmtClosure body = closer.block(kernel.body);

  Frame frame = names.frame();
  load_inputs(frame, names, kernel, sizes, inputs);
  for (const Buffer &buffer : kernel.outputs)
    frame.arrays[names.array(buffer.name)].reset(shape_of(close(buffer.dims, names), frame),
                                                 zero(buffer.elem));
  body(frame);
  Tensors outputs;
  for (const Buffer &buffer : kernel.outputs)
    outputs[buffer.name] = result(std::move(frame.arrays[names.array(buffer.name)]), buffer.name);
  return outputs;
}

} // namespace atl::lowering
