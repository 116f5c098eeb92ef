#include "bench/halide_peers.h"

#include "cbackend/host/process.h"

#include <fmt/format.h>

#include <stdexcept>

namespace atl::bench {

namespace fs = std::filesystem;

std::optional<SharedObject> halide_peers() {
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path() / "halide-pipelines";
  if (!fs::exists(program)) {
    fmt::print(stderr, "no {}: Halide is not a peer in this run (ninja -C build halide-pipelines)\n",
               program.string());
    return std::nullopt;
  }
  auto folder = cbackend::TempFolder::create(fs::temp_directory_path());
  if (!folder)
    throw std::runtime_error(folder.errors().front().message);
  auto made = cbackend::run_successfully({program.string(), folder->path().string()});
  if (!made)
    throw std::runtime_error(made.errors().front().message);
  SharedObject::Flags objects;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder->path()))
    objects.push_back(entry.path().string());
  return SharedObject::from_c(fs::path(ATLC_SOURCE_ROOT) / "bench/peers/halide_calls.c", objects);
}

} // namespace atl::bench
