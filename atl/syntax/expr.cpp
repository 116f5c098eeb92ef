#include "atl/syntax/expr.h"

#include "atl/base/check.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace atl {

namespace {

bool equal_lists(const std::vector<Index> &a, const std::vector<Index> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Index &x, const Index &y) { return equal(x, y); });
}

bool equal_lists(const std::vector<ExprPtr> &a, const std::vector<ExprPtr> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const ExprPtr &x, const ExprPtr &y) { return equal(x, y); });
}

// 0.0 and -0.0 are different literals. There is one NaN: the language does not say which bits it has.
bool same_value(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

struct EqualNodes {
  bool operator()(const Gen &a, const Gen &b) const {
    return a.var == b.var && a.mode == b.mode && equal(a.lo, b.lo) && equal(a.hi, b.hi) &&
           equal(a.body, b.body);
  }
  bool operator()(const Reduce &a, const Reduce &b) const {
    return a.reduction == b.reduction && a.var == b.var && a.mode == b.mode && equal(a.lo, b.lo) &&
           equal(a.hi, b.hi) && equal(a.body, b.body);
  }
  bool operator()(const Guard &a, const Guard &b) const {
    return equal(a.pred, b.pred) && equal(a.body, b.body);
  }
  bool operator()(const Let &a, const Let &b) const {
    return a.names == b.names && equal(a.bound, b.bound) && equal(a.body, b.body);
  }
  bool operator()(const Concat &a, const Concat &b) const {
    return equal(a.left, b.left) && equal(a.right, b.right);
  }
  bool operator()(const Reshape &a, const Reshape &b) const {
    return a.op == b.op && equal_lists(a.args, b.args) && equal(a.child, b.child);
  }
  bool operator()(const Tuple &a, const Tuple &b) const { return equal_lists(a.elements, b.elements); }
  bool operator()(const Access &a, const Access &b) const {
    return a.tensor == b.tensor && equal_lists(a.indices, b.indices);
  }
  bool operator()(const Literal &a, const Literal &b) const {
    return a.is_float == b.is_float && a.integer == b.integer && same_value(a.real, b.real) &&
           a.suffix == b.suffix;
  }
  bool operator()(const Op &a, const Op &b) const { return a.op == b.op && equal_lists(a.args, b.args); }
  bool operator()(const Convert &a, const Convert &b) const {
    return a.mode == b.mode && a.to == b.to && equal(a.arg, b.arg);
  }
  bool operator()(const Select &a, const Select &b) const {
    return equal(a.cond, b.cond) && equal(a.then, b.then) && equal(a.otherwise, b.otherwise);
  }
  bool operator()(const FromIndex &a, const FromIndex &b) const {
    return a.to == b.to && equal(a.value, b.value);
  }
  bool operator()(const Test &a, const Test &b) const { return equal(a.pred, b.pred); }
  bool operator()(const Call &a, const Call &b) const {
    auto same = [](const auto &x, const auto &y) {
      if (x.index() != y.index())
        return false;
      return x.index() == 0 ? equal(std::get<0>(x), std::get<0>(y)) : equal(std::get<1>(x), std::get<1>(y));
    };
    return a.callee == b.callee &&
           std::equal(a.args.begin(), a.args.end(), b.args.begin(), b.args.end(), same);
  }
  template <class A, class B>
  bool operator()(const A &, const B &) const {
    return false;
  }
};

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
  return a == b || std::visit(EqualNodes{}, a->node, b->node);
}

std::vector<ExprPtr> children(const Expr &e) {
  using List = std::vector<ExprPtr>;
  return match(
      e, [](const Gen &g) { return List{g.body}; }, [](const Reduce &r) { return List{r.body}; },
      [](const Guard &g) { return List{g.body}; },
      [](const Let &l) {
        return List{l.bound, l.body};
      },
      [](const Concat &c) {
        return List{c.left, c.right};
      },
      [](const Reshape &r) { return List{r.child}; }, [](const Tuple &t) { return t.elements; },
      [](const Access &) { return List{}; }, [](const Literal &) { return List{}; },
      [](const Op &o) { return o.args; }, [](const Convert &c) { return List{c.arg}; },
      [](const Select &s) {
        return List{s.cond, s.then, s.otherwise};
      },
      [](const FromIndex &) { return List{}; }, [](const Test &) { return List{}; },
      [](const Call &c) {
        List exprs;
        for (const auto &arg : c.args)
          if (const ExprPtr *expr = std::get_if<ExprPtr>(&arg))
            exprs.push_back(*expr);
        return exprs;
      });
}

ExprPtr rebuild(const Expr &e, std::vector<ExprPtr> kids) {
  ATL_CHECK(kids.size() == children(e).size(), "rebuild with another number of children");
  auto same_node = [&](auto node) { return make(std::move(node), e.span, e.type); };
  return match(
      e,
      [&](Gen g) {
        g.body = kids[0];
        return same_node(g);
      },
      [&](Reduce r) {
        r.body = kids[0];
        return same_node(r);
      },
      [&](Guard g) {
        g.body = kids[0];
        return same_node(g);
      },
      [&](Let l) {
        l.bound = kids[0];
        l.body = kids[1];
        return same_node(l);
      },
      [&](Concat c) {
        c.left = kids[0];
        c.right = kids[1];
        return same_node(c);
      },
      [&](Reshape r) {
        r.child = kids[0];
        return same_node(r);
      },
      [&](Tuple t) {
        t.elements = kids;
        return same_node(t);
      },
      [&](const Access &a) { return same_node(a); }, [&](Literal l) { return same_node(l); },
      [&](Op o) {
        o.args = kids;
        return same_node(o);
      },
      [&](Convert c) {
        c.arg = kids[0];
        return same_node(c);
      },
      [&](Select s) {
        s.cond = kids[0];
        s.then = kids[1];
        s.otherwise = kids[2];
        return same_node(s);
      },
      [&](const FromIndex &f) { return same_node(f); }, [&](const Test &t) { return same_node(t); },
      [&](Call c) {
        std::size_t next = 0;
        for (auto &arg : c.args)
          if (std::holds_alternative<ExprPtr>(arg))
            arg = kids[next++];
        return same_node(c);
      });
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
