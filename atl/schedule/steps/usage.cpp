#include "atl/schedule/steps/usage.h"

#include "atl/base/spelling.h"
#include "atl/parse/pattern.h"
#include "atl/parse/scan.h"
#include "atl/schedule/steps/families.h"
#include "atl/schedule/steps/table.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::schedule {

namespace {

// Steps of other languages.
struct Other {
  std::string_view name, here;
};
constexpr Other others[] = {
    {"compute_at", "compute"},
    {"computeat", "compute"},
    {"parallelize", "parallel"},
    {"parallelise", "parallel"},
    {"vectorise", "vectorize"},
    {"simd", "vectorize"},
    {"unroll_loop", "unroll"},
    {"divide_loop", "split"},
    {"divide", "split"},
    {"strip_mine", "split"},
    {"block", "tile"},
    {"reorder_loops", "reorder"},
    {"interchange", "reorder"},
    {"swap", "reorder"},
    {"permute", "reorder"},
    {"store_at", "store"},
    {"stage_mem", "stage"},
    {"cache_read", "stage"},
    {"set_memory", "store"},
    {"fuse_loops", "fuse"},
    {"mult_loops", "fuse"},
    {"parallelize_loop", "parallel"},
    {"vectorize_loop", "vectorize"},
    {"use", "map"},
    {"target", "map"},
    {"for_each", "every"},
    {"fission", "distribute"},
    {"lift_alloc", "store"},
    {"omp", "parallel"},
    {"threads", "parallel"},
};

// What the step names, without words between: names and numbers, in the order of the text.
std::vector<std::string> operands_of(const std::vector<parse::Piece> &pieces) {
  std::vector<std::string> operands;
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    const std::string_view text = pieces[i].text;
    const bool is_name = parse::name_length(text) == text.size() && !parse::is_step_marker(text);
    const bool is_number = text[0] >= '0' && text[0] <= '9';
    const bool is_word = text == "all" || text == "every";
    if ((is_name || is_number) && !is_word)
      operands.emplace_back(text);
  }
  return operands;
}

bool is_number(const std::string &text) {
  return text[0] >= '0' && text[0] <= '9';
}

// Puts the operands in the order of the parameters: the next number where a number stands, else the next
// name.
class Filling {
public:
  Filling(const Signature &signature, std::vector<std::string> operands)
      : signature_(signature), left_(std::move(operands)), text_(signature.name) {}

  // Nothing if operands are left over, or too few.
  std::optional<std::string> text() {
    if (!all(signature_.parts) || !left_.empty())
      return std::nullopt;
    return text_;
  }

private:
  bool all(const std::vector<Part> &parts) {
    return std::all_of(parts.begin(), parts.end(), [&](const Part &part) { return one(part); });
  }

  bool one(const Part &part) {
    switch (part.kind) {
    case Part::Kind::word: text_ += " " + std::string(part.word); return true;
    case Part::Kind::comma: text_ += ","; return true;
    case Part::Kind::argument: return argument(signature_.parameters[part.parameter]);
    case Part::Kind::optional: return true;
    case Part::Kind::repeated:
      while (!left_.empty())
        if (!all(part.inside))
          return false;
      return true;
    }
    return false;
  }

  bool argument(const Parameter &parameter) {
    const bool wants_number = parameter.kind == Parameter::Kind::index;
    auto next = std::find_if(left_.begin(), left_.end(),
                             [&](const std::string &operand) { return is_number(operand) == wants_number; });
    if (next == left_.end() || parameter.kind == Parameter::Kind::choice ||
        parameter.kind == Parameter::Kind::condition)
      return false;
    text_ += " " + *next;
    left_.erase(next);
    return true;
  }

  const Signature &signature_;
  std::vector<std::string> left_;
  std::string text_;
};

std::vector<std::string> names_meant(std::string_view name) {
  std::vector<std::string> names{std::string(name)};
  for (const Other &other : others)
    if (other.name == name)
      names.emplace_back(other.here);
  std::vector<std::string_view> all;
  for (const StepRow &row : all_steps())
    all.push_back(row.signature.name);
  if (std::string closest = closest_name(name, all); !closest.empty())
    names.push_back(std::move(closest));
  return names;
}

} // namespace

std::vector<Fix> other_usages(const Sources &sources, Span step) {
  const std::string &text = sources.at(step.file).text;
  const std::vector<parse::Piece> pieces = parse::pieces_of(text, step.begin, step.end);
  if (pieces.empty())
    return {};
  std::vector<Fix> fixes;
  for (const std::string &name : names_meant(pieces[0].text)) {
    if (name != pieces[0].text)
      fixes.push_back({fmt::format("there is a step {}", name),
                       {{{step.file, pieces[0].begin, pieces[0].end}, name}},
                       false});
    for (const StepRow &row : all_steps()) {
      if (row.signature.name != name || row.signature.has_block)
        continue;
      std::vector<std::string> operands = operands_of(pieces);
      auto filled = Filling(row.signature, operands).text();
      if (!filled) { // some numbers are told elsewhere, as in `unroll k by 4`
        operands.erase(std::remove_if(operands.begin(), operands.end(), is_number), operands.end());
        filled = Filling(row.signature, operands).text();
      }
      const Span whole{step.file, pieces[0].begin, pieces.back().end};
      const bool semicolon = pieces.back().text == ";";
      if (filled)
        fixes.push_back({fmt::format("the step is written {}", row.usage),
                         {{whole, *filled + (semicolon ? ";" : "")}},
                         false});
    }
  }
  return fixes;
}

} // namespace atl::schedule
