// The rules of the reshape operators.
#include "padtypes/rules.h"

#include <array>
#include <utility>

namespace atl::padtypes {

namespace {

// The cells of a row that lies at an end of the tensor: its padding there, and the run of cells after it.
struct RowEnd {
  Index padding;
  std::optional<Run> cells; // without those that have no type of their own
  bool full;                // the run is the whole row
};

RowEnd row_end(const PadTypePtr &row, bool right, const Facts &facts) {
  const PadType &t = *row;
  Index padding = smaller(right ? t.c : t.k, t.extent, facts);
  std::optional<Run> cells = right ? trailing(t, facts) : leading(t, facts);
  bool full =
      cells && is_constant(t.k, 0) && is_constant(t.c, 0) && proves_at_least(cells->count, t.extent, facts);
  if (cells)
    cells = Run{smaller(cells->count, facts.simplify(sub(t.extent, padding)), facts),
                only_where(t.data, cells->type)};
  return {padding, cells, full};
}

// Rows in a line: the padding of whole rows, then that of the first row which is not, and its cells.
struct FlatEnd {
  Index padding;
  Run cells;
};

FlatEnd flat_end(const Index &padded_rows, const std::optional<Run> &rows, const Index &row_extent,
                 bool right, const PadTypePtr &any_cell, const Facts &facts) {
  FlatEnd result{facts.simplify(mul(padded_rows, row_extent)), {constant(0), any_cell}};
  if (!rows)
    return result;
  RowEnd end = row_end(rows->type, right, facts);
  result.padding = facts.simplify(add(result.padding, end.padding));
  if (end.cells)
    result.cells = {end.full ? facts.simplify(mul(rows->count, row_extent)) : end.cells->count,
                    end.cells->type};
  return result;
}

PadTypePtr flatten_type(const Args &, const PadType &t, const Facts &facts) {
  const Index &rows = t.extent, &columns = t.first->extent;
  const PadTypePtr &any_cell = t.first->first;
  FlatEnd left = flat_end(t.k, leading(t, facts), columns, false, any_cell, facts);
  FlatEnd right = flat_end(t.c, trailing(t, facts), columns, true, any_cell, facts);
  PadType result{t.data,
                 facts.simplify(mul(rows, columns)),
                 left.padding,
                 left.cells.count,
                 right.cells.count,
                 right.padding,
                 left.cells.type,
                 right.cells.type};
  return tidy(std::move(result), facts);
}

// The cells (at all depths below) of a row as one type, if the row is known throughout.
PadTypePtr common_cell(const PadTypePtr &row, const Facts &facts) {
  PadTypePtr cell = common_slice(*row, facts);
  return cell ? only_where(row->data, cell) : nullptr;
}

// A column that crosses rows padded at both ends, and rows whose cells have one type where that is known.
PadTypePtr column_type(const PadType &t, const Facts &facts) {
  PadTypePtr top = common_cell(t.first, facts), bottom = common_cell(t.last, facts);
  const PadTypePtr &any_cell = t.first->first;
  return tensor_type({truth(true), t.extent, t.k, top ? t.l : constant(0), bottom ? t.r : constant(0), t.c,
                      top ? top : any_cell, bottom ? bottom : any_cell});
}

// Rows that are all known: a column is padding if it is in each of them.
PadTypePtr transpose_covered(const PadType &t, const Facts &facts) {
  PadTypePtr row = common_slice(t, facts);
  return uniform_middle(t.data, t.first->extent, row->k, column_type(t, facts), row->c, facts);
}

// Columns that are padding in the rows which are known say so of those rows only.
PadTypePtr transpose_uncovered(const PadType &t, const Facts &facts) {
  Index left = smaller(t.first->k, t.last->k, facts), right = smaller(t.first->c, t.last->c, facts);
  if (is_constant(left, 0) && is_constant(right, 0))
    return uniform_middle(t.data, t.first->extent, constant(0), column_type(t, facts), constant(0), facts);
  PadType column = *column_type(t, facts);
  column.k = facts.simplify(add(t.k, at_least_zero(t.l, facts)));
  column.c = facts.simplify(add(t.c, at_least_zero(t.r, facts)));
  column.l = column.r = constant(0);
  PadTypePtr shared = tensor_type(std::move(column));
  return tensor_type({t.data, t.first->extent, constant(0), left, right, constant(0), shared, shared});
}

PadTypePtr transpose_type(const Args &, const PadType &t, const Facts &facts) {
  return covers(t, facts) ? transpose_covered(t, facts) : transpose_uncovered(t, facts);
}

// Quotient and remainder; a number below the divisor, as the overhang of the last tile is, stays as it is.
std::pair<Index, Index> divided(const Index &count, const Index &by, const Facts &facts) {
  if (facts.proves(in_range(constant(0), count, by)))
    return {constant(0), count};
  return {facts.simplify(floor_div(count, by)), facts.simplify(modulo(count, by))};
}

PadTypePtr split_type(const Args &args, const PadType &t, const Facts &facts) {
  const Index &width = args[0];
  Index tiles = facts.simplify(ceil_div(t.extent, width));
  Index c = facts.simplify(add(t.c, sub(mul(tiles, width), t.extent)));
  auto [k_tiles, k_rest] = divided(t.k, width, facts);
  auto [c_tiles, c_rest] = divided(c, width, facts);
  auto some = [](const Index &rest) { // of a tile that is partly padding there is one, or none
    auto known = as_constant(rest);
    return constant(known && *known == 0 ? 0 : 1);
  };
  PadType left{truth(true), width, k_rest, constant(0), constant(0), constant(0), t.first, t.first};
  if (auto run = leading(t, facts))
    left = PadType{
        truth(true), width,       k_rest,    smaller(run->count, facts.simplify(sub(width, k_rest)), facts),
        constant(0), constant(0), run->type, run->type};
  PadType right{truth(true), width, constant(0), constant(0), constant(0), c_rest, t.last, t.last};
  if (auto run = trailing(t, facts))
    right = PadType{truth(true),
                    width,
                    constant(0),
                    constant(0),
                    smaller(run->count, facts.simplify(sub(width, c_rest)), facts),
                    c_rest,
                    run->type,
                    run->type};
  PadType result{t.data,       tiles,   k_tiles,           some(k_rest),
                 some(c_rest), c_tiles, tensor_type(left), tensor_type(right)};
  PadTypePtr slice = common_slice(t, facts);
  if (slice && is_constant(k_rest, 0)) { // all tiles but perhaps the last are full
    result.l = facts.simplify(sub(sub(sub(tiles, k_tiles), c_tiles), result.r));
    result.first = uniform_middle(truth(true), width, constant(0), slice, constant(0), facts);
    result.last = uniform_middle(truth(true), width, constant(0), slice, c_rest, facts);
  }
  return tensor_type(std::move(result));
}

PadTypePtr padr_type(const Args &args, const PadType &t, const Facts &facts) {
  PadType result = t;
  result.extent = facts.simplify(add(t.extent, args[0]));
  result.c = facts.simplify(add(t.c, args[0]));
  return tensor_type(std::move(result));
}

PadTypePtr padl_type(const Args &args, const PadType &t, const Facts &facts) {
  PadType result = t;
  result.extent = facts.simplify(add(t.extent, args[0]));
  result.k = facts.simplify(add(t.k, args[0]));
  return tensor_type(std::move(result));
}

// Where the padding does not suffice, the cut goes into the part next to it.
void cut(Index &padding, Index &part, const Index &amount, const Facts &facts) {
  if (!proves_at_least(padding, amount, facts))
    part = smaller(part, facts.simplify(sub(add(part, padding), amount)), facts);
  padding = at_least_zero(facts.simplify(sub(padding, amount)), facts);
}

PadTypePtr truncr_type(const Args &args, const PadType &t, const Facts &facts) {
  PadType result = t;
  result.extent = facts.simplify(sub(t.extent, args[0]));
  cut(result.c, result.r, args[0], facts);
  return tidy(std::move(result), facts);
}

PadTypePtr truncl_type(const Args &args, const PadType &t, const Facts &facts) {
  PadType result = t;
  result.extent = facts.simplify(sub(t.extent, args[0]));
  cut(result.k, result.l, args[0], facts);
  return tidy(std::move(result), facts);
}

Shape simplified(Shape shape, const Facts &facts) {
  for (Index &extent : shape)
    extent = facts.simplify(extent);
  return shape;
}

struct Rule {
  const ReshapeOp *op;
  PadTypePtr (*type)(const Args &, const PadType &child, const Facts &);
};

// Of the result of an operator without a rule, nothing is known.
constexpr std::array rules{
    Rule{&flatten_op, flatten_type}, Rule{&split_op, split_type},   Rule{&transpose_op, transpose_type},
    Rule{&truncr_op, truncr_type},   Rule{&truncl_op, truncl_type}, Rule{&padr_op, padr_type},
    Rule{&padl_op, padl_type}};

} // namespace

PadTypePtr reshape_rule(const ReshapeOp &op, const Args &args, const PadTypePtr &child, const Facts &facts) {
  if (is_padding(child, facts))
    return padding(simplified(op.shape(args, shape_of(child)), facts));
  for (const Rule &rule : rules)
    if (rule.op == &op)
      return rule.type(args, *child, facts);
  return nothing_known(simplified(op.shape(args, shape_of(child)), facts));
}

} // namespace atl::padtypes
