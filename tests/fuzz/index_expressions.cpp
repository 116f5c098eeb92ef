#include "fuzz/index_expressions.h"

#include "atl/index/index.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <vector>

namespace atl::fuzz {

namespace {

// 0 <= at < extent in each iteration of the loops around.
struct Coordinate {
  Index at, extent;
};

class IndexKernel {
public:
  explicit IndexKernel(Random &random) : random_(random) {}

  std::string text(const std::string &name) {
    const std::vector<std::string> ranges = loops(random_.between(1, 3), {"i", "j", "k"});
    std::vector<std::string> result_extents;
    for (const Coordinate &loop : loops_)
      result_extents.push_back(to_string(loop.extent));
    std::string lets = random_.chance(25) ? temporary() : "";
    std::string body = value();
    return fmt::format("kernel {}({}{}) -> f32[{}]{} {{ {}gen {} {{ {} }} }}\n", name,
                       "N: size, M: size, L: size, S: size, T: size, K: size", fmt::join(inputs_, ""),
                       fmt::join(result_extents, ", "), where(), lets, fmt::join(ranges, ", "), body);
  }

private:
  // Makes them; their ranges, as text.
  std::vector<std::string> loops(int count, const std::vector<std::string> &names) {
    std::vector<std::string> ranges;
    for (int n = 0; n < count; ++n) {
      const std::string &name = names[static_cast<std::size_t>(n)];
      loops_.push_back({variable(name), extent()});
      ranges.push_back(name + " < " + to_string(loops_.back().extent));
    }
    return ranges;
  }

  Index size(const std::vector<std::string> &names) { return variable(random_.pick(names)); }
  Index any_size() { return size({"N", "M", "L"}); }
  Index number(int lo, int hi) { return constant(random_.between(lo, hi)); }

  Index positive(const Index &a_size) {
    positive_.insert(a_size->name);
    return a_size;
  }

  Index divisor() {
    Choice<Index> choice;
    choice.add(8, [&] { return number(2, 8); });
    choice.add(8, [&] { return positive(size({"S", "S", "T", "M"})); });
    choice.add(1, [&] { return binary(IndexOp::mul, positive(variable("S")), number(2, 4)); });
    choice.add(1, [&] { return binary(IndexOp::mul, positive(variable("S")), positive(variable("T"))); });
    return choice.choose(random_);
  }

  Index with(IndexOp op, const Index &a, const Index &b) { return binary(op, a, b); }

  Index extent() {
    Choice<Index> choice;
    choice.add(10, [&] { return any_size(); });
    choice.add(1, [&] { return number(1, 9); });
    choice.add(1, [&] { return with(IndexOp::add, any_size(), number(1, 3)); });
    choice.add(2, [&] { return with(IndexOp::mul, any_size(), size({"N", "M", "S"})); });
    choice.add(1, [&] { return with(IndexOp::mul, any_size(), number(2, 4)); });
    choice.add(2, [&] { return with(IndexOp::cdiv, any_size(), divisor()); });
    choice.add(2, [&] { return with(IndexOp::div, any_size(), divisor()); });
    choice.add(1, [&] { return windows(); });
    return choice.choose(random_);
  }

  // As many as windows of K, S apart, in N.
  Index windows() {
    window_fits_ = true;
    return with(IndexOp::add,
                with(IndexOp::div, with(IndexOp::sub, variable("N"), variable("K")), positive(variable("S"))),
                constant(1));
  }

  Coordinate loop() { return random_.pick(loops_); }

  Coordinate coordinate(int depth) {
    if (depth <= 0)
      return loop();
    const Coordinate c = coordinate(depth - 1);
    Choice<Coordinate> choice;
    choice.add(3, [&] { return c; });
    choice.add(5, [&] { return divided(c); });
    choice.add(4, [&] { return moved(c); });
    choice.add(4, [&] { return joined(c, coordinate(random_.below(depth))); });
    choice.add(2, [&] { return clamped(c); });
    return choice.choose(random_);
  }

  Coordinate divided(const Coordinate &c) {
    const Index d = divisor(), quotient = with(IndexOp::div, c.at, d), rest = with(IndexOp::mod, c.at, d);
    Choice<Coordinate> choice;
    choice.add(2, [&] { return Coordinate{quotient, with(IndexOp::cdiv, c.extent, d)}; });
    choice.add(1, [&] { return Coordinate{quotient, c.extent}; });
    choice.add(2, [&] { return Coordinate{rest, d}; });
    choice.add(1, [&] { return Coordinate{rest, c.extent}; });
    choice.add(2, [&] { return Coordinate{with(IndexOp::mul, quotient, d), c.extent}; });
    choice.add(2, [&] { return Coordinate{with(IndexOp::sub, c.at, rest), c.extent}; });
    if (c.extent->op == IndexOp::mul && c.extent->b->op == IndexOp::variable) {
      const Index columns = positive(c.extent->b);
      choice.add(6, [&, columns] { return Coordinate{with(IndexOp::div, c.at, columns), c.extent->a}; });
      choice.add(6, [&, columns] { return Coordinate{with(IndexOp::mod, c.at, columns), columns}; });
    }
    return choice.choose(random_);
  }

  Coordinate moved(const Coordinate &c) {
    const Index d = divisor(), n = number(1, 3);
    Choice<Coordinate> choice;
    choice.add(2, [&] { return Coordinate{with(IndexOp::mul, c.at, d), with(IndexOp::mul, c.extent, d)}; });
    choice.add(2, [&] { return Coordinate{with(IndexOp::add, c.at, n), with(IndexOp::add, c.extent, n)}; });
    choice.add(2, [&] {
      return Coordinate{with(IndexOp::sub, with(IndexOp::sub, c.extent, constant(1)), c.at), c.extent};
    });
    return choice.choose(random_);
  }

  Coordinate joined(const Coordinate &c, const Coordinate &other) {
    const Index d = divisor(), sum = with(IndexOp::add, c.at, other.at);
    const Index row = with(IndexOp::mul, c.at, other.extent), first = with(IndexOp::mul, c.at, d);
    Choice<Coordinate> choice;
    choice.add(3, [&] {
      return Coordinate{with(IndexOp::add, row, other.at), with(IndexOp::mul, c.extent, other.extent)};
    });
    choice.add(2, [&] { return Coordinate{sum, with(IndexOp::add, c.extent, other.extent)}; });
    choice.add(2, [&] {
      return Coordinate{with(IndexOp::add, first, with(IndexOp::mod, other.at, d)),
                        with(IndexOp::mul, c.extent, d)};
    });
    choice.add(2, [&] { // windows: of the extent of the other one, d apart
      return Coordinate{with(IndexOp::add, first, other.at),
                        with(IndexOp::add, with(IndexOp::mul, c.extent, d), other.extent)};
    });
    const Index n = any_size();
    choice.add(2, [&] { return Coordinate{with(IndexOp::mod, sum, positive(n)), n}; });
    return choice.choose(random_);
  }

  Coordinate clamped(const Coordinate &c) {
    const Index last = with(IndexOp::sub, c.extent, constant(1)), n = number(1, 3);
    Choice<Coordinate> choice;
    choice.add(2, [&] {
      return Coordinate{with(IndexOp::min, with(IndexOp::add, c.at, n), last), c.extent};
    });
    choice.add(2, [&] {
      return Coordinate{with(IndexOp::max, with(IndexOp::sub, c.at, n), constant(0)), c.extent};
    });
    choice.add(1, [&] { return Coordinate{with(IndexOp::min, c.at, loop().at), c.extent}; });
    return choice.choose(random_);
  }

  // A temporary with as many cells as the loops have iterations: t.
  std::string temporary() {
    std::vector<std::string> ranges, at, extents;
    for (std::size_t n = 0; n < loops_.size(); ++n) {
      at.push_back(fmt::format("a{}", n));
      extents.push_back(to_string(loops_[n].extent));
      ranges.push_back(at.back() + " < " + extents.back());
      temporary_.push_back(loops_[n].extent);
    }
    inputs_.push_back(fmt::format(", t0: f32[{}]", fmt::join(extents, ", ")));
    return fmt::format("let t = gen {} {{ t0[{}] * 2.0 }}; ", fmt::join(ranges, ", "), fmt::join(at, ", "));
  }

  // In an input that is as large as the coordinates may be.
  std::string read() {
    const std::string name = fmt::format("x{}", inputs_.size());
    std::vector<std::string> at, extents;
    for (int n = random_.chance(30) ? 2 : 1; n > 0; --n) {
      const Coordinate c = coordinate(random_.between(1, 3));
      at.push_back(to_string(c.at));
      extents.push_back(to_string(c.extent));
    }
    inputs_.push_back(fmt::format(", {}: f32[{}]", name, fmt::join(extents, ", ")));
    return fmt::format("{}[{}]", name, fmt::join(at, ", "));
  }

  // Of the loops themselves, some divided: always in the temporary.
  std::string read_of_temporary() {
    std::vector<std::string> at;
    for (std::size_t n = 0; n < temporary_.size(); ++n) {
      const Index i = loops_[n].at, d = divisor();
      at.push_back(to_string(random_.chance(50)   ? i
                             : random_.chance(50) ? with(IndexOp::mul, with(IndexOp::div, i, d), d)
                                                  : with(IndexOp::sub, i, with(IndexOp::mod, i, d))));
    }
    return fmt::format("t[{}]", fmt::join(at, ", "));
  }

  // Where a condition holds: the coordinate may be larger than the input.
  std::string guarded_read() {
    const Index at = coordinate(random_.between(1, 3)).at, n = any_size();
    const std::string name = fmt::format("x{}", inputs_.size()), index = to_string(at);
    inputs_.push_back(fmt::format(", {}: f32[{}]", name, to_string(n)));
    if (random_.chance(50))
      return fmt::format("select({} < {}, {}[{}], 0.0)", index, to_string(n), name, index);
    return fmt::format("([{} < {}] {}[{}])", index, to_string(n), name, index);
  }

  // x[j, ...] for j <= i, without the other cells.
  std::string packed_read() {
    const std::string name = fmt::format("x{}", inputs_.size()), i = loops_[0].at->name;
    const std::string n = to_string(loops_[0].extent); // a size
    inputs_.push_back(fmt::format(", {}: f32[{} * ({} + 1) / 2]", name, n, n));
    return fmt::format("(sum w < {} + 1 {{ {}[{} * ({} + 1) / 2 + w] }})", i, name, i, i);
  }

  std::string reduced_read() {
    const Index extent = random_.chance(60) ? variable("K") : number(2, 5);
    loops_.push_back({variable("r"), extent});
    const std::string term = read();
    loops_.pop_back();
    return fmt::format("(sum r < {} {{ {} }})", to_string(extent), term);
  }

  std::string value() {
    Choice<std::string> choice;
    choice.add(6, [&] { return read(); });
    choice.add(2, [&] { return guarded_read(); });
    choice.add(2, [&] { return reduced_read(); });
    choice.add(loops_[0].extent->op == IndexOp::variable ? 1 : 0, [&] { return packed_read(); });
    choice.add(temporary_.empty() ? 0 : 8, [&] { return read_of_temporary(); });
    std::string text = choice.choose(random_);
    for (int more = random_.below(2); more > 0; --more)
      text += " + " + choice.choose(random_);
    return text;
  }

  // Which sizes are divisors, and how large all may be.
  std::string where() {
    std::vector<std::string> clauses;
    for (const std::string &name : positive_)
      clauses.push_back(name + " >= 1");
    if (window_fits_)
      clauses.push_back("N >= K");
    const int most = random_.pick(std::vector<int>{0, 100, 4096, 100000});
    for (const char *name : {"N", "M", "L", "S", "T", "K"})
      if (most > 0)
        clauses.push_back(fmt::format("{} <= {}", name, most));
    return clauses.empty() ? "" : fmt::format(" where {}", fmt::join(clauses, ", "));
  }

  Random &random_;
  std::vector<Coordinate> loops_;
  std::vector<Index> temporary_; // its extents, if there is one
  std::vector<std::string> inputs_;
  std::set<std::string> positive_; // sizes
  bool window_fits_ = false;
};

} // namespace

std::string generate_index_kernel(Random &random, const std::string &name) {
  return IndexKernel(random).text(name);
}

} // namespace atl::fuzz
