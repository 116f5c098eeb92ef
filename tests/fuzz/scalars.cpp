// Random scalar expressions.
#include "fuzz/generate.h"

#include <array>

namespace atl::fuzz {

static const std::vector<Elem> numbers{Elem::f32, Elem::f64, Elem::i8,  Elem::u8, Elem::i16,
                                       Elem::u16, Elem::i32, Elem::u32, Elem::i64};

Text Generator::scalar(Elem elem, const Context &context, int depth) {
  if (depth <= 0 || random_.chance(10))
    return scalar_leaf(elem, context);
  Choice<Text> choice;
  if (elem == Elem::boolean) {
    choice.add(8, [&] { return boolean(context, depth); });
  } else {
    choice.add(8, [&] { return arithmetic(elem, context, depth); });
    choice.add(3, [&] { return function_of_one(elem, context, depth); });
    choice.add(4, [&] { return scalar_reduction(elem, context, depth); });
  }
  choice.add(3, [&] { return conversion(elem, context, depth); });
  choice.add(3, [&] { return selection(elem, context, depth); });
  choice.add(2, [&] { return scalar_guard(elem, context, depth); });
  choice.add(context.lets < 3 ? 2 : 0, [&] { return scalar_let(elem, context, depth); });
  for (const FunctionInfo &function : functions_)
    choice.add(function.result == elem ? 2 : 0, [&] { return function_call(function, context, depth); });
  return choice.choose(random_);
}

// Without a suffix a literal is f32 or i32, or what stands beside it says.
Text Generator::literal(Elem elem, bool needs_suffix) {
  if (elem == Elem::boolean)
    return atom(random_.chance(50) ? "true" : "false");
  std::string suffix(needs_suffix || random_.chance(30) ? name(elem) : "");
  if (is_float(elem)) {
    static const std::vector<std::string> values{"0.0",  "1.0",  "0.5",  "2.0", "1.5",
                                                 "3.25", "1e-3", "1e30", "0.1"};
    if (suffix.empty() && random_.chance(5))
      return atom(random_.chance(50) ? "inf" : "nan");
    return atom(random_.pick(values) + suffix);
  }
  std::int64_t greatest = greatest_integer(elem);
  const std::vector<std::int64_t> values{0, 1, 2, 3, 7, 100, greatest, greatest - 1, greatest / 3};
  return atom(std::to_string(random_.pick(values)) + suffix);
}

Text Generator::scalar_leaf(Elem elem, const Context &context) {
  Choice<Text> choice;
  choice.add(2, [&] { return literal(elem, elem != Elem::f32 && elem != Elem::i32); });
  choice.add(8, [&] { return access(elem, context); });
  if (!context.variables.empty()) {
    if (elem == Elem::boolean)
      choice.add(2, [&] { return pred_text(predicate(context, 1)); });
    else
      choice.add(2, [&] { return call(std::string(name(elem)), {index_text(index_with_name(context, 2))}); });
  }
  Text result = choice.choose(random_);
  return result;
}

// Reads a tensor of that type; if there is none, converts from another.
Text Generator::access(Elem elem, const Context &context) {
  std::vector<TensorInScope> fitting;
  for (const TensorInScope &t : context.tensors)
    if (t.type.elem == elem)
      fitting.push_back(t);
  if (!fitting.empty()) {
    Text text = read(random_.pick(fitting), context);
    text.anchored = true;
    return text;
  }
  if (context.tensors.empty())
    return literal(elem, elem != Elem::f32 && elem != Elem::i32);
  std::string function = (random_.chance(20) && is_integer(elem) ? "sat_" : "") + std::string(name(elem));
  Text text = call(function, {read(random_.pick(context.tensors), context)});
  text.anchored = true;
  return text;
}

// Where no index is known to be inside, the access is guarded.
Text Generator::read(const TensorInScope &tensor, const Context &context) {
  if (tensor.type.shape.empty())
    return atom(tensor.name);
  std::vector<Text> indices;
  Pred inside = truth(true);
  for (const Index &extent : tensor.type.shape) {
    Index at = index_inside(context, extent);
    if (!at && context.variables.empty())
      return literal(tensor.type.elem, true);
    if (!at) {
      at = index_with_name(context, 1);
      if (!random_.chance(2)) // else a mistake, to be refused
        inside = conj(inside, in_range(constant(0), at, extent));
    }
    indices.push_back(index_text(at));
  }
  Text text = tensor.name + ("[" + join(indices) + "]");
  if (inside->op == PredOp::truth)
    return text;
  if (random_.chance(50))
    return call("select", {pred_text(inside), text, literal(tensor.type.elem, true)});
  return "([" + pred_text(inside) + "] " + text + ")";
}

Text Generator::boolean(const Context &context, int depth) {
  auto smaller = [&] { return scalar(Elem::boolean, context, depth - 1); };
  auto two = [&](const std::string &symbol, int binding) { // in this order, whatever the compiler
    Text a = smaller();
    return infix(a, symbol, smaller(), binding);
  };
  Choice<Text> choice;
  choice.add(4, [&] {
    static const std::vector<std::string> symbols{" == ", " != ", " < ", " <= ", " > ", " >= "};
    Elem elem = random_.chance(10) ? Elem::boolean : random_.pick(numbers);
    std::string symbol =
        elem == Elem::boolean ? (random_.chance(50) ? " == " : " != ") : random_.pick(symbols);
    Text a = call(std::string(name(elem)), {scalar(elem, context, depth - 1)}); // anchored, and no index
    Text b = scalar(elem, context, depth - 1);
    return Text{operand(a, precedence::sum).minimal + symbol + operand(b, precedence::sum).minimal,
                "(" + a.full + symbol + b.full + ")", precedence::comparison};
  });
  choice.add(2, [&] { return two(" and ", precedence::conjunction); });
  choice.add(2, [&] { return two(" or ", precedence::disjunction); });
  choice.add(1, [&] { return prefix("not ", smaller(), precedence::negation); });
  return choice.choose(random_);
}

Text Generator::arithmetic(Elem elem, const Context &context, int depth) {
  Text a = scalar(elem, context, depth - 1);
  Text b = a.anchored && random_.chance(20) ? literal(elem, false) : scalar(elem, context, depth - 1);
  bool anchored = a.anchored || b.anchored;
  Choice<Text> choice;
  choice.add(4, [&] { return infix(a, " + ", b, precedence::sum); });
  choice.add(3, [&] { return infix(a, " - ", b, precedence::sum); });
  choice.add(3, [&] { return infix(a, " * ", b, precedence::product); });
  choice.add(2, [&] { return infix(a, " / ", b, precedence::product); });
  choice.add(is_integer(elem) ? 2 : 0, [&] { return infix(a, " % ", b, precedence::product); });
  choice.add(2, [&] { return call("min", {a, b}); });
  choice.add(2, [&] { return call("max", {a, b}); });
  choice.add(is_float(elem) ? 1 : 0, [&] { return call("scalb", {a, b}); });
  choice.add(is_float(elem) ? 1 : 0, [&] { return call("fma", {a, b, scalar(elem, context, depth - 1)}); });
  Text result = choice.choose(random_);
  result.anchored = anchored;
  return result;
}

Text Generator::function_of_one(Elem elem, const Context &context, int depth) {
  Text a = scalar(elem, context, depth - 1);
  Choice<Text> choice;
  bool negatable = is_float(elem) || info(elem).is_signed || a.minimal.find_first_not_of("0123456789") == 0;
  choice.add(negatable ? 2 : 0, [&] { return prefix("-", a, precedence::prefix); }); // -1u8 is no literal
  choice.add(2, [&] { return call("abs", {a}); });
  for (const ScalarOp &op : scalar_ops()) // all of them that are written as calls
    if (op.arity == 1 && op.precedence == 0 && op.operands == OperandRule::floating)
      choice.add(is_float(elem) ? 1 : 0, [&a, &op] { return call(std::string(op.name), {a}); });
  Text result = choice.choose(random_);
  result.anchored = a.anchored;
  return result;
}

Text Generator::conversion(Elem elem, const Context &context, int depth) {
  Elem from = random_.chance(10) ? Elem::boolean : random_.pick(numbers);
  Text arg = scalar(from, context, depth - 1);
  // A bare literal or an index in the argument would be converted differently: anchor it.
  if (!arg.anchored)
    arg = from == Elem::boolean ? infix(arg, " or ", arg, precedence::disjunction)
                                : call(std::string(name(from)), {arg});
  std::string function = (is_integer(elem) && random_.chance(30) ? "sat_" : "") + std::string(name(elem));
  Text result = call(function, {arg});
  result.anchored = true;
  return result;
}

Text Generator::selection(Elem elem, const Context &context, int depth) {
  if (!context.variables.empty() && random_.chance(50)) {
    Pred p = predicate(context, 1);
    Text then = scalar(elem, context.where(p), depth - 1);
    return call("select", {pred_text(p), then, scalar(elem, context.where(neg(p)), depth - 1)});
  }
  Text cond = scalar(Elem::boolean, context, depth - 1);
  return call("select", {cond, scalar(elem, context, depth - 1), scalar(elem, context, depth - 1)});
}

Text Generator::scalar_reduction(Elem elem, const Context &context, int depth) {
  static const std::vector<std::string> words{"sum", "sum", "max", "min", "prod"};
  Index hi = extent(context, false);
  Index lo = random_.chance(20) ? constant(random_.between(0, 2)) : constant(0);
  if (context.volume * std::max<std::int64_t>(1, context.greatest(hi)) > most_iterations)
    return scalar_leaf(elem, context);
  Context inner = context;
  std::string var = context.fresh_name(random_);
  inner.add_loop(var, lo, hi, random_);
  Text range = as_constant(lo) == 0 ? var + (" < " + operand(index_text(hi), precedence::sum))
                                    : operand(index_text(lo), precedence::sum) + (" <= " + var + " < ") +
                                          operand(index_text(hi), precedence::sum);
  std::string word = random_.pick(words) + " ";
  return word + range + " " + block(scalar(elem, inner, depth - 1));
}

Text Generator::scalar_guard(Elem elem, const Context &context, int depth) {
  if (context.variables.empty())
    return scalar_leaf(elem, context);
  Pred p = predicate(context, 1);
  return "([" + pred_text(p) + "] " +
         operand(scalar(elem, context.where(p), depth - 1), precedence::product) + ")";
}

Text Generator::scalar_let(Elem elem, const Context &context, int depth) {
  Context inner = context;
  ++inner.lets;
  Text let = let_binding(context, depth - 1, inner);
  return block(let + scalar(elem, inner, depth - 1));
}

Text Generator::function_call(const FunctionInfo &function, const Context &context, int depth) {
  std::vector<Text> args;
  for (Elem param : function.params)
    args.push_back(scalar(param, context, depth - 1));
  Text result = call(function.name, args);
  result.anchored = true;
  return result;
}

} // namespace atl::fuzz
