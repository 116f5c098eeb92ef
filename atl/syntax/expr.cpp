#include "atl/syntax/expr.h"

#include "atl/base/check.h"
#include "atl/syntax/fields.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace atl {

namespace {

// 0.0 and -0.0 are different literals. There is one NaN: the language does not say which bits it has.
bool same_value(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

template <class T>
bool same(const T &a, const T &b) {
  if constexpr (requires { equal(a, b); })
    return equal(a, b);
  else if constexpr (std::same_as<T, double>)
    return same_value(a, b);
  else
    return a == b;
}

template <class... T>
bool same(const std::variant<T...> &a, const std::variant<T...> &b) {
  return a.index() == b.index() &&
         std::visit([&]<class X>(const X &x) { return same(x, std::get<X>(b)); }, a);
}

template <class T>
bool same(const std::vector<T> &a, const std::vector<T> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const T &x, const T &y) { return same(x, y); });
}

template <class... T>
bool same(const std::tuple<T &...> &a, const std::tuple<T &...> &b) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return (same(std::get<I>(a), std::get<I>(b)) && ...);
  }
  (std::index_sequence_for<T...>{});
}

} // namespace

std::string_view name(LoopMode mode) {
  switch (mode) {
  case LoopMode::sequential: return "";
  case LoopMode::parallel: return "parallel";
  case LoopMode::unrolled: return "unrolled";
  case LoopMode::vectorized: return "vectorized";
  }
  ATL_CHECK(false, "a loop mode without a name");
}

std::optional<LoopMode> loop_mode_named(std::string_view word) {
  for (LoopMode mode : {LoopMode::parallel, LoopMode::unrolled, LoopMode::vectorized})
    if (name(mode) == word)
      return mode;
  return std::nullopt;
}

bool equal(const ExprPtr &a, const ExprPtr &b) {
  if (a == b || a->node.index() != b->node.index())
    return a == b;
  return match(
      a, [&]<class Node>(const Node &node) { return same(fields(node), fields(std::get<Node>(b->node))); });
}

std::vector<ExprPtr> children(const Expr &e) {
  take_step();
  std::vector<ExprPtr> all;
  for_each_part(e, [&](const ExprPtr &child) { all.push_back(child); });
  return all;
}

ExprPtr rebuild(const Expr &e, std::vector<ExprPtr> kids) {
  Expr result = e;
  std::size_t next = 0;
  for_each_part(result, [&](ExprPtr &child) { child = kids.at(next++); });
  ATL_CHECK(next == kids.size(), "rebuild with another number of children");
  return std::make_shared<const Expr>(std::move(result));
}

bool is_scalar_form(const Expr &e) {
  return match(
      e, [](const Gen &) { return false; }, [](const Reduce &) { return false; },
      [](const Guard &) { return false; }, [](const Let &) { return false; },
      [](const Concat &) { return false; }, [](const Reshape &) { return false; },
      [](const Tuple &) { return false; }, [](const Access &) { return true; },
      [](const Literal &) { return true; }, [](const Op &) { return true; },
      [](const Convert &) { return true; }, [](const Select &) { return true; },
      [](const FromIndex &) { return true; }, [](const Test &) { return true; },
      [](const Call &) { return false; });
}

std::optional<Reduction> filling_reduction(const ExprPtr &e) {
  using Found = std::optional<Reduction>;
  return match(
      e, [](const Gen &g) { return filling_reduction(g.body); },
      [](const Reduce &r) { return Found(r.reduction); },
      [](const Guard &g) { return filling_reduction(g.body); },
      [](const Let &l) { return filling_reduction(l.body); },
      [](const Concat &c) {
        Found left = filling_reduction(c.left);
        return left ? left : filling_reduction(c.right);
      },
      [](const Reshape &r) { return filling_reduction(r.child); }, [](const Tuple &) { return Found(); },
      [](const Access &) { return Found(); }, [](const Literal &) { return Found(); },
      [](const Op &) { return Found(); }, [](const Convert &) { return Found(); },
      [](const Select &) { return Found(); }, [](const FromIndex &) { return Found(); },
      [](const Test &) { return Found(); }, [](const Call &) { return Found(); });
}

} // namespace atl
