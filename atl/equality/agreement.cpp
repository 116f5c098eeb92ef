#include "atl/equality/agreement.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace atl::equality {

static bool has_floats(const ExprPtr &e) {
  if (e->type && is_float(e->type->elem))
    return true;
  std::vector<ExprPtr> kids = children(*e);
  return std::any_of(kids.begin(), kids.end(), has_floats);
}

static bool computes_with_floats(const TypedKernel &kernel) {
  return std::any_of(kernel.lets.begin(), kernel.lets.end(),
                     [](const Binding &let) { return has_floats(let.value); }) ||
         std::any_of(kernel.results.begin(), kernel.results.end(), has_floats);
}

constexpr std::string_view other_order = "reductions in another order", contracted = "a * b + c rounded once";

static void note(std::string_view law, std::vector<std::string> &laws) {
  if (std::find(laws.begin(), laws.end(), law) == laws.end())
    laws.emplace_back(law);
}

void note_laws(const Equality &equality, const Proves &proves, std::vector<std::string> &laws) {
  if (!std::all_of(equality.order_of_floats.begin(), equality.order_of_floats.end(),
                   [&](std::size_t number) { return proves(equality.order.at(number)); }))
    note(other_order, laws);
  for (Law law : equality.laws_of_floats)
    note(name(law), laws);
}

void note_contracted(const TypedKernel &kernel, std::vector<std::string> &laws) {
  if (computes_with_floats(kernel))
    note(contracted, laws);
}

void note_reordered_lanes(const TypedKernel &kernel, std::vector<std::string> &laws) {
  if (!computes_with_floats(kernel))
    return;
  note(other_order, laws);
  note(name(Law::regrouping), laws);
}

Rounding rounding_for(std::string_view law) {
  if (law == contracted)
    return Rounding::contract;
  if (law == name(Law::distributivity))
    return Rounding::distribute;
  return law == name(Law::zero) ? Rounding::zeros : Rounding::reorder;
}

std::vector<Renumbered> in_order(const Equality &equality, const Proves &proves) {
  std::vector<Renumbered> result = equality.renumbered;
  for (Renumbered &r : result)
    r.in_order = !r.order || proves(equality.order.at(*r.order));
  return result;
}

std::string agreement(const std::vector<std::string> &laws) {
  return laws.empty() ? "bit by bit" : fmt::format("up to: {}", fmt::join(laws, "; "));
}

} // namespace atl::equality
