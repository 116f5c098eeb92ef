#include "atl/schedule/steps/table.h"

#include "atl/schedule/steps/families.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::schedule {

namespace {

std::string steps_in_words() {
  std::vector<std::string_view> names;
  for (const StepRow &row : all_steps())
    if (names.empty() || names.back() != row.signature.name)
      names.push_back(row.signature.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string usage_in_words(const std::vector<const StepRow *> &rows) {
  std::string text;
  for (const StepRow *row : rows)
    text += fmt::format("{}`{}{}`", text.empty() ? "write " : " or ", row->usage,
                        row->signature.has_block ? "" : ";");
  return text;
}

} // namespace

const StepRows &all_steps() {
  static const StepRows rows = [] {
    StepRows all;
    for (const auto &family : {loop_steps, tensor_steps, sum_steps, size_steps, guard_steps, hardware_steps})
      for (StepRow &row : family())
        all.push_back(std::move(row));
    return all;
  }();
  return rows;
}

Result<Found> find_row(const Step &step) {
  std::vector<const StepRow *> rows;
  for (const StepRow &row : all_steps())
    if (row.signature.name == step.name)
      rows.push_back(&row);
  if (rows.empty())
    return Diagnostic{Code::unknown_step,
                      step.span,
                      fmt::format("there is no step {}", step.name),
                      {{std::nullopt, "the steps are " + steps_in_words()}}};
  std::vector<Note> notes{{std::nullopt, usage_in_words(rows)}};
  for (const StepRow *row : rows) {
    Match match = schedule::match(step, row->signature);
    if (match.arguments)
      return Found{row, std::move(*match.arguments)};
    if (match.note && notes.size() == 1)
      notes.push_back(std::move(*match.note));
  }
  return Diagnostic{Code::step_usage, step.span, fmt::format("{} is written in another way", step.name),
                    std::move(notes)};
}

} // namespace atl::schedule
