// Padding by brute force: which cells are stored to, whether a pad type describes them, whether an obligation
// holds for given sizes.
#pragma once
#include "atl/meaning/tensor.h"
#include "padtypes/infer_pad.h"
#include "padtypes/padtypes.h"
#include "tests/unit/typed_trees.h"

#include <algorithm>

namespace atl::padtypes::brute {

using namespace atl::trees;

using Kind = std::optional<Reduction>;

// Which cells of a tensor something is stored to, row-major.
struct Stored {
  std::vector<std::int64_t> shape;
  std::vector<char> cells;

  std::size_t row_size() const {
    std::size_t size = 1;
    for (std::size_t d = 1; d < shape.size(); ++d)
      size *= static_cast<std::size_t>(shape[d]);
    return size;
  }
  Stored row(std::int64_t i) const {
    auto begin = cells.begin() + i * static_cast<std::int64_t>(row_size());
    return {{shape.begin() + 1, shape.end()}, {begin, begin + static_cast<std::int64_t>(row_size())}};
  }
  bool is_padding() const { return std::find(cells.begin(), cells.end(), 1) == cells.end(); }
};

inline std::int64_t number(const Index &e, const Valuation &values) {
  return evaluate(e, values).value();
}

inline std::vector<std::int64_t> numbers(const Shape &shape, const Valuation &values) {
  std::vector<std::int64_t> result;
  for (const Index &extent : shape)
    result.push_back(number(extent, values));
  return result;
}

inline Valuation with(Valuation values, const std::string &var, std::int64_t value) {
  values[var] = value;
  return values;
}

// Collects what truncations cut: the exact answer of the check.
struct Exact {
  bool cuts_data = false;

  Stored of(const ExprPtr &e, const Valuation &values, Kind kind) {
    Stored result{numbers(shape(e), values), {}};
    match(
        e,
        [&](const Gen &g) {
          for (std::int64_t i = number(g.lo, values); i < number(g.hi, values); ++i)
            append(result, of(g.body, with(values, g.var, i), kind));
        },
        [&](const Reduce &r) { reduce(result, r, values, kind); },
        [&](const Guard &g) {
          if (evaluate(g.pred, values).value())
            result = of(g.body, values, kind);
          else
            fill(result, 0);
        },
        [&](const Let &l) {
          of(l.bound, values, filling_reduction(l.bound));
          result = of(l.body, values, kind);
        },
        [&](const Concat &c) {
          append(result, of(c.left, values, kind));
          append(result, of(c.right, values, kind));
        },
        [&](const Reshape &r) { result = reshape(r, of(r.child, values, kind), values); },
        [&](const Op &o) {
          for (const ExprPtr &arg : o.args)
            of(arg, values, filling_reduction(arg));
          fill(result, 1);
        },
        [&](const auto &) { fill(result, 1); });
    return result;
  }

private:
  static void fill(Stored &s, char value) {
    std::int64_t count = 1;
    for (std::int64_t extent : s.shape)
      count *= extent;
    s.cells.assign(static_cast<std::size_t>(count), value);
  }
  static void append(Stored &s, const Stored &part) {
    s.cells.insert(s.cells.end(), part.cells.begin(), part.cells.end());
  }

  void reduce(Stored &result, const Reduce &r, const Valuation &values, Kind kind) {
    bool separate = kind != r.reduction;
    fill(result, separate ? 1 : 0);
    for (std::int64_t i = number(r.lo, values); i < number(r.hi, values); ++i) {
      Stored part = of(r.body, with(values, r.var, i), r.reduction);
      for (std::size_t at = 0; at < part.cells.size(); ++at)
        result.cells[at] = static_cast<char>(result.cells[at] | part.cells[at]);
    }
  }

  Stored reshape(const Reshape &r, const Stored &child, const Valuation &values) {
    Stored result{{}, {}};
    std::int64_t n = child.shape[0], k = r.args.empty() ? 0 : number(r.args[0], values);
    result.shape = numbers(r.op->shape(r.args, constants(child.shape)), values);
    auto copy_rows = [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i)
        append(result, child.row(i));
    };
    auto add_padding = [&](std::int64_t rows) {
      result.cells.insert(result.cells.end(), static_cast<std::size_t>(rows) * child.row_size(), 0);
    };
    if (r.op == &flatten_op) {
      result.cells = child.cells;
    } else if (r.op == &transpose_op) {
      for (std::int64_t j = 0; j < child.shape[1]; ++j)
        for (std::int64_t i = 0; i < n; ++i)
          append(result, child.row(i).row(j));
    } else if (r.op == &split_op) {
      copy_rows(0, n);
      add_padding(result.shape[0] * k - n);
    } else if (r.op == &padr_op) {
      copy_rows(0, n);
      add_padding(k);
    } else if (r.op == &padl_op) {
      add_padding(k);
      copy_rows(0, n);
    } else {
      bool right = r.op == &truncr_op;
      copy_rows(right ? 0 : k, right ? n - k : n);
      for (std::int64_t i = right ? n - k : 0; i < (right ? n : k); ++i)
        cuts_data = cuts_data || !child.row(i).is_padding();
    }
    return result;
  }

  static Shape constants(const std::vector<std::int64_t> &values) {
    Shape result;
    for (std::int64_t value : values)
      result.push_back(n(value));
    return result;
  }
};

inline bool has_shape(const PadTypePtr &type, const Stored &tensor, const Valuation &values) {
  return numbers(shape_of(type), values) == tensor.shape;
}

// The meaning of a type: padtypes.h. Counts and conditions need to have a value only where there is data.
inline bool describes(const PadTypePtr &type, const Stored &tensor, const Valuation &values) {
  if (!has_shape(type, tensor, values))
    return false;
  if (tensor.is_padding())
    return true;
  if (!evaluate(type->data, values).value())
    return false;
  if (type->is_scalar())
    return true;
  std::int64_t extent = tensor.shape[0], k = number(type->k, values), c = number(type->c, values);
  std::int64_t l = number(type->l, values), r = number(type->r, values);
  if (k < 0 || c < 0)
    return false;
  for (std::int64_t i = 0; i < extent; ++i) {
    Stored row = tensor.row(i);
    if ((i < k || i >= extent - c) && !row.is_padding())
      return false;
    if (i >= k && i < k + l && !describes(type->first, row, values))
      return false;
    if (i < extent - c && i >= extent - c - r && !describes(type->last, row, values))
      return false;
  }
  return true;
}

// Whether the obligation holds for these sizes: no values of the variables satisfy the hypotheses.
inline bool holds(const Obligation &o, const Valuation &values, std::size_t next = 0) {
  for (const Pred &p : o.hypotheses) // as far as they are decided
    if (evaluate(p, values) == false)
      return true;
  if (next == o.variables.size())
    return false;
  for (std::int64_t value = 0; value <= 12; ++value)
    if (!holds(o, with(values, o.variables[next], value), next + 1))
      return false;
  return true;
}

inline TypedKernel sized_kernel(const std::vector<std::string> &sizes, ExprPtr result) {
  std::vector<Param> params;
  TypedKernel k;
  for (const std::string &size : sizes) {
    params.push_back(size_param(size));
    k.assumptions.push_back(compare(PredOp::ge, v(size), n(0)));
    k.assumptions.push_back(compare(PredOp::le, v(size), n(default_size_limit)));
  }
  k.name = "k";
  k.params = std::move(params);
  k.outputs = {{"out", {}, *result->type}};
  k.results = {std::move(result)};
  return k;
}

inline Place place_of(const TypedKernel &k) {
  Place place;
  for (const Pred &p : k.assumptions)
    place.known.assume(p);
  place.filling = filling_reduction(k.results[0]);
  return place;
}

} // namespace atl::padtypes::brute
