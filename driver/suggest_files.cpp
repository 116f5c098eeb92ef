#include "driver/suggest_files.h"

#include "atl/base/spelling.h"

#include <algorithm>
#include <fmt/format.h>

namespace atl::driver {

namespace {

namespace fs = std::filesystem;

// Of programs that can be imported by name: beside the importing file, and in the folders for imports.
std::vector<std::string> importable(const std::string &importing, std::vector<fs::path> folders) {
  std::vector<std::string> names;
  const fs::path own = fs::path(importing).parent_path();
  folders.push_back(own.empty() ? fs::path(".") : own);
  for (const fs::path &folder : folders) {
    std::error_code error;
    for (const auto &entry : fs::directory_iterator(folder, error))
      if (entry.path().extension() == ".atl" && entry.path().filename() != fs::path(importing).filename())
        names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::string closest(const std::string &name, const std::vector<std::string> &names) {
  if (std::find(names.begin(), names.end(), name) != names.end())
    return name;
  return closest_name(name, {names.begin(), names.end()});
}

Edit import_edit(std::uint32_t file, const std::string &name) {
  return {{file, 0, 0}, fmt::format("import \"{}\";\n", name)};
}

} // namespace

std::vector<Fix> suggest_files(const Diagnostic &diagnostic, const Compilation &c) {
  const Span place = *diagnostic.span;
  const std::string written(c.sources.text(place));
  const std::vector<std::string> files = importable(c.sources.at(place.file).name, c.import_folders);
  std::vector<Fix> fixes;
  std::vector<std::string> known;
  for (const Hardware &hardware : c.program ? c.program->hardware : std::vector<Hardware>())
    known.push_back(hardware.name);
  if (const std::string name = closest_name(written, {known.begin(), known.end()}); !name.empty())
    fixes.push_back({fmt::format("there is hardware with a similar name: {}", name), {{place, name}}, false});
  if (const std::string name = closest(written + ".atl", files); !name.empty()) {
    const std::string stem = fs::path(name).stem().string();
    std::vector<Edit> edits{import_edit(place.file, name)};
    if (stem != written)
      edits.push_back({place, stem});
    fixes.push_back({fmt::format("import its description, {}", name), std::move(edits), false});
  }
  return fixes;
}

std::vector<Fix> suggest_memories(const Diagnostic &diagnostic, const Compilation &c) {
  std::vector<Fix> fixes;
  for (const accel::Target &target : c.targets)
    for (const Memory &memory : target.hardware->memories)
      fixes.push_back({fmt::format("{} has the memory {}", target.hardware->name, memory.name),
                       {{*diagnostic.span, memory.name}},
                       false});
  return fixes;
}

} // namespace atl::driver
