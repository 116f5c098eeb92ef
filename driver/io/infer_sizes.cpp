#include "driver/io/infer_sizes.h"

#include "atl/index/bounds.h"
#include "atl/index/value_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace atl::driver {

namespace {

// factor * N + offset
struct Line {
  std::int64_t factor, offset;
};

// e as a line in `unknown`, the other sizes having values. Nothing if it is not one.
std::optional<Line> line(const Index &e, const std::string &unknown, const Valuation &known) {
  auto linear = linear_in(e, unknown);
  auto factor = linear ? evaluate(linear->slope, known) : std::nullopt;
  auto offset = linear ? evaluate(linear->rest, known) : std::nullopt;
  return factor && offset ? std::optional(Line{*factor, *offset}) : std::nullopt;
}

std::string counted(std::int64_t count, const char *one, const char *many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// "img has 7 columns"
std::string text(const Measured &m) {
  if (m.rank == 1)
    return fmt::format("{} has {}", m.tensor, counted(m.actual, "element", "elements"));
  if (m.rank == 2)
    return fmt::format("{} has {}", m.tensor,
                       m.dimension == 0 ? counted(m.actual, "row", "rows")
                                        : counted(m.actual, "column", "columns"));
  return fmt::format("{} has extent {} in dimension {} of {}", m.tensor, m.actual, m.dimension + 1, m.rank);
}

std::string bare(std::int64_t value, const Index &declared) {
  return declared->op == IndexOp::constant
             ? fmt::format("{} declared", value == 1 ? "1 is" : std::to_string(value) + " are")
             : fmt::format("{} = {}", to_string(declared), value);
}

Diagnostic conflict(std::string message, std::vector<Note> notes = {}) {
  return {Code::size_conflict, std::nullopt, std::move(message), std::move(notes)};
}

class Inference {
public:
  Inference(const TypedKernel &kernel, const Valuation &given, const std::vector<Measured> &extents)
      : kernel_(kernel), extents_(extents), values_(given) {
    for (const auto &[name, value] : given)
      reasons_[name] = value_text(name, value) + " was given";
  }

  Result<Valuation> run() {
    while (errors_.empty() && learn()) {
    }
    if (errors_.empty())
      require_all();
    if (errors_.empty())
      check_extents();
    if (errors_.empty())
      check_where();
    if (errors_.empty())
      check_limits();
    if (errors_.empty())
      check_outputs();
    return errors_.empty() ? Result<Valuation>(values_) : Result<Valuation>(errors_);
  }

private:
  // Whether an extent gave the value of one more size.
  bool learn() {
    for (const Measured &m : extents_)
      if (auto unknown = only_unknown(m.declared))
        if (learn(m, *unknown))
          return true;
    return false;
  }

  bool learn(const Measured &m, const std::string &unknown) {
    auto form = line(m.declared, unknown, values_);
    std::int64_t product = 0;
    if (!form || form->factor == 0 || __builtin_sub_overflow(m.actual, form->offset, &product))
      return false;
    if (product % form->factor != 0 || product / form->factor < 0) {
      errors_.push_back(conflict(fmt::format("{}, but {} is that for no {}{}", text(m), to_string(m.declared),
                                             unknown, why_others(m, unknown))));
      return false;
    }
    values_[unknown] = product / form->factor;
    reasons_[unknown] = fmt::format("{}, so {}", text(m), value_text(unknown, values_[unknown]));
    return true;
  }

  std::optional<std::string> only_unknown(const Index &e) const {
    std::optional<std::string> found;
    std::set<std::string> names;
    collect_variables(e, names);
    for (const std::string &name : names)
      if (!values_.contains(name)) {
        if (found)
          return std::nullopt;
        found = name;
      }
    return found;
  }

  // " (M = 6 was given)": where the values of the sizes in an expression come from.
  template <class Expression>
  std::string why(const Expression &e, const std::string &except = {}) const {
    std::set<std::string> names;
    collect_variables(e, names);
    names.erase(except);
    std::vector<std::string> reasons;
    for (const std::string &name : names)
      if (auto reason = reasons_.find(name); reason != reasons_.end())
        reasons.push_back(reason->second);
    return fmt::format("{}", fmt::join(reasons, "; "));
  }
  std::string why_others(const Measured &m, const std::string &unknown) const {
    std::string reasons = why(m.declared, unknown);
    return reasons.empty() ? "" : " (" + reasons + ")";
  }

  void require_all() {
    for (const std::string &name : kernel_.size_names())
      if (!values_.contains(name))
        errors_.push_back(
            {Code::bad_argument,
             std::nullopt,
             fmt::format("the size {0} is not given and does not follow from the inputs: add {0}=NUMBER",
                         name),
             {}});
  }

  void check_extents() {
    for (const Measured &m : extents_)
      if (auto expected = evaluate(m.declared, values_); expected != m.actual)
        errors_.push_back(conflict(mismatch(m, expected)));
  }

  std::string mismatch(const Measured &m, std::optional<std::int64_t> expected) const {
    std::set<std::string> names;
    collect_variables(m.declared, names);
    if (names.size() == 1)
      if (auto implied = solution(m, *names.begin()))
        return fmt::format("{}, so {} = {}, but {}", text(m), *names.begin(), *implied,
                           reasons_.at(*names.begin()));
    std::string needed = expected ? bare(*expected, m.declared) : to_string(m.declared) + " is no number";
    std::string reasons = why(m.declared);
    return fmt::format("{}, but {}{}", text(m), needed, reasons.empty() ? "" : " (" + reasons + ")");
  }

  std::optional<std::int64_t> solution(const Measured &m, const std::string &size) const {
    auto form = line(m.declared, size, {});
    std::int64_t product = 0;
    bool solvable = form && form->factor != 0 && !__builtin_sub_overflow(m.actual, form->offset, &product) &&
                    product % form->factor == 0 && product / form->factor >= 0;
    return solvable ? std::optional(product / form->factor) : std::nullopt;
  }

  void check_where() {
    for (const Where &w : kernel_.where)
      if (!evaluate(w.pred, values_).value_or(false))
        errors_.push_back(conflict(
            fmt::format("the kernel {} needs {}, but {}", kernel_.name, to_string(w.pred), why(w.pred)),
            {{w.span, "stated here"}}));
  }

  void check_limits() {
    for (const Pred &p : kernel_.assumptions)
      if (!evaluate(p, values_).value_or(false))
        errors_.push_back(conflict(
            fmt::format("{} does not hold: {}", to_string(p), why(p)),
            {{std::nullopt, fmt::format("sizes go from 0 to {}, unless a where clause states another limit",
                                        default_size_limit)}}));
  }

  // The outputs must fit into the memory of the machine.
  void check_outputs() {
    std::int64_t total = 0;
    for (const Output &output : kernel_.outputs) {
      std::int64_t bytes = static_cast<std::int64_t>(byte_size(output.type.elem));
      std::vector<std::int64_t> shape;
      for (const Index &extent : output.type.shape)
        shape.push_back(evaluate(extent, values_).value_or(-1));
      bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
      bool too_large = false;
      for (std::int64_t extent : shape)
        too_large |= extent < 0 || __builtin_mul_overflow(bytes, extent, &bytes);
      too_large = !empty && (too_large || __builtin_add_overflow(total, bytes, &total) || total > memory());
      if (too_large)
        errors_.push_back({Code::out_of_memory,
                           std::nullopt,
                           fmt::format("the output {} of shape [{}] does not fit into memory", output.name,
                                       fmt::join(shape, ", ")),
                           {}});
    }
  }

  static std::int64_t memory() {
    std::int64_t bytes = 0;
    return __builtin_mul_overflow(::sysconf(_SC_PHYS_PAGES), ::sysconf(_SC_PAGESIZE), &bytes) ? INT64_MAX
                                                                                              : bytes;
  }

  const TypedKernel &kernel_;
  const std::vector<Measured> &extents_;
  Valuation values_;
  std::map<std::string, std::string> reasons_;
  Diagnostics errors_;
};

} // namespace

Result<Valuation> infer_sizes(const TypedKernel &kernel, const Valuation &given,
                              const std::vector<Measured> &extents) {
  return Inference(kernel, given, extents).run();
}

} // namespace atl::driver
