#include "fuzz/families.h"

#include "fuzz/family_loops.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace atl::fuzz {

namespace {

// A stage of a pipeline: dimension d has factor[d] * D + border[d] cells.
struct PipelineStage {
  std::string name;
  std::vector<int> factor, border;
};

struct StencilRead {
  std::size_t stage;
  int dimension_scaled; // by 2; -1: none
  std::vector<std::vector<int>> offsets;
};

class FamilyMaker {
public:
  FamilyMaker(Random &random, std::string name) : random_(random), name_(std::move(name)) {}

  FamilyKernel make() {
    elem_ = any_elem();
    Choice<FamilyKernel> families;
    families.add(8, [&] { return contraction(); });
    families.add(4, [&] { return pipeline(); });
    families.add(3, [&] { return cells(); });
    families.add(2, [&] { return window(); });
    families.add(3, [&] { return rows(); });
    families.add(3, [&] { return chain(); });
    families.add(2, [&] { return several(); });
    families.add(3, [&] { return ratio(); });
    FamilyKernel made = families.choose(random_);
    made.extents = extents_;
    return made;
  }

private:
  // ---- pieces

  std::string any_elem() {
    static const Strings all{"f32", "f32", "f32", "f64", "i8",  "u8",
                             "i16", "u16", "i32", "i32", "u32", "i64"};
    return random_.pick(all);
  }
  static bool is_float(const std::string &elem) { return elem[0] == 'f'; }
  std::string number(int value) const { return fmt::format("{}{}", value, elem_); }
  bool chance(int percent) { return random_.chance(percent); }

  std::string extent() {
    static const Strings constants{"0", "1", "2", "3", "3", "8", "17"};
    if (chance(18))
      return random_.pick(constants);
    if (!sizes_.empty() && (sizes_.size() == 5 || chance(12)))
      return random_.pick(sizes_);
    sizes_.push_back(std::string(1, "NMKLHW"[sizes_.size()]));
    return sizes_.back();
  }

  FamilyLoop loop() {
    static const Strings names{"i", "j", "k", "l", "p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z"};
    const std::string hi = extent();
    extents_.push_back(hi);
    return {names.at(loops_made_++), hi, hi};
  }
  FamilyLoops loops(int count) {
    FamilyLoops made;
    for (int i = 0; i < count; ++i)
      made.push_back(loop());
    return made;
  }

  std::string parameter(const std::string &elem, const std::string &shape) {
    std::string name = fmt::format("in{}", parameters_.size());
    parameters_.push_back(fmt::format("{}: {}", name, type(elem, shape)));
    return name;
  }

  FamilyLoops some(const FamilyLoops &of, int percent) {
    FamilyLoops chosen;
    for (const FamilyLoop &l : of)
      if (chance(percent))
        chosen.push_back(l);
    return chosen;
  }

  void shuffle(FamilyLoops &loops) {
    for (std::size_t i = loops.size(); i > 1; --i)
      std::swap(loops[i - 1], loops[static_cast<std::size_t>(random_.below(static_cast<int>(i)))]);
  }

  // A position that moves with the loop, and how many there are.
  std::pair<std::string, std::string> position(const FamilyLoop &l) {
    switch (chance(80) ? 0 : random_.between(1, 6)) {
    case 1: return {l.var + " + 2", l.dimension + " + 2"};
    case 2: return {"2 * " + l.var, "2 * (" + l.dimension + ")"};
    case 3: return {fmt::format("({}) - 1 - {}", l.dimension, l.var), l.dimension};
    case 4: return {l.var + " / 2", l.dimension};
    case 5: return {fmt::format("3 * ({}) + 1", l.var), fmt::format("3 * ({}) + 2", l.dimension)};
    case 6: return {fmt::format("({} + {}) % ({})", l.var, random_.between(-2, 2), l.hi), l.dimension};
    default: return {l.var, l.dimension};
    }
  }

  // Reads a new parameter at positions of these loops, each of them used.
  std::string read(FamilyLoops loops, const std::string &elem) {
    if (chance(25))
      shuffle(loops);
    Strings at, dimensions;
    for (std::size_t i = 0; i < loops.size(); ++i) {
      auto [index, dimension] = position(loops[i]);
      if (i + 1 < loops.size() && chance(10)) { // a window
        const FamilyLoop &tap = loops[++i];
        index += " + " + tap.var;
        dimension = fmt::format("{} + {}", dimension, tap.dimension);
      }
      at.push_back(index);
      dimensions.push_back(dimension);
    }
    if (!at.empty() && chance(6)) { // one of a few channels
      at.push_back(fmt::format("{}", random_.below(2)));
      dimensions.push_back(fmt::format("{}", random_.between(2, 4)));
    }
    const std::string name = parameter(elem, fmt::format("{}", fmt::join(dimensions, ", ")));
    return at.empty() ? name : fmt::format("{}[{}]", name, fmt::join(at, ", "));
  }

  // The same, converted where the parameter has other elements.
  std::string operand(const FamilyLoops &loops) {
    const std::string other = chance(15) ? any_elem() : elem_;
    const std::string value = read(loops, other);
    return other == elem_ ? value : fmt::format("{}{}({})", chance(20) ? "sat_" : "", elem_, value);
  }

  std::string condition(const FamilyLoops &loops) {
    const FamilyLoop &a = random_.pick(loops), &b = random_.pick(loops);
    switch (random_.below(5)) {
    case 0: return fmt::format("{} <= {}", a.var, b.var);
    case 1: return fmt::format("{} != {}", a.var, b.var);
    case 2: return fmt::format("{} + {} < {}", a.var, b.var, a.dimension);
    case 3: return fmt::format("({} + {}) % 2 == 0", a.var, b.var);
    default: return fmt::format("{} >= 1", a.var);
    }
  }

  std::string combined(const std::string &a, const std::string &b) {
    switch (random_.below(is_float(elem_) ? 7 : 6)) {
    case 0: return fmt::format("({} + {})", a, b);
    case 1: return fmt::format("({} - {})", a, b);
    case 2: return fmt::format("max({}, {})", a, b);
    case 3: return fmt::format("min({}, {})", a, b);
    case 4: return fmt::format("select({} < {}, {}, {})", a, b, b, number(3));
    case 5: return fmt::format("({} * {})", a, b);
    default: return fmt::format("({} / {})", a, b);
    }
  }

  std::string changed(const std::string &a, const FamilyLoops &around) {
    switch (random_.below(is_float(elem_) ? 8 : 5)) {
    case 0: return fmt::format("max({}, {})", a, number(0));
    case 1: return fmt::format("({} * {})", a, number(3));
    case 2: return fmt::format("abs({})", a);
    case 3: return around.empty() ? a : fmt::format("({} + {}({}))", a, elem_, random_.pick(around).var);
    case 4: return around.empty() ? a : fmt::format("([{}] {})", condition(around), a);
    case 5: return fmt::format("sqrt({})", a);
    case 6: return fmt::format("exp({})", a);
    default: return fmt::format("(1.0 / {})", a);
    }
  }

  std::string reduction() {
    static const Strings all{"sum", "sum", "sum", "sum", "sum", "max", "min", "prod"};
    return random_.pick(all);
  }

  std::string kernel(const std::string &results, const std::string &body) const {
    Strings all;
    for (const std::string &size : sizes_)
      all.push_back(size + ": size");
    all.insert(all.end(), parameters_.begin(), parameters_.end());
    std::string lets;
    for (const auto &[name, value] : lets_)
      lets += fmt::format("  let {} = {};\n", name, value);
    return fmt::format("kernel {}({}) -> {} {{\n{}  {}\n}}\n", name_, fmt::join(all, ", "), results, lets,
                       body);
  }
  std::string let(const std::string &value) {
    lets_.emplace_back(fmt::format("t{}", lets_.size()), value);
    return lets_.back().first;
  }

  // ---- contractions

  // The terms: products of operands that depend on some of the loops.
  std::string terms(const FamilyLoops &cells, const FamilyLoops &sums) {
    FamilyLoops left, right, all = cells;
    all.insert(all.end(), sums.begin(), sums.end());
    if (chance(60) && !cells.empty()) { // the classical one: columns belong to the right
      left.assign(cells.begin(), cells.end() - 1);
      if (cells.size() > 2 && chance(60))
        right = some({cells.begin(), cells.end() - 2}, 70);
      for (FamilyLoops *side : {&left, &right})
        side->insert(side->end(), sums.begin(), sums.end());
      right.push_back(cells.back());
      if (chance(25))
        std::swap(right[right.size() - 1], right[right.size() - 2]);
    } else {
      left = some(all, 65);
      right = some(all, 65);
    }
    std::string value;
    switch (random_.below(10)) {
    case 0: value = operand(all); break;
    case 1: value = combined(operand(left), operand(right)); break;
    case 2: value = fmt::format("{} * {} * {}", operand(left), operand(right), operand(some(all, 50))); break;
    default: value = fmt::format("{} * {}", operand(left), operand(right));
    }
    return chance(12) ? fmt::format("[{}] ({})", condition(all), value) : value;
  }

  std::string sums_of(const FamilyLoops &cells, FamilyLoops sums) {
    if (!cells.empty() && chance(8)) { // a triangle
      const FamilyLoop &outer = random_.pick(cells);
      sums[0].hi = outer.var + " + 1";
      sums[0].dimension = outer.dimension;
    }
    return fmt::format("{} {} {{ {} }}", reduction(), ranges(sums), terms(cells, sums));
  }

  // What becomes of a sum.
  std::string finished(std::string value, const FamilyLoops &cells) {
    if (chance(25))
      value = fmt::format("({}) + {}", value, operand(some(cells, 50)));
    else if (chance(8) && !cells.empty())
      value = fmt::format("({}) + ({})", value, sums_of(cells, loops(1)));
    return chance(25) ? changed(fmt::format("({})", value), cells) : value;
  }

  int rank() { return chance(75) ? random_.between(1, 3) : random_.between(0, 5); }

  FamilyKernel contraction() {
    const FamilyLoops cells = loops(rank());
    const FamilyLoops sums = loops(chance(65) ? 1 : random_.between(1, 3));
    if (chance(8) && !cells.empty())
      return {"sum of tensors",
              kernel(type(elem_, shape(cells)), fmt::format("{} {} {{ {} }}", reduction(), ranges(sums),
                                                            nest(cells, terms(cells, sums)))),
              {}};
    if (chance(15)) {
      const std::string sum = let(nest(cells, sums_of(cells, sums)));
      return {"contraction",
              kernel(type(elem_, shape(cells)), nest(cells, finished(cell_of(sum, cells), cells))),
              {}};
    }
    return {"contraction",
            kernel(type(elem_, shape(cells)), nest(cells, finished(sums_of(cells, sums), cells))),
            {}};
  }

  // Several reductions in a cell, some of them the same in many cells, or inside the terms of another.
  FamilyKernel ratio() {
    const FamilyLoops cells = loops(random_.between(0, 2)), first = loops(1);
    auto one = [&](const FamilyLoops &of) {
      return fmt::format("({})", sums_of(some(of, 75), chance(60) ? first : loops(1)));
    };
    std::string value = combined(fmt::format("({})", sums_of(cells, first)), one(cells));
    if (chance(30))
      value = combined(value, one(cells));
    if (chance(25)) {
      const FamilyLoops outer = loops(1);
      FamilyLoops inside = cells;
      inside.push_back(outer[0]);
      value = fmt::format("{} {} {{ {} * {} }}", reduction(), ranges(outer), operand(outer), one(inside));
    }
    return {"ratio", kernel(type(elem_, shape(cells)), nest(cells, finished(value, cells))), {}};
  }

  // Two contractions, one after the other, or attention.
  FamilyKernel chain() {
    const FamilyLoop i = loop(), j = loop(), k = loop(), l = loop();
    const FamilyLoops batch = loops(chance(25) ? 1 : 0);
    auto with_batch = [&](FamilyLoops more) {
      more.insert(more.begin(), batch.begin(), batch.end());
      return more;
    };
    const FamilyLoops middle = with_batch({i, j}), result = with_batch({i, l});
    std::string first = let(nest(middle, finished(sums_of(middle, {k}), middle)));
    if (chance(30)) {
      const std::string top =
          let(nest(with_batch({i}), fmt::format("max {} {{ {} }}", ranges({j}), cell_of(first, middle))));
      first =
          let(nest(middle, fmt::format("{} - {}", cell_of(first, middle), cell_of(top, with_batch({i})))));
    }
    const std::string second =
        fmt::format("{} {} {{ {} * {} }}", reduction(), ranges({j}), cell_of(first, middle),
                    operand(chance(70) ? FamilyLoops{j, l} : FamilyLoops{l, j}));
    return {"chain", kernel(type(elem_, shape(result)), nest(result, finished(second, result))), {}};
  }

  // ---- cells

  std::string expression(const FamilyLoops &cells, int depth) {
    if (depth == 0)
      return operand(chance(60) ? cells : some(cells, 70));
    if (chance(60))
      return combined(expression(cells, depth - 1), expression(cells, depth - 1));
    if (chance(15)) {
      static const Strings few{"2", "3", "4", "8"};
      FamilyLoops tap{loop()};
      tap[0].hi = tap[0].dimension = random_.pick(few);
      FamilyLoops inside = cells;
      inside.push_back(tap[0]);
      return fmt::format("({} {} {{ {} }})", reduction(), ranges(tap), operand(inside));
    }
    return changed(expression(cells, depth - 1), cells);
  }

  FamilyKernel cells() {
    const FamilyLoops cells = loops(random_.between(1, 4));
    if (chance(20)) { // a transposition
      FamilyLoops turned = cells;
      shuffle(turned);
      return {"transposition", kernel(type(elem_, shape(cells)), nest(cells, operand(turned))), {}};
    }
    return {"cells",
            kernel(type(elem_, shape(cells)), nest(cells, expression(cells, random_.between(1, 3)))),
            {}};
  }

  FamilyKernel several() {
    const FamilyLoops cells = loops(random_.between(1, 2)), others = loops(random_.between(1, 2));
    std::string extra;
    if (chance(50))
      extra = cell_of(let(nest(cells, expression(cells, 1))), cells);
    auto one = [&](const FamilyLoops &of) {
      return chance(50) ? nest(of, finished(sums_of(of, loops(1)), of)) : nest(of, expression(of, 1));
    };
    const std::string first = extra.empty() ? one(cells) : nest(cells, combined(extra, expression(cells, 0)));
    const std::string second = one(others);
    return {"several",
            kernel(fmt::format("(a: {}, b: {})", type(elem_, shape(cells)), type(elem_, shape(others))),
                   fmt::format("({}, {})", first, second)),
            {}};
  }

  // Reductions over a window that moves with two loops, maybe with weights.
  FamilyKernel window() {
    FamilyLoops cells = loops(2), padded = cells, taps{{"a", "3", "3"}, {"b", chance(50) ? "3" : "5", "5"}};
    for (std::size_t d : {0, 1})
      padded[d] = {padded[d].var + " + " + taps[d].var, "", padded[d].dimension + " + 4"};
    std::string term = cell_of(parameter(elem_, shape(padded)), padded);
    for (const char *tap : {"a", "b"})
      term = chance(40) ? fmt::format("{}({} + 1) * ({})", elem_, tap, term) : term;
    shuffle(taps);
    term = finished(fmt::format("({} {} {{ {} }})", reduction(), ranges(taps), term), cells);
    return {"window", kernel(type(elem_, shape(cells)), nest(cells, term)), {}};
  }

  // ---- rows

  FamilyKernel rows() {
    FamilyLoops outer = loops(random_.between(1, 2));
    const FamilyLoop along = loop();
    FamilyLoops cells = outer, of_input = outer;
    cells.push_back(along);
    of_input.push_back(along);
    if (chance(15))
      std::swap(of_input[of_input.size() - 1], of_input[of_input.size() - 2]);
    const std::string x = cell_of(parameter(elem_, shape(of_input)), of_input);
    auto reduced = [&](const std::string &with, const std::string &value) {
      return let(nest(outer, fmt::format("{} {} {{ {} }}", with, ranges({along}), value)));
    };
    const std::string top = cell_of(reduced(reduction(), x), outer);
    std::string value = combined(x, top);
    if (chance(50)) {
      const std::string centred = fmt::format("({} - {})", x, top);
      const std::string each = is_float(elem_) && chance(50) ? fmt::format("exp({})", centred)
                                                             : fmt::format("{} * {}", centred, centred);
      value = combined("(" + each + ")", cell_of(reduced(reduction(), each), outer));
    }
    if (chance(20))
      return {"rows",
              kernel(fmt::format("(a: {}, b: {})", type(elem_, shape(cells)), type(elem_, shape(outer))),
                     fmt::format("({}, {})", nest(cells, value), lets_.back().first)),
              {}};
    return {"rows", kernel(type(elem_, shape(cells)), nest(cells, value)), {}};
  }

  // ---- pipelines

  StencilRead stencil(std::size_t stage, std::size_t rank) {
    StencilRead made{stage, chance(6) ? random_.below(static_cast<int>(rank)) : -1, {}};
    const int width = chance(12) ? 4 : random_.between(0, 2);
    const bool all_dimensions = chance(30);
    const int along = random_.below(static_cast<int>(rank));
    for (int taps = width == 0 ? 1 : random_.between(1, 4); taps > 0; --taps) {
      std::vector<int> offset(rank, 0);
      for (std::size_t d = 0; d < rank; ++d)
        if (all_dimensions || static_cast<int>(d) == along)
          offset[d] = random_.between(0, width);
      made.offsets.push_back(offset);
    }
    return made;
  }

  static void widen(PipelineStage &read, const PipelineStage &reader, const StencilRead &by) {
    for (std::size_t d = 0; d < read.factor.size(); ++d) {
      const int times = static_cast<int>(d) == by.dimension_scaled ? 2 : 1;
      read.factor[d] = std::max(read.factor[d], times * reader.factor[d]);
      for (const auto &offset : by.offsets)
        read.border[d] = std::max(read.border[d], times * reader.border[d] + offset[d]);
    }
  }

  static FamilyLoops loops_of(const PipelineStage &stage, const FamilyLoops &result) {
    FamilyLoops made = result;
    for (std::size_t d = 0; d < made.size(); ++d) {
      const std::string all =
          stage.factor[d] == 1 ? result[d].hi : fmt::format("{} * {}", stage.factor[d], result[d].hi);
      made[d].hi = made[d].dimension =
          stage.border[d] == 0 ? all : fmt::format("{} + {}", all, stage.border[d]);
    }
    return made;
  }

  std::string stage_cell(const PipelineStage &stage, const StencilRead &by, const FamilyLoops &result) {
    std::string value;
    for (const auto &offset : by.offsets) {
      Strings at;
      for (std::size_t d = 0; d < result.size(); ++d) {
        const std::string scaled =
            static_cast<int>(d) == by.dimension_scaled ? "2 * " + result[d].var : result[d].var;
        at.push_back(offset[d] == 0 ? scaled : fmt::format("{} + {}", scaled, offset[d]));
      }
      const std::string tap = fmt::format("{}[{}]", stage.name, fmt::join(at, ", "));
      value = value.empty() ? tap : chance(70) ? fmt::format("({} + {})", value, tap) : combined(value, tap);
    }
    return value;
  }

  FamilyKernel pipeline() {
    const FamilyLoops result = loops(random_.between(1, 3));
    const std::size_t rank = result.size(), temporaries = static_cast<std::size_t>(random_.between(1, 4));
    // Stage 0 is the input, the last one the result.
    std::vector<PipelineStage> stages(temporaries + 2,
                                      {"", std::vector<int>(rank, 1), std::vector<int>(rank, 0)});
    std::vector<std::vector<StencilRead>> reads(stages.size());
    for (std::size_t s = stages.size() - 1; s > 0; --s) {
      reads[s].push_back(stencil(s - 1, rank));
      if (chance(30))
        reads[s].push_back(stencil(static_cast<std::size_t>(random_.below(static_cast<int>(s))), rank));
      for (const StencilRead &by : reads[s])
        widen(stages[by.stage], stages[s], by);
    }
    stages[0].name = parameter(elem_, shape(loops_of(stages[0], result)));
    for (std::size_t s = 1; s < stages.size(); ++s) {
      const FamilyLoops own = loops_of(stages[s], result);
      std::string value;
      for (const StencilRead &by : reads[s]) {
        const std::string cell = stage_cell(stages[by.stage], by, result);
        value = value.empty() ? cell : combined(value, cell);
      }
      if (chance(35))
        value = changed(value, own);
      if (chance(15))
        value = fmt::format("({} * {})", value, operand({own.back()}));
      if (s + 1 == stages.size())
        return {"pipeline", kernel(type(elem_, shape(result)), nest(own, value)), {}};
      stages[s].name = let(nest(own, value));
    }
    return {};
  }

  Random &random_;
  std::string name_, elem_;
  Strings sizes_, extents_, parameters_;
  std::vector<std::pair<std::string, std::string>> lets_;
  std::size_t loops_made_ = 0;
};

} // namespace

FamilyKernel draw_family_kernel(Random &random, const std::string &kernel_name) {
  return FamilyMaker(random, kernel_name).make();
}

} // namespace atl::fuzz
