// Hardware, memories and files that a program may have meant.
#pragma once
#include "driver/pipeline.h"

namespace atl::driver {

// For hardware that is not imported.
std::vector<Fix> suggest_files(const Diagnostic &diagnostic, const Compilation &c);

// The memories that the hardware has.
std::vector<Fix> suggest_memories(const Diagnostic &diagnostic, const Compilation &c);

} // namespace atl::driver
