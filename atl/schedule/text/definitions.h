// The steps and schedules of a program, by name, and what a use of one means: `rows(y, 32);`.
#pragma once
#include "atl/base/result.h"
#include "atl/syntax/program.h"

#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace atl::schedule {

// What a use is replaced by.
struct Body {
  const std::vector<ScheduleParam> *params;
  const std::vector<Step> *steps;
  Span name; // where it is defined
  bool is_schedule;
};

class Definitions { // of a program that stays where it is
public:
  explicit Definitions(const Program &program);

  // A step, or, in a schedule for `kernel`, another schedule for it (in a step, `kernel` is empty). Where
  // there is none, or another number of arguments is needed, says so.
  Result<Body> resolve(const Step &use, std::string_view kernel) const;

  // Names that functions of the program bind: a kernel that calls them has loops of these names.
  const std::set<std::string> &function_names() const { return function_names_; }

private:
  std::optional<Body> find(std::string_view name, std::string_view kernel) const;
  Diagnostic unknown(const Step &use, std::string_view kernel) const;
  std::set<std::string> function_names_;
  std::map<std::string_view, const StepDefinition *> steps_;
  std::map<std::string_view, std::map<std::string_view, const Schedule *>> schedules_; // name, kernel
};

} // namespace atl::schedule
