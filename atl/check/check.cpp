// check_program: signatures, functions on their own, then each kernel.
#include "atl/check/check.h"

#include "atl/base/check.h"
#include "atl/check/checker.h"
#include "atl/index/solve.h"
#include "atl/index/value_text.h"

#include <algorithm>

namespace atl {

namespace {

using check::Callables;
using check::Checker;
using check::Env;

// The least constant that bounds the size from above.
std::optional<std::int64_t> upper_limit(const Pred &p, const std::string &size) {
  std::optional<std::int64_t> least;
  for (const StatedBound &bound : stated_bounds(p)) {
    auto value = as_constant(bound.value);
    bool is_upper = bound.op == PredOp::lt || bound.op == PredOp::le || bound.op == PredOp::eq;
    if (!value || !is_upper || bound.variable != size)
      continue;
    std::int64_t limit = bound.op == PredOp::lt ? *value - 1 : *value;
    least = std::min(limit, least.value_or(limit));
  }
  return least;
}

// Ranges of the sizes first, so that a where clause can be evaluated at run time without overflow.
std::vector<Pred> assumptions_of(const Kernel &kernel) {
  std::vector<Pred> assumptions;
  for (const Param &param : kernel.params) {
    if (param.kind != Param::Kind::size)
      continue;
    assumptions.push_back(compare(PredOp::ge, variable(param.name), constant(0)));
    assumptions.push_back(
        compare(PredOp::le, variable(param.name), constant(check::limit_of(kernel, param.name))));
  }
  for (const Where &where : kernel.where)
    assumptions.push_back(where.pred);
  return assumptions;
}

// Conditions of instructions mention them, as x.stride.
std::set<std::string> distances_in(const Kernel &kernel) {
  std::set<std::string> names;
  for (const Where &where : kernel.where)
    collect_variables(where.pred, names);
  std::erase_if(names, [](const std::string &name) { return name.find('.') == std::string::npos; });
  return names;
}

// A function's result has no name; as a kernel's it needs one.
Result<TypedKernel> check_function(const Function &function, const Callables &callables) {
  Checker checker(callables, function.name);
  TypedKernel typed{function.name, function.span, {}, {}, {}, {}, {}, {}, {}};
  Env env;
  for (const auto &param : function.params) {
    const Type type{param.elem, {}};
    env.tensors[param.name] = {checker.fresh(param.name), type};
    typed.params.push_back({Param::Kind::tensor, param.name, param.span, type});
  }
  typed.outputs = {{checker.fresh("out"), function.span, Type{function.result, {}}}};
  ExprPtr body = checker.check(function.body, env, function.result);
  if (body && !body->type->shape.empty())
    checker.errors.push_back(
        {Code::scalar_expected, function.body->span, "the body of a function is a scalar", {}});
  else if (body && body->type->elem != function.result)
    checker.errors.push_back({Code::type_mismatch,
                              function.body->span,
                              fmt::format("the body of {} is {}, but {} is declared", function.name,
                                          name(body->type->elem), name(function.result)),
                              {}});
  if (!checker.errors.empty() || !body)
    return checker.errors;
  typed.results = {body};
  typed.obligations = std::move(checker.obligations);
  return typed;
}

// Of the sizes behind `such as`: the first assumption that they do not satisfy.
std::optional<Diagnostic> wrong_example(const TypedKernel &kernel) {
  if (kernel.such_as.empty())
    return std::nullopt;
  std::vector<std::string> names;
  Valuation values;
  for (const SizeValue &size : kernel.such_as) {
    names.push_back(size.name);
    values[size.name] = size.value;
  }
  const Span place{kernel.such_as.front().span.file, kernel.such_as.front().span.begin,
                   kernel.such_as.back().span.end};
  for (std::size_t i = 0; i < kernel.assumptions.size(); ++i) {
    const Pred &p = kernel.assumptions[i];
    const std::optional<bool> holds = evaluate(p, values);
    if (holds.value_or(false))
      continue;
    Diagnostic problem{Code::wrong_example,
                       place,
                       fmt::format("{}: {} {}", values_text(names, values), to_string(p),
                                   holds ? "does not hold" : "divides by zero or exceeds 64 bits"),
                       {}};
    if (const std::size_t ranges = kernel.assumptions.size() - kernel.where.size(); i >= ranges)
      problem.notes.push_back({kernel.where[i - ranges].span, "the condition stands here"});
    return problem;
  }
  return std::nullopt;
}

Result<TypedKernel> check_kernel(const Kernel &kernel, const Callables &callables) {
  Checker checker(callables, kernel.name);
  TypedKernel typed{
      kernel.name, kernel.span, kernel.params,  kernel.outputs, kernel.where, assumptions_of(kernel), {},
      {},          {},          kernel.such_as, kernel.rounding};
  if (auto problem = wrong_example(typed))
    checker.errors.push_back(std::move(*problem));
  Env env;
  for (const std::string &size : typed.size_names()) {
    checker.declare_size(size);
    env.indices[size] = variable(size);
  }
  std::vector<Pred> ranges(typed.assumptions.begin(),
                           typed.assumptions.end() - static_cast<std::ptrdiff_t>(kernel.where.size()));
  for (const Pred &range : ranges)
    checker.assume(range);
  for (const std::string &distance : distances_in(kernel)) {
    checker.declare_size(distance);
    env.indices[distance] = variable(distance);
  }
  for (const Where &where : kernel.where) {
    checker.resolve(where.pred, env, where.span);
    checker.assume(where.pred);
  }
  auto check_shape = [&](const std::string &name, const Type &type, Span span) {
    for (const Index &extent : type.shape)
      checker.require_extent(checker.resolve(extent, env, span), span,
                             fmt::format("the extent {} of {}", to_string(extent), name));
  };
  for (const Param &param : kernel.params)
    if (param.kind == Param::Kind::tensor) {
      check_shape(param.name, param.type, param.span);
      env.tensors[param.name] = {checker.fresh(param.name), param.type};
    }
  for (const Output &output : kernel.outputs) {
    check_shape(output.name, output.type, output.span);
    checker.fresh(output.name); // taken: a let of that name is renamed
  }
  auto body = checker.check_body(kernel, env);
  if (!checker.errors.empty() || !body)
    return checker.errors;
  for (std::size_t i = 0; i < kernel.outputs.size(); ++i)
    for (std::size_t d = 0; d < kernel.outputs[i].type.shape.size(); ++d)
      checker.require_equal(body->results[i]->type->shape[d], kernel.outputs[i].type.shape[d],
                            body->places[i],
                            fmt::format("dimension {} of the result {}", d + 1, kernel.outputs[i].name),
                            ObligationKind::shape, Code::shape_mismatch);
  typed.lets = body->lets;
  typed.results = body->results;
  typed.obligations = std::move(checker.obligations);
  return typed;
}

} // namespace

std::int64_t check::limit_of(const Kernel &kernel, const std::string &size) {
  std::optional<std::int64_t> least;
  for (const Where &where : kernel.where)
    if (auto found = upper_limit(where.pred, size))
      least = std::min(*found, least.value_or(*found));
  return least.value_or(default_size_limit);
}

std::vector<std::string> TypedKernel::size_names() const {
  std::vector<std::string> names;
  for (const Param &param : params)
    if (param.kind == Param::Kind::size)
      names.push_back(param.name);
  return names;
}

static Callables callables_of(const Program &program) {
  Callables callables;
  for (const Function &f : program.functions)
    callables.functions[f.name] = &f;
  for (const Kernel &k : program.kernels)
    callables.kernels[k.name] = &k;
  return callables;
}

Result<std::vector<TypedInstruction>> check_hardware(const Hardware &hardware, const Program &program) {
  Callables callables = callables_of(program);
  Diagnostics errors;
  std::vector<TypedInstruction> instructions;
  for (const Instruction &instruction : hardware.instructions) {
    auto typed = check_kernel(instruction.meaning, callables);
    if (typed) {
      instructions.push_back({&instruction, std::move(*typed)});
      continue;
    }
    for (Diagnostic &problem : typed.errors()) {
      problem.notes.push_back({std::nullopt, "the instruction is " + instruction.meaning.name});
      errors.push_back(std::move(problem));
    }
  }
  if (!errors.empty())
    return errors;
  return instructions;
}

// Each definition as a kernel; what is wrong with it goes to the errors.
template <class Definition>
static std::vector<TypedKernel> check_each(const std::vector<Definition> &definitions,
                                           Result<TypedKernel> (*check)(const Definition &,
                                                                        const Callables &),
                                           const Callables &callables, Diagnostics &errors) {
  std::vector<TypedKernel> kernels;
  for (const Definition &definition : definitions) {
    auto typed = check(definition, callables);
    if (typed)
      kernels.push_back(std::move(*typed));
    else
      errors.insert(errors.end(), typed.errors().begin(), typed.errors().end());
  }
  ATL_CHECK(kernels.size() == definitions.size() || !errors.empty(),
            "a definition was refused without a word");
  return kernels;
}

Result<TypedProgram> check_program(const Program &program) {
  const Callables callables = callables_of(program);
  Diagnostics errors;
  TypedProgram typed;
  typed.functions = check_each(program.functions, check_function, callables, errors);
  typed.kernels = check_each(program.kernels, check_kernel, callables, errors);
  if (!errors.empty())
    return errors;
  return typed;
}

} // namespace atl
