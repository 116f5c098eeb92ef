// Random tensor expressions of a given type.
#include "fuzz/generate.h"

namespace atl::fuzz {

static Shape rest_of(const Shape &shape) {
  return {shape.begin() + 1, shape.end()};
}

static bool same_shape(const Shape &a, const Shape &b) {
  if (a.size() != b.size())
    return false;
  for (std::size_t d = 0; d < a.size(); ++d)
    if (!equal(a[d], b[d]))
      return false;
  return true;
}

Text Generator::tensor(Elem elem, const Shape &shape, const Context &context, int depth) {
  if (shape.empty())
    return scalar(elem, context, std::min(depth, 3));
  std::vector<Text> ready = views({elem, shape}, context);
  if (!ready.empty() && random_.chance(depth <= 0 ? 80 : 12))
    return random_.pick(ready);
  if (depth <= 0)
    return generate(elem, shape, context, 0);
  Choice<Text> choice;
  choice.add(6, [&] { return generate(elem, shape, context, depth); });
  choice.add(elem == Elem::boolean ? 0 : 3, [&] { return reduction(elem, shape, context, depth); });
  choice.add(2, [&] { return guarded(elem, shape, context, depth); });
  choice.add(2, [&] { return with_let(elem, shape, context, depth); });
  choice.add(3, [&] { return concatenation(elem, shape, context, depth); });
  choice.add(9, [&] { return reshape(elem, shape, context, depth); });
  for (const HelperInfo &helper : helpers_)
    choice.add(helper.outputs[0] == elem && shape.size() == 1 ? 3 : 0,
               [&] { return helper_call(helper, shape, context, depth); });
  return choice.choose(random_);
}

std::vector<Text> Generator::views(const Type &type, const Context &context) {
  std::vector<Text> found;
  for (const TensorInScope &t : context.tensors) {
    if (t.type.elem != type.elem || t.type.shape.size() < type.shape.size())
      continue;
    std::size_t given = t.type.shape.size() - type.shape.size();
    Shape rest(t.type.shape.begin() + static_cast<std::ptrdiff_t>(given), t.type.shape.end());
    if (!same_shape(rest, type.shape))
      continue;
    std::vector<Text> indices;
    for (std::size_t d = 0; d < given; ++d)
      if (Index at = index_inside(context, t.type.shape[d]))
        indices.push_back(index_text(at));
    if (indices.size() == given)
      found.push_back(given == 0 ? atom(t.name) : t.name + ("[" + join(indices) + "]"));
  }
  return found;
}

// Nothing, or a word: few iterations may be copies; a reduction has to be in order.
static std::string mode(Random &random, const Index &iterations, bool is_reduction) {
  constexpr std::int64_t most_copies = 6;
  bool is_small = as_constant(iterations).value_or(most_copies + 1) <= most_copies;
  if (is_small && random.chance(25))
    return "unrolled ";
  if (is_reduction || random.chance(70))
    return "";
  return random.chance(70) ? "parallel " : "vectorized ";
}

// gen i < n { ... } or gen lo <= i < lo + n { ... }, sometimes with several binders
Text Generator::generate(Elem elem, const Shape &shape, const Context &context, int depth) {
  std::size_t binders = random_.chance(25) ? shape.size() : 1;
  Context inner = context;
  std::vector<Text> ranges;
  for (std::size_t d = 0; d < binders; ++d) {
    std::string var = inner.fresh_name(random_);
    Index lo = random_.chance(15) ? index(context, 0) : constant(0);
    Index hi = add(lo, shape[d]);
    Text below = var + (" < " + operand(index_text(hi), precedence::sum));
    ranges.push_back(as_constant(lo) == 0 ? below
                                          : operand(index_text(lo), precedence::sum) + " <= " + below);
    inner.add_loop(var, lo, hi, random_);
  }
  Shape rest(shape.begin() + static_cast<std::ptrdiff_t>(binders), shape.end());
  return "gen " + mode(random_, shape[0], false) + join(ranges) + " " +
         block(tensor(elem, rest, inner, depth - 1));
}

// A sum over several tensors; its shape is that of its body.
Text Generator::reduction(Elem elem, const Shape &shape, const Context &context, int depth) {
  static const std::vector<std::string> words{"sum", "sum", "max", "min", "prod"};
  Index hi = extent(context, false);
  std::int64_t iterations = context.volume * std::max<std::int64_t>(1, context.greatest(hi));
  for (const Index &e : shape)
    iterations *= std::max<std::int64_t>(1, context.greatest(e));
  if (iterations > most_iterations)
    return generate(elem, shape, context, depth);
  Context inner = context;
  std::string var = context.fresh_name(random_);
  inner.add_loop(var, constant(0), hi, random_);
  std::string head = random_.pick(words) + " " + mode(random_, hi, true) + var + " < ";
  return head + operand(index_text(hi), precedence::sum) + " " + block(tensor(elem, shape, inner, depth - 1));
}

Text Generator::guarded(Elem elem, const Shape &shape, const Context &context, int depth) {
  if (context.variables.empty())
    return generate(elem, shape, context, depth);
  Pred p = predicate(context, 1);
  return "([" + pred_text(p) + "] " + tensor(elem, shape, context.where(p), depth - 1) + ")";
}

Text Generator::let_binding(const Context &context, int depth, Context &inner) {
  const HelperInfo *several = nullptr;
  for (const HelperInfo &helper : helpers_)
    if (helper.outputs.size() == 2)
      several = &helper;
  if (several && context.volume < 100 && random_.chance(30)) {
    Index size = extent(context, false);
    if (!several->needs_positive || context.is_positive(size)) {
      Text argument = tensor(several->input, {size}, context, depth - 1);
      std::string first = inner.fresh_name(random_);
      inner.add_tensor(first, {several->outputs[0], {size}});
      std::string second = inner.fresh_name(random_);
      inner.add_tensor(second, {several->outputs[1], {size}});
      return ("let (" + first + ", " + second + ") = ") + call(several->name, {index_text(size), argument}) +
             "; ";
    }
  }
  Type type{any_elem(), {}};
  std::int64_t iterations = context.volume;
  for (int rank = random_.below(3); rank > 0; --rank) {
    Index e = extent(context, false);
    iterations *= std::max<std::int64_t>(1, context.greatest(e));
    if (iterations <= most_iterations)
      type.shape.push_back(e);
  }
  Text bound = tensor(type.elem, type.shape, context, depth);
  std::string name = inner.fresh_name(random_);
  inner.add_tensor(name, type);
  return ("let " + name + " = ") + bound + "; ";
}

Text Generator::with_let(Elem elem, const Shape &shape, const Context &context, int depth) {
  Context inner = context;
  Text let = let_binding(context, depth - 1, inner);
  return block(let + tensor(elem, shape, inner, depth - 1));
}

Text Generator::concatenation(Elem elem, const Shape &shape, const Context &context, int depth) {
  const Index &whole = shape[0];
  std::vector<Index> left_parts{binary(IndexOp::div, whole, constant(2)), // all between 0 and the whole
                                binary(IndexOp::min, whole, constant(random_.between(0, 3))), constant(0)};
  if (whole->op == IndexOp::add && context.is_nonnegative(whole->a) && context.is_nonnegative(whole->b))
    left_parts.assign(4, whole->a);
  if (auto n = as_constant(whole))
    left_parts.assign(1, constant(random_.between(0, static_cast<int>(std::max<std::int64_t>(*n, 0)))));
  Index left = random_.pick(left_parts);
  Index right = whole->op == IndexOp::add && equal(left, whole->a) ? whole->b : sub(whole, left);
  Shape left_shape = shape, right_shape = shape;
  left_shape[0] = left;
  right_shape[0] = right;
  Text a = tensor(elem, left_shape, context, depth - 1), b = tensor(elem, right_shape, context, depth - 1);
  return call("concat", {a, b});
}

Text Generator::helper_call(const HelperInfo &helper, const Shape &shape, const Context &context, int depth) {
  if (helper.outputs.size() != 1 || context.volume > 100 ||
      (helper.needs_positive && !context.is_positive(shape[0])))
    return generate(helper.outputs[0], shape, context, depth);
  return call(helper.name, {index_text(shape[0]),
                            tensor(helper.input, rest_of({shape[0], shape[0]}), context, depth - 1)});
}

} // namespace atl::fuzz
