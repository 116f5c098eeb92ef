#include "atl/schedule/auto/loop_contractions.h"

#include "atl/schedule/auto/tiles.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::schedule {

namespace {

constexpr std::int64_t few_of_a_loop = 4;     // of several loops of rows that share a copy
constexpr std::int64_t long_sum = 128;        // of a picture: then narrow tiles are better
constexpr std::int64_t worth_blocks = 16;     // terms of a sum, of which few rows at a time are computed
constexpr std::int64_t rows_worth_groups = 4; // of what is copied cell by cell
constexpr std::int64_t short_sum = 32;        // most of the time goes into rows of results
constexpr std::int64_t part_of_cache = 4;     // for what is read again for each few rows of results
constexpr Tile tile_of_short_sums{8, 2};      // more results in a row at a time are no faster
constexpr std::int64_t fewest_rows_at_once = 2, most_rows_at_once = 7, vectors_of_all_rows = 2;

// What is read once for few rows, in blocks: more vectors leave no registers in AVX2, and more rows of it are
// no faster.
constexpr std::int64_t rows_of_a_block = 8, vectors_of_a_block = 4; // or groups of rows

struct Contraction {
  const LoopSubject &s;
  const LoopHead &row;
  const Access &panel;
  std::optional<LaneProducts> group; // that an instruction adds up in a lane
  bool shared;                       // the panel is the same for all loops around the rows
  Pred pictures;                     // the rows are lines of a picture in a network, with long sums
  ChosenTiles tiles = {};
};

std::optional<Elem> elem_of(const std::string &tensor, const TypedKernel &kernel) {
  for (const Param &param : kernel.params)
    if (param.name == tensor)
      return param.type.elem;
  for (const Binding &let : kernel.lets)
    if (let.name == tensor)
      return let.value->type->elem;
  return std::nullopt;
}

std::optional<LaneProducts> group_of(const LoopSubject &s) {
  const Nest &nest = s.nest;
  if (!s.vectors->masks || nest.reads.size() != 2 || nest.sums.size() != 1)
    return std::nullopt;
  return products_in_lane(*s.work.hardware, *s.vectors, nest.elem,
                          elem_of(nest.reads[0].tensor, s.kernel()).value_or(nest.elem),
                          elem_of(nest.reads[1].tensor, s.kernel()).value_or(nest.elem));
}

bool serves_all_loops(const LoopSubject &s) {
  bool others = false;
  for (std::size_t i = 0; i < s.nest.loops.size(); ++i) {
    if (i == s.roles->column || i == *s.roles->row)
      continue;
    others = true;
    if (reads_along(s.roles->panel, s.loop(i)) != Along::not_at_all)
      return false;
  }
  return others;
}

Pred lines_of_pictures(const LoopHead &row, const LoopHead &sum) {
  return conj(compare(PredOp::eq, modulo(extent_of(row), constant(tile_of_pictures.rows)), constant(0)),
              decided(compare(PredOp::ge, extent_of(sum), constant(long_sum))));
}

Contraction contraction_of(const LoopSubject &s) {
  const LoopHead &row = s.nest.loops[*s.roles->row];
  Contraction c{
      s, row, s.roles->panel, group_of(s), serves_all_loops(s), lines_of_pictures(row, s.nest.sums.back())};
  const bool contracts = s.work.requests && s.work.requests->contracts && is_float(s.nest.elem);
  const bool in_turn = c.group && !c.group->at_once;
  const bool at_once = contracts || c.group || s.nest.reads.size() < 2;
  const Term term = in_turn ? Term::in_turn : at_once ? Term::added_at_once : Term::computed_first;
  c.tiles = choose_tiles(*s.work.hardware, *s.vectors, term, c.shared && evaluate(c.pictures, {}) == true);
  return c;
}

// ---- steps

Use product(const LoopSubject &s, const std::string &strategy) {
  Use use = s.use(strategy);
  use.name(s.loop(*s.roles->row)).name(s.loop(s.roles->column)).name(s.sums[0]).names(s.other_sums());
  return use;
}

// h, c, w, m
Step numbers(const Contraction &c, Use use, const Tile &tile) {
  const Vectors &vectors = *c.s.vectors;
  return use.number(tile.rows).number(tile.vectors).number(vectors.lanes).name(vectors.memory).step();
}

Step in_place(const Contraction &c, const Tile &tile) {
  return numbers(c, product(c.s, strategy_for(*c.s.vectors, "contraction")), tile);
}

Step with_copy(const Contraction &c, const Tile &tile) {
  Use use = product(c.s, strategy_for(*c.s.vectors, c.shared ? "contraction_shared" : "contraction_copied"));
  use.name(c.panel.tensor)
      .name(rewrites::loops_of_copy(c.s.kernel(), c.panel.tensor, c.panel.indices.size()).back());
  return numbers(c, std::move(use), tile);
}

// How many cells of the panel a core's cache holds.
std::int64_t cells_in(const Contraction &c, std::string_view cache) {
  const Elem elem = elem_of(c.panel.tensor, c.s.kernel()).value_or(c.s.nest.elem);
  return c.s.work.hardware->cost(cache) * 1024 / static_cast<std::int64_t>(byte_size(elem));
}

Step of_few_rows(const Contraction &c) {
  const Vectors &vectors = *c.s.vectors;
  return product(c.s, "contraction_of_few_rows")
      .number(c.tiles.of_few_rows->vectors)
      .number(vectors.lanes)
      .name(vectors.memory)
      .step();
}

Step of_all_rows(const Contraction &c, const Tile &tile) {
  return numbers(c, product(c.s, "contraction_of_all_rows"), tile);
}

// In blocks of columns: what is read again for each few rows of results stays in the cache.
Step of_short_sums(const Contraction &c) {
  const std::int64_t columns = cells_in(c, "cache") / part_of_cache / short_sum;
  return numbers(c, product(c.s, "contraction_of_short_sums").number(columns), tile_of_short_sums);
}

// Where the cells are more than the sums, these are a temporary.
Step streamed(const Contraction &c) {
  const Vectors &vectors = *c.s.vectors;
  const std::string_view sums = c.s.nest.cells_are_sums ? "contraction" : "sums";
  Use use = c.s.use(fmt::format("{}_streamed{}", sums, c.group ? "_in_groups" : ""));
  if (!c.s.nest.cells_are_sums)
    use.name(c.s.nest.tensor);
  use.name(c.row.var).name(c.s.loop(c.s.roles->column)).name(c.s.sums[0]);
  use.index(extent_of(c.s.nest.sums[0]));
  if (c.group)
    use.number(c.group->count);
  else
    use.names(c.s.other_sums());
  use.number(rows_of_a_block).number(vectors_of_a_block).number(vectors.lanes).name(vectors.memory);
  return use.step();
}

Step in_groups(const Contraction &c) {
  Use use = c.s.use("contraction_in_groups");
  use.name(c.row.var).name(c.s.loop(c.s.roles->column)).name(c.s.sums[0]);
  use.index(extent_of(c.s.nest.sums[0])).name(c.panel.tensor).number(c.group->count);
  return numbers(c, std::move(use), c.tiles.tile);
}

std::vector<Step> around_row(const Contraction &c, Step step) {
  return with_row(c.s, *c.s.roles->row, std::move(step));
}

// ---- versions for sizes

struct ForSizes {
  Pred when;
  Step step;
};

Index columns_of(const Contraction &c) {
  return extent_of(c.s.nest.loops[c.s.roles->column]);
}

Index cells_of_panel(const Contraction &c) {
  Index cells = columns_of(c);
  for (const LoopHead &sum : c.s.nest.sums)
    cells = mul(cells, extent_of(sum));
  return cells;
}

// So that each tile of rows would read all of it from further away.
Pred exceeds_cache(const Contraction &c) {
  return decided(compare(PredOp::gt, cells_of_panel(c), constant(cells_in(c, "cache"))));
}

// So that a copy is no faster to read. Of fewer columns than a tile has, nothing is copied anyway.
Pred is_close_to_core(const Contraction &c) {
  const Index wide = constant(c.tiles.tile.vectors * c.s.vectors->lanes);
  return conj({decided(compare(PredOp::le, cells_of_panel(c), constant(cells_in(c, "l1")))),
               decided(compare(PredOp::ge, columns_of(c), wide)),
               decided(compare(PredOp::ge, extent_of(c.s.nest.sums[0]), constant(worth_blocks)))});
}

// Where rows have fewer results than a tile, the loops around it take longer than a copy.
Pred sums_are_short(const Contraction &c) {
  const Index sums = extent_of(c.s.nest.sums[0]);
  const Index across = constant(tile_of_short_sums.vectors * c.s.vectors->lanes);
  return conj({decided(compare(PredOp::lt, sums, constant(short_sum))),
               decided(compare(PredOp::ge, columns_of(c), across)),
               decided(compare(PredOp::ge, extent_of(c.row), constant(rows_worth_a_copy_of_much)))});
}

// That the product of the extents is small need not fit 64 bits.
Pred few_rows(const Contraction &c) {
  if (!c.shared)
    return less_than(c.row, rows_worth_a_copy);
  Pred few = truth(true);
  for (std::size_t i = 0; i < c.s.nest.loops.size(); ++i)
    if (i != c.s.roles->column)
      few = conj(few, less_than(c.s.nest.loops[i], few_of_a_loop));
  return few;
}

// The sums can be in memory: as the cells, or in a temporary that is not inside of other loops.
bool can_be_streamed(const Contraction &c) {
  const Nest &nest = c.s.nest;
  const LoopHead &sum = nest.sums[0];
  return is_of_sizes(compare(PredOp::lt, sum.lo, sum.hi), c.s.kernel()) &&
         (nest.cells_are_sums || (!nest.is_inside && nest.short_sums.empty()));
}

using Versions = std::vector<ForSizes>;

// As many rows as there are, which then read the panel once, and wait for no sum: a version for each number.
Versions of_all_rows(const Contraction &c) {
  Versions versions;
  for (std::int64_t rows = fewest_rows_at_once; rows <= most_rows_at_once; ++rows)
    versions.push_back({decided(compare(PredOp::eq, extent_of(c.row), constant(rows))),
                        of_all_rows(c, {rows, vectors_of_all_rows})});
  return versions;
}

// Where no copy is made, from the most versions to the fewest: a schedule is refused if one of its conditions
// may not fit 64 bits.
std::vector<Versions> versions_without_copy(const Contraction &c) {
  const Pred few = few_rows(c);
  if (c.shared)
    return {{{few, in_place(c, c.tiles.tile)}}};
  const bool masks = c.s.vectors->masks, in_blocks = masks && c.tiles.of_few_rows;
  const bool is_one_sum_in_blocks = in_blocks && !c.group && c.s.nest.sums.size() == 1;
  const Step step = in_blocks ? of_few_rows(c) : in_place(c, c.tiles.tile);
  Versions some{{disj(few, is_close_to_core(c)), step}};
  if (is_one_sum_in_blocks)
    some.insert(some.begin(), {sums_are_short(c), of_short_sums(c)});
  std::vector<Versions> choices{some, {{few, step}}};
  if (is_one_sum_in_blocks) {
    const Versions by_rows = of_all_rows(c);
    some.insert(some.begin(), by_rows.begin(), by_rows.end());
    choices.insert(choices.begin(), some);
  }
  if (masks && !c.group && can_be_streamed(c)) {
    const Pred few_of_much = conj(less_than(c.row, rows_worth_a_copy_of_much), exceeds_cache(c));
    some.insert(some.begin(), {few_of_much, streamed(c)});
    choices.insert(choices.begin(), some);
  }
  return choices;
}

// Without those that are for no sizes, or for sizes that an earlier one is for.
Versions needed(const Versions &versions, const TypedKernel &kernel) {
  Versions some;
  for (const ForSizes &version : versions)
    if (evaluate(version.when, {}).value_or(is_of_sizes(version.when, kernel))) {
      some.push_back(version);
      if (evaluate(version.when, {}))
        break;
    }
  return some;
}

// One version for each condition, and one for all other sizes.
Candidate in_versions(const Contraction &c, std::string reason, const Versions &versions,
                      const Step &otherwise) {
  std::vector<Step> steps;
  for (const ForSizes &version : versions)
    steps.push_back(specialize_step(version.when, {c.s.of_tensor(around_row(c, version.step))}, c.s.span));
  steps.push_back(c.s.of_tensor(around_row(c, otherwise)));
  return {std::move(reason), std::move(steps), c.tiles.estimate};
}

bool is_for_all(const Versions &versions) {
  return !versions.empty() && evaluate(versions.back().when, {});
}

std::vector<Candidate> never_copied(const Contraction &c, Versions versions) {
  const Step otherwise = versions.back().step;
  versions.pop_back();
  const std::string reason = reductions_in_words(c.s) + ", read in place";
  std::vector<Candidate> found{in_versions(c, reason, versions, otherwise)};
  if (!versions.empty())
    found.push_back(in_versions(c, reason, {}, otherwise));
  for (Candidate &candidate : found)
    candidate.estimate.clear(); // it is that of many
  return found;
}

std::string where_copied(const Versions &versions) {
  return versions.empty() ? ", copied" : ", copied where no version is for the sizes";
}

bool are_alike(const Versions &a, const Versions &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const ForSizes &one, const ForSizes &other) {
    return to_string(one.when) == to_string(other.when);
  });
}

// A copy is made where no version is for the sizes.
std::vector<Candidate> in_copies(const Contraction &c, const std::string &reason,
                                 const std::vector<Versions> &choices, const Step &copied) {
  std::vector<Candidate> found;
  const Versions none;
  const Versions *last = &none;
  for (const Versions &versions : choices) {
    if (are_alike(versions, *last))
      continue;
    last = &versions;
    if (is_for_all(versions))
      for (Candidate &candidate : never_copied(c, versions))
        found.push_back(std::move(candidate));
    else
      found.push_back(in_versions(c, reason + where_copied(versions), versions, copied));
  }
  found.push_back(in_versions(c, reason + where_copied(none), none, copied));
  return found;
}

// Groups are put together as they are read, if there are instructions for that, or in the copy.
std::vector<Candidate> groups_in_copies(const Contraction &c, const std::string &size) {
  std::vector<Versions> choices;
  if (can_be_streamed(c))
    choices.push_back(needed({{less_than(c.row, rows_worth_a_copy_of_much), streamed(c)}}, c.s.kernel()));
  choices.push_back(
      needed({{less_than(c.row, rows_worth_groups), contraction_for_compilers(c.s)}}, c.s.kernel()));
  return in_copies(c, fmt::format("{}, {} products in a lane", size, c.group->count), choices, in_groups(c));
}

// What is read for many rows is copied.
std::vector<Candidate> panels_in_copies(const Contraction &c, const std::string &size) {
  std::vector<Versions> choices;
  for (const Versions &versions : versions_without_copy(c))
    choices.push_back(needed(versions, c.s.kernel()));
  const Step copied = with_copy(c, c.tiles.tile);
  std::vector<Candidate> found = in_copies(c, size, choices, copied);
  const bool some_are_pictures =
      c.shared && c.tiles.of_pictures && !evaluate(c.pictures, {}) && is_of_sizes(c.pictures, c.s.kernel());
  Versions versions = choices.back();
  if (some_are_pictures && !is_for_all(versions)) {
    const std::string reason =
        fmt::format("{}, {} x {} where {}{}", size, tile_of_pictures.rows, tile_of_pictures.vectors,
                    to_string(c.pictures), where_copied(versions));
    versions.push_back({c.pictures, with_copy(c, tile_of_pictures)});
    found.insert(found.begin(), in_versions(c, reason, versions, copied));
  }
  return found;
}

std::string size_in_words(const Contraction &c) {
  return fmt::format("{}: tiles of {} x {} vectors of {}", reductions_in_words(c.s), c.tiles.tile.rows,
                     c.tiles.tile.vectors, c.s.vectors->lanes);
}

} // namespace

std::vector<Candidate> contractions_in_tiles(const LoopSubject &s) {
  const Contraction c = contraction_of(s);
  const std::string size = size_in_words(c);
  std::vector<Candidate> found;
  if (c.group && c.panel.indices.size() == 2)
    found = groups_in_copies(c, size);
  const bool rows_share = reads_along(c.panel, c.row.var) == Along::not_at_all;
  if (rows_share)
    for (Candidate &candidate : panels_in_copies(c, size))
      found.push_back(std::move(candidate));
  const std::string why = rows_share ? "" : ", as each row reads other cells";
  found.push_back(in_versions(c, size + ", read in place" + why, {}, in_place(c, c.tiles.tile)));
  return found;
}

Step contraction_for_compilers(const LoopSubject &s) {
  return product(s, "contraction_portable").number(portable_rows).number(portable_columns).step();
}

Candidate turned_contraction(const LoopSubject &s) {
  const Contraction c = contraction_of(s);
  Use use = product(c.s, strategy_for(*s.vectors, "contraction_turned"));
  use.name(c.panel.tensor);
  return in_versions(c, size_in_words(c) + ", copied and turned", {},
                     numbers(c, std::move(use), c.tiles.tile));
}

} // namespace atl::schedule
