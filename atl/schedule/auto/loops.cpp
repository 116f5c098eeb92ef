#include "atl/schedule/auto/loops.h"

#include "atl/rewrites/rewrites.h"
#include "atl/schedule/auto/roles.h"
#include "atl/schedule/auto/tiles.h"
#include "atl/schedule/auto/uses.h"
#include "atl/schedule/auto/windows.h"
#include "atl/syntax/names.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace atl::schedule {

namespace {

constexpr std::int64_t few_rows = 24;     // less do not make up for a copy of what they read
constexpr std::int64_t very_few_rows = 3; // for which taller tiles are no better
constexpr Tile tile_of_very_few{2, 4};
constexpr std::int64_t few_of_a_loop = 4;                    // of several loops of rows that share a copy
constexpr std::int64_t rows_of_pictures = 7, long_sum = 128; // for which narrow tiles are better
constexpr std::int64_t portable_rows = 4;                    // of a tile of sums without instructions
constexpr std::int64_t portable_columns = 64;
// C compilers make no vectors of fewer columns, and keep sums of a cell in a register.
constexpr std::int64_t few_columns = 8, few_columns_of_a_row = 32;
constexpr std::int64_t rows_at_a_time = 8; // of sums that are one after the other
constexpr std::int64_t vectors_of_sum = 4;
constexpr std::int64_t vectors_without_rows = 4;
constexpr std::int64_t rows_of_dots = 3, columns_of_dots = 4;
constexpr std::int64_t cells_across = 8, bytes_across = 16; // of a tile that is read across

std::optional<Elem> elem_of(const std::string &tensor, const TypedKernel &kernel) {
  for (const Param &param : kernel.params)
    if (param.name == tensor)
      return param.type.elem;
  for (const Binding &let : kernel.lets)
    if (let.name == tensor)
      return let.value->type->elem;
  return std::nullopt;
}

class Chooser {
public:
  Chooser(const Nest &nest, const rewrites::Work &work, Span span)
      : nest_(nest), kernel_(work.kernel), span_(span), roles_(roles_of(nest)) {
    if (work.hardware)
      vectors_ = vectors_for(nest, *work.hardware);
    if (vectors_ && vectors_->masks && nest.reads.size() == 2 && nest.sums.size() == 1)
      group_ = products_in_lane(*work.hardware, *vectors_, nest.elem,
                                elem_of(nest.reads[0].tensor, kernel_).value_or(nest.elem),
                                elem_of(nest.reads[1].tensor, kernel_).value_or(nest.elem));
    for (const LoopHead &loop : nest.sums)
      sums_.push_back(loop.var);
    if (vectors_)
      choose_tile(*work.hardware, work);
    const bool reorders = !is_float(nest.elem) || kernel_.rounding.allowed.contains(Rounding::reorder);
    if (vectors_ && vectors_->masks && work.requests && reorders &&
        (sums_.size() == 1 || (nest.loops.empty() && !sums_.empty())))
      combiner_ = combiner_of(*work.hardware, *vectors_, nest.elem, *nest.sums[0].reduction);
  }

  std::vector<Candidate> all() {
    if (nest_.sums.empty())
      cells();
    else
      sums();
    if (!nest_.guarded_sums.empty())
      for (Candidate &candidate : found_)
        candidate.steps.insert(candidate.steps.begin(), of_tensor(push_guards()));
    return std::move(found_);
  }

private:
  void choose_tile(const Hardware &hardware, const rewrites::Work &work) {
    const bool contracts = work.requests && work.requests->contracts && is_float(nest_.elem);
    const Term term =
        contracts || group_ || nest_.reads.size() < 2 ? Term::added_at_once : Term::computed_first;
    tiles_ = choose_tiles(hardware, *vectors_, term);
    if (tiles_.of_pictures && !sums_.empty() && roles_ && roles_->row && serves_all_loops() &&
        evaluate(is_line_of_picture(), {}) == true)
      tiles_.tile = *tiles_.of_pictures;
  }

  Use use(const std::string &strategy) const { return {strategy, span_}; }
  Use in_vectors(const char *strategy) const { return use(strategy_for(*vectors_, strategy)); }
  const std::string &loop(std::size_t i) const { return nest_.loops[i].var; }
  std::vector<std::string> other_sums() const { return {sums_.begin() + 1, sums_.end()}; }

  Step of_tensor(std::vector<Step> steps) const { return within_step(nest_.tensor, std::move(steps), span_); }
  void add(std::string reason, std::vector<Step> steps) {
    found_.push_back({std::move(reason), {of_tensor(std::move(steps))}});
  }
  void add_tiles(std::string reason, std::vector<Step> steps) {
    add(std::move(reason), std::move(steps));
    found_.back().estimate = tiles_.estimate;
  }

  // Guards between the loops of a sum, into all of these; those further inside first.
  std::vector<Step> push_guards() const {
    std::vector<Step> steps;
    for (auto guarded = nest_.guarded_sums.rbegin(); guarded != nest_.guarded_sums.rend(); ++guarded)
      for (std::size_t sum = *guarded; sum < sums_.size(); ++sum)
        steps.push_back(plain_step("apply", {"push_guard", "at", sums_[sum]}, span_));
    return steps;
  }

  // ---- cells without a long reduction

  void cells() {
    const std::string &column = nest_.loops.back().var;
    const bool across = std::any_of(nest_.reads.begin(), nest_.reads.end(), [&](const Access &read) {
      return reads_along(read, column) == Along::otherwise;
    });
    if (vectors_ && !across && fills_lanes(nest_, *vectors_)) {
      in_two_steps();
      add(fmt::format("vectors of {} cells", vectors_->lanes), {in_vectors("cells_in_vectors")
                                                                    .name(nest_.tensor)
                                                                    .name(column)
                                                                    .names(short_sums_of(nest_))
                                                                    .number(vectors_->lanes)
                                                                    .step()});
    }
    if (const auto row = row_read_across(); row && across)
      add("read across: in tiles that stay in the cache",
          with_row(*row, use("cells_in_tiles")
                             .name(loop(*row))
                             .name(column)
                             .number(byte_size(nest_.elem) == 1 ? bytes_across : cells_across)
                             .number(cells_across)
                             .step()));
  }

  void in_two_steps() {
    const std::optional<Window> window = window_of(nest_, kernel_);
    if (!window)
      return;
    std::set<std::string> taken = names_in(kernel_);
    const std::string part = take_name("part", taken);
    std::vector<Step> steps = down_then_across(nest_, *window, part, span_);
    steps.push_back(in_vectors("cells_in_vectors")
                        .name(nest_.tensor)
                        .name(nest_.loops.back().var)
                        .names({})
                        .number(vectors_->lanes)
                        .step());
    found_.push_back(
        {fmt::format("reductions over {} once for a line, those over {} of these; vectors of {} cells",
                     window->down.var, window->across.var, vectors_->lanes),
         {within_step(nest_.tensor, std::move(steps), span_),
          part_in_vectors(part, part, *vectors_, span_)}});
  }

  // The loop along which a tensor is read that is read across the columns.
  std::optional<std::size_t> row_read_across() const {
    for (const Access &read : nest_.reads)
      for (std::size_t i = 0; i + 1 < nest_.loops.size(); ++i)
        if (reads_along(read, loop(i)) == Along::cell_by_cell)
          return i;
    return std::nullopt;
  }

  // ---- long reductions

  void sums() {
    if (nest_.loops.empty())
      return nest_.is_inside ? sum_of_row() : sum_of_all();
    if (combiner_ && (!roles_ || roles_->turned) && is_read_along_sum())
      partial_sums();
    if (roles_ && vectors_)
      sums_in_vectors();
    if (roles_ && !roles_->turned)
      sums_for_compilers();
    if ((!roles_ || roles_->turned) && waits())
      add(fmt::format("reductions over {}: {} cells at a time, so that one does not wait for the other",
                      fmt::join(sums_, ", "), rows_at_a_time),
          {use("rows_side_by_side")
               .name(loop_of_sums())
               .name(sums_[0])
               .names(other_sums())
               .number(rows_at_a_time)
               .step()});
  }

  // A term takes less time than it waits for the sum of those before. Sums of integers, or those in which a
  // guard leaves out all terms, are left to C compilers.
  bool waits() const { return is_float(nest_.elem) && !nest_.skips_sums && !nest_.calls; }

  // The last loop on which the sums depend: those of the loops inside are the same.
  const std::string &loop_of_sums() const {
    for (std::size_t i = nest_.loops.size(); i-- > 0;)
      if (std::any_of(nest_.reads.begin(), nest_.reads.end(),
                      [&](const Access &read) { return reads_along(read, loop(i)) != Along::not_at_all; }))
        return loop(i);
    return nest_.loops.back().var;
  }

  // A result that is one number.
  void sum_of_all() {
    if (!combiner_ || kernel_.results.size() != 1 || nest_.tensor != kernel_.outputs[0].name ||
        !is_read_along_sum())
      return;
    found_.push_back({fmt::format("a reduction over {}: {} vectors of {} partial results",
                                  fmt::join(sums_, ", "), vectors_of_sum, vectors_->lanes),
                      {combined(use("sum_in_vectors")
                                    .names({sums_.begin(), sums_.end() - 1})
                                    .name(sums_.back())
                                    .number(vectors_of_sum))}});
  }

  void sum_of_row() {
    if (!combiner_ || !is_read_along_sum())
      return;
    add(fmt::format("a reduction over {}: {} vectors of {} partial results", sums_[0], vectors_of_sum,
                    vectors_->lanes),
        {combined(use("sum_of_row").name(nest_.tensor).name(sums_[0]).number(vectors_of_sum))});
  }

  // All that depends on the last loop of the sum is read along it.
  bool is_read_along_sum() const {
    return std::all_of(nest_.reads.begin(), nest_.reads.end(), [&](const Access &read) {
      return reads_along(read, sums_.back()) != Along::otherwise;
    });
  }

  // Vectors of partial sums, which one instruction adds up.
  void partial_sums() {
    const Index terms = extent_of(nest_.sums[0]);
    const std::string reason =
        fmt::format("reductions over {}: vectors of {} partial results", sums_[0], vectors_->lanes);
    if (!roles_) {
      add(fmt::format("{}, {} cells at a time", reason, rows_at_a_time),
          {combined(
              use("dot_rows").name(loop_of_sums()).name(sums_[0]).index(terms).number(rows_at_a_time))});
      return;
    }
    const Pred few = less_than(*roles_->row, few_rows);
    Use dots = use("dots");
    dots.name(loop(*roles_->row)).name(loop(roles_->column)).name(sums_[0]).index(terms);
    const std::vector<Step> steps =
        with_row(*roles_->row, combined(dots.number(rows_of_dots).number(columns_of_dots)));
    const std::optional<bool> known = evaluate(few, {});
    if (known && *known)
      add(reason, steps);
    if (!known && is_of_sizes(few))
      found_.push_back(
          {fmt::format("{} for less than {} rows; else tiles, {} copied and turned", reason, few_rows,
                       roles_->panel.tensor),
           {specialize_step(few, {of_tensor(steps)}, span_), of_tensor(with_row(*roles_->row, turned()))},
           tiles_.estimate});
  }

  Step combined(Use use) const {
    return use.number(vectors_->lanes).name(vectors_->memory).name(*combiner_).step();
  }

  void sums_for_compilers() {
    const std::int64_t least = roles_->row ? few_columns : few_columns_of_a_row;
    const Pred few = less_than(roles_->column, least);
    const std::optional<bool> known = evaluate(few, {});
    if (known && *known)
      return;
    add(in_words() + "; C compilers make vectors of the columns", in_columns());
    if (known || !is_of_sizes(few))
      return;
    Candidate &candidate = found_.back();
    candidate.reason += fmt::format(", as it is for less than {}", least);
    candidate.steps.insert(candidate.steps.begin(), specialize_step(few, {}, span_));
  }

  std::vector<Step> in_columns() const {
    if (roles_->row)
      return with_row(*roles_->row,
                      product("contraction_portable").number(portable_rows).number(portable_columns).step());
    return {use("sums_portable")
                .name(loop(roles_->column))
                .name(sums_[0])
                .names(other_sums())
                .number(portable_columns)
                .step()};
  }

  std::string in_words() const {
    return fmt::format("reductions over {}, with {} read {} {}", fmt::join(sums_, ", "), roles_->panel.tensor,
                       roles_->turned ? "across" : "along", loop(roles_->column));
  }

  void sums_in_vectors() {
    if (!roles_->row) {
      add(fmt::format("{}: {} vectors of {}", in_words(), vectors_without_rows, vectors_->lanes),
          {in_vectors("sums_in_vectors")
               .name(loop(roles_->column))
               .name(sums_[0])
               .names(other_sums())
               .number(vectors_without_rows)
               .number(vectors_->lanes)
               .name(vectors_->memory)
               .step()});
      return;
    }
    const std::string size = fmt::format("{}: tiles of {} x {} vectors of {}", in_words(), tiles_.tile.rows,
                                         tiles_.tile.vectors, vectors_->lanes);
    if (roles_->turned) {
      add_tiles(size + ", copied and turned", with_row(*roles_->row, turned()));
      return;
    }
    if (group_ && roles_->panel.indices.size() == 2)
      add_tiles(fmt::format("{}, {} products in a lane", size, *group_), with_row(*roles_->row, in_groups()));
    const Step in_place = contraction("contraction", tiles_.tile);
    if (reads_along(roles_->panel, loop(*roles_->row)) != Along::not_at_all) {
      add_tiles(size + ", read in place, as each row reads other cells", with_row(*roles_->row, in_place));
      return;
    }
    in_copies(size, in_place);
    add_tiles(size + ", read in place", with_row(*roles_->row, in_place));
  }

  // What is read for many rows is copied.
  void in_copies(const std::string &size, const Step &in_place) {
    const bool shared = serves_all_loops();
    const Step copied =
        contraction_with_copy(shared ? "contraction_shared" : "contraction_copied", tiles_.tile);
    const Pred few = shared ? few_in_all_loops() : less_than(*roles_->row, few_rows);
    const std::optional<bool> known = evaluate(few, {});
    if (known == true)
      return;
    const std::vector<ForSizes> versions =
        !known && is_of_sizes(few) ? versions_for_few(shared, few, in_place) : std::vector<ForSizes>();
    const std::string how = versions.empty() ? ", copied" : fmt::format(", copied unless {}", to_string(few));
    if (shared && has_tile_of_pictures())
      with_tile_of_pictures(size, how, versions, copied);
    if (!versions.empty())
      add_tiles_when(size + how, versions, copied);
    add_tiles(size + ", copied", with_row(*roles_->row, copied));
  }

  struct ForSizes {
    Pred when;
    Step step;
  };

  // What is read for few rows is not copied.
  std::vector<ForSizes> versions_for_few(bool shared, const Pred &few, const Step &in_place) const {
    if (shared || !tiles_.of_few_rows || !vectors_->masks)
      return {{few, in_place}};
    return {{less_than(*roles_->row, very_few_rows), contraction("contraction", tile_of_very_few)},
            {few, of_few_rows()}};
  }

  // One version for each condition, and one for all other sizes.
  void add_tiles_when(std::string reason, const std::vector<ForSizes> &versions, const Step &otherwise) {
    std::vector<Step> steps;
    for (const ForSizes &version : versions)
      steps.push_back(
          specialize_step(version.when, {of_tensor(with_row(*roles_->row, version.step))}, span_));
    steps.push_back(of_tensor(with_row(*roles_->row, otherwise)));
    found_.push_back({std::move(reason), std::move(steps), tiles_.estimate});
  }

  void with_tile_of_pictures(const std::string &size, const std::string &how, std::vector<ForSizes> versions,
                             const Step &otherwise) {
    const Pred pictures = is_line_of_picture();
    const Tile &tile = *tiles_.of_pictures;
    versions.push_back({pictures, contraction_with_copy("contraction_shared", tile)});
    add_tiles_when(
        fmt::format("{}, {} x {} where {}{}", size, tile.rows, tile.vectors, to_string(pictures), how),
        versions, otherwise);
  }

  bool has_tile_of_pictures() const {
    const Pred pictures = is_line_of_picture();
    return tiles_.of_pictures && !evaluate(pictures, {}) && is_of_sizes(pictures);
  }

  Pred is_line_of_picture() const {
    const Index row = extent_of(nest_.loops[*roles_->row]), terms = extent_of(nest_.sums.back());
    const std::optional<std::int64_t> known = as_constant(terms);
    return conj(compare(PredOp::eq, modulo(row, constant(rows_of_pictures)), constant(0)),
                known ? truth(*known >= long_sum) : compare(PredOp::ge, terms, constant(long_sum)));
  }

  static Index extent_of(const LoopHead &loop) { return sub(loop.hi, loop.lo); }

  // True or false where the extent is a number.
  Pred less_than(std::size_t loop, std::int64_t count) const {
    const Index extent = extent_of(nest_.loops[loop]);
    const std::optional<std::int64_t> known = as_constant(extent);
    return known ? truth(*known < count) : compare(PredOp::lt, extent, constant(count));
  }

  // Of rows that share a copy. That the product of the extents is small need not fit 64 bits.
  Pred few_in_all_loops() const {
    Pred few = truth(true);
    for (std::size_t i = 0; i < nest_.loops.size(); ++i)
      if (i != roles_->column)
        few = conj(few, less_than(i, few_of_a_loop));
    return few;
  }

  // The panel is the same for all loops around the rows.
  bool serves_all_loops() const {
    bool others = false;
    for (std::size_t i = 0; i < nest_.loops.size(); ++i) {
      if (i == roles_->column || i == *roles_->row)
        continue;
      others = true;
      if (reads_along(roles_->panel, loop(i)) != Along::not_at_all)
        return false;
    }
    return others;
  }

  bool is_of_sizes(const Pred &pred) const {
    std::set<std::string> names;
    collect_variables(pred, names);
    const std::vector<std::string> sizes = kernel_.size_names();
    return std::all_of(names.begin(), names.end(), [&](const std::string &name) {
      return std::find(sizes.begin(), sizes.end(), name) != sizes.end();
    });
  }

  // The row directly around the column, inside the others.
  std::vector<Step> with_row(std::size_t row, Step step) const {
    if (row + 2 == nest_.loops.size())
      return {std::move(step)};
    std::vector<std::string> order;
    for (std::size_t i = 0; i + 1 < nest_.loops.size(); ++i)
      if (i != row)
        order.push_back(loop(i));
    order.push_back(loop(row));
    order.push_back(nest_.loops.back().var);
    return {reorder_step(order, span_), std::move(step)};
  }

  // h, c, w, m
  Step numbers(Use use, const Tile &tile) const {
    return use.number(tile.rows).number(tile.vectors).number(vectors_->lanes).name(vectors_->memory).step();
  }

  Use product(const std::string &strategy) const {
    Use use = this->use(strategy);
    use.name(loop(*roles_->row)).name(loop(roles_->column)).name(sums_[0]).names(other_sums());
    return use;
  }

  Step contraction(const char *strategy, const Tile &tile) const {
    return numbers(product(strategy_for(*vectors_, strategy)), tile);
  }

  Step of_few_rows() const {
    return product("contraction_of_few_rows")
        .number(tiles_.of_few_rows->vectors)
        .number(vectors_->lanes)
        .name(vectors_->memory)
        .step();
  }

  Step contraction_with_copy(const char *strategy, const Tile &tile) const {
    const Access &panel = roles_->panel;
    Use use = product(strategy_for(*vectors_, strategy));
    use.name(panel.tensor).name(rewrites::loops_of_copy(kernel_, panel.tensor, panel.indices.size()).back());
    return numbers(std::move(use), tile);
  }

  Step in_groups() const {
    Use use = this->use("contraction_in_groups");
    use.name(loop(*roles_->row)).name(loop(roles_->column)).name(sums_[0]);
    use.index(extent_of(nest_.sums[0])).name(roles_->panel.tensor).number(*group_);
    return numbers(std::move(use), tiles_.tile);
  }

  Step turned() const {
    Use use = product(strategy_for(*vectors_, "contraction_turned"));
    use.name(roles_->panel.tensor);
    return numbers(std::move(use), tiles_.tile);
  }

  const Nest &nest_;
  const TypedKernel &kernel_;
  Span span_;
  std::optional<Roles> roles_;
  std::optional<Vectors> vectors_;
  ChosenTiles tiles_;                   // of sums in registers
  std::optional<std::int64_t> group_;   // of products that an instruction adds up in a lane
  std::optional<std::string> combiner_; // of partial results, if that is allowed
  std::vector<std::string> sums_;
  std::vector<Candidate> found_;
};

} // namespace

std::vector<Candidate> candidates_for(const Nest &nest, const rewrites::Work &work, Span span) {
  return Chooser(nest, work, span).all();
}

} // namespace atl::schedule
