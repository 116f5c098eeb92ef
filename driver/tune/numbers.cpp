#include "driver/tune/numbers.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

namespace atl::driver {

namespace {

constexpr std::array<std::string_view, 3> steps_with_sizes{"split", "tile", "prefetch"};

bool has_numbers(const Step &step) {
  return is_use(step) ||
         std::find(steps_with_sizes.begin(), steps_with_sizes.end(), step.name) != steps_with_sizes.end();
}

using Visit = std::function<void(StepItem &item, std::int64_t value)>;

void visit_items(std::vector<StepItem> &items, const Visit &visit) {
  for (StepItem &item : items) {
    visit_items(item.elements, visit);
    if (item.kind != StepItem::Kind::index)
      continue;
    if (const auto value = as_constant(item.index))
      visit(item, *value);
  }
}

void visit_numbers(std::vector<Step> &steps, const Visit &visit) {
  for (Step &step : steps) {
    if (has_numbers(step))
      visit_items(step.items, visit);
    visit_numbers(step.block, visit);
    visit_numbers(step.otherwise, visit);
  }
}

} // namespace

std::vector<std::int64_t> numbers_of(const std::vector<Step> &steps) {
  std::vector<Step> visited = steps;
  std::vector<std::int64_t> numbers;
  visit_numbers(visited, [&](const StepItem &, std::int64_t value) { numbers.push_back(value); });
  return numbers;
}

std::vector<Step> with_number(std::vector<Step> steps, std::size_t at, std::int64_t value) {
  std::size_t place = 0;
  visit_numbers(steps, [&](StepItem &item, std::int64_t) {
    if (place++ == at) {
      item.index = constant(value);
      item.text = std::to_string(value);
    }
  });
  return steps;
}

std::vector<Step> steps_at(const std::vector<Step> &steps, const Valuation &sizes) {
  std::vector<Step> done;
  for (const Step &step : steps) {
    if (step.name != "specialize" || is_use(step)) {
      done.push_back(step);
      continue;
    }
    const auto condition = std::find_if(step.items.begin(), step.items.end(), [](const StepItem &item) {
      return item.kind == StepItem::Kind::pred;
    });
    if (condition == step.items.end() || !evaluate(condition->pred, sizes).value_or(false))
      continue;
    done.insert(done.end(), step.block.begin(), step.block.end());
    return done;
  }
  return done;
}

} // namespace atl::driver
