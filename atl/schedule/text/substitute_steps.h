// Arguments in place of the names that stand for them, in the items of steps.
#pragma once
#include "atl/base/result.h"
#include "atl/syntax/steps.h"

#include <map>
#include <string>

namespace atl::schedule {

// By name: parameters of a use, and the variables of loops over names.
using Values = std::map<std::string, StepItem, std::less<>>;

// Of y := row.i, y becomes row.i, y.o becomes row.i.o, and tile.(y) becomes tile.row.i. What is constant then
// is a number.
Result<StepItem> substitute(const StepItem &item, const Values &by);

} // namespace atl::schedule
