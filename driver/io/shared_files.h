// Where atlc finds its own files: the descriptions of hardware and the library of steps, which programs
// import by name, and the sources of the Coq library. They stand beside the program that runs, wherever it
// was moved to.
#pragma once
#include <filesystem>

namespace atl::driver {

std::filesystem::path program_folder(); // of the program that runs
std::filesystem::path shared_files();   // PREFIX/share/atlc, or the folder lib of a build folder

// Where a file of a program is: there, if it exists, else among those of atlc.
std::filesystem::path place_of(const std::filesystem::path &file);

} // namespace atl::driver
