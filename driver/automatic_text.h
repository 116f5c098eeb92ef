// Schedules that atlc adds to a program: one for each kernel of a file and each description of hardware that
// the user names. They are text like any other: print_automatic shows what their steps `auto` stand for.
#pragma once
#include "driver/pipeline.h"

#include <string>
#include <vector>

namespace atl::driver {

inline const std::string portable_hardware = "portable"; // no instructions, but loops for C compilers

inline const std::string all_hardware = "all"; // the CPUs that atlc has descriptions of, and portable

// Of `avx2,portable`, `all` or `none`.
std::vector<std::string> hardware_named(const std::string &list);
Diagnostic unknown_hardware(const std::string &name, const Diagnostic &not_found);

// Whether there is one for the kernel: of this name, or any.
bool has_schedule(const Program &program, const Kernel &kernel, const std::string &name = "");

// That it was compiled under; there is one.
const Schedule &schedule_of(const Compiled &compiled, const Program &program);

// The schedules for the kernels of a program, and what these import; those that it has are left out. By
// default the descriptions are those that come with atlc; else those that the program would import.
std::string automatic_schedules_for(const Sources &sources, const std::vector<const Kernel *> &kernels,
                                    const Program &program, const std::vector<std::string> &hardware,
                                    bool by_default);

// auto_avx2, or auto for portable C.
std::string automatic_schedule(const std::string &hardware);

// The schedules for all of them, in their order.
std::string automatic_schedules(const std::string &list);

// The steps, with those that were chosen for their steps `auto`.
std::vector<Step> without_auto(const std::vector<Step> &steps, const std::vector<schedule::Chosen> &chosen);

// The schedule, with steps for its steps `auto`, and the reasons as comments; if asked for, also what was
// estimated, and from which costs.
std::string print_automatic(const Schedule &schedule, const Compiled &compiled, bool with_estimates = false);

} // namespace atl::driver
