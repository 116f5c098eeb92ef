// Random reshapes, made from the outside in: what operand gives the wanted shape?
#include "fuzz/generate.h"

namespace atl::fuzz {

static Shape with_first(const Shape &shape, std::vector<Index> first) {
  first.insert(first.end(), shape.begin() + 1, shape.end());
  return first;
}

// A name, a number, or in parentheses.
static Text argument(const Index &e) {
  Text text = index_text(e);
  bool simple = (e->op == IndexOp::constant && e->value >= 0) || e->op == IndexOp::variable;
  return simple || text.full[0] == '(' ? operand(text, precedence::atom) : "(" + text + ")";
}

Text Generator::reshape(Elem elem, const Shape &shape, const Context &context, int depth) {
  auto of = [&](const std::string &op, const Index &arg, const Shape &child) {
    Text k = argument(arg);
    Text text = op + " " + k + " " + operand(tensor(elem, child, context, depth - 1), precedence::prefix);
    text.precedence = precedence::prefix;
    return text;
  };
  Choice<Text> choice;
  choice.add(3, [&] { return truncated(elem, shape, context, depth); });
  choice.add(3, [&] { return tiled(elem, shape, context, depth); });
  choice.add(2, [&] { return flattened(elem, shape, context, depth); });
  choice.add(2, [&] { return overlapped(elem, shape, context, depth); });
  choice.add(2, [&] { // a part of it is padding
    std::vector<Index> parts{binary(IndexOp::min, shape[0], constant(random_.between(0, 3))),
                             binary(IndexOp::div, shape[0], constant(2))};
    if (auto n = as_constant(shape[0]))
      parts.assign(1, constant(random_.between(0, static_cast<int>(*n))));
    else if (shape[0]->op == IndexOp::add && context.is_nonnegative(shape[0]->a))
      parts.assign(2, shape[0]->b);
    Index padding = random_.pick(parts);
    if (!context.is_nonnegative(padding))
      padding = constant(0);
    Index data =
        shape[0]->op == IndexOp::add && equal(padding, shape[0]->b) ? shape[0]->a : sub(shape[0], padding);
    return of(random_.chance(50) ? "padr" : "padl", padding, with_first(shape, {data}));
  });
  choice.add(2, [&] { return of("rotate", constant(random_.between(-3, 5)), shape); });
  if (shape.size() >= 2) {
    choice.add(2, [&] { // dimension d of the operand, which has another place in the result
      const bool raises = random_.chance(50);
      const auto d = static_cast<std::ptrdiff_t>(random_.between(0, static_cast<int>(shape.size()) - 1));
      Shape child = shape;
      const std::ptrdiff_t from = raises ? 0 : d, to = d - from;
      const Index extent = child[static_cast<std::size_t>(from)];
      child.erase(child.begin() + from);
      child.insert(child.begin() + to, extent);
      return of(raises ? "raise" : "sink", constant(d), child);
    });
    choice.add(4, [&] {
      Shape child = shape;
      std::swap(child[0], child[1]);
      Text text = "transpose " + operand(tensor(elem, child, context, depth - 1), precedence::prefix);
      text.precedence = precedence::prefix;
      return text;
    });
    auto k = as_constant(shape[1]);
    choice.add(k && *k >= 1 ? 4 : 0, [&] {
      Index all = mul(shape[0], shape[1]),
            fewer = sub(all, constant(random_.between(0, static_cast<int>(*k) - 1)));
      Shape child(shape.begin() + 1, shape.end());
      child[0] = context.is_nonnegative(fewer) ? fewer : all;
      return of("split", shape[1], child);
    });
  }
  return choice.choose(random_);
}

Text Generator::flattened(Elem elem, const Shape &shape, const Context &context, int depth) {
  std::vector<std::pair<Index, Index>> factors{{shape[0], constant(1)}, {constant(1), shape[0]}};
  if (shape[0]->op == IndexOp::mul && context.is_nonnegative(shape[0]->a) &&
      context.is_nonnegative(shape[0]->b))
    factors.assign(1, {shape[0]->a, shape[0]->b});
  else if (auto n = as_constant(shape[0]))
    for (std::int64_t f = 2; f < *n; ++f)
      if (*n % f == 0)
        factors.assign(1, {constant(f), constant(*n / f)});
  auto [a, b] = random_.pick(factors);
  Text text =
      "flatten " + operand(tensor(elem, with_first(shape, {a, b}), context, depth - 1), precedence::prefix);
  text.precedence = precedence::prefix;
  return text;
}

// Tiles of a tensor, the last of which ends where the tensor ends.
Text Generator::overlapped(Elem elem, const Shape &shape, const Context &context, int depth) {
  const Index &n = shape[0];
  std::int64_t k = random_.between(1, 4);
  while (k > 1 && !context.is_nonnegative(sub(n, constant(k))))
    --k;
  Text whole = tensor(elem, shape, context, depth - 1);
  if (!context.is_nonnegative(sub(n, constant(k))))
    return whole;
  Context inner = context;
  std::string whole_name = inner.fresh_name(random_);
  inner.add_tensor(whole_name, Type{elem, shape});
  std::string tile = inner.fresh_name(random_);
  inner.add_loop(tile, constant(0), ceil_div(n, constant(k)), random_);
  std::string lane = inner.fresh_name(random_);
  inner.add_loop(lane, constant(0), constant(k), random_);
  Index begin = binary(IndexOp::min, mul(variable(tile), constant(k)), sub(n, constant(k)));
  Text cell = (whole_name + "[") + index_text(add(begin, variable(lane))) + "]";
  Text tiles = "overlap " + argument(n) + (" gen " + tile + " < ") +
               operand(index_text(ceil_div(n, constant(k))), precedence::sum) +
               (", " + lane + " < " + std::to_string(k) + " ") + block(cell);
  return block(("let " + whole_name + " = ") + whole + "; " + tiles);
}

// truncr (k * cdiv(n, k) - n) flatten of tiles, the last one filled up with padding
Text Generator::tiled(Elem elem, const Shape &shape, const Context &context, int depth) {
  const Index &n = shape[0];
  Index k = constant(random_.between(2, 4));
  Index tiles = binary(IndexOp::cdiv, n, k);
  Index excess = sub(binary(IndexOp::mul, k, tiles), n);
  if (random_.chance(50))
    excess = sub(binary(IndexOp::mul, tiles, k), n);
  std::string cut = random_.chance(10) ? "truncl" : "truncr";
  Text inside;
  if (cut == "truncr" && random_.chance(40)) {
    inside =
        "split " + index_text(k) + " " + operand(tensor(elem, shape, context, depth - 2), precedence::prefix);
  } else {
    Context inner = context;
    std::string outer_var = inner.fresh_name(random_);
    inner.add_loop(outer_var, constant(0), tiles, random_);
    std::string inner_var = inner.fresh_name(random_);
    inner.add_loop(inner_var, constant(0), k, random_);
    Index flat = binary(IndexOp::add, binary(IndexOp::mul, variable(outer_var), k), variable(inner_var));
    Pred is_data = cut == "truncr" ? compare(PredOp::lt, flat, n) : compare(PredOp::ge, flat, excess);
    Shape rest(shape.begin() + 1, shape.end());
    Text body = tensor(elem, rest, inner.where(is_data), depth - 2);
    bool mistake = random_.chance(2); // to be refused
    Text guard = mistake ? Text() : "[" + pred_text(is_data) + "] ";
    inside = ("gen " + outer_var + " < ") + operand(index_text(tiles), precedence::sum) +
             (", " + inner_var + " < ") + index_text(k) + " " +
             block(guard + operand(body, mistake ? precedence::disjunction : precedence::product));
  }
  Text text = cut + " " + argument(excess) + " flatten " + inside;
  text.precedence = precedence::prefix;
  return text;
}

// truncr and truncl of what has just as much padding, or more
Text Generator::truncated(Elem elem, const Shape &shape, const Context &context, int depth) {
  Index k = extent(context, false);
  bool right = random_.chance(60);
  Shape longer = with_first(shape, {add(shape[0], k)});
  Text inside = random_.chance(2) ? tensor(elem, longer, context, depth - 1) // a mistake, usually
                : right           ? padded_right(elem, shape, k, context, depth - 1)
                                  : padded_left(elem, shape, k, context, depth - 1);
  Text text = (right ? "truncr " : "truncl ") + argument(k) + " " + operand(inside, precedence::prefix);
  text.precedence = precedence::prefix;
  return text;
}

// `shape` with `more` slices of padding behind.
Text Generator::padded_right(Elem elem, const Shape &shape, const Index &more, const Context &context,
                             int depth) {
  Choice<Text> choice;
  auto pad = [&] {
    Text text =
        "padr " + argument(more) + " " + operand(tensor(elem, shape, context, depth - 1), precedence::prefix);
    text.precedence = precedence::prefix;
    return text;
  };
  choice.add(3, pad);
  choice.add(3, [&] { // a guard
    Context inner = context;
    std::string var = inner.fresh_name(random_);
    inner.add_loop(var, constant(0), add(shape[0], more), random_);
    Pred is_data = compare(PredOp::lt, variable(var), shape[0]);
    Shape rest(shape.begin() + 1, shape.end());
    Text body = tensor(elem, rest, inner.where(is_data), depth - 1);
    return ("gen " + var + " < ") + operand(index_text(add(shape[0], more)), precedence::sum) + " " +
           block("[" + pred_text(is_data) + "] " + operand(body, precedence::product));
  });
  choice.add(depth > 1 ? 2 : 0, [&] { // padding that runs through the seam of a concat
    Index left = binary(IndexOp::div, shape[0], constant(2));
    return call("concat",
                {tensor(elem, with_first(shape, {left}), context, depth - 1),
                 padded_right(elem, with_first(shape, {sub(shape[0], left)}), more, context, depth - 1)});
  });
  choice.add(depth > 1 && elem != Elem::boolean && context.volume < 200 ? 2 : 0, [&] { // under a sum
    Context inner = context;
    std::string var = inner.fresh_name(random_);
    Index hi = constant(random_.between(0, 3));
    inner.add_loop(var, constant(0), hi, random_);
    return ("sum " + var + " < ") + index_text(hi) + " " +
           block(padded_right(elem, shape, more, inner, depth - 1));
  });
  choice.add(depth > 1 && shape.size() > 1 ? 2 : 0, [&] { // the same, seen from the other side
    Text inside = ("gen " + std::string("tt") + " < ") + operand(index_text(shape[1]), precedence::sum) + " ";
    Context inner = context;
    inner.add_loop("tt", constant(0), shape[1], random_);
    Shape column = shape;
    column.erase(column.begin() + 1);
    Text text = "transpose " + (inside + block(padded_right(elem, column, more, inner, depth - 1)));
    text.precedence = precedence::prefix;
    return text;
  });
  return context.names.contains("tt") ? pad() : choice.choose(random_);
}

// `shape` with `more` slices of padding in front.
Text Generator::padded_left(Elem elem, const Shape &shape, const Index &more, const Context &context,
                            int depth) {
  Choice<Text> choice;
  choice.add(3, [&] {
    Text text =
        "padl " + argument(more) + " " + operand(tensor(elem, shape, context, depth - 1), precedence::prefix);
    text.precedence = precedence::prefix;
    return text;
  });
  choice.add(3, [&] {
    Context inner = context;
    std::string var = inner.fresh_name(random_);
    inner.add_loop(var, constant(0), add(shape[0], more), random_);
    Pred is_data = compare(PredOp::ge, variable(var), more);
    Shape rest(shape.begin() + 1, shape.end());
    Text body = tensor(elem, rest, inner.where(is_data), depth - 1);
    return ("gen " + var + " < ") + operand(index_text(add(shape[0], more)), precedence::sum) + " " +
           block("[" + pred_text(is_data) + "] " + operand(body, precedence::product));
  });
  return choice.choose(random_);
}

} // namespace atl::fuzz
