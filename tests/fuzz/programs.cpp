// Whole programs: constants, functions, a kernel to call and the kernel to run.
#include "fuzz/generate.h"

#include <fmt/format.h>

namespace atl::fuzz {

static constexpr int deepest = 6;

GeneratedProgram generate_program(Random &random, const std::string &kernel_name) {
  return Generator(random).program(kernel_name);
}

GeneratedProgram Generator::program(const std::string &kernel_name) {
  Text text;
  if (random_.chance(30))
    text = text + make_constant();
  for (int n = random_.below(3); n > 0; --n)
    text = text + make_function();
  if (random_.chance(40))
    text = text + make_helper();
  text = text + make_kernel(kernel_name, random_.chance(25));
  return {text.minimal, text.full, kernel_name};
}

Elem Generator::any_elem() {
  static const std::vector<Elem> all{Elem::f32, Elem::f32, Elem::f64, Elem::i8,  Elem::u8,     Elem::i16,
                                     Elem::u16, Elem::i32, Elem::u32, Elem::i64, Elem::boolean};
  return random_.pick(all);
}

Text Generator::type_text(const Type &type) {
  std::vector<Text> extents;
  for (const Index &extent : type.shape)
    extents.push_back(index_text(extent));
  return std::string(name(type.elem)) + (extents.empty() ? Text() : "[" + join(extents) + "]");
}

Text Generator::make_constant() {
  std::string constant = "C" + std::to_string(constants_.size());
  constants_.emplace_back(constant, random_.between(0, 5));
  return atom("const " + constant + " = " + std::to_string(constants_.back().second) + ";\n");
}

static void add_globals(Context &context,
                        const std::vector<std::pair<std::string, std::int64_t>> &constants) {
  context.samples = {{}};
  for (const auto &[name, value] : constants)
    context.add_constant(name, value);
}

Text Generator::make_function() {
  FunctionInfo function{"f" + std::to_string(functions_.size()), {}, any_elem()};
  Context context;
  add_globals(context, constants_);
  std::vector<Text> params;
  for (int n = random_.between(1, 3); n > 0; --n) {
    std::string param = context.fresh_name(random_);
    function.params.push_back(any_elem());
    context.add_tensor(param, {function.params.back(), {}});
    params.push_back(atom(param + ": " + std::string(name(function.params.back()))));
  }
  Text body = scalar(function.result, context, 3);
  Text text = "fn " + call(function.name, params) + (" -> " + std::string(name(function.result)) + " = ") +
              body + ";\n";
  functions_.push_back(function);
  return text;
}

Text Generator::make_helper() {
  HelperInfo helper{"helper", any_elem(), {any_elem()}, random_.chance(30)};
  if (random_.chance(40))
    helper.outputs.push_back(any_elem());
  Context context;
  add_globals(context, constants_);
  context.add_size("P");
  if (helper.needs_positive)
    context = context.where(compare(PredOp::ge, variable("P"), constant(1)));
  context.add_tensor("arg", {helper.input, {variable("P")}});
  std::vector<Type> outputs;
  std::vector<Text> declared;
  for (Elem elem : helper.outputs) {
    outputs.push_back({elem, {variable("P")}});
    declared.push_back(("r" + std::to_string(declared.size()) + ": ") + type_text(outputs.back()));
  }
  Text text = ("kernel " + helper.name + "(P: size, arg: ") + type_text({helper.input, {variable("P")}}) +
              ") -> " + (outputs.size() == 1 ? type_text(outputs[0]) : "(" + join(declared) + ")") +
              (helper.needs_positive ? " where P >= 1 " : " ");
  text = text + "{ " + kernel_body(context, outputs) + " }\n";
  helpers_.push_back(helper);
  return text;
}

Text Generator::kernel_body(Context &context, const std::vector<Type> &outputs) {
  Text text;
  for (int n = random_.below(3); n > 0; --n)
    text = text + let_binding(context, random_.between(1, 4), context);
  std::vector<Text> results;
  for (const Type &type : outputs)
    results.push_back(tensor(type.elem, type.shape, context, random_.between(2, deepest)));
  return text + (results.size() == 1 ? results[0] : "(" + join(results) + ")");
}

// The sizes of a sample, in which the condition holds.
static Text such_as(const Valuation &sample) {
  Text text;
  for (const char *size : {"N", "M"})
    if (auto value = sample.find(size); value != sample.end())
      text = text + fmt::format("{}{} = {}", size[0] == 'N' ? " such as " : ", ", size, value->second);
  return text;
}

Text Generator::make_kernel(const std::string &kernel_name, bool with_where) {
  Context context;
  add_globals(context, constants_);
  std::vector<Text> params;
  for (const char *size : {"N", "M"})
    if (params.empty() || random_.chance(60)) {
      context.add_size(size);
      params.push_back(atom(std::string(size) + ": size"));
    }
  Text where;
  if (with_where) {
    Pred p = predicate(context, 1);
    if (Context narrowed = context.where(p); narrowed.samples.size() > 5) {
      context = narrowed;
      where = " where " + pred_text(p);
      if (random_.chance(40))
        where = where + such_as(random_.pick(context.samples));
    }
  }
  for (int n = random_.below(4); n > 0; --n) {
    Type type{any_elem(), {}};
    for (int rank = random_.below(4); rank > 0; --rank)
      type.shape.push_back(extent(context, rank == 1));
    std::int64_t elements = 1;
    for (const Index &e : type.shape)
      elements *= context.greatest(e);
    if (elements > 2000)
      type.shape.resize(1);
    std::string name = context.fresh_name(random_);
    context.add_tensor(name, type);
    params.push_back((name + ": ") + type_text(type));
  }
  std::vector<Type> outputs;
  std::vector<Text> declared;
  for (int n = random_.chance(75) ? 1 : random_.between(2, 3); n > 0; --n) {
    Type type{any_elem(), {}};
    for (int rank = random_.between(0, 3); rank > 0; --rank)
      type.shape.push_back(extent(context, rank == 1));
    std::int64_t elements = 1;
    for (const Index &e : type.shape)
      elements *= context.greatest(e);
    if (elements > 1000)
      type.shape.resize(1);
    std::string name = context.fresh_name(random_);
    context.names.insert(name);
    outputs.push_back(type);
    declared.push_back((name + ": ") + type_text(type));
  }
  Text result = outputs.size() == 1 ? type_text(outputs[0]) : "(" + join(declared) + ")";
  Text head = ("kernel " + kernel_name + "(") + join(params) + ") -> " + result + where;
  return head + " {\n  " + kernel_body(context, outputs) + "\n}\n";
}

} // namespace atl::fuzz
