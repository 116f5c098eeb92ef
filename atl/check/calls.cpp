// Calls are inlined: the callee's text is checked again with its names standing for the arguments.
#include "atl/check/checker.h"

#include <algorithm>
#include <utility>

namespace atl::check {

// A tensor or a slice of one, by name: it needs no copy.
static const Access *as_slice(const ExprPtr &e, const Env &env) {
  const Access *access = std::get_if<Access>(&e->node);
  if (!access || !env.tensors.contains(access->tensor))
    return nullptr;
  std::size_t rank = env.tensors.at(access->tensor).type.shape.size();
  return access->indices.empty() || access->indices.size() < rank ? access : nullptr;
}

std::string names_of_results(const Kernel &kernel) {
  std::string all;
  for (const Output &output : kernel.outputs)
    all += (all.empty() ? "" : ", ") + output.name;
  return all;
}

std::string results_in_words(const Kernel &kernel) {
  return fmt::format("{} result{} ({})", kernel.outputs.size(), kernel.outputs.size() == 1 ? "" : "s",
                     names_of_results(kernel));
}

ExprPtr Checker::check_call(const Call &call, const Expr &e, const Env &env) {
  if (auto f = callables_.functions.find(call.callee); f != callables_.functions.end())
    return inline_function(*f->second, call, e, env);
  auto k = callables_.kernels.find(call.callee);
  if (k == callables_.kernels.end())
    return nullptr; // its definition is wrong, and said so
  auto inlined = inline_kernel(*k->second, call, e, env);
  if (!inlined)
    return nullptr;
  if (inlined->results.size() != 1) {
    fail(Code::wrong_output_count, e.span,
         fmt::format("{} gives {}", call.callee, results_in_words(*k->second)),
         {{std::nullopt,
           fmt::format("write let ({}) = {}(...);", names_of_results(*k->second), call.callee)}});
    return nullptr;
  }
  return wrap_lets(inlined->lets, inlined->results[0]);
}

ExprPtr Checker::inline_function(const Function &function, const Call &call, const Expr &e, const Env &env) {
  if (call.args.size() != function.params.size()) {
    fail(Code::wrong_argument_count, e.span,
         fmt::format("{} takes {} arguments, {} are given", function.name, function.params.size(),
                     call.args.size()));
    return nullptr;
  }
  Scope scope(*this);
  Env callee;
  std::vector<Binding> lets;
  bool fine = true;
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    const auto &param = function.params[i];
    ExprPtr value = expect_elem(check_scalar(std::get<ExprPtr>(call.args[i]), env, param.elem), param.elem,
                                fmt::format("argument {} of {}", i + 1, function.name));
    fine = fine && value;
    const Access *access = value ? std::get_if<Access>(&value->node) : nullptr;
    if (access && access->indices.empty()) { // a scalar that has a name
      callee.tensors[param.name] = {access->tensor, Type{param.elem, {}}};
      continue;
    }
    std::string name = fresh(param.name);
    callee.tensors[param.name] = {name, Type{param.elem, {}}};
    lets.push_back({name, value});
  }
  if (!fine)
    return nullptr;
  bool outer = std::exchange(inlining_, true);
  std::size_t errors_before = errors.size();
  ExprPtr body =
      expect_elem(check_scalar(function.body, callee, function.result), function.result, "the result");
  inlining_ = outer;
  errors.resize(errors_before,
                Diagnostic{Code::type_mismatch, std::nullopt, "", {}}); // told once, at the definition
  return body ? wrap_lets(lets, body) : nullptr;
}

// Sizes become index expressions, tensors names; an argument that is neither a tensor nor a
// slice of one is bound by a let around the call.
bool Checker::bind_arguments(const Kernel &kernel, const Call &call, const Expr &e, const Env &env,
                             Env &callee, Inlined &result) {
  if (call.args.size() != kernel.params.size()) {
    fail(Code::wrong_argument_count, e.span,
         fmt::format("{} takes {} arguments, {} are given", kernel.name, kernel.params.size(),
                     call.args.size()));
    return false;
  }
  bool fine = true;
  for (std::size_t i = 0; i < call.args.size(); ++i) // sizes first: shapes mention them
    if (kernel.params[i].kind == Param::Kind::size)
      callee.indices[kernel.params[i].name] = resolve(std::get<Index>(call.args[i]), env, e.span);
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    const Param &param = kernel.params[i];
    if (param.kind == Param::Kind::size)
      continue;
    const ExprPtr &arg = std::get<ExprPtr>(call.args[i]);
    std::optional<TensorRef> ref;
    if (const Access *access = as_slice(arg, env)) {
      ref = slice(*access, arg->span, env);
    } else if (ExprPtr value = check(arg, env, param.type.elem)) {
      ref = {fresh(param.name), *value->type};
      result.lets.push_back({ref->name, value});
    }
    if (!ref) {
      fine = false;
      continue;
    }
    callee.tensors[param.name] = *ref;
    if (ref->type.elem != param.type.elem || ref->type.shape.size() != param.type.shape.size()) {
      fail(ref->type.elem != param.type.elem ? Code::type_mismatch : Code::rank_mismatch, arg->span,
           fmt::format("argument {} of {} is {}, but {} is needed", param.name, kernel.name,
                       describe(ref->type), describe(param.type)));
      fine = false;
      continue;
    }
    for (std::size_t d = 0; d < ref->type.shape.size(); ++d)
      require_equal(ref->type.shape[d], substitute(param.type.shape[d], callee.indices), arg->span,
                    fmt::format("dimension {} of argument {} of {}", d + 1, param.name, kernel.name),
                    ObligationKind::shape, Code::shape_mismatch);
  }
  return fine;
}

// The callee's own check took the default limit of its sizes for granted. Where a call may exceed it, the
// callee is checked again, for the sizes of the call. Limits that `where` states are conditions of the call.
bool Checker::is_within_limits(const Kernel &kernel, const Env &callee, Span span) {
  std::vector<std::pair<std::string, Pred>> to_prove;
  for (const auto &[size, value] : callee.indices) {
    const std::int64_t greatest = limit_of(kernel, size);
    const Pred limit = compare(PredOp::le, value, constant(greatest));
    const bool is_known = std::any_of(known_.hypotheses.begin(), known_.hypotheses.end(),
                                      [&](const Pred &known) { return equal(known, limit); });
    if (greatest != default_size_limit || is_known || evaluate(limit, {}).value_or(false))
      continue;
    if (!known_.facts().proves(limit))
      return false;
    to_prove.emplace_back(size, limit);
  }
  for (const auto &[size, limit] : to_prove)
    require(ObligationKind::shape, Code::where_violated, span,
            fmt::format("the size {} of {} is at most {}", size, kernel.name, to_string(limit->rhs)),
            {{limit, {fmt::format("the size {} of {} is ", size, kernel.name), limit->lhs}}});
  return true;
}

std::optional<Inlined> Checker::inline_kernel(const Kernel &kernel, const Call &call, const Expr &e,
                                              const Env &env) {
  Env callee;
  Inlined result;
  if (!bind_arguments(kernel, call, e, env, callee, result))
    return std::nullopt;
  for (const auto &[size, value] : callee.indices)
    require(ObligationKind::shape, Code::where_violated, e.span,
            fmt::format("the size {} of {} is not negative", size, kernel.name),
            {{compare(PredOp::ge, value, constant(0)),
              {fmt::format("the size {} of {} is ", size, kernel.name), value}}});
  for (const Where &where : kernel.where)
    require(ObligationKind::shape, Code::where_violated, e.span,
            fmt::format("the condition {} of {} holds", to_string(where.pred), kernel.name),
            {{substitute(where.pred, callee.indices),
              {fmt::format("the condition {} of {} does not hold", to_string(where.pred), kernel.name)}}});
  const bool outer = std::exchange(inlining_, inlining_ || is_within_limits(kernel, callee, e.span));
  const Known outside = known_;
  for (const Where &where : kernel.where) // proved above, whoever proves the rest
    assume(substitute(where.pred, callee.indices));
  std::size_t errors_before = errors.size();
  auto body = check_body(kernel, callee);
  known_ = outside;
  inlining_ = outer;
  errors.resize(errors_before,
                Diagnostic{Code::type_mismatch, std::nullopt, "", {}}); // told once, at the definition
  if (!body)
    return std::nullopt;
  result.lets.insert(result.lets.end(), body->lets.begin(), body->lets.end());
  result.results = body->results;
  return result;
}

// A result without a name is its type alone.
static std::vector<Fix> declared_as(const Output &output, const Type &type) {
  if (output.name != "out")
    return {};
  return {{fmt::format("declare what the body gives: {}", describe(type)),
           {{output.span, describe(type)}},
           false}};
}

std::optional<Inlined> Checker::check_body(const Kernel &kernel, const Env &kernel_env) {
  Env env = kernel_env;
  Inlined body;
  ExprPtr e = kernel.body;
  bool fine = true;
  for (const Let *let = std::get_if<Let>(&e->node); let; let = std::get_if<Let>(&e->node)) {
    fine = bind_let(*let, *e, env, body.lets) && fine;
    e = let->body;
  }
  const Tuple *tuple = std::get_if<Tuple>(&e->node);
  std::vector<ExprPtr> elements = tuple ? tuple->elements : std::vector{e};
  if (elements.size() != kernel.outputs.size()) {
    fail(Code::wrong_output_count, e->span,
         fmt::format("{} declares {} output{}, but its body gives {}", kernel.name, kernel.outputs.size(),
                     kernel.outputs.size() == 1 ? "" : "s", elements.size()));
    return std::nullopt;
  }
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const Output &output = kernel.outputs[i];
    ExprPtr value =
        expect_elem(check(elements[i], env, output.type.elem), output.type.elem, "the result", output.span);
    if (value && value->type->shape.size() != output.type.shape.size()) {
      fail(Code::rank_mismatch, elements[i]->span,
           fmt::format("the result {} is {}, but {} is declared", output.name, describe(*value->type),
                       describe(output.type)),
           {{output.span, "it is declared here"}}, declared_as(output, *value->type));
      value = nullptr;
    }
    fine = fine && value;
    body.results.push_back(value);
    body.places.push_back(elements[i]->span);
  }
  return fine ? std::optional(body) : std::nullopt;
}

} // namespace atl::check
