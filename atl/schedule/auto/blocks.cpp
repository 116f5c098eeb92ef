#include "atl/schedule/auto/blocks.h"

#include "atl/index/known.h"
#include "atl/schedule/auto/block_convolution.h"
#include "atl/schedule/auto/block_machine.h"
#include "atl/schedule/auto/block_sums.h"
#include "atl/schedule/auto/roles.h"
#include "atl/schedule/auto/uses.h"
#include "atl/syntax/names.h"
#include "atl/syntax/path.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::schedule {

namespace {

Index extent_of(const LoopHead &loop) {
  return sub(loop.hi, loop.lo);
}

bool moves_along(const Access &access, const std::vector<std::string> &loops) {
  if (access.indices.size() != loops.size())
    return false;
  for (std::size_t d = 0; d < loops.size(); ++d)
    if (!moves_with(access.indices[d], loops[d]))
      return false;
  return true;
}

// A sum of products, by itself, and the cells of the result.
struct Layer {
  std::string sums; // the temporary
  std::vector<std::string> cells, of_sums;
  std::string result;
  int added;
  std::vector<Step> before; // that make it so
};

// The sum becomes a temporary that is read where it was.
Layer with_temporary(const BlockSum &sum, const TypedKernel &kernel, Span span) {
  std::set<std::string> taken = names_in(kernel);
  Layer layer{take_name("sums", taken), {}, {}, sum.tensor, sum.added, {}};
  for (const LoopHead &loop : sum.loops) {
    layer.cells.push_back(loop.var);
    layer.of_sums.push_back(layer.sums + "." + loop.var);
  }
  for (const std::string &scalar : sum.scalars)
    layer.before.push_back(plain_step("inline", {scalar}, span));
  layer.before.push_back(
      plain_step("accumulate", {sum.sums[0].var, "in", sum.tensor, "as", layer.sums}, span));
  layer.before.push_back(plain_step("compute", {layer.sums, "at", "root"}, span));
  return layer;
}

std::optional<Layer> layer_of(const BlockSum &sum, const TypedKernel &kernel, Span span) {
  if (!sum.is_temporary || !sum.is_alone)
    return with_temporary(sum, kernel, span);
  const std::optional<Reader> reader = only_reader_of(kernel, sum);
  if (!reader)
    return std::nullopt;
  Layer layer{sum.tensor, {}, {}, reader->tensor, reader->added, {}};
  for (std::size_t d = 0; d < sum.loops.size(); ++d) {
    layer.cells.push_back(reader->loops[d].var);
    layer.of_sums.push_back(sum.loops[d].var);
  }
  return layer;
}

// No extent is 0.
bool is_filled(const BlockSum &sum, const TypedKernel &kernel) {
  const Known known = known_in(kernel);
  auto has_turns = [&](const LoopHead &loop) {
    return known.facts().proves(compare(PredOp::ge, extent_of(loop), constant(1)));
  };
  return std::all_of(sum.loops.begin(), sum.loops.end(), has_turns) &&
         std::all_of(sum.sums.begin(), sum.sums.end(), has_turns);
}

class Blocks {
public:
  Blocks(const BlockSum &sum, const Layer &layer, const rewrites::Work &work, const BlockProducts &machine,
         Span span)
      : sum_(sum), layer_(layer), work_(work), machine_(machine), span_(span) {}

  // Cells (rows..., f) that are sums over c of left[rows..., c] * right[c, f], where rows are so many loops.
  std::optional<Candidate> product(std::size_t rows, const std::string &structure,
                                   const std::string &in_words,
                                   std::optional<bool> whole = std::nullopt) const {
    if (sum_.loops.size() != rows + 1 || sum_.sums.size() != 1)
      return std::nullopt;
    const std::string &c = sum_.sums[0].var;
    std::vector<std::string> left;
    for (std::size_t d = 0; d < rows; ++d)
      left.push_back(sum_.loops[d].var);
    left.push_back(c);
    if (!moves_along(sum_.left, left) || !moves_along(sum_.right, {c, sum_.loops[rows].var}))
      return std::nullopt;
    Use all = use(structure, sum_.sums);
    if (whole)
      all.number(*whole ? 1 : 0);
    return candidate(fmt::format("{} over {}{}", in_words, c,
                                 whole.value_or(false) ? ", some by instructions of their own" : ""),
                     std::move(all));
  }

  // The same for matrices. `whole`: an instruction may compute all of it that it can.
  std::optional<Candidate> matrices(bool whole) const {
    if (whole && (!machine_.whole || layer_.added > 1))
      return std::nullopt;
    return product(1, "product", "a product of matrices", whole);
  }

  std::optional<Candidate> convolution() const {
    const auto found = convolution_of(sum_);
    const auto sizes = found ? sizes_for(*found, machine_) : std::nullopt;
    if (!sizes)
      return std::nullopt;
    Use all = use("convolution", found->sums)
                  .number(found->stride)
                  .number(sizes->channels_at_once)
                  .number(sizes->long_row)
                  .number(sizes->channels)
                  .number(sizes->short_row);
    return candidate(fmt::format("a convolution with windows of {} x {} and a stride of {}", found->rows,
                                 found->columns, found->stride),
                     std::move(all));
  }

private:
  // s, i, j, ..., p, q, ..., k, ..., A, B, M, N, ..., K, ..., filled, added, h, w, stay
  Use use(const std::string &structure, const std::vector<LoopHead> &sums) const {
    Use use(work_.hardware->name + "_" + structure, span_);
    use.name(layer_.sums);
    for (const std::vector<std::string> &loops : {layer_.cells, layer_.of_sums})
      for (const std::string &loop : loops)
        use.name(loop);
    for (const LoopHead &loop : sums)
      use.name(loop.var);
    use.name(sum_.left.tensor).name(sum_.right.tensor);
    for (const std::vector<LoopHead> &loops : {sum_.loops, sums})
      for (const LoopHead &loop : loops)
        use.index(extent_of(loop));
    return use.number(is_filled(sum_, work_.kernel) ? 1 : 0)
        .number(layer_.added)
        .number(machine_.block)
        .number(machine_.load)
        .number(machine_.stay);
  }

  Candidate candidate(const std::string &structure, Use use) const {
    const std::string added = layer_.added == 0 ? ""
                                                : fmt::format(", to which {} value{} added", layer_.added,
                                                              layer_.added == 1 ? " is" : "s are");
    std::vector<Step> steps = layer_.before;
    steps.push_back(within_step(layer_.result, {use.step()}, span_));
    return {fmt::format("{}{}: blocks of {} x {}; {} columns of {} at a time, of which {} rows fit twice",
                        structure, added, machine_.block, machine_.block, machine_.load, sum_.right.tensor,
                        machine_.stay),
            std::move(steps)};
  }

  const BlockSum &sum_;
  const Layer &layer_;
  const rewrites::Work &work_;
  const BlockProducts &machine_;
  Span span_;
};

} // namespace

std::optional<Decision> in_blocks(const rewrites::Work &work, const std::set<std::string> &decided,
                                  Span span) {
  const std::optional<BlockProducts> machine = block_products_of(*work.hardware);
  const std::optional<BlockSum> sum = next_block_sum(work.kernel, decided);
  if (!machine || !sum)
    return std::nullopt;
  const std::optional<Layer> layer = layer_of(*sum, work.kernel, span);
  if (!layer)
    return std::nullopt;
  const Blocks blocks(*sum, *layer, work, *machine, span);
  Decision decision{sum->tensor, {}};
  for (auto candidate : {blocks.matrices(true), blocks.matrices(false),
                         blocks.product(3, "pointwise", "a product of the pixels of images with a matrix"),
                         blocks.convolution()})
    if (candidate)
      decision.candidates.push_back(std::move(*candidate));
  return decision.candidates.empty() ? std::nullopt : std::optional(std::move(decision));
}

} // namespace atl::schedule
