// Random index expressions, predicates and extents.
#include "fuzz/generate.h"

namespace atl::fuzz {

static constexpr std::int64_t longest_extent = 70;

Index Generator::index(const Context &context, int depth) {
  auto leaf = [&] {
    if (context.variables.empty() || random_.chance(20))
      return constant(random_.below(6));
    return variable(random_.pick(context.variables).name);
  };
  if (depth <= 0)
    return leaf();
  auto operand = [&] { return index(context, depth - 1); };
  auto two = [&](IndexOp op) { // in this order, whatever the compiler
    Index a = operand();
    return binary(op, a, operand());
  };
  auto divisor = [&]() -> Index {
    Index candidate = operand();
    return random_.chance(20) && context.is_positive(candidate) ? candidate : constant(random_.between(1, 5));
  };
  auto divided = [&](IndexOp op) {
    Index a = operand();
    return binary(op, a, divisor());
  };
  auto scaled = [&](bool on_the_left) {
    Index factor = constant(random_.between(1, 4)), other = operand();
    return on_the_left ? binary(IndexOp::mul, factor, other) : binary(IndexOp::mul, other, factor);
  };
  Choice<Index> choice;
  choice.add(3, leaf);
  choice.add(3, [&] { return two(IndexOp::add); });
  choice.add(3, [&] { return two(IndexOp::sub); });
  choice.add(1, [&] { return scaled(true); });
  choice.add(1, [&] { return scaled(false); });
  choice.add(1, [&] { return divided(IndexOp::div); });
  choice.add(1, [&] { return divided(IndexOp::cdiv); });
  choice.add(1, [&] { return divided(IndexOp::mod); });
  choice.add(1, [&] { return two(IndexOp::min); });
  choice.add(1, [&] { return two(IndexOp::max); });
  return choice.choose(random_);
}

// Without a name it would be a number, not an index.
Index Generator::index_with_name(const Context &context, int depth) {
  Index result = index(context, depth);
  std::set<std::string> names;
  collect_variables(result, names);
  return names.empty() ? variable(random_.pick(context.variables).name) : result;
}

Pred Generator::predicate(const Context &context, int depth) {
  static const std::vector<PredOp> comparisons{PredOp::lt, PredOp::le, PredOp::gt,
                                               PredOp::ge, PredOp::eq, PredOp::ne};
  auto operand = [&] { return predicate(context, depth - 1); };
  auto two = [&](auto connect) {
    Pred a = operand();
    return connect(a, operand());
  };
  Choice<Pred> choice;
  choice.add(4, [&] {
    PredOp op = random_.pick(comparisons);
    Index a = index_with_name(context, 1);
    return compare(op, a, index(context, 1));
  });
  if (depth > 0) {
    choice.add(2, [&] { return two([](const Pred &a, const Pred &b) { return conj(a, b); }); });
    choice.add(1, [&] { return two([](const Pred &a, const Pred &b) { return disj(a, b); }); });
    choice.add(1, [&] { return neg(operand()); });
  }
  return choice.choose(random_);
}

// Not negative, and of moderate length, in every sample.
Index Generator::extent(const Context &context, bool large) {
  auto size = [&]() -> Index {
    std::vector<std::string> sizes;
    for (const Variable &v : context.variables)
      if (!v.lo)
        sizes.push_back(v.name);
    return sizes.empty() ? constant(3) : variable(random_.pick(sizes));
  };
  auto two_sizes = [&](IndexOp op) {
    Index a = size();
    return binary(op, a, size());
  };
  auto with_number = [&](IndexOp op, int lo, int hi) {
    Index a = size();
    return binary(op, a, constant(random_.between(lo, hi)));
  };
  Choice<Index> choice;
  choice.add(6, size);
  choice.add(4, [&] { return constant(random_.between(large ? 1 : 0, large ? 6 : 4)); });
  choice.add(2, [&] { return constant(random_.below(2)); }); // without elements, or with one
  choice.add(2, [&] { return with_number(IndexOp::add, 1, 3); });
  choice.add(1, [&] { return binary(IndexOp::mul, constant(2), size()); });
  choice.add(1, [&] { return with_number(IndexOp::div, 2, 4); });
  choice.add(1, [&] { return with_number(IndexOp::cdiv, 2, 4); });
  choice.add(1, [&] { return with_number(IndexOp::mod, 2, 4); });
  choice.add(1, [&] { return with_number(IndexOp::min, 1, 4); });
  choice.add(1, [&] { return with_number(IndexOp::max, 1, 4); });
  choice.add(1, [&] { return two_sizes(IndexOp::add); });
  if (large)
    choice.add(1, [&] { return two_sizes(IndexOp::mul); });
  choice.add(2, [&] { return index(context, 1); }); // may depend on loops around
  for (int attempt = 0; attempt < 5; ++attempt) {
    Index candidate = choice.choose(random_);
    if (context.is_nonnegative(candidate) && context.greatest(candidate) <= longest_extent)
      return candidate;
  }
  return constant(random_.between(0, 4));
}

Index Generator::index_inside(const Context &context, const Index &extent) {
  auto fits = [&](const Index &candidate) {
    return context.always(in_range(constant(0), candidate, extent));
  };
  std::vector<Index> exact; // loops over just this range, from either end
  for (const Variable &v : context.variables)
    if (v.lo && equal(sub(v.hi, v.lo), extent)) {
      exact.push_back(sub(variable(v.name), v.lo));
      exact.push_back(sub(sub(v.hi, constant(1)), variable(v.name)));
    }
  if (!exact.empty() && random_.chance(70))
    if (Index candidate = random_.pick(exact); fits(candidate))
      return candidate;
  for (int attempt = 0; attempt < 5; ++attempt) {
    Index candidate = index(context, attempt < 2 ? 1 : 2);
    if (fits(candidate))
      return candidate;
  }
  if (!context.is_positive(extent))
    return nullptr;
  Index any = index(context, 2); // brought inside
  if (random_.chance(30))
    return binary(IndexOp::mod, any, extent);
  return binary(IndexOp::min, binary(IndexOp::max, any, constant(0)),
                binary(IndexOp::sub, extent, constant(1)));
}

} // namespace atl::fuzz
