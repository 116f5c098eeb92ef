#include "driver/python_package.h"

#include "cbackend/host/compile.h"
#include "cbackend/host/temp_folder.h"
#include "cbackend/library/python.h"
#include "driver/io/files.h"

#include <fmt/format.h>

namespace atl::driver {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

static std::optional<Diagnostic> write_files(const fs::path &folder,
                                             const std::vector<cbackend::File> &files) {
  for (const cbackend::File &file : files) {
    if (auto error = make_folder((folder / file.name).parent_path()))
      return error;
    if (auto written = cbackend::write_text(folder / file.name, file.text); !written)
      return written.errors()[0];
  }
  return std::nullopt;
}

// The kernels are those of the archive, and are seen by the module alone.
static Words module_flags(const fs::path &archive, const Words &openmp) {
  Words flags{"-fvisibility=hidden", "-Wl,--exclude-libs,ALL", "-Wl,--whole-archive", archive,
              "-Wl,--no-whole-archive"};
  flags.insert(flags.end(), openmp.begin(), openmp.end());
  return flags;
}

Result<std::vector<std::string>> write_python(const fs::path &folder, const Library &library,
                                              const cbackend::Packaging &packaging) {
  const Words with_openmp = packaging.openmp ? Words{"-fopenmp"} : Words{};
  Words flags = cbackend::library_flags();
  flags.insert(flags.end(), with_openmp.begin(), with_openmp.end());
  cbackend::PythonPackage package =
      cbackend::emit_python(library.c.name, library.kernels, flags, packaging.version);
  auto staging = cbackend::TempFolder::create(folder);
  if (!staging)
    return staging.errors()[0];
  if (auto error = write_files(staging->path(), package.files))
    return *error;
  // For the module's #include.
  if (auto error = write_files(staging->path(), {library.c.header}))
    return *error;
  const fs::path archive = folder / fmt::format("lib{}.a", library.c.name);
  auto compiled =
      cbackend::compile_shared(cbackend::c_compiler(), module_flags(archive, with_openmp),
                               staging->path() / package.source, staging->path() / package.module);
  if (!compiled)
    return compiled.errors()[0];
  if (auto error = make_folder(folder / package.name))
    return *error;
  package.files.push_back({package.module, ""});
  std::vector<std::string> outputs;
  for (const cbackend::File &file : package.files) {
    if (auto error = move_file(staging->path() / file.name, folder / file.name))
      return *error;
    outputs.push_back(file.name);
  }
  return outputs;
}

} // namespace atl::driver
