// What the checker leaves to the solver, in the user's words.
#include "atl/check/checker.h"

#include "atl/syntax/names.h"

namespace atl::check {

std::string Checker::fresh(const std::string &name) {
  return take_name(name, names_);
}

void Checker::declare_size(const std::string &name) {
  names_.insert(name);
  known_.sizes.push_back(name);
}

void Checker::require(ObligationKind kind, Code code, Span span, std::string what,
                      std::vector<Claim> claims) {
  if (!inlining_)
    obligations.push_back(known_.obligation(kind, code, span, std::move(what), std::move(claims)));
}

void Checker::require_extent(const Index &extent, Span span, const std::string &what) {
  if (auto value = as_constant(extent); value && *value >= 0)
    return;
  if (extent->op == IndexOp::variable)
    return; // a size, not negative by declaration
  require(ObligationKind::shape, Code::negative_extent, span, what + " is not negative",
          {{compare(PredOp::ge, extent, constant(0)), {what + " is ", extent}}});
}

void Checker::require_equal(const Index &a, const Index &b, Span span, const std::string &what,
                            ObligationKind kind, Code code) {
  if (!equal(a, b))
    require(kind, code, span, fmt::format("{} is {} = {}", what, to_string(a), to_string(b)),
            {{compare(PredOp::eq, a, b), {what + " is ", a, ", but must be ", b}}});
}

void Checker::require_positive_divisors(const Index &e, Span span) {
  for_each_subexpression(e, [&](const Index &part) {
    if (!divides(part->op) || as_constant(part->b).value_or(0) > 0)
      return;
    require(ObligationKind::shape, Code::nonpositive_divisor, span,
            fmt::format("the divisor {} is positive", to_string(part->b)),
            {{compare(PredOp::gt, part->b, constant(0)),
              {fmt::format("the divisor of {} is ", to_string(part)), part->b}}});
  });
}

Index Checker::resolve(const Index &e, const Env &env, Span span) {
  Index resolved = substitute(e, env.indices);
  require_positive_divisors(resolved, span);
  return resolved;
}

Pred Checker::resolve(const Pred &p, const Env &env, Span span) {
  Pred resolved = substitute(p, env.indices);
  if (resolved->op == PredOp::conj || resolved->op == PredOp::disj) {
    // The right side is evaluated only where the left does not decide.
    Scope scope(*this);
    resolve(resolved->a, {}, span);
    assume(resolved->op == PredOp::conj ? resolved->a : neg(resolved->a));
    resolve(resolved->b, {}, span);
  } else {
    for (const Index &side : {resolved->lhs, resolved->rhs})
      if (side)
        require_positive_divisors(side, span);
    if (resolved->op == PredOp::neg)
      resolve(resolved->a, {}, span);
  }
  return resolved;
}

// Of a vector or matrix; higher dimensions have numbers.
static std::string dimension_name(std::size_t dimension, std::size_t rank) {
  if (rank == 1)
    return "element";
  return dimension == 0 ? "row" : "column";
}

void Checker::require_access(const Access &access, const Type &type, Span span,
                             const std::string &as_written) {
  std::vector<Claim> claims;
  std::size_t rank = type.shape.size();
  for (std::size_t d = 0; d < access.indices.size(); ++d) {
    const Index &index = access.indices[d];
    Template text = rank <= 2 ? Template{fmt::format("{} reads {} ", as_written, dimension_name(d, rank)),
                                         index, " of ", type.shape[d]}
                              : Template{fmt::format("{} reads index ", as_written), index, " of ",
                                         type.shape[d], fmt::format(" in dimension {}", d + 1)};
    claims.push_back({in_range(constant(0), index, type.shape[d]), text});
  }
  if (!claims.empty())
    require(ObligationKind::bounds, Code::out_of_bounds, span,
            fmt::format("{} is inside {}", as_written, access.tensor), claims);
}

} // namespace atl::check
