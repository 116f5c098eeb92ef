#include "driver/io/shared_files.h"

#include <system_error>

namespace atl::driver {

namespace fs = std::filesystem;

fs::path program_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

fs::path shared_files() {
  std::error_code error;
  // Tests are programs in folders of the build folder.
  for (fs::path folder = program_folder(); folder.has_relative_path(); folder = folder.parent_path())
    if (fs::exists(folder / "lib" / "schedules.atl", error))
      return folder / "lib";
  return program_folder().parent_path() / "share" / "atlc";
}

fs::path place_of(const fs::path &file) {
  std::error_code error;
  return fs::exists(file, error) ? file : shared_files() / file.filename();
}

} // namespace atl::driver
