// Steps that say which hardware a kernel is compiled for: its instructions, and where temporaries are kept.
// Nothing of what is computed changes; accel/ maps the loops once they are there.
#pragma once
#include "atl/schedule/steps/arguments.h"

namespace atl::schedule {

void map(Arguments &in, rewrites::Work &work);
void store_in(Arguments &in, rewrites::Work &work);
void contract(Arguments &in, rewrites::Work &work);
void pipeline(Arguments &in, rewrites::Work &work);
void prefetch(Arguments &in, rewrites::Work &work);
void drain(Arguments &in, rewrites::Work &work);
void start(Arguments &in, rewrites::Work &work);
void leave_to_cpu(Arguments &in, rewrites::Work &work);

} // namespace atl::schedule
