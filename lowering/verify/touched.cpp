#include "lowering/verify/touched.h"

#include "atl/base/check.h"
#include "lowering/nest/row_range.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace atl::lowering {

namespace {

Index rows_of(const MemoryOperand &operand) {
  return operand.shape.size() == 2 ? operand.shape[0] : constant(1);
}

const Index &columns_of(const MemoryOperand &operand) {
  return operand.shape.back();
}

Index cells_of(const Shape &dims) {
  Index cells = constant(1);
  for (const Index &extent : dims)
    cells = mul(cells, extent);
  return cells;
}

// How many cells a row of the tensor lies behind the one before, along a dimension.
Index step_along(const Shape &dims, std::size_t dimension) {
  return cells_of(Shape(dims.begin() + static_cast<std::ptrdiff_t>(dimension) + 1, dims.end()));
}

Index behind(const Index &first, const Index &distance) {
  return sub(add(first, distance), constant(1));
}

struct Place {
  const Called &call;
  const MemoryOperand &operand;
  const FirstElement &first;
  const Buffer &tensor;
  const Facts facts; // where something is touched
  bool is_touched;   // or only pointed to, which may be just behind the end

  std::string starts() const {
    const bool is_result = operand.name == call.instruction->meaning.outputs[0].name;
    return fmt::format("{} {} {}", call.instruction->meaning.name,
                       !is_touched ? "is given addresses in"
                       : is_result ? "stores to"
                                   : "reads",
                       tensor.name);
  }

  Index last_column(const Index &from) const { return is_touched ? behind(from, columns_of(operand)) : from; }
  Pred is_before_end(const Index &last, const Index &end) const {
    return compare(is_touched ? PredOp::lt : PredOp::le, last, end);
  }
};

std::string text_of_dimension(const Place &place, std::size_t d) {
  return place.tensor.dims.size() == 1 ? "" : fmt::format(" in dimension {}", d + 1);
}

// From one index to another along a dimension.
Claim in_dimension(const Place &place, std::size_t d, const Index &to) {
  const Index &from = place.first.indices[d], &extent = place.tensor.dims[d];
  const bool is_last = d + 1 == place.tensor.dims.size();
  return {
      conj(compare(PredOp::ge, from, constant(0)),
           is_last ? place.is_before_end(to, extent) : compare(PredOp::lt, to, extent)),
      {place.starts() + " from index ", from, " to index ", to, " of ", extent, text_of_dimension(place, d)}};
}

// Each row of the operand is part of a row of the tensor, and they follow each other along one dimension.
std::vector<Claim> in_dimensions(const Place &place, std::optional<std::size_t> down, std::int64_t step) {
  std::vector<Claim> claims;
  const std::vector<Index> &first = place.first.indices;
  for (std::size_t d = 0; d < first.size(); ++d)
    if (d + 1 == first.size())
      claims.push_back(in_dimension(place, d, place.last_column(first[d])));
    else if (d == down)
      claims.push_back(in_dimension(
          place, d, add(first[d], mul(sub(rows_of(place.operand), constant(1)), constant(step)))));
    else
      claims.push_back(in_dimension(place, d, first[d]));
  return claims;
}

// Of groups of rows: the dimensions of the operand are the last ones of the tensor, and from each row or
// group to the next it is as far in the one as in the other.
std::vector<Claim> along_last_dimensions(const Place &place) {
  const Shape &shape = place.operand.shape, &dims = place.tensor.dims;
  const auto bytes = static_cast<std::int64_t>(byte_size(place.operand.elem));
  const std::size_t more = dims.size() - shape.size();
  std::vector<Claim> claims;
  Index apart = place.operand.distance;
  for (std::size_t d = dims.size(); d-- > 0;) {
    const Index &first = place.first.indices[d];
    if (d + 1 == dims.size())
      claims.push_back(in_dimension(place, d, place.last_column(first)));
    else
      claims.push_back(in_dimension(place, d, d < more ? first : behind(first, shape[d - more])));
    if (d + 1 == dims.size() || d < more)
      continue;
    const Index there = mul(step_along(dims, d), constant(bytes));
    claims.push_back(
        {compare(PredOp::eq, apart, there),
         {place.starts() + " in steps of ", apart, " bytes, not ", there, text_of_dimension(place, d)}});
    apart = mul(apart, shape[d - more]);
  }
  return claims;
}

Claim is_distance(const Place &place, const Index &bytes) {
  return {compare(PredOp::eq, place.operand.distance, bytes),
          {place.starts() + " in rows that lie ", place.operand.distance, " bytes behind each other, not ",
           bytes}};
}

constexpr std::int64_t most_rows_left_out = 4;

// Along which dimension the rows of the operand follow each other, in steps of a few rows of the tensor.
std::optional<std::vector<Claim>> down_a_dimension(const Place &place) {
  const Shape &dims = place.tensor.dims;
  const auto bytes = static_cast<std::int64_t>(byte_size(place.operand.elem));
  for (std::size_t d = dims.size() - 1; d-- > 0;)
    for (std::int64_t step = 1; step <= most_rows_left_out; ++step) {
      const Index stride = mul(step_along(dims, d), constant(bytes * step));
      if (as_constant(place.facts.simplify(sub(stride, place.operand.distance))) != 0)
        continue;
      std::vector<Claim> claims = in_dimensions(place, d, step);
      if (!equal(stride, place.operand.distance))
        claims.push_back(is_distance(place, stride));
      return claims;
    }
  return std::nullopt;
}

std::vector<Claim> among_all_cells(const Place &place) {
  const Index first = row_major(place.tensor.dims, place.first.indices), all = cells_of(place.tensor.dims);
  std::vector<Claim> claims;
  Index last = first;
  if (place.operand.shape.size() == 2) {
    const auto bytes = static_cast<std::int64_t>(byte_size(place.operand.elem));
    const Index step = place.facts.simplify(floor_div(place.operand.distance, constant(bytes)));
    claims.push_back(is_distance(place, mul(step, constant(bytes))));
    claims.push_back({compare(PredOp::ge, step, constant(0)), {place.starts() + " in rows that go back"}});
    last = add(last, mul(sub(rows_of(place.operand), constant(1)), step));
  }
  last = place.last_column(last);
  claims.push_back({conj(compare(PredOp::ge, first, constant(0)), place.is_before_end(last, all)),
                    {place.starts() + " from cell ", first, " to cell ", last, " of ", all}});
  return claims;
}

bool are_known(const std::vector<Claim> &claims, const Facts &facts) {
  return std::all_of(claims.begin(), claims.end(), [&](const Claim &claim) {
    const std::vector<Pred> parts = conjuncts(claim.holds);
    return std::all_of(parts.begin(), parts.end(), [&](const Pred &part) { return facts.proves(part); });
  });
}

// Rows are claimed to be inside of rows where nothing runs on, or the quick procedure finds that nothing
// does: that is easier to prove. The solver decides either.
std::vector<Claim> claims_of(const Place &place, bool runs_on) {
  if (place.operand.shape.size() > 2)
    return along_last_dimensions(place);
  auto claims = place.operand.shape.size() == 2 ? down_a_dimension(place)
                                                : std::optional(in_dimensions(place, std::nullopt, 0));
  if (claims && (!runs_on || are_known(*claims, place.facts)))
    return *claims;
  return among_all_cells(place);
}

Pred is_multiple(const Index &distance, std::int64_t bytes) {
  return compare(PredOp::eq, binary(IndexOp::mod, distance, constant(bytes)), constant(0));
}

// out[y, x] lies so many bytes behind the beginning of out
Template place_of(std::string what, const FirstElement &first, const Buffer &tensor) {
  what += tensor.name;
  Template words;
  for (const Index &index : first.indices) {
    words.emplace_back(what + (words.empty() ? "[" : ", "));
    words.emplace_back(index);
    what.clear();
  }
  words.emplace_back("] lies ");
  words.emplace_back(mul(row_major(tensor.dims, first.indices), constant(info(tensor.elem).bits / 8)));
  words.emplace_back(fmt::format(" bytes behind the beginning of {}", tensor.name));
  return words;
}

} // namespace

std::string cell(const std::string &buffer, const std::vector<Index> &indices) {
  std::vector<std::string> texts;
  for (const Index &index : indices)
    texts.push_back(to_string(index));
  return indices.empty() ? buffer : fmt::format("{}[{}]", buffer, fmt::join(texts, ", "));
}

Pred touches_any(const MemoryOperand &operand) {
  std::vector<Pred> parts;
  for (const Index &extent : operand.shape)
    if (!as_constant(extent))
      parts.push_back(compare(PredOp::gt, extent, constant(0)));
  return conj(parts);
}

std::vector<Claim> inside_claims(const Called &call, const MemoryOperand &operand, const FirstElement &first,
                                 const Buffer &tensor, bool runs_on, const Known &known) {
  ATL_CHECK(tensor.elem == operand.elem && first.indices.size() == tensor.dims.size() &&
                !operand.shape.empty() &&
                operand.shape.size() <= std::max<std::size_t>(2, tensor.dims.size()),
            "an operand that is not in its tensor: " + operand.name);
  return claims_of({call, operand, first, tensor, known.facts(), true}, runs_on);
}

// Of rows that are touched, and of the first.
std::vector<Claim> address_claims(const Called &call, MemoryOperand operand, const FirstElement &first,
                                  const Buffer &tensor, bool runs_on, const Known &known) {
  for (std::size_t d = 0; d + 1 < operand.shape.size(); ++d)
    operand.shape[d] = known.facts().simplify(binary(IndexOp::max, operand.shape[d], constant(1)));
  return claims_of({call, operand, first, tensor, known.facts(), false}, runs_on);
}

static std::string in_words(const RowRange &rows) {
  const std::string text = fmt::format("{} rows from {} on", rows.count, rows.first);
  return rows.banks == 1 ? text : text + fmt::format(" in each of {} banks", rows.banks);
}

std::vector<Claim> inside_claims(const Called &call, const MemoryOperand &operand, const RowBlock &block,
                                 const RowRange &rows, const Memory &memory) {
  const std::string starts =
      fmt::format("{} touches rows of {} ", call.instruction->meaning.name, block.buffer);
  const Index width = constant(memory.rows->width), &columns = columns_of(operand);
  Index last = behind(block.address, rows_of(operand));
  std::vector<Claim> claims;
  if (operand.distance)
    last = add(last, mul(sub(ceil_div(columns, width), constant(1)), operand.distance));
  else
    claims.push_back(
        {compare(PredOp::le, columns, width), {starts + "that have ", width, " columns, and not ", columns}});
  Pred in_a_bank = truth(false);
  for (const RowRange &part : in_each_bank(rows))
    in_a_bank = disj(in_a_bank, conj(compare(PredOp::ge, block.address, constant(part.first)),
                                     compare(PredOp::lt, last, constant(part.first + part.count))));
  claims.push_back(
      {in_a_bank, {starts + "from ", block.address, " to ", last, ", which has " + in_words(rows)}});
  return claims;
}

// How far the element lies behind the beginning is a sum of an index times a stride for each dimension. Each
// of them is a multiple; where the stride depends on sizes, it may be one by itself, which is easier to
// decide.
std::vector<Claim> aligned_claims(const Called &call, const FirstElement &first, const Buffer &tensor,
                                  std::int64_t bytes, std::int64_t beginning, const Known &known) {
  const std::string need = fmt::format("{} needs an address that is a multiple of {}, and ",
                                       call.instruction->meaning.name, bytes);
  std::vector<Claim> claims{{is_multiple(constant(beginning), bytes),
                             {need + fmt::format("{} begins at a multiple of {}", tensor.name, beginning)}}};
  const Index size = constant(info(tensor.elem).bits / 8);
  for (std::size_t d = tensor.dims.size(); d-- > 0;) {
    const Index stride = mul(size, step_along(tensor.dims, d));
    const Pred whole = is_multiple(mul(first.indices[d], stride), bytes);
    const bool is_known = as_constant(stride) || known.facts().proves(whole);
    claims.push_back(
        {is_known ? whole : disj(is_multiple(stride, bytes), whole), place_of(need, first, tensor)});
  }
  return claims;
}

} // namespace atl::lowering
