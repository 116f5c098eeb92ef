// Schedules back to text. What is printed parses back to the same steps.
#pragma once
#include "atl/syntax/steps.h"

#include <string>

namespace atl {

std::string to_string(const StepItem &item);
std::string to_string(const Step &step); // on one line, without its block or ';': split y by 32 tail cut
std::string print(const std::vector<Step> &steps, int indent = 0); // one a line
std::string print(const StepDefinition &definition);
std::string print(const Schedule &schedule);
std::string
print_as_other(const Schedule &schedule); // whose only step uses another one: schedule a for k = b(32);

} // namespace atl
