// Mistakes that show when loops are mapped to instructions, told where a schedule asked for it.
#pragma once
#include "driver/stages.h"

namespace atl::driver {

bool is_of_hardware(const Diagnostic &problem);

// Names the step that made the lanes of the loop that the message speaks of, else the one that asks for the
// hardware. Where there are too many lanes or too few, the step that divides the loop is the place.
void name_request(Diagnostic &problem, const Asked &asked, const std::string &schedule);

} // namespace atl::driver
