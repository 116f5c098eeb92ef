// Fixes are tried before they are shown: the edited program is compiled like the one that is wrong.
#pragma once
#include "driver/io/imports.h"
#include "driver/pipeline.h"

#include <functional>

namespace atl::driver {

using Compile = std::function<Compilation(const Texts &)>;

// Leaves to each diagnostic the first of its fixes after which the mistake is gone, and no other one came. Of
// a fix that does not help, what it advises becomes a note.
void try_fixes(Compilation &compilation, const Compile &compile);

} // namespace atl::driver
