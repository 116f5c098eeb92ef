#include "driver/blame_hardware.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <functional>
#include <set>

namespace atl::driver {

namespace {

bool names_item(const Step &step, const std::string &name) {
  return std::any_of(step.items.begin(), step.items.end(),
                     [&](const StepItem &item) { return item.text == name; });
}

// Names have points in them, and sentences end with none.
bool is_word_of(const std::string &text, const std::string &word) {
  auto is_part = [&](std::size_t at) {
    return at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_' || text[at] == '.');
  };
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    if (!is_part(at + word.size()) && (at == 0 || !is_part(at - 1)))
      return true;
  return false;
}

bool speaks_of(const Diagnostic &problem, const std::string &loop) {
  return is_word_of(problem.message, loop) ||
         std::any_of(problem.notes.begin(), problem.notes.end(),
                     [&](const Note &note) { return is_word_of(note.text, loop); });
}

// The loops that are vectorized, of a step that does it.
const StepItem *vectorized_loop(const Step &step, const Diagnostic &problem) {
  if (step.name != "vectorize")
    return nullptr;
  auto loop = std::find_if(step.items.begin(), step.items.end(), [&](const StepItem &item) {
    return item.kind == StepItem::Kind::index && speaks_of(problem, item.text);
  });
  return loop == step.items.end() ? nullptr : &*loop;
}

std::string divided_loop(const std::string &loop) {
  return loop.substr(0, loop.rfind('.'));
}

// The step that gives the loop its number of iterations: x.i is made of x.
const Step *division_of(const std::string &loop, const std::vector<Step> &steps) {
  auto made = std::find_if(steps.rbegin(), steps.rend(), [&](const Step &step) {
    return (step.name == "split" || step.name == "tile") &&
           (names_item(step, loop) || names_item(step, divided_loop(loop)));
  });
  return made == steps.rend() ? nullptr : &*made;
}

// Another number of lanes: each that the hardware has, the largest first.
void propose_widths(Diagnostic &problem, const Step &division, const std::string &loop,
                    const std::vector<accel::Target> &targets) {
  std::set<std::int64_t, std::greater<>> widths;
  for (const accel::Target &target : targets)
    for (const accel::Pattern &pattern : target.patterns)
      if (!pattern.total && pattern.lanes > 1)
        widths.insert(pattern.lanes);
  auto at = std::find_if(division.items.begin(), division.items.end(),
                         [&](const StepItem &item) { return item.text == divided_loop(loop); });
  auto factor = std::find_if(at, division.items.end(),
                             [](const StepItem &item) { return item.index && as_constant(item.index); });
  if (factor == division.items.end())
    return;
  for (std::int64_t width : widths)
    problem.fixes.push_back(
        {fmt::format("make vectors of {}", width), {{factor->span, std::to_string(width)}}, false});
}

} // namespace

bool is_of_hardware(const Diagnostic &problem) {
  return problem.code >= Code::unknown_hardware && problem.code <= Code::instruction_condition;
}

void name_request(Diagnostic &problem, const Asked &asked, const std::string &schedule) {
  for (const Step &step : asked.steps) {
    const StepItem *loop = vectorized_loop(step, problem);
    if (!loop)
      continue;
    const Step *division = division_of(loop->text, asked.steps);
    const bool other_width = division && problem.message.find("in vectors of") != std::string::npos;
    if (other_width) {
      problem.span = division->span;
      propose_widths(problem, *division, loop->text, asked.targets);
    }
    problem.notes.push_back(
        {step.span, fmt::format("{} is vectorized here, in the schedule {}", loop->text, schedule)});
    problem.notes.insert(problem.notes.end(), step.via.begin(), step.via.end());
    return;
  }
  auto map = std::find_if(asked.steps.begin(), asked.steps.end(),
                          [](const Step &step) { return step.name == "map"; });
  if (map == asked.steps.end())
    return;
  problem.notes.push_back({map->span, "the hardware is asked for here, in the schedule " + schedule});
  problem.notes.insert(problem.notes.end(), map->via.begin(), map->via.end());
}

} // namespace atl::driver
