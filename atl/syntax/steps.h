// Schedules as data: what the text says, and what is left of it once steps that users define are expanded.
// Which steps there are is no matter here; atl/schedule/steps/table.h lists them.
#pragma once
#include "atl/base/diagnostic.h"
#include "atl/base/span.h"
#include "atl/index/index.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace atl {

// What stands between a step's name and its end. A loop or a tensor is an index that is a variable: y.o.
struct StepItem {
  enum class Kind { word, index, pred, comma, list } kind;
  std::string text; // as written; the word
  Index index;
  Pred pred;
  Span span;
  std::vector<StepItem> elements = {}; // of a list: [y, x.o]
};

inline constexpr std::string_view extent_word = "extent", local_word = "local";

// What means something only later is a variable with a name that no loop has: `extent(y)`, `extent(y, rows)`
// of `y in rows`, and `tile.(y)`, which is tile.row where y stands for row.
struct Extent {
  std::string loop;
  std::optional<std::string> within;
};
std::string name_of(const Extent &extent);
std::optional<Extent> extent_of(std::string_view name); // none: another name
std::string composed_name(std::string_view first, std::string_view second);
std::optional<std::pair<std::string, std::string>> parts_of_composed(std::string_view name);

// One step, such as `split y by 32 tail cut;`. A step with a block holds other steps: `specialize when P {
// ... }`, and, before expansion, `if P { ... } else { ... }` and `for L in y, x { ... }`.
struct Step {
  std::string name;
  Span span; // all of it
  std::vector<StepItem> items;
  std::vector<Step> block, otherwise;
  std::vector<Note> via; // the uses of user-level steps that it comes from, innermost first
};

// A use of a definition is a step whose items stand in parentheses: `rows(y, 32);`.
bool is_use(const Step &step);
std::vector<StepItem> arguments_of(const Step &use); // without the commas

struct ScheduleParam {
  std::string name;
  Span span;
};

// step rows(y, h) { split y by h; ... }
struct StepDefinition {
  std::string name;
  Span span; // of the name
  std::vector<ScheduleParam> params;
  std::vector<Step> body;
};

// schedule fast for blur, blur2 { ... }        schedule tiled(T) for matmul { ... }
// schedule tiled32 for matmul = tiled(32);     is a use of `tiled` as the only step
struct Schedule {
  std::string name;
  Span span;                         // of the name
  std::vector<ScheduleParam> params; // with parameters it only serves others, and is not applied by itself
  std::vector<ScheduleParam> kernels;
  std::vector<Step> steps;
  bool is_private = false; // no other file can use it, and no library has a function of it
};

} // namespace atl
