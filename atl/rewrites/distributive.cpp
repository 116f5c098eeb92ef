// Products and sums against reductions.
#include "atl/rewrites/rewrites.h"

#include <fmt/format.h>

namespace atl::rewrites {

namespace {

const Op *operation(const ExprPtr &e, std::string_view name) {
  const Op *op = std::get_if<Op>(&e->node);
  return op && op->op->name == name && op->args.size() == 2 ? op : nullptr;
}

ExprPtr same_operation(const ExprPtr &e, std::vector<ExprPtr> args) {
  return make(Op{std::get<Op>(e->node).op, std::move(args)}, e->span, e->type);
}

std::optional<Refusal> not_a_scalar_sum(const LoopHead &loop, const ExprPtr &body) {
  if (loop.reduction != Reduction::sum)
    return Refusal{loop.var + " is not a sum"};
  if (!body->type->shape.empty())
    return Refusal{"the terms of " + loop.var + " are tensors",
                   {{std::nullopt, "bring " + loop.var + " inside their loops with reorder"}}};
  return {};
}

} // namespace

Refused factor_out(Work &work, const Path &path) {
  ExprPtr e = at(work.kernel, path);
  LoopHead loop = *loop_head(e);
  ExprPtr body = loop_body(e);
  if (Refused refused = not_a_scalar_sum(loop, body))
    return refused;
  const Op *product = operation(body, "*");
  for (std::size_t i = 0; product && i < 2; ++i) {
    if (mentions_variable(product->args[i], loop.var))
      continue;
    std::vector<ExprPtr> args = product->args;
    args[1 - i] = loop_of(loop, args[1 - i]);
    replace(work.kernel, path, same_operation(body, std::move(args)));
    return {};
  }
  return Refusal{fmt::format("the terms of {} are not products with a factor that is the same for all {}",
                             loop.var, loop.var)};
}

Refused absorb_factor(Work &work, const Path &path) {
  ExprPtr e = at(work.kernel, path);
  LoopHead loop = *loop_head(e);
  if (Refused refused = not_a_scalar_sum(loop, loop_body(e)))
    return refused;
  ExprPtr around = path.steps.empty() ? nullptr : at(work.kernel, path.parent());
  const Op *product = around ? operation(around, "*") : nullptr;
  if (!product)
    return Refusal{fmt::format("the sum over {} is not a factor of a product", loop.var)};
  std::size_t i = path.steps.back();
  const ExprPtr &other = product->args[1 - i];
  if (names_in(other).contains(loop.var))
    return Refusal{fmt::format("the other factor has a loop called {}, too", loop.var)};
  std::vector<ExprPtr> args = product->args;
  args[i] = loop_body(e);
  replace(work.kernel, path.parent(), loop_of(loop, same_operation(around, std::move(args))));
  return {};
}

Refused distribute_sum(Work &work, const Path &path, const std::string &first, const std::string &second) {
  ExprPtr e = at(work.kernel, path);
  LoopHead loop = *loop_head(e);
  ExprPtr body = loop_body(e);
  if (Refused refused = not_a_scalar_sum(loop, body))
    return refused;
  const Op *sum = operation(body, "+");
  if (!sum)
    sum = operation(body, "-");
  if (!sum)
    return Refusal{fmt::format("the terms of {} are not sums", loop.var)};
  std::vector<ExprPtr> parts;
  for (const auto &[part, name] : {std::pair(sum->args[0], first), std::pair(sum->args[1], second)}) {
    LoopHead own = loop;
    own.var = name;
    parts.push_back(loop_of(own, work.moved(part, {{loop.var, variable(name)}})));
  }
  replace(work.kernel, path, same_operation(body, std::move(parts)));
  return {};
}

ExprPtr guards_of_factors(const ExprPtr &e) {
  const Op *product = operation(e, "*");
  if (!product)
    return e;
  Pred all = truth(true);
  std::vector<ExprPtr> args;
  for (const ExprPtr &arg : product->args) {
    ExprPtr factor = guards_of_factors(arg);
    for (const Guard *g = std::get_if<Guard>(&factor->node); g; g = std::get_if<Guard>(&factor->node)) {
      all = conj(all, g->pred);
      factor = ExprPtr(g->body);
    }
    args.push_back(factor);
  }
  return guard_of(all, same_operation(e, std::move(args)));
}

} // namespace atl::rewrites
